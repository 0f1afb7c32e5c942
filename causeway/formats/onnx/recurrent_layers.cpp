#include "causeway/formats/onnx/recurrent_layers.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "causeway/base/fault.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/arithmetic.h"
#include "causeway/ops/concat.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/mat_mul.h"
#include "causeway/ops/unsqueeze.h"
#include "causeway/ops/where.h"
#include "causeway/passes/bind.h"

namespace causeway::formats::onnx {
namespace {

/// The output of Recurrent that its gradient reads.
constexpr size_t kKept = 2;

bool has_rank(const Value& x, size_t rank) { return x.shape().has_rank() && x.shape().rank() == rank; }

/// What a recurrent op walks over: x · weight + bias, or x where it is no such product.
struct Series {
  Value x, weight = {}, bias = {};
  bool is_transposed = false;
};

/// What an answer is made of: a dropout passes it on as it is.
Value behind_dropouts(Value x) {
  while (x.node() && x.node()->op.is<ops::Dropout>()) x = x.node()->input(0);
  return x;
}

std::optional<Series> product_of(const Value& a) {
  const auto* product = a.node() ? a.node()->op.as<ops::MatMul>() : nullptr;
  if (!product || product->transpose_a) return std::nullopt;
  const Value x = behind_dropouts(a.node()->input(0)), weight = a.node()->input(1);
  if (!has_rank(x, 3) || !has_rank(weight, 2)) return std::nullopt;
  return Series{x, weight, {}, product->transpose_b};
}

Series series_of(const Value& a) {
  if (const std::optional<Series> plain = product_of(a)) return *plain;
  if (a.node() && a.node()->op.is<ops::Add>()) {
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const Value bias = a.node()->input(1 - i);
      std::optional<Series> product = product_of(a.node()->input(i));
      if (!product || !has_rank(bias, 1) || !(bias.shape()[0] == a.shape()[2])) continue;
      product->bias = bias;
      return *product;
    }
  }
  return {a};
}

/// The two directions of one layer, in the order in which they stand.
struct Pair {
  const Node *forward, *backward;
};

bool is_other_way(const Node& forward, const Node& backward) {
  ops::Recurrent turned = *forward.op.as<ops::Recurrent>();
  if (turned.reverse) return false;
  turned.reverse = true;
  const auto both_or_none = [&](size_t i) { return bool(forward.input(i)) == bool(backward.input(i)); };
  return Op(turned) == backward.op && forward.scope == backward.scope && both_or_none(3) && both_or_none(5) &&
         forward.input(4) == backward.input(4) && forward.input(1).shape() == backward.input(1).shape() &&
         series_of(forward.input(0)).x == series_of(backward.input(0)).x;
}

bool reads(const Node& node, const Node& of) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Value& x) { return x && x.node() == &of; });
}

/// Pairs by either of their nodes. Both are written where the later one stands, so nothing between them reads the first.
std::unordered_map<const Node*, Pair> pairs_of(const Graph& graph) {
  std::unordered_map<const Node*, Pair> pairs;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node* first = graph.nodes()[i];
    if (!first->op.is<ops::Recurrent>() || pairs.contains(first)) continue;
    for (size_t k = i + 1; k < graph.nodes().size() && !reads(*graph.nodes()[k], *first); ++k) {
      const Node* second = graph.nodes()[k];
      if (!second->op.is<ops::Recurrent>() || pairs.contains(second)) continue;
      const bool is_forward = is_other_way(*first, *second);
      if (!is_forward && !is_other_way(*second, *first)) continue;
      const Pair pair = is_forward ? Pair{first, second} : Pair{second, first};
      pairs[first] = pairs[second] = pair;
      break;
    }
  }
  return pairs;
}

/// Whether a node leaves out the steps of x that the mask leaves out: a recurrent layer with that mask, or a choice by
/// it, as a mean over steps begins with.
bool leaves_out(const Node& node, const Value& x, const Value& mask) {
  if (std::count(node.inputs.begin(), node.inputs.end(), x) != 1) return false;
  if (node.op.is<ops::Recurrent>()) return node.input(0) == x && node.input(4) == mask;
  if (!node.op.is<ops::Where>() || !(node.input(1) == x) || !node.input(0).node()) return false;
  const Node& condition = *node.input(0).node();
  const auto* unsqueeze = condition.op.as<ops::Unsqueeze>();
  return unsqueeze && condition.input(0) == mask && unsqueeze->axes == std::vector<int64_t>{2};
}

/// Whether a node works every step of x by itself, and gives steps again.
bool works_step_by_step(const Node& node, const Value& x) {
  if (!has_rank(node.output(), 3)) return false;
  if (const auto* concat = node.op.as<ops::Concat>()) return axis_in(concat->axis, 3) == 2;
  if (const auto* product = node.op.as<ops::MatMul>()) {
    return node.input(0) == x && !product->transpose_a && has_rank(node.input(1), 2);
  }
  return node.op.is<ops::Dropout>() || node.op.keeps() == Keeps::Elements;
}

/// Whether anything reads what steps [N, L, C] hold where the mask [N, L] leaves them out.
bool shows_masked(const Graph& graph, const Value& steps, const Value& mask) {
  Values same{steps};
  for (size_t i = 0; i < same.size(); ++i) {
    const Value x = same[i];
    for (const Door& door : graph.outputs()) {
      if (door.value == x) return true;
    }
    for (const Node* node : graph.nodes()) {
      if (std::find(node->inputs.begin(), node->inputs.end(), x) == node->inputs.end()) continue;
      if (leaves_out(*node, x, mask)) continue;
      if (!works_step_by_step(*node, x)) return true;
      if (std::find(same.begin(), same.end(), node->output()) == same.end()) same.push_back(node->output());
    }
  }
  return false;
}

class Rewriter {
 public:
  Rewriter(const Graph& graph, Slots& slots) : graph_(graph), into_(slots), pairs_(pairs_of(graph)) {}

  Graph run() {
    for (const Door& door : graph_.inputs()) made_[door.value] = into_.input(door.name, door.value.type(), door.axes);
    for (const SlotUse& use : graph_.slots()) made_[use.value] = into_.slot(use.path);
    for (const Node* node : graph_.nodes()) {
      const ScopeGuard scope = into_.scope_of(*node->scope);
      if (node->op.is<ops::Recurrent>()) {
        write(*node);
      } else if (!is_joined(*node)) {
        copy(*node);
      }
    }
    for (const Door& door : graph_.outputs()) into_.output(door.name, made_.at(door.value), door.axes);
    return std::move(into_).finish();
  }

 private:
  Value now(const Value& before) const { return before ? made_.at(before) : Value(); }

  void copy(const Node& node) {
    Values inputs, outputs;
    for (const Value& input : node.inputs) inputs.push_back(now(input));
    Types types;
    for (const Value& output : node.outputs) types.push_back(output.type());
    outputs = into_.add_typed(node.op, std::move(inputs), std::move(types));
    for (size_t i = 0; i < node.outputs.size(); ++i) made_[node.outputs[i]] = outputs[i];
  }

  void write(const Node& node) {
    const auto pair = pairs_.find(&node);
    if (pair == pairs_.end()) {
      write_layer({&node});
    } else if (&node == std::max(pair->second.forward, pair->second.backward,
                                 [](const Node* a, const Node* b) { return a->index < b->index; })) {
      write_layer({pair->second.forward, pair->second.backward});
    }
  }

  void write_layer(const std::vector<const Node*>& directions) {
    RecurrentLayer layer{.of = *directions[0]->op.as<ops::Recurrent>(), .both_ways = directions.size() == 2};
    Values inputs = {now(series_of(directions[0]->input(0)).x), now(directions[0]->input(4))};
    Types types;
    for (const Node* node : directions) {
      const Value mask = node->input(4);
      layer.shows_masked_steps = layer.shows_masked_steps || (mask && shows_masked(graph_, node->output(0), mask));
      const Series series = series_of(node->input(0));
      layer.transposed.push_back(series.is_transposed ? 1 : 0);
      for (const Value& value :
           {series.weight, series.bias, node->input(1), node->input(2), node->input(3), node->input(5)}) {
        inputs.push_back(now(value));
      }
      for (const size_t output : kOutputOf)
        types.push_back(node->output(output) ? node->output(output).type() : Type{});
    }
    for (size_t which = 0; layer.both_ways && which < 2; ++which) {
      Type both = directions[0]->output(which).type();
      if (both.shape.has_rank()) both.shape[both.shape.rank() - 1] = both.shape.at(-1) * 2;
      types.push_back(std::move(both));
    }
    const Values outputs = into_.add_typed(layer, std::move(inputs), std::move(types));
    for (size_t d = 0; d < directions.size(); ++d) {
      for (size_t k = 0; k < RecurrentLayer::kOutputs; ++k) {
        const Value before = directions[d]->output(kOutputOf[k]);
        if (before) made_[before] = outputs[d * RecurrentLayer::kOutputs + k];
      }
    }
    if (layer.both_ways) {
      joined_[directions[0]->output(0)] = {directions[1]->output(0), outputs[2 * RecurrentLayer::kOutputs]};
      joined_[directions[0]->output(1)] = {directions[1]->output(1), outputs[2 * RecurrentLayer::kOutputs + 1]};
    }
  }

  /// Whether a node puts both directions side by side, which the layer gives already.
  bool is_joined(const Node& node) {
    const auto* concat = node.op.as<ops::Concat>();
    if (!concat || node.inputs.size() != 2) return false;
    const auto at = joined_.find(node.input(0));
    if (at == joined_.end() || !(at->second.first == node.input(1))) return false;
    const Shape& shape = node.input(0).shape();
    if (!shape.has_rank() || axis_in(concat->axis, shape.rank()) + 1 != shape.rank()) return false;
    made_[node.output()] = at->second.second;
    return true;
  }

  /// Steps, h and c among the outputs of Recurrent.
  static constexpr size_t kOutputOf[] = {0, 1, 3};

  const Graph& graph_;
  GraphBuilder into_;
  std::unordered_map<const Node*, Pair> pairs_;
  ValueMap made_;
  /// By what the forward direction gives: what the backward one does, and both.
  std::unordered_map<Value, std::pair<Value, Value>> joined_;
};

}  // namespace

Graph with_recurrent_layers(const Graph& graph, Slots& slots) {
  bool any = false;
  std::vector<Fault> faults;
  for (const Node* node : graph.nodes()) {
    if (!node->op.is<ops::Recurrent>()) continue;
    any = true;
    if (!node->output(kKept) || graph.uses(node->output(kKept)) == 0) continue;
    faults.push_back({passes::place_of(*node), "what it keeps for its gradient is read, and no op of ONNX gives it."});
  }
  refuse_if_any(std::move(faults));
  return any ? Rewriter(graph, slots).run() : graph;
}

}  // namespace causeway::formats::onnx
