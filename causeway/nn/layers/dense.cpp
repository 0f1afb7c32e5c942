#include "causeway/nn/layers/dense.h"

#include "causeway/ops/build.h"

namespace causeway::nn {

Flow Dense::build(LayerBuild& build, const Flow& x) const {
  if (units < 1) unfit("'units' is " + std::to_string(units) + ", and at least 1 is made.");
  if (x.value.shape().has_rank() && x.value.shape().rank() == 1) {
    unfit("it is handed " + x.value.shape().text() + ", and takes rows of channels, [N, in] or longer.");
  }
  const int64_t in = slot_length(x.value, -1);
  Value y = ops::matmul(x.value, build.slot("weight", {.lengths = {in, units},
                                                       .initializer = kernel_initializer,
                                                       .penalty = kernel_regularizer,
                                                       .max_norm = kernel_constraint}));
  if (use_bias) {
    y = ops::add(y, build.slot("bias", {.lengths = {units},
                                        .initializer = bias_initializer,
                                        .penalty = bias_regularizer,
                                        .max_norm = bias_constraint,
                                        .fans = Fans{static_cast<double>(in), static_cast<double>(units)}}));
  }
  return {y};
}

}  // namespace causeway::nn
