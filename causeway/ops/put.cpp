#include "causeway/ops/put.h"

#include "causeway/ops/build.h"
#include "causeway/ops/range.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// 0, 1 … in the shape of the indices.
Value numbered(GraphBuilder& graph, Value indices) {
  const Value count = count_of(indices);
  const Value list = graph.add1(Range{}, {graph.scalar(int64_t{0}), count, graph.scalar(int64_t{1})});
  return reshape_like(list, indices);
}

}  // namespace

Types Put::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  const Type indices = indexing(inputs[1], "indices");
  Type y{common_dtype(std::array{inputs[0], inputs[2]}), inputs[0].shape};
  if (!y.shape.has_rank() || !indices.shape.has_rank()) return {y};
  const size_t along = axis_in(axis, y.shape.rank());
  std::vector<Dim> expected = *y.shape.dims;
  const auto at = expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(along));
  expected.insert(at, indices.shape.dims->begin(), indices.shape.dims->end());
  const Shape there = with_rank(inputs[2], expected.size(), "the updates");
  for (size_t i = 0; i < expected.size(); ++i) {
    same_length(there[i], expected[i], "a length of the updates", "that of what the indices name");
  }
  return {y};
}

Values Put::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  const Value x = node.input(0), indices = node.input(1);
  const Value arrived = gather(dy[0], indices, axis);
  if (kind == PutKind::Add) return {dy[0], {}, arrived};
  if (kind != PutKind::Replace)
    unfit("numbers that are put together by '" + std::string(words_of(kind)[static_cast<size_t>(kind)]) +
          "' have no gradient.");
  const Value kept = graph.add1(Put{.axis = axis}, {dy[0], indices, full_like(node.input(2), 0)});
  // The last update of each place is the one that stays: its number is found there again.
  const auto along = static_cast<int64_t>(axis_in(axis, rank_of(x)));
  const Value numbers = numbered(graph, indices);
  const Value places = gather(shape_of(x), integers(graph, {along}));
  const Value last = graph.add1(Put{}, {expand(graph.scalar(int64_t{-1}), places), indices, numbers});
  Value stays = equal(gather(last, indices), numbers);
  std::vector<int64_t> around;
  const auto in_front = along, of_updates = static_cast<int64_t>(rank_of(node.input(2)));
  const auto own = static_cast<int64_t>(rank_of(indices));
  for (int64_t i = 0; i < of_updates; ++i) {
    if (i < in_front || i >= in_front + own) around.push_back(i);
  }
  if (!around.empty()) stays = unsqueeze(stays, around);
  return {kept, {}, where(stays, arrived, 0.0)};
}

}  // namespace causeway::ops
