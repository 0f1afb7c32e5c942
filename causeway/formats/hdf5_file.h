#pragma once

#include <memory>
#include <string>
#include <vector>

#include "causeway/formats/hdf5_attribute.h"
#include "causeway/formats/hdf5_header.h"

namespace causeway::formats::hdf5 {

/// A group or a dataset as the walk over the file found it. Its path is put together when it is asked for, since long
/// names of groups would otherwise be kept once for every member.
struct Node {
  std::string name;
  const Node* parent = nullptr;
  bool is_group = false;
  std::vector<Message> messages;
  Attributes attributes;
  std::vector<std::unique_ptr<Node>> children;  // in the order of names

  std::string path() const;
};

class File {
 public:
  explicit File(Bytes bytes);

  Bytes bytes;
  Node root;
};

}  // namespace causeway::formats::hdf5
