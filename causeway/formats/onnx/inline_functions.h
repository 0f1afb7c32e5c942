#pragma once

#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/graph_plan.h"

namespace causeway::formats::onnx {

/// The model's nodes with every call of a function replaced by the function's nodes, under the call's name.
///
/// Refused    at once, before any call is replaced: functions in a ring, more than 64 of them deep in each other, and
///            more than 100,000 nodes. `is_body` says that the graph stands in one measured already.
std::vector<PlannedNode> inlined_nodes(FileModel& model, bool is_body = false);

}  // namespace causeway::formats::onnx
