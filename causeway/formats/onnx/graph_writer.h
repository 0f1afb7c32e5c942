#pragma once

#include "causeway/formats/onnx/model.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "causeway/nn/saved_network.h"

namespace causeway::formats::onnx {

/// A network as an ONNX model, at the oldest operator set that holds it or at the one asked for.
///
/// Refused    every op that has no form in that set, all at once.
FileModel written_model(const SavedNetwork& saved, const WriteOnnxOptions& options);

/// The IR version that goes with an operator set.
int64_t ir_version_of(int64_t opset);

}  // namespace causeway::formats::onnx
