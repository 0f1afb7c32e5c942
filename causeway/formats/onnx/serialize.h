#pragma once

#include <optional>
#include <string>

#include "causeway/formats/onnx/model.h"

namespace causeway::formats::onnx {

/// Where a tensor lies in a data file.
struct DataPlace {
  uint64_t offset = 0, length = 0;
};

/// From this IR version on a node has metadata.
inline constexpr int64_t kNodeMetadataIr = 10;

/// A model as the bytes of its file: the same model gives the same bytes. With `data_file` the initializers that
/// `places` names lie there (by their place in the graph), and their numbers are not in the message.
std::string serialized(const FileModel& model, const std::string& data_file = {},
                       const std::map<size_t, DataPlace>& places = {});

/// About how many bytes its message has.
uint64_t message_size(const FileModel& model);

}  // namespace causeway::formats::onnx
