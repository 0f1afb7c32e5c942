#include "causeway/nn/layers/activations.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::nn {
namespace {

Value one(Value x, Op op) { return x.graph().add1(std::move(op), {x}); }

// f(x) = relu6(x + 3) / 6.
ops::HardSigmoid sixth() { return {.alpha = 1.0f / 6, .beta = 0.5f}; }

constexpr PlainActivation::Row kRows[] = {
    {"exponential", "Exponential", [](Value x) { return ops::exp(x); }},
    {"hard_sigmoid", "HardSigmoid", [](Value x) { return one(x, sixth()); }},
    {"hard_silu", "HardSilu", [](Value x) { return one(x, ops::HardSwish{}); }},
    {"hard_swish", "HardSwish", [](Value x) { return one(x, ops::HardSwish{}); }},
    {"hard_tanh", "HardTanh", [](Value x) { return ops::clip(x, -1.0f, 1.0f); }},
    {"linear", "Linear", [](Value x) { return x; }},
    {"log_sigmoid", "LogSigmoid", [](Value x) { return ops::neg(ops::softplus(ops::neg(x))); }},
    {"mish", "Mish", [](Value x) { return one(x, ops::Mish{}); }},
    {"relu6", "ReLU6", [](Value x) { return ops::clip(x, 0.0f, 6.0f); }},
    {"selu", "SELU", [](Value x) { return one(x, ops::Selu{}); }},
    {"sigmoid", "Sigmoid", [](Value x) { return ops::sigmoid(x); }},
    {"silu", "SiLU", [](Value x) { return one(x, ops::Swish{}); }},
    {"softplus", "Softplus", [](Value x) { return ops::softplus(x); }},
    {"softsign", "Softsign", [](Value x) { return one(x, ops::Softsign{}); }},
    {"swish", "Swish", [](Value x) { return one(x, ops::Swish{}); }},
    {"tanh", "Tanh", [](Value x) { return ops::tanh(x); }},
    {"tanh_shrink", "TanhShrink", [](Value x) { return ops::sub(x, ops::tanh(x)); }},
};

}  // namespace

std::span<const PlainActivation::Row> plain_activations() { return kRows; }

PlainActivation plain_activation(std::string_view word) {
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const auto& each) { return each.word == word; });
  CAUSEWAY_CHECK(row != std::end(kRows), "an activation of the table");
  return {row};
}

Flow ReLU::build(LayerBuild&, const Flow& x) const {
  if (max_value && *max_value < threshold) {
    unfit("'max_value' is " + text_of(*max_value) + ", and 'threshold' above it, " + text_of(threshold) + ".");
  }
  if (threshold == 0 && negative_slope == 0) {
    return {max_value ? ops::clip(x.value, 0.0f, *max_value) : ops::relu(x.value)};
  }
  const Value below = ops::scale(ops::shifted(x.value, -threshold), negative_slope);
  Value y = ops::where(ops::greater(x.value, threshold), x.value, below);
  if (max_value) y = ops::where(ops::greater_or_equal(x.value, *max_value), static_cast<double>(*max_value), y);
  return {y};
}

Flow LeakyReLU::build(LayerBuild&, const Flow& x) const {
  return {one(x.value, ops::LeakyRelu{.slope = negative_slope})};
}

Flow PReLU::build(LayerBuild& build, const Flow& x) const {
  if (!x.value.shape().has_rank()) slot_length(x.value, -1);
  const size_t rank = x.value.shape().rank();
  std::vector<int64_t> lengths;
  for (size_t axis = 1; axis < rank; ++axis) {
    const auto at = static_cast<int64_t>(axis);
    const bool shared = std::find(shared_axes.begin(), shared_axes.end(), at) != shared_axes.end();
    lengths.push_back(shared ? 1 : slot_length(x.value, at));
  }
  while (lengths.size() > 1 && lengths.front() == 1) lengths.erase(lengths.begin());
  const Value weight =
      build.slot("weight", {.lengths = lengths, .initializer = alpha_initializer, .penalty = alpha_regularizer});
  return {build.graph.add1(ops::PRelu{}, {x.value, weight})};
}

Flow ELU::build(LayerBuild&, const Flow& x) const { return {one(x.value, ops::Elu{.alpha = alpha})}; }

Flow CELU::build(LayerBuild&, const Flow& x) const {
  if (alpha == 0) unfit("'alpha' is 0, and values are divided by it.");
  return {one(x.value, ops::Celu{.alpha = alpha})};
}

Flow GELU::build(LayerBuild&, const Flow& x) const { return {one(x.value, ops::Gelu{.tanh_form = approximate})}; }
Flow Softmax::build(LayerBuild&, const Flow& x) const { return {ops::softmax(x.value, axis)}; }
Flow LogSoftmax::build(LayerBuild&, const Flow& x) const { return {ops::log_softmax(x.value, axis)}; }

}  // namespace causeway::nn
