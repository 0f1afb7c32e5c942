#include "causeway/ops/split.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"
#include "causeway/ops/turning.h"

namespace causeway::ops {

Types Split::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type& x = inputs[0];
  indexing(inputs[1], "lengths");
  const Dim parts = entries_of(inputs[1], "lengths");
  if (!parts.is_number()) unfit("how many lengths it splits into is not known.");
  if (parts.number() < 1 || parts.number() > Type::kKnownNumbers) {
    unfit("it splits into " + parts.text() + " parts, and 1 to " + std::to_string(Type::kKnownNumbers) +
          " are expected.");
  }
  const auto count = static_cast<size_t>(parts.number());
  const std::vector<Dim> lengths = dims_of(inputs[1]).value_or(std::vector<Dim>(count));
  Dim total = 0;
  for (const Dim& length : lengths) {
    if (length.is_number() && length.number() < 0) {
      unfit("'lengths' is " + Shape(lengths).text() + ", and no length is negative.");
    }
    total = total + length;
  }
  if (!x.shape.has_rank()) return Types(count, {x.dtype, {}});
  const size_t along = axis_in(axis, x.shape.rank());
  if (total.equals(x.shape[along]) == std::optional(false)) {
    unfit("'lengths' is " + Shape(lengths).text() + ", which makes " + total.text() + ", and axis " +
          std::to_string(along) + " of " + x.shape.text() + " has " + x.shape[along].text() + ".");
  }
  Types outputs;
  for (const Dim& length : lengths) {
    Shape shape = x.shape;
    shape[along] = length;
    outputs.push_back({x.dtype, std::move(shape)});
  }
  return outputs;
}

Values Split::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  Values parts;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    parts.push_back(i < dy.size() && dy[i] ? dy[i] : full_like(node.output(i), 0.0));
  }
  return {concat(std::move(parts), axis), {}};
}

std::optional<Turned> Split::turned(const Node& node, const Axes& axes) const {
  return Turned{Split{.axis = turned_axis(axis, axes)}, {axes, {}}, std::vector<Axes>(node.outputs.size(), axes)};
}

}  // namespace causeway::ops
