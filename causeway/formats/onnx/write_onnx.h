#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causeway/nn/saved_network.h"

namespace causeway {

/// How an ONNX file is written.
struct WriteOnnxOptions {
  /// 7 to 25; the oldest that holds every node unless stated. What is newer is spelled out where it can be, or refused.
  std::optional<int64_t> opset = std::nullopt;
  /// Names of the input's columns, in place of the network's own.
  std::vector<std::string> features = {};
  /// Learned numbers are stored as float16, each followed by a Cast; the doors stay float32.
  bool half = false;
  /// Numbers lie in a file beside the graph, also where the message would fit 2 GiB.
  bool external_data = false;
};

/// Writes a network as an ONNX model that takes and gives the same arrays under the same names. It ends in the loss's
/// activation. The batch and every open length keep their names; the same network gives the same bytes. Gives what of
/// the network ONNX has no place for, a sentence a kind: penalties, norm bounds, holds and dropout; and masks with holes.
///
/// Refused    every op that has no ONNX form, all at once and before a byte is written.
std::vector<std::string> write_onnx(const SavedNetwork& saved, const std::string& path,
                                    const WriteOnnxOptions& options = {});

}  // namespace causeway
