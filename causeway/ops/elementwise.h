#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Whether each element of what an op makes depends on that element of its inputs alone (broadcast where they are
/// smaller): such ops are fused into chains, and pass any order of axes and of places on. Dropout is none of
/// them: its draws are numbered by place.
bool is_elementwise(const Op& op);

}  // namespace causeway::ops
