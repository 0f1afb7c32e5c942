#pragma once

#include <string>
#include <vector>

#include "causeway/nn/saved_network.h"

namespace causeway::formats::onnx {

/// What of a network an ONNX file has no place for, a sentence a kind: rules of training, which change no answer, and
/// masks with a hole in them, where a recurrent layer has lengths.
std::vector<std::string> lost_in_onnx(const SavedNetwork& saved);

}  // namespace causeway::formats::onnx
