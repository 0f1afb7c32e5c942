#pragma once

// formats/onnx reads and writes ONNX. A file becomes plain structs (model.h: parse.h reads them, serialize.h writes
// them, and protobuf is seen by these two alone); a graph of them becomes a network node by node, through one table of
// what is read and written (node_table.h), whose functions lie in nodes/, a file a family.

#include "causeway/formats/importer.h"

namespace causeway::formats::onnx {

/// Reads ONNX models of IR 3 to 14 and opset 1 to 28, with their external data.
///
/// Refused    every node, number and setting that is not read, each at its place, all at once.
class OnnxImporter : public Importer {
 public:
  std::string_view format() const override { return "onnx"; }
  /// ONNX files have no magic number: claims whatever is one protobuf message from end to end that has a graph.
  bool claims(const ByteSource& source) const override;
  SavedNetwork read(const ByteSource& source, const ReadOptions& options) const override;
};

}  // namespace causeway::formats::onnx
