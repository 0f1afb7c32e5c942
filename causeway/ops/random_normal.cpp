#include "causeway/ops/random_normal.h"

#include "causeway/ops/rules.h"

namespace causeway::ops {

Types RandomNormal::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  with_rank(indexing(inputs[0], "seed"), 0, "seed");
  with_rank(indexing(inputs[1], "step"), 0, "step");
  return {{DType::Float32, shape_named_by(inputs[2])}};
}

}  // namespace causeway::ops
