#pragma once

#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/graph_plan.h"

namespace causeway::formats::onnx {

/// The model's nodes with every call of a function replaced by the function's nodes, under the call's name.
///
/// Refused    at once: functions in a ring, and more than 100,000 nodes.
std::vector<PlannedNode> inlined_nodes(FileModel& model);

}  // namespace causeway::formats::onnx
