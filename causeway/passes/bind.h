#pragma once

// passes/ holds rewrites of a graph that change no answer: binding its lengths and folding what is constant, pushing
// transposes, dropping what nothing reads. A pass takes a graph and gives another; it knows no engine and no format.

#include <map>
#include <string>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::passes {

/// What a graph is bound to, by input: the lengths of each, and the numbers of those that decide a shape.
struct Lengths {
  std::map<std::string, std::vector<int64_t>, std::less<>> lengths = {};
  std::map<std::string, Tensor, std::less<>> values = {};
};

/// A graph whose every length is a number, over slots of its own collection: the very slots of the graph it came from,
/// and the constants that were folded.
struct BoundGraph {
  Graph graph;
  Slots slots;
};

/// Binds every length and folds each node whose inputs are all constant (slots of other roles are none). Inputs and
/// outputs keep their order, whether or not something still reads an input.
/// Refused: an input missing or of other lengths, one name bound to two lengths, and each node whose shape rule cannot be met
/// or whose lengths stay unknown, all at once.
BoundGraph bound(const Graph& graph, Slots& slots, const Lengths& to);

/// The inputs whose numbers decide a shape: without them some length of the graph stays unknown when all lengths of the
/// inputs are given.
std::vector<std::string> deciding_inputs(const Graph& graph, Slots& slots, const Lengths& to);

/// Where a node stands, for a fault: "layer 'encoder.0' (Dense), MatMul", or "node 7 (Gemm)" outside every layer.
std::string place_of(const Node& node);

}  // namespace causeway::passes
