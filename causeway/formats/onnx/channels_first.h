#pragma once

#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// The same graph with its windows and channel norms in ONNX's form, channels on axis 1: transposes stand around them,
/// pushed along and cancelled as far as that goes, and what falls on slots is put into their numbers (`slots` are the
/// caller's to change).
Graph with_channels_first(const Graph& graph, Slots& slots);

}  // namespace causeway::formats::onnx
