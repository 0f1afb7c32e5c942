#include "causeway/ops/clip.h"

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {

Types Clip::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 1);
  return {numeric(inputs[0])};
}

Values Clip::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  const Value x = node.input(0);
  Value to_x = dy[0];
  if (low) to_x = where(greater(x, *low), to_x, 0.0);
  if (high) to_x = where(less(x, *high), to_x, 0.0);
  return {to_x};
}

}  // namespace causeway::ops
