#include "causeway/passes/turn_doors.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/ops/windowed.h"
#include "causeway/passes/sink_transposes.h"
#include "causeway/reference/reference.h"

namespace causeway::passes {
namespace {

using ops::Layout;

constexpr std::string_view kPlaces[] = {"L", "HW", "DHW"};

/// The letters of a value of windows over that many axes.
std::string letters(size_t places, Layout layout) {
  if (places < 1 || places > 3) return "";
  const std::string inner(kPlaces[places - 1]);
  return layout == Layout::ChannelsLast ? "N" + inner + "C" : "NC" + inner;
}

/// The letters of what a windowed op reads and makes; none for another op.
std::optional<std::string> letters_of(const Op& op) {
  const std::optional<ops::WindowAxes> window = ops::window_axes(op);
  if (!window) return std::nullopt;
  return letters(window->places, window->layout);
}

/// The letters of x, of which y = transpose(x, order) has these.
std::string before(const std::string& of_y, const Axes& order) {
  if (order.empty()) return of_y;
  if (order.size() != of_y.size()) return "";
  std::string of_x = of_y;
  for (size_t i = 0; i < order.size(); ++i) of_x[order[i]] = of_y[i];
  return of_x;
}

std::string after(const std::string& of_x, const Axes& order) {
  return order.size() == of_x.size() ? before(of_x, inverse(order)) : order.empty() ? of_x : "";
}

Axes order_of(const ops::Transpose& transpose, size_t rank) {
  if (!transpose.axes.empty()) return transpose.axes;
  Axes reversed(rank);
  for (size_t i = 0; i < rank; ++i) reversed[i] = rank - 1 - i;
  return reversed;
}

/// An order, y = transpose(x, order), that turns axes of these letters; none where they stand so already.
std::optional<Axes> turn_of(const std::string& axes, Doors doors) {
  const size_t places = axes.size() < 3 ? 0 : axes.size() - 2;
  const std::string wanted =
      letters(places, doors == Doors::ChannelsLast ? Layout::ChannelsLast : Layout::ChannelsFirst);
  if (wanted.empty() || axes == wanted) return std::nullopt;
  Axes order;
  for (const char letter : wanted) {
    const size_t at = axes.find(letter);
    if (at == std::string::npos) return std::nullopt;
    order.push_back(at);
  }
  return order;
}

Shape permuted(const Shape& shape, const Axes& order) {
  if (!shape.has_rank()) return shape;
  std::vector<Dim> dims;
  for (const size_t axis : order) dims.push_back(shape[axis]);
  return dims;
}

std::string permuted(const std::string& axes, const Axes& order) {
  std::string letters;
  for (const size_t axis : order) letters.push_back(axes[axis]);
  return letters;
}

bool has_places(const Value& value) {
  return value.shape().has_rank() && value.shape().rank() >= 3 && value.shape().rank() <= 5;
}

// A door of truths is a mask, which has no channels whatever its rank.
std::string stated_or(const Door& door, const std::string& told, const char* side, std::vector<Fault>& faults) {
  if (door.value.dtype() == DType::Bool) return "";
  if (!door.axes.empty() || !told.empty() || !has_places(door.value)) return door.axes.empty() ? told : door.axes;
  faults.push_back(
      {std::string(side) + " " + quoted(door.name),
       "nothing says which axis of " + door.value.shape().text() + " its channels are, so it is not turned."});
  return "";
}

}  // namespace

std::string axes_of_input(std::span<const Node* const> nodes, const Value& input) {
  // What of the graph is the input with its axes in an order.
  std::unordered_map<Value, Axes> same{{input, {}}};
  for (const Node* node : nodes) {
    if (const auto told = letters_of(node->op)) {
      const auto read = same.find(node->input(0));
      if (read != same.end()) return before(*told, read->second);
      continue;
    }
    for (const Value& read : node->inputs) {
      const auto known = same.find(read);
      if (known == same.end() || node->outputs.empty() || !node->output().shape().has_rank()) continue;
      const size_t rank = node->output().shape().rank();
      if (const auto* transpose = node->op.as<ops::Transpose>()) {
        same[node->output()] = composed(known->second, order_of(*transpose, rank));
      } else if (node->op.keeps() != Keeps::Nothing && read.shape().has_rank() && read.shape().rank() == rank) {
        same[node->output()] = Axes(known->second);
      }
      break;
    }
  }
  return "";
}

std::string axes_of_output(const Value& output) {
  if (!output.shape().has_rank()) return "";
  const size_t rank = output.shape().rank();
  Axes order;  // output = transpose(value, order)
  for (Value value = output; value.node();) {
    const Node& node = *value.node();
    if (const auto told = letters_of(node.op)) return after(*told, order);
    if (const auto* transpose = node.op.as<ops::Transpose>()) {
      order = composed(order_of(*transpose, rank), order);
      value = node.input(0);
      continue;
    }
    if (node.op.keeps() == Keeps::Nothing) break;
    Value next;
    for (const Value& read : node.inputs) {
      const bool is_made = read && read.node() && read.shape().has_rank() && read.shape().rank() == rank;
      if (is_made && !next) next = read;
    }
    if (!next) break;
    value = next;
  }
  return "";
}

Network turned(const Network& network, Doors doors) {
  const Graph& graph = network.graph();
  std::vector<Fault> faults;
  std::vector<std::string> in_axes, out_axes;
  for (const Door& door : graph.inputs()) {
    in_axes.push_back(stated_or(door, axes_of_input(graph.nodes(), door.value), "input", faults));
  }
  for (const Door& door : graph.outputs()) {
    out_axes.push_back(stated_or(door, axes_of_output(door.value), "output", faults));
  }
  refuse_if_any(std::move(faults));

  Slots slots = network.slots();
  GraphBuilder builder(slots);
  builder.fold_with(reference::folder());
  ValueMap made;
  for (size_t i = 0; i < in_axes.size(); ++i) {
    const Door& door = graph.inputs()[i];
    const Type& type = door.value.type();
    const std::optional<Axes> order = turn_of(in_axes[i], doors);
    const Axes kept = order.value_or(Axes());
    const Value input =
        order ? builder.input(door.name, {type.dtype, permuted(type.shape, kept)}, permuted(in_axes[i], kept))
              : builder.input(door.name, type, in_axes[i]);
    made[door.value] = order ? ops::transpose(input, inverse(kept)) : input;
  }
  made = copy_nodes(builder, graph, {}, std::move(made));
  for (size_t i = 0; i < out_axes.size(); ++i) {
    const Door& door = graph.outputs()[i];
    const std::optional<Axes> order = turn_of(out_axes[i], doors);
    const Value value = made.at(door.value);
    builder.output(door.name, order ? ops::transpose(value, *order) : value,
                   order ? permuted(out_axes[i], *order) : out_axes[i]);
  }
  const Graph sunk = sunk_transposes(std::move(builder).finish(), slots);
  Graph folded = folded_slot_turns(sunk, slots);
  return Network(std::move(folded), std::move(slots));
}

}  // namespace causeway::passes
