#include "causeway/formats/pytorch/layouts.h"

#include <numeric>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/axis_order.h"
#include "causeway/formats/pytorch/readers.h"
#include "causeway/formats/pytorch/row_order.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::pytorch {
namespace {

/// PyTorch's [out, in, k..] or [in, out, k..] to [k.., in, out] or [k.., out, in].
Turn window_turn(size_t rank) {
  std::vector<size_t> axes(rank);
  std::iota(axes.begin(), axes.end() - 2, size_t{2});
  axes[rank - 2] = 1;
  axes[rank - 1] = 0;
  return Turn::permute(std::move(axes));
}

/// PyTorch's [C, places..] to [places.., C].
Turn channels_last_turn(size_t rank) {
  std::vector<size_t> axes(rank);
  std::iota(axes.begin(), axes.end() - 1, size_t{1});
  axes[rank - 1] = 0;
  return Turn::permute(std::move(axes));
}

/// PyTorch's one axis to a slot whose other axes are of length 1.
Turn one_axis_turn(const std::vector<int64_t>& slot) {
  if (slot.size() < 2) return {};
  const int64_t count = std::accumulate(slot.begin(), slot.end(), int64_t{1}, std::multiplies<>());
  return Turn{{ReshapeMove{{count}, slot}}};
}

/// A slot on its way to the op that works with it.
struct Use {
  const Node* node = nullptr;
  size_t input = 0;
  bool is_transposed = false;
};

/// Whether a module written as code works with a slot of its own, no layer of the table standing between.
bool is_owned_by_module(const Use& use) { return use.node->scope->kind == "Module"; }

/// Steps over what only moves a slot's numbers before they are worked with.
std::optional<Use> worked_with(const Readers& readers, const Value& slot) {
  Value at = slot;
  bool is_transposed = false;
  while (true) {
    const std::vector<Readers::Reader>& all = readers.of(at);
    if (all.empty()) return std::nullopt;
    const Node& node = *all.front().node;
    const bool only_moves = node.op.is<ops::Split>() || node.op.is<ops::Slice>() || node.op.is<ops::Concat>() ||
                            node.op.is<ops::Unsqueeze>() || node.op.is<ops::Squeeze>() || node.op.is<ops::Identity>() ||
                            node.op.is<ops::Transpose>();
    if (!only_moves) return Use{&node, all.front().input, is_transposed};
    is_transposed ^= node.op.is<ops::Transpose>();
    at = node.output();
  }
}

Turn turn_by(const Use& use, const std::vector<int64_t>& slot, AxisOrders& orders) {
  const Op& op = use.node->op;
  const size_t rank = slot.size();
  if (const std::optional<ops::WindowAxes> window = ops::window_axes(op)) {
    const bool is_turned = use.input == 1 && window->layout == ops::Layout::ChannelsLast && rank >= 3;
    return is_turned ? window_turn(rank) : Turn();
  }
  if (const auto* product = op.as<ops::MatMul>()) {
    // A lookup written as a product has its rows by number, as the lookup's own weight has.
    const bool is_lookup = use.node->scope->kind == "Embedding";
    const bool stands_as_in_file = is_lookup || is_owned_by_module(use) || product->transpose_b != use.is_transposed;
    return use.input == 1 && rank == 2 && !stands_as_in_file ? Turn::permute({1, 0}) : Turn();
  }
  if (op.is<ops::Recurrent>()) return rank == 2 ? Turn::permute({1, 0}) : Turn();
  if (op.is<ops::LayerNorm>() && rank > 1) {
    const bool is_turned = orders.of(use.node->input(0)) == AxisOrder::ChannelsFirst;
    return is_turned ? channels_last_turn(rank) : Turn();
  }
  if (op.is<ops::PRelu>()) return one_axis_turn(slot);
  return {};
}

/// A slot of a module's own, joined element by element to a value whose places PyTorch has elsewhere: which of its axes
/// is which cannot be told. "" where there is no such doubt.
std::string doubt_about(const Use& use, const Slot& slot, AxisOrders& orders) {
  if (!is_owned_by_module(use) || use.node->op.keeps() != Keeps::Elements || slot.numbers.size() == 1) return "";
  for (const Value& other : use.node->inputs) {
    if (!other || other.kind() == Value::Kind::Slot || orders.of(other) == AxisOrder::AsHere) continue;
    return quoted(slot.path) + " is " + slot.numbers.shape().text() + " and joined to " + other.shape().text() +
           ", whose places stand elsewhere in PyTorch: how its own axes stand there is not known. Join it to rows, or "
           "use a layer for it.";
  }
  return "";
}

}  // namespace

Layouts layouts_of(const Network& network, const std::map<std::string, std::string, std::less<>>& flattened,
                   const std::map<std::string, int64_t, std::less<>>& dims) {
  AxisOrders orders(network.graph());
  RowOrders rows = row_orders_of(network, orders, flattened, dims);
  const Readers readers(network.graph());
  Layouts layouts;
  for (const SlotUse& used : network.graph().slots()) {
    const Slot& slot = network.slots().at(used.path);
    if (slot.role == Role::Constant) continue;
    const std::optional<Use> use = worked_with(readers, used.value);
    std::string doubt = use ? doubt_about(*use, slot, orders) : "";
    if (!doubt.empty()) layouts.faults.push_back({"slot " + quoted(slot.path), std::move(doubt)});
    Turn turn = use ? turn_by(*use, slot.numbers.lengths(), orders) : Turn();
    const auto moved = rows.moves.find(slot.path);
    if (moved != rows.moves.end()) turn.moves.insert(turn.moves.end(), moved->second.begin(), moved->second.end());
    layouts.turns.emplace(slot.path, std::move(turn));
  }
  layouts.network = std::move(rows.network);
  layouts.faults.insert(layouts.faults.end(), rows.faults.begin(), rows.faults.end());
  return layouts;
}

}  // namespace causeway::formats::pytorch
