#include "causeway/ops/flatten.h"

#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Flatten::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  const Type& x = inputs[0];
  if (!x.shape.has_rank()) return {{x.dtype, Shape::of_rank(2)}};
  const auto rank = static_cast<int64_t>(x.shape.rank());
  if (axis < -rank || axis > rank) {
    unfit("'axis' is " + std::to_string(axis) + ", and the range here is [" + std::to_string(-rank) + ", " +
          std::to_string(rank) + "].");
  }
  const auto cut = x.shape.dims->begin() + static_cast<std::ptrdiff_t>(axis < 0 ? axis + rank : axis);
  const Shape rows(std::vector<Dim>(x.shape.dims->begin(), cut)), columns(std::vector<Dim>(cut, x.shape.dims->end()));
  for (const Shape& part : {rows, columns}) {
    if (part.is_bound() && part.count().is_unknown())
      unfit("it is handed " + x.shape.text() + ", and the lengths of " + part.text() + " pass 2^63 - 1 together.");
  }
  return {{x.dtype, Shape{rows.count(), columns.count()}}};
}

Values Flatten::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {reshape_like(dy[0], node.input(0))};
}

}  // namespace causeway::ops
