#pragma once

#include <string>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::ops {

/// What training rules draw for the elements of x: the values of a random op for purpose `purpose` with the path of the
/// layer of `node`, in a step's own seed and batch. One draw serves all along the `shared` axes (from the end where
/// negative). The draws are numbered with the axes in the order `drawn_in`, as they stand where it is empty.
///
/// RandomOp: RandomUniform or RandomNormal.
template <class RandomOp>
Value draws_for(GraphBuilder& graph, const Node& node, Value x, const std::string& purpose,
                const std::vector<int64_t>& shared = {}, const std::vector<size_t>& drawn_in = {});

/// drawn_in of what is turned to `axes`, so that every element keeps its draw.
std::vector<size_t> turned_draws(const std::vector<size_t>& drawn_in, const Axes& axes);

}  // namespace causeway::ops
