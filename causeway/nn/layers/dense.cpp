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
                                                       .max_norm = kernel_constraint,
                                                       .held = lora_rank.has_value()}));
  if (use_bias) {
    y = ops::add(y, build.slot("bias", {.lengths = {units},
                                        .initializer = bias_initializer,
                                        .penalty = bias_regularizer,
                                        .max_norm = bias_constraint,
                                        .fans = Fans{static_cast<double>(in), static_cast<double>(units)}}));
  }
  if (!lora_rank) {
    if (lora_alpha) unfit("'lora_alpha' scales a low-rank pair, and 'lora_rank' states none.");
    return {y};
  }
  if (*lora_rank < 1) unfit("'lora_rank' is " + std::to_string(*lora_rank) + ", and at least 1 is read.");
  LayerBuild first = build.part("lora_A"), second = build.part("lora_B");
  const Value a = first.slot("weight", {.lengths = {in, *lora_rank}, .initializer = {.word = "he_uniform"}});
  const Value b = second.slot("weight", {.lengths = {*lora_rank, units}});
  const double rank = static_cast<double>(*lora_rank);
  const double share = (lora_alpha ? static_cast<double>(*lora_alpha) : rank) / rank;
  const Value pair = ops::matmul(ops::matmul(x.value, a), b);
  return {ops::add(y, share == 1 ? pair : ops::scale(pair, share))};
}

}  // namespace causeway::nn
