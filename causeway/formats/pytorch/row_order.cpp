#include "causeway/formats/pytorch/row_order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/readers.h"
#include "causeway/formats/pytorch/stated_flatten.h"
#include "causeway/graph/rewrite.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/sink_transposes.h"

namespace causeway::formats::pytorch {
namespace {

using Dims = std::map<std::string, int64_t, std::less<>>;
using Moves = std::map<std::string, std::vector<Move>, std::less<>>;

/// An op of the network that the passes shall leave where it stands: its own transposes say what its words say.
struct Fixed {
  static constexpr std::string_view kName = "Fixed";
  static constexpr std::string_view kNoGradient = "it stands in no graph that is trained.";
  Op op;
  Types infer(std::span<const Type> inputs) const { return op.infer(inputs); }
};

/// Channels before places: [N, places.., C] to [N, C, places..].
Axes channels_first(size_t rank) {
  Axes axes(rank);
  std::iota(axes.begin() + 1, axes.end(), size_t{0});
  axes[0] = 0;
  axes[1] = rank - 1;
  return axes;
}

/// Whether the order of places and channels matters: there is more than one of both.
bool has_two_orders(const Shape& shape) {
  const Dim& channels = shape.at(-1);
  Dim places = 1;
  for (size_t axis = 1; axis + 1 < shape.rank(); ++axis) places = places * shape[axis];
  return channels != Dim(1) && places != Dim(1);
}

/// The graph with PyTorch's order said by a transpose before each of `flattens`.
Graph marked(const Network& network, Slots& slots, const std::set<const Node*>& flattens, bool fixes_others) {
  return rewritten(network.graph(), slots, [&](GraphBuilder& builder, const Node& node, const Values& inputs) {
    if (flattens.count(&node) != 0) {
      Values turned = inputs;
      turned[0] = ops::transpose(inputs[0], channels_first(inputs[0].shape().rank()));
      // As a Flatten, since a reshape's lengths may have been read from what is transposed now.
      return std::optional(builder.add(ops::Flatten{.axis = 1}, {turned[0]}));
    }
    const bool moves_numbers = node.op.is<ops::Transpose>() || node.op.is<ops::Gather>();
    if (fixes_others && moves_numbers) return std::optional(builder.add(Fixed{node.op}, inputs));
    return std::optional<Values>();
  });
}

/// The move that a node makes of a slot's numbers, if it makes one.
std::optional<Move> move_of(const Node& node, const Slots& slots) {
  if (const auto* transpose = node.op.as<ops::Transpose>()) return PermuteMove{transpose->axes};
  const auto* gather = node.op.as<ops::Gather>();
  if (!gather) return std::nullopt;
  const std::span<const int64_t> order = slots.at(node.input(1).name()).numbers.values<int64_t>();
  const auto rank = static_cast<int64_t>(node.input(0).shape().rank());
  ReorderMove move{static_cast<size_t>(gather->axis < 0 ? gather->axis + rank : gather->axis), {}};
  for (const int64_t place : order) move.order.push_back(static_cast<size_t>(place));
  return move;
}

/// What the passes put on slots when PyTorch's order is said at those flattens; none where some of it came to rest
/// elsewhere. (An output that is a row keeps this network's order, as the words say.)
std::optional<Moves> sunk_moves(const Network& network, const std::set<const Node*>& flattens) {
  Slots slots = network.slots();
  const Graph sunk = passes::sunk_transposes(marked(network, slots, flattens, /*fixes_others=*/true), slots);
  const Readers readers(sunk);
  std::unordered_set<Value> rows_out;
  for (const Door& door : sunk.outputs()) rows_out.insert(door.value);
  Moves moves;
  std::map<std::string, size_t> uses;
  for (const Node* node : sunk.nodes()) {
    std::optional<Move> move = move_of(*node, slots);
    if (!move) continue;
    const Value moved = node->input(0);
    if (moved.kind() != Value::Kind::Slot) {
      const bool is_an_output = rows_out.count(node->output()) != 0 && sunk.uses(node->output()) == 1;
      if (!is_an_output) return std::nullopt;
      continue;
    }
    if (slots.at(moved.name()).role == Role::Constant) continue;
    std::vector<Move>& of_slot = moves[moved.name()];
    if (of_slot.empty()) of_slot.push_back(std::move(*move));
    if (of_slot.front() != move_of(*node, slots)) return std::nullopt;
    ++uses[moved.name()];
  }
  for (const SlotUse& use : sunk.slots()) {
    const auto found = uses.find(use.path);
    if (found != uses.end() && found->second != sunk.uses(use.value)) return std::nullopt;
  }
  return moves;
}

/// Where a reshape of rows makes places and channels: the order of the row's entries, seen from PyTorch's.
std::vector<size_t> order_of_row(const Shape& shape) {
  const auto channels = static_cast<size_t>(shape.at(-1).number());
  size_t places = 1;
  for (size_t axis = 1; axis + 1 < shape.rank(); ++axis) places *= static_cast<size_t>(shape[axis].number());
  std::vector<size_t> order;
  order.reserve(channels * places);
  for (size_t place = 0; place < places; ++place) {
    for (size_t channel = 0; channel < channels; ++channel) order.push_back(channel * places + place);
  }
  return order;
}

/// Pushes an order of a row's entries up to the matrix that makes the row. Each value on the way is read by nothing
/// else, and each slot too; otherwise nothing is moved.
class RaisedOrder {
 public:
  RaisedOrder(const Graph& graph, std::vector<size_t> order) : graph_(graph), order_(std::move(order)) {}

  std::optional<Moves> through(Value row) {
    while (true) {
      if (row.kind() != Value::Kind::Output || graph_.uses(row) != 1) return std::nullopt;
      const Node& node = *row.node();
      if (const auto* product = node.op.as<ops::MatMul>()) {
        const Value matrix = node.input(1);
        if (!is_own_slot(matrix) || matrix.shape().rank() != 2) return std::nullopt;
        move(matrix, product->transpose_b ? 0 : 1);
        return moves_;
      }
      if (!norms_rows(node) && node.op.keeps() != Keeps::Elements && !ops::is_noise(node.op)) return std::nullopt;
      const std::optional<Value> above = fitted(node);
      if (!above) return std::nullopt;
      row = *above;
    }
  }

 private:
  static bool norms_rows(const Node& node) {
    const auto is_last = [](int64_t axis) { return axis == -1 || axis == 1; };
    if (const auto* batch = node.op.as<ops::BatchNorm>()) return is_last(batch->axis);
    const auto* layer = node.op.as<ops::LayerNorm>();
    return layer && layer->axes.size() == 1 && is_last(layer->axes[0]);
  }

  bool is_own_slot(const Value& value) const { return value.kind() == Value::Kind::Slot && graph_.uses(value) == 1; }

  void move(const Value& slot, size_t axis) { moves_[slot.name()].push_back(ReorderMove{axis, order_}); }

  /// Puts the order into a node's slots; its one computed input.
  std::optional<Value> fitted(const Node& node) {
    std::optional<Value> above;
    for (const Value& input : node.inputs) {
      if (!input) continue;
      if (input.kind() != Value::Kind::Slot) {
        if (above) return std::nullopt;
        above = input;
        continue;
      }
      const bool is_along = input.shape().rank() > 0 && input.shape().at(-1) != Dim(1);
      if (!is_along) continue;
      if (!is_own_slot(input)) return std::nullopt;
      move(input, input.shape().rank() - 1);
    }
    return above;
  }

  const Graph& graph_;
  std::vector<size_t> order_;
  Moves moves_;
};

void append(Moves& to, const Moves& from) {
  for (const auto& [path, moves] : from) {
    std::vector<Move>& all = to[path];
    all.insert(all.end(), moves.begin(), moves.end());
  }
}

/// Whether a reshape of rows makes what PyTorch has channels first: an image or a volume, or a series that a window
/// reads.
bool makes_channels_first(const Node& node, const Readers& readers) {
  const AxisOrder order = readers.order_below(node.output());
  if (order == AxisOrder::NotKnown) return node.output().shape().rank() > 3;
  return order == AxisOrder::ChannelsFirst;
}

class RowOrderFinder {
 public:
  RowOrderFinder(const Network& network, AxisOrders& orders, FlattenStatements statements, const Dims& dims)
      : network_(network),
        orders_(orders),
        statements_(std::move(statements)),
        dims_(dims),
        readers_(network.graph()) {}

  RowOrders run() {
    std::set<const Node*> turned;
    for (const Node* node : network_.graph().nodes()) {
      if (flattens(*node) && is_turned(*node)) turned.insert(node);
    }
    sink(turned);
    raise();
    for (Fault& fault : statements_.unused()) found_.faults.push_back(std::move(fault));
    if (!left_.empty() || !left_below_.empty()) found_.network = with_transposes();
    return std::move(found_);
  }

 private:
  bool is_turned(const Node& node) {
    const Shape& shape = node.input(0).shape();
    const std::string flatten(node.scope->slot_path());
    const std::string reader = readers_.slot_below(node.output(), network_.slots());
    std::optional<AxisOrder> stated;
    try {
      stated = statements_.order_of(flatten, reader, shape);
    } catch (const Unfit& fault) {
      found_.faults.push_back({"flatten " + quoted(flatten), fault.what()});
      return false;
    }
    const AxisOrder order = stated.value_or(orders_.of(node.input(0)));
    if (order == AxisOrder::AsHere || !has_two_orders(shape) || reader.empty()) return false;
    if (order == AxisOrder::NotKnown) {
      refuse(flatten, reader, shape,
             "whether those are steps by channels is not known. State it: flattened = {\"" + escaped(flatten) +
                 "\": \"series\"} or {\"" + escaped(flatten) + "\": \"rows\"}.");
      return false;
    }
    const std::optional<std::string> open = open_length(shape);
    if (!open) return true;
    if (!stated && dims_.count(*open) == 0) {
      refuse(flatten, reader, shape, "its order needs " + *open + ". Bind it with --dim " + *open + "=26.");
      return false;
    }
    // An order that is no list of numbers yet stays a transpose, which needs none.
    left_.insert(&node);
    return false;
  }

  /// The name of a length that is not known yet, or "its lengths" where it has none.
  static std::optional<std::string> open_length(const Shape& shape) {
    for (size_t axis = 1; axis < shape.rank(); ++axis) {
      if (shape[axis].is_number()) continue;
      const std::vector<std::string> names = shape[axis].names();
      return names.empty() ? "its lengths" : names.front();
    }
    return std::nullopt;
  }

  void refuse(const std::string& flatten, const std::string& reader, const Shape& shape, const std::string& reason) {
    found_.faults.push_back({"slot " + quoted(reader), quoted(reader) + " reads the row flatten " + quoted(flatten) +
                                                           " makes of " + FlattenStatements::text_of_example(shape) +
                                                           ", and " + reason});
  }

  /// All at once where that goes; else each by itself, those that do not go staying as transposes.
  void sink(const std::set<const Node*>& turned) {
    if (turned.empty()) return;
    if (const std::optional<Moves> moves = sunk_moves(network_, turned)) return append(found_.moves, *moves);
    std::set<const Node*> going;
    for (const Node* node : turned) {
      if (sunk_moves(network_, {node})) {
        going.insert(node);
      } else {
        left_.insert(node);
      }
    }
    const std::optional<Moves> moves = sunk_moves(network_, going);
    if (moves) return append(found_.moves, *moves);
    left_.insert(turned.begin(), turned.end());
  }

  void raise() {
    for (const Node* node : network_.graph().nodes()) {
      if (!unflattens(*node) || !makes_channels_first(*node, readers_)) continue;
      const Shape& shape = node->output().shape();
      if (!has_two_orders(shape)) continue;
      const bool is_known =
          std::all_of(shape.dims->begin() + 1, shape.dims->end(), [](const Dim& dim) { return dim.is_number(); });
      if (!is_known) continue;
      const std::optional<Moves> moves = RaisedOrder(network_.graph(), order_of_row(shape)).through(node->input(0));
      if (moves) {
        append(found_.moves, *moves);
      } else {
        left_below_.insert(node);
      }
    }
  }

  Network with_transposes() const {
    Slots slots = network_.slots();
    const NodeRule rule = [&](GraphBuilder& builder, const Node& node, const Values& inputs) {
      if (left_.count(&node) != 0) {
        const Value turned = ops::transpose(inputs[0], channels_first(inputs[0].shape().rank()));
        return std::optional(builder.add(ops::Flatten{.axis = 1}, {turned}));
      }
      if (left_below_.count(&node) != 0) {
        const Shape& shape = node.output().shape();
        std::vector<int64_t> lengths{0, shape.at(-1).number()};
        for (size_t axis = 1; axis + 1 < shape.rank(); ++axis) lengths.push_back(shape[axis].number());
        return std::optional(
            Values{ops::transpose(ops::reshape(inputs[0], lengths), inverse(channels_first(shape.rank())))});
      }
      return std::optional<Values>();
    };
    Graph graph = rewritten(network_.graph(), slots, rule);
    return Network(std::move(graph), std::move(slots));
  }

  const Network& network_;
  AxisOrders& orders_;
  FlattenStatements statements_;
  const Dims& dims_;
  Readers readers_;
  RowOrders found_;
  std::set<const Node*> left_, left_below_;
};

}  // namespace

RowOrders row_orders_of(const Network& network, AxisOrders& orders,
                        const std::map<std::string, std::string, std::less<>>& flattened, const Dims& dims) {
  return RowOrderFinder(network, orders, FlattenStatements(flattened), dims).run();
}

}  // namespace causeway::formats::pytorch
