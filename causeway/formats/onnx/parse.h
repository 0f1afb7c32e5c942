#pragma once

#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/onnx/model.h"

namespace causeway::formats::onnx {

/// Whether the bytes are one protobuf message from end to end that has a graph.
bool looks_like_model(const ByteSource& source);

/// A file's messages as plain structs. The numbers of the graph's initializers lie over the mapped file where they are
/// aligned there. What cannot be read goes to `faults`, each at its place, and what is left out to `notes`.
///
/// Refused    bytes that are no whole model, at once.
FileModel parse_model(const ByteSource& source, std::vector<Fault>& faults, std::vector<std::string>& notes);

}  // namespace causeway::formats::onnx
