#pragma once

#include "causeway/graph/graph.h"

namespace causeway::passes {

/// Finds attention that is spelled out, as exporters of ONNX spell it: a product of queries and keys, a scale, perhaps a
/// mask, softmax, a product with the values, and the reshapes and transposes that take heads apart before and put them
/// together behind. Each becomes one Attention node on the values before they were taken apart.
///
/// The graph is bound; where a length is open nothing is found. A mask counts where it is told by truths (`where` with
/// a number so low that no share is left), or by constant numbers that are 0 or so low. A chain one of whose values is
/// read elsewhere stays, as does one that would answer otherwise for a query without a key.
/// The answers are the same but for the rounding of the scale and of what is summed in another order.
Graph recognized_attention(const Graph& graph, Slots& slots);

}  // namespace causeway::passes
