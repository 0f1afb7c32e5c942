#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "causeway/formats/onnx/node_reader.h"
#include "causeway/formats/onnx/node_writer.h"

namespace causeway::formats::onnx {

/// Adds a node to the network being read, and gives its outputs in the node's order; those the node does not name may
/// be left out. Calls unfit(), or node.refuse() where reading can go on.
using ReadNode = Values (*)(NodeReader&);

/// Writes a node of a network as nodes of ONNX, and says which value each of its outputs is. Calls unfit() where it has
/// no form in the operator set.
using WriteNode = void (*)(NodeWriter&);

/// One op, of ONNX, of a network, or both where they share their name.
struct NodeRow {
  std::string_view op;
  /// The oldest opset it is read at.
  int64_t oldest = 1;
  /// Null where ONNX has no such op, or its meaning is another op's in a network.
  ReadNode read = nullptr;
  /// Null where no network has such an op, or it has no ONNX form.
  WriteNode write = nullptr;
};

/// In alphabetical order.
std::span<const NodeRow> node_table();
/// Null where no op of that name is read or written.
const NodeRow* node_row(std::string_view op);
/// Why an op of a network has no ONNX form; "" where it has one.
std::string_view not_written(std::string_view op);
/// Why an op that ONNX has is refused at every level; "" where it is not.
std::string_view refused_op(std::string_view op);
/// "no op of this type is read.", with the nearest name if there is one.
std::string no_such_op(std::string_view op);

}  // namespace causeway::formats::onnx
