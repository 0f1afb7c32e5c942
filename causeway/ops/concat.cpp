#include "causeway/ops/concat.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/split.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {
namespace {

/// The lists one after the other, where each is known.
std::optional<std::vector<Dim>> joined(std::span<const Type> lists) {
  std::vector<Dim> dims;
  for (const Type& list : lists) {
    const std::optional<std::vector<Dim>> part = dims_of(list);
    if (!part) return std::nullopt;
    dims.insert(dims.end(), part->begin(), part->end());
  }
  return dims;
}

/// What the inputs say of the shape together, the axis of the first still its own.
Shape merged_beside(std::span<const Type> inputs, int64_t axis) {
  Shape shape;
  for (const Type& input : inputs) {
    if (!input.shape.has_rank()) continue;
    if (!shape.has_rank()) {
      shape = input.shape;
      shape[axis_in(axis, shape.rank())] = Dim();
      continue;
    }
    Shape other = input.shape;
    if (other.rank() == shape.rank()) other[axis_in(axis, other.rank())] = Dim();
    try {
      shape = merged(shape, other);
    } catch (const Unfit&) {
      unfit("it puts " + inputs[0].shape.text() + " and " + input.shape.text() + " side by side along axis " +
            std::to_string(axis) + ", and their other lengths differ.");
    }
  }
  return shape;
}

}  // namespace

Types Concat::infer(std::span<const Type> inputs) const {
  if (inputs.empty()) unfit("it has no input, and one or more are expected.");
  const DType dtype = common_dtype(inputs);
  Shape shape = merged_beside(inputs, axis);
  if (!shape.has_rank()) return {{dtype, {}}};
  const size_t along = axis_in(axis, shape.rank());
  Dim total = 0;
  for (const Type& input : inputs) total = total + (input.shape.has_rank() ? input.shape[along] : Dim());
  shape[along] = total;
  const bool is_list = shape.rank() == 1;
  return {integers_type(dtype, std::move(shape), is_list ? joined(inputs) : std::nullopt)};
}

Values Concat::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  if (node.inputs.size() == 1) return {dy[0]};
  const auto along = static_cast<int64_t>(axis_in(axis, rank_of(node.output())));
  const Value place = integers(graph, {along});
  Values lengths;
  for (const Value& input : node.inputs) lengths.push_back(gather(shape_of(input), place));
  return graph.add(Split{.axis = along}, {dy[0], concat(std::move(lengths), 0)});
}

std::optional<Turned> Concat::turned(const Node& node, const Axes& axes) const {
  return Turned{Concat{.axis = turned_axis(axis, axes)}, std::vector<Axes>(node.inputs.size(), axes), {axes}};
}

}  // namespace causeway::ops
