#pragma once

#include <vector>

#include "causeway/nn/saved_network.h"
#include "tests/ops/op_case.h"

namespace causeway::tests {

/// A case as a network; without what Recurrent keeps for its gradient, which no network answers with.
SavedNetwork network_of(const OpCase& one);

/// By the judge engine, in the order of the outputs.
std::vector<Tensor> answers_of(const SavedNetwork& saved, const std::vector<Tensor>& inputs);

/// ONNX has lengths in place of a recurrent mask; a note says so of one that may have a real step behind another.
bool has_hole_in_mask(const OpCase& one);

}  // namespace causeway::tests
