#include "causeway/nn/lifting.h"

#include "causeway/base/quoted.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/sigmoid.h"
#include "causeway/ops/softmax.h"
#include "causeway/passes/bind.h"
#include "causeway/reference/reference.h"

namespace causeway::nn {
namespace {

// The activation a value ends in, as losses name them; "" for any other.
std::string_view ending(const Value& value) {
  if (!value.node()) return "";
  if (value.node()->op.is<ops::Sigmoid>()) return "Sigmoid";
  const auto* softmax = value.node()->op.as<ops::Softmax>();
  if (!softmax || !value.shape().has_rank() || value.shape().rank() == 0) return "";
  return axis_in(softmax->axis, value.shape().rank()) + 1 == value.shape().rank() ? "Softmax" : "";
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
  if (!door) return Fault{where, "the network has no output " + quoted(output) + "."};
  const std::string_view end = ending(door->value), own = loss.activation();
  const std::string name(loss.name());
  const std::string place = door->value.node() ? passes::place_of(*door->value.node()) : where;
  if (!end.empty() && !own.empty() && end != own) {
    return Fault{place,
                 "it ends in a " + std::string(end) + ", and " + name + " goes with a " + std::string(own) + "."};
  }
  const bool ends_in_own = !own.empty() && end == own;
  if (ends_in_own && from_logits == true) {
    return Fault{place, name + " is told logits, and the network ends in its " + std::string(own) +
                            " already, which would be applied twice. Say from_logits false, or take the layer off."};
  }
  if (!own.empty() && !ends_in_own && from_logits == false) {
    return Fault{place, name + " is told chances, and the network does not end in a " + std::string(own) +
                            ". Say from_logits true, or end the network in it."};
  }
  if (ends_in_own && graph.uses(door->value) > 1) {
    return Fault{place, "the " + std::string(own) + " that " + name +
                            " would take into itself is read by other layers too. Hand the loss logits."};
  }
  if (ends_in_own) {
    saved.network.set_graph(without_last(graph, saved.network.slots(), output));
    saved.notes.push_back("output " + quoted(output) + ": its last " + std::string(own) + " is part of the loss, " +
                          name + ".");
  }
  saved.losses.insert_or_assign(output, loss);
  return std::nullopt;
}

}  // namespace

std::optional<Fault> give_loss(SavedNetwork& saved, const std::string& output, const Loss& loss,
                               std::optional<bool> from_logits, const std::string& where) {
  if (!saved.losses.contains(output)) return give_first_loss(saved, output, loss, from_logits, where);
  SavedNetwork other = saved;
  take_loss(other, output);
  std::optional<Fault> fault = give_first_loss(other, output, loss, from_logits, where);
  if (!fault) saved = std::move(other);
  return fault;
}

void take_loss(SavedNetwork& saved, const std::string& output) {
  const auto loss = saved.losses.find(output);
  if (loss == saved.losses.end()) return;
  if (!loss->second.activation().empty()) {
    saved.network.set_graph(with_activation(saved.network.graph(), saved.network.slots(), output, loss->second));
  }
  saved.losses.erase(loss);
  // The words name the loss, and say another network now.
  saved.words.clear();
}

}  // namespace causeway::nn
