#pragma once

#include <string>
#include <vector>

#include "causeway/formats/hdf5_header.h"

namespace causeway::formats::hdf5 {

struct Link {
  enum class Kind { Hard, Soft, External, Other };
  std::string name;
  Kind kind = Kind::Hard;
  uint64_t address = kNowhere;  ///< Of a hard link's object.
};

/// Whether the object is a group, of either kind.
bool is_group(const std::vector<Message>& messages);

/// Every link of a group, in the order of names: from the old B-tree and local heap, from messages, or from a fractal
/// heap. A name that is empty, holds '/' or stands twice calls unfit().
std::vector<Link> read_links(const Bytes& file, const std::vector<Message>& messages, Budget& budget);

}  // namespace causeway::formats::hdf5
