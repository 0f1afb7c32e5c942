#include "causeway/nn/lifting.h"

#include "causeway/base/quoted.h"
#include "causeway/graph/rewrite.h"
#include "causeway/nn/loss_list.h"
#include "causeway/ops/softmax.h"
#include "causeway/passes/bind.h"
#include "causeway/reference/reference.h"

namespace causeway::nn {
namespace {

// Whether a value is what an activation gives.
bool ends_in(const Value& value, const Op& activation) {
  if (!value.node()) return false;
  const Op& op = value.node()->op;
  const auto *softmax = op.as<ops::Softmax>(), *wanted = activation.as<ops::Softmax>();
  if (!softmax || !wanted) return op == activation;
  if (!value.shape().has_rank() || value.shape().rank() == 0) return false;
  const size_t rank = value.shape().rank();
  return axis_in(softmax->axis, rank) == axis_in(wanted->axis, rank);
}

// The activation of any loss that a value ends in.
std::optional<Op> ending(const Value& value) {
  for (const LossRow& row : all_losses()) {
    std::optional<Op> activation = row.plain.activation();
    if (activation && ends_in(value, *activation)) return activation;
  }
  return std::nullopt;
}

Graph without_last(const Graph& graph, Slots& slots, std::string_view output) {
  GraphBuilder builder(slots);
  builder.fold_with(reference::folder());
  const ValueMap made = copy_nodes(builder, graph);
  for (const Door& door : graph.outputs()) {
    const Value value = door.name == output ? door.value.node()->input(0) : door.value;
    builder.output(door.name, made.at(value), door.axes);
  }
  return std::move(builder).finish();
}

Graph with_activation(const Graph& graph, Slots& slots, std::string_view output, const Loss& loss) {
  GraphBuilder builder(slots);
  builder.fold_with(reference::folder());
  const ValueMap made = copy_nodes(builder, graph);
  for (const Door& door : graph.outputs()) {
    const Value value = made.at(door.value);
    builder.output(door.name, door.name == output ? loss.answer(value) : value, door.axes);
  }
  return std::move(builder).finish();
}

// For an output without a loss.
std::optional<Fault> give_first_loss(SavedNetwork& saved, const std::string& output, const Loss& loss,
                                     std::optional<bool> from_logits, const std::string& where) {
  const Graph& graph = saved.network.graph();
  const Door* door = graph.output(output);
  if (!door) {
    std::vector<std::string_view> names;
    for (const Door& each : graph.outputs()) names.push_back(each.name);
    return Fault{where, "the network has no output " + quoted(output) + ", and has " + quoted_list(names) + "."};
  }
  try {
    loss.fits();
  } catch (const Unfit& unfit) {
    return Fault{where, std::string(loss.name()) + ": " + unfit.what()};
  }
  const std::optional<Op> own = loss.activation(), other = ending(door->value);
  const bool ends_in_own = own && ends_in(door->value, *own);
  const std::string name(loss.name()), own_name(own ? own->name() : "");
  const std::string place = door->value.node() ? passes::place_of(*door->value.node()) : where;
  if (own && other && !ends_in_own) {
    return Fault{place,
                 "it ends in a " + std::string(other->name()) + ", and " + name + " goes with a " + own_name + "."};
  }
  if (ends_in_own && from_logits == true) {
    return Fault{place, name + " is told logits, and the network ends in its " + own_name +
                            " already, which would be applied twice. Say from_logits false, or take the layer off."};
  }
  if (own && !ends_in_own && from_logits == false) {
    return Fault{place, name + " is told chances, and the network does not end in a " + own_name +
                            ". Say from_logits true, or end the network in it."};
  }
  if (ends_in_own && graph.uses(door->value) > 1) {
    return Fault{place, "the " + own_name + " that " + name +
                            " would take into itself is read by other layers too. Hand the loss logits."};
  }
  if (ends_in_own) {
    saved.network.set_graph(without_last(graph, saved.network.slots(), output));
    saved.notes.push_back("output " + quoted(output) + ": its last " + own_name + " is part of the loss, " + name +
                          ".");
  }
  saved.losses.insert_or_assign(output, loss);
  return std::nullopt;
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the name may be that of a door of the graph that is replaced
std::optional<Fault> give_loss(SavedNetwork& saved, std::string output, const Loss& loss,
                               std::optional<bool> from_logits, const std::string& where) {
  if (!saved.losses.contains(output)) return give_first_loss(saved, output, loss, from_logits, where);
  SavedNetwork other = saved;
  take_loss(other, output);
  std::optional<Fault> fault = give_first_loss(other, output, loss, from_logits, where);
  if (!fault) saved = std::move(other);
  return fault;
}

void take_loss(SavedNetwork& saved, std::string output) {  // NOLINT(performance-unnecessary-value-param): as above
  const auto loss = saved.losses.find(output);
  if (loss == saved.losses.end()) return;
  if (loss->second.activation()) {
    saved.network.set_graph(with_activation(saved.network.graph(), saved.network.slots(), output, loss->second));
  }
  saved.losses.erase(loss);
  // The words name the loss, and say another network now.
  saved.words.clear();
}

}  // namespace causeway::nn
