#include "causeway/ops/gather.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/scatter_add.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// Entries of a list of lengths; none where an index is not known or out of range (which is refused from run).
std::optional<std::vector<Dim>> looked_up(const Type& list, const Type& indices) {
  const std::optional<std::vector<Dim>> dims = dims_of(list);
  const std::optional<std::vector<int64_t>> places = integers_of(indices);
  if (!dims || !places || !list.shape.has_rank() || list.shape.rank() != 1) return std::nullopt;
  const auto count = static_cast<int64_t>(dims->size());
  std::vector<Dim> found;
  for (const int64_t place : *places) {
    if (place < -count || place >= count) return std::nullopt;
    found.push_back((*dims)[static_cast<size_t>(place < 0 ? place + count : place)]);
  }
  return found;
}

}  // namespace

Types Gather::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type& x = inputs[0];
  const Type indices = indexing(inputs[1], "indices");
  if (!x.shape.has_rank()) return {{x.dtype, {}}};
  const size_t along = axis_in(axis, x.shape.rank());
  if (!indices.shape.has_rank()) return {{x.dtype, {}}};
  std::vector<Dim> dims = *x.shape.dims;
  const auto at = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(along));
  dims.insert(at, indices.shape.dims->begin(), indices.shape.dims->end());
  const bool is_list = dims.size() <= 1;
  return {integers_type(x.dtype, std::move(dims), is_list ? looked_up(x, inputs[1]) : std::nullopt)};
}

Values Gather::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  Value arriving = dy[0];
  if (held_row) {
    // The axes of the indices stand where the one looked up along stood; behind them come the rest of x.
    const Value held = equal(node.input(1), static_cast<double>(*held_row));
    const size_t behind = rank_of(node.input(0)) - 1 - axis_in(axis, rank_of(node.input(0)));
    std::vector<int64_t> ones;
    for (size_t i = 0; i < behind; ++i) ones.push_back(-1 - static_cast<int64_t>(i));
    arriving = where(ones.empty() ? held : unsqueeze(held, ones), 0.0, arriving);
  }
  return {graph.add1(ScatterAdd{.axis = axis}, {node.input(1), arriving, shape_of(node.input(0))}), {}};
}

std::optional<Turned> Gather::turned(const Node& node, const Axes& axes) const {
  if (!node.input(1).shape().has_rank()) return std::nullopt;
  const size_t along = axis_in(axis, axes.size()), moved = axes[along], places = node.input(1).shape().rank();
  // Where an axis of x' stands in y': the axes of the indices take the place of the one looked up along.
  const auto in_y = [&](size_t axis) { return axis < moved ? axis : axis - 1 + places; };
  Axes of_y;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i != along) {
      of_y.push_back(in_y(axes[i]));
      continue;
    }
    for (size_t place = 0; place < places; ++place) of_y.push_back(moved + place);
  }
  return Turned{Gather{.axis = static_cast<int64_t>(moved), .held_row = held_row}, {axes, {}}, {of_y}};
}

}  // namespace causeway::ops
