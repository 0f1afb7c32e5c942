#include "causeway/train/step.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/build.h"
#include "causeway/train/backward.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway::train {
namespace {

std::string memory_path(std::string_view slot, std::string_view name) {
  return "@memory/" + std::string(slot) + "/" + std::string(name);
}
std::string gradient_path(std::string_view slot) { return "@gradient/" + std::string(slot); }
std::string scalar_input(size_t group, std::string_view name) {
  return "@" + std::to_string(group) + "/" + std::string(name);
}

Tensor filled_like(const Tensor& numbers, double start) {
  Tensor filled(numbers.dtype(), numbers.lengths());
  if (start != 0) std::ranges::fill(filled.mutable_values<float>(), static_cast<float>(start));
  return filled;
}

constexpr std::string_view kGatheredRows = "@gradient//rows";

Value float_scalar(GraphBuilder& graph, const std::string& name) {
  return graph.shared_input(name, {DType::Float32, Shape{std::vector<Dim>{}}});
}

Value total(Value sum, Value term) { return sum ? ops::add(sum, term) : term; }

Value bounded(GraphBuilder& graph, const Bound& bound, Value weight) {
  std::vector<int64_t> axes(bound.axes.begin(), bound.axes.end());
  const Value norm = ops::sqrt(ops::reduce_sum(ops::square(weight), axes, /*keepdims=*/true));
  const Value kept = ops::min(norm, graph.scalar(bound.limit));
  return ops::mul(weight, ops::div(kept, ops::shifted(norm, 1e-7)));
}

// The norm of all gradients in double, so that it is finite where every entry is; empty where there are none.
Value norm_of(const Values& slopes) {
  Value squares;
  for (const Value& slope : slopes) {
    if (slope) squares = total(squares, ops::sum_squares(slope));
  }
  return squares ? ops::sqrt(squares) : Value();
}

Value guarded_norm(GraphBuilder& graph, const Values& slopes) {
  const Value norm = norm_of(slopes);
  if (norm) {
    graph.output("norm", norm);
    graph.guard(norm);
  }
  return norm;
}

}  // namespace

Step::Step(SavedNetwork& saved, const Optimizer& optimizer, StepOptions options)
    : optimizer_(optimizer), options_(std::move(options)) {
  std::vector<Fault> faults = optimizer_.check();
  if (saved.losses.empty()) {
    faults.push_back({"network", "no loss is stated, and training asks for one. Hand a loss for its output."});
  }
  Slots& own = saved.network.slots();
  for (size_t i = 0; i < own.size(); ++i) slots_.share(own.shared(i));
  for (const SlotUse& use : saved.network.graph().slots()) {
    if (own.at(use.path).learns()) learned_.push_back(use.path);
  }
  if (learned_.empty()) {
    faults.push_back(
        {"network", "no slot of it learns: every one is held, measured or constant. Release a layer to train it."});
  }
  assign_groups(saved.network, faults);
  refuse_if_any(std::move(faults));
  for (const std::string& path : learned_) {
    for (const Memory& kept : optimizer_.memory()) {
      slots_.add({.path = memory_path(path, kept.name),
                  .role = Role::Measured,
                  .numbers = filled_like(slots_.at(path).numbers, kept.start)});
    }
  }
  build_whole(saved);
  if (options_.accumulate > 1) {
    build_gather(saved);
    build_apply();
  }
}

// Groups of one rate and decay each; group 0 is the optimizer's own.
void Step::assign_groups(const Network& network, std::vector<Fault>& faults) {
  groups_.push_back({std::nullopt, optimizer_.weight_decay()});
  std::set<std::string> stated;
  for (size_t g = 0; g < options_.groups.size(); ++g) {
    const ParameterGroup& group = options_.groups[g];
    const auto say = [&](std::string what) { faults.push_back({"group " + std::to_string(g), std::move(what)}); };
    groups_.push_back({group.learning_rate, group.weight_decay.value_or(optimizer_.weight_decay())});
    if (group.learning_rate && !is_rate(*group.learning_rate)) {
      say("'learning_rate' is " + text_of(*group.learning_rate) + ", and " + std::string(kWhatARateIs) +
          ". Hold layers that do not learn.");
    }
    if (group.weight_decay && !(std::isfinite(*group.weight_decay) && *group.weight_decay >= 0))
      say("'weight_decay' is " + text_of(*group.weight_decay) + ", and it is finite and at least 0.");
    for (const std::string& path : group.paths) {
      if (!network.has_path(path)) say("no layer or slot of this network has the path " + quoted(path) + ".");
      if (!stated.insert(path).second) say("the path " + quoted(path) + " is stated twice.");
    }
  }
  for (const std::string& slot : learned_) {
    size_t longest = 0;
    for (size_t g = 0; g < options_.groups.size(); ++g) {
      for (const std::string& path : options_.groups[g].paths) {
        if (!lies_beneath(slot, path) || path.size() < longest) continue;
        longest = path.size();
        group_of_[slot] = g + 1;
      }
    }
  }
}

size_t Step::group_of(const std::string& path) const {
  const auto at = group_of_.find(path);
  return at == group_of_.end() ? 0 : at->second;
}

// The network as it trains, and its loss on a batch: a scalar.
Value Step::batch_loss(GraphBuilder& graph, SavedNetwork& saved) {
  const Graph& network = saved.network.graph();
  const NodeRule training = [](GraphBuilder& into, const Node& node, const Values& inputs) -> std::optional<Values> {
    const Node moved{node.op, node.scope, inputs, {}, node.index};
    try {
      return node.op.training(into, moved);
    } catch (const Unfit& unfit) {
      throw Refused("layer " + quoted(node.scope->path) + " (" + node.scope->kind + ")", unfit.what());
    }
  };
  const ValueMap made = copy_nodes(graph, network, training);
  return train::batch_loss(graph, saved, made, options_.answers);
}

// The loss of a batch, guarded, and the gradients of what learns.
Values Step::batch_gradients(GraphBuilder& graph, SavedNetwork& saved) {
  const Value loss = batch_loss(graph, saved);
  Values weights;
  for (const std::string& path : learned_) weights.push_back(graph.slot(path));
  Values slopes = gradients(graph, loss, weights);
  graph.output("loss", loss);
  graph.guard(loss);
  return slopes;
}

void Step::build_whole(SavedNetwork& saved) {
  GraphBuilder graph(slots_);
  apply(graph, batch_gradients(graph, saved));
  batch_graph_ = std::move(graph).finish();
}

void Step::build_gather(SavedNetwork& saved) {
  GraphBuilder graph(slots_);
  const Values slopes = batch_gradients(graph, saved);
  const Value rows = float_scalar(graph, std::string(kRows));
  for (size_t i = 0; i < learned_.size(); ++i) {
    if (!slopes[i]) continue;  // no loss reaches it: it stays as it is
    const Value gathered = graph.declare({.path = gradient_path(learned_[i]),
                                          .role = Role::Measured,
                                          .numbers = filled_like(slots_.at(learned_[i]).numbers, 0)});
    graph.assign(gradient_path(learned_[i]), ops::fma(slopes[i], rows, gathered));
  }
  const Value so_far = graph.declare(
      {.path = std::string(kGatheredRows), .role = Role::Measured, .numbers = Tensor(DType::Float32, {})});
  graph.assign(kGatheredRows, ops::add(so_far, rows));
  guarded_norm(graph, slopes);
  gather_graph_ = std::move(graph).finish();
}

void Step::build_apply() {
  GraphBuilder graph(slots_);
  Values slopes;
  const Value rows = graph.slot(kGatheredRows);
  for (const std::string& path : learned_) {
    if (!slots_.find(gradient_path(path))) {
      slopes.emplace_back();
      continue;
    }
    const Value gathered = graph.slot(gradient_path(path));
    slopes.push_back(ops::div(gathered, rows));
    graph.assign(gradient_path(path), ops::full_like(gathered, 0));
  }
  graph.assign(kGatheredRows, graph.scalar(0.0f));
  apply(graph, std::move(slopes));
  apply_graph_ = std::move(graph).finish();
}

// Clip, the optimizer's arithmetic and the bounds, slot by slot in the network's order.
void Step::apply(GraphBuilder& graph, Values slopes) {
  const Value norm = guarded_norm(graph, slopes);
  if (norm) clip(graph, norm, slopes);
  for (size_t i = 0; i < learned_.size(); ++i) {
    if (slopes[i]) graph.assign(learned_[i], stepped(graph, learned_[i], slopes[i]));
  }
}

// Cuts gradients by value, then by the norm of what is left; `norm` is theirs as they come.
void Step::clip(GraphBuilder& graph, Value norm, Values& slopes) const {
  if (options_.clip_value) {
    const auto limit = static_cast<float>(*options_.clip_value);
    for (Value& slope : slopes) {
      if (slope) slope = ops::clip(slope, -limit, limit);
    }
    if (options_.clip_norm) norm = norm_of(slopes);
  }
  if (!options_.clip_norm) return;
  // PyTorch divides a number by a tensor by the float32 reciprocal of the tensor, and so do we.
  const Value one = graph.constant(Tensor::scalar(1.0), "one");
  const Value inverse = ops::cast(ops::div(one, ops::shifted(norm, 1e-6)), DType::Float32);
  const Value share = ops::min(ops::scale(inverse, *options_.clip_norm), 1.0);
  for (Value& slope : slopes) {
    if (slope) slope = ops::mul(slope, share);
  }
}

Value Step::stepped(GraphBuilder& graph, const std::string& path, Value gradient) {
  const size_t group = group_of(path);
  const ScopeGuard scope = graph.scope_of({path, std::string(optimizer_.name()), {}});
  const SlotStep slot{
      graph,
      graph.slot(path),
      gradient,
      groups_[group].decay,
      [&](std::string_view name) { return graph.slot(memory_path(path, name)); },
      [&](std::string_view name, Value value) { graph.assign(memory_path(path, name), value); },
      [&](std::string_view name) { return float_scalar(graph, scalar_input(group, name)); },
  };
  const Value next = optimizer_.step(slot);
  const Slot& rules = slots_.at(path);
  return rules.max_norm ? bounded(graph, *rules.max_norm, next) : next;
}

Step::Scalars::Scalars(const Step& step, const Graph& graph, std::span<const TensorView> inputs)
    : step_(step), worked_(step.optimizer_.scalars().size()) {
  for (size_t group = 0; group < step.groups_.size(); ++group) {
    for (const std::string_view name : step.optimizer_.scalars()) {
      targets_.push_back(nullptr);
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (graph.inputs()[i].name == scalar_input(group, name)) targets_.back() = static_cast<float*>(inputs[i].data);
      }
    }
  }
}

void Step::Scalars::write(double rate, int64_t step) {
  const Optimizer& optimizer = step_.optimizer_;
  while (counted_ < step) carried_ = optimizer.carry(carried_, ++counted_);
  const double share = rate / optimizer.learning_rate();
  size_t target = 0;
  for (const Group& group : step_.groups_) {
    optimizer.work({group.rate ? *group.rate * share : rate, step, carried_}, group.decay, worked_);
    for (const double scalar : worked_) {
      if (targets_[target]) *targets_[target] = static_cast<float>(scalar);
      ++target;
    }
  }
}

}  // namespace causeway::train
