#include "causeway/nn/layers/activations.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::nn {
namespace {

Value one(Value x, Op op) { return x.graph().add1(std::move(op), {x}); }

// f(x) = relu6(x + 3) / 6.
ops::HardSigmoid sixth() { return {.alpha = 1.0f / 6, .beta = 0.5f}; }

// 0 below -1; (x + 1)^2 / 4; x above 1, and where it is NaN.
Value sparse_plus(Value x) {
  const Value between = ops::scale(ops::square(ops::shifted(x, 1)), 0.25);
  return ops::where(ops::less_or_equal(x, -1.0), 0.0, ops::where(ops::less(x, 1.0), between, x));
}

void expect_threshold(float threshold) {
  if (!(threshold >= 0)) unfit("'threshold' is " + text_of(threshold) + ", and it is at least 0.");
}

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
    {"sparse_plus", "SparsePlus", sparse_plus},
    {"sparse_sigmoid", "SparseSigmoid",
     [](Value x) { return ops::clip(ops::scale(ops::shifted(x, 1), 0.5), 0.0f, 1.0f); }},
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
  for (const int64_t axis : shared_axes) {
    if (axis >= 1 && axis < static_cast<int64_t>(rank) && std::count(shared_axes.begin(), shared_axes.end(), axis) == 1)
      continue;
    unfit("'shared_axes' is " + text_of(shared_axes) + ", and axes of " + x.value.shape().text() +
          " are read, each once, the batch being axis 0.");
  }
  std::vector<int64_t> lengths;
  for (size_t axis = 1; axis < rank; ++axis) {
    const auto at = static_cast<int64_t>(axis);
    const bool shared = std::find(shared_axes.begin(), shared_axes.end(), at) != shared_axes.end();
    lengths.push_back(shared ? 1 : slot_length(x.value, at));
  }
  while (lengths.size() > 1 && lengths.front() == 1) lengths.erase(lengths.begin());
  const Value weight = build.slot("weight", SlotSpec{.lengths = lengths,
                                                     .initializer = alpha_initializer,
                                                     .penalty = alpha_regularizer,
                                                     .max_norm = alpha_constraint}
                                                .bounded_as_a_whole());
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

Flow Sparsemax::build(LayerBuild& build, const Flow& x) const {
  return {build.graph.add1(ops::Sparsemax{.axis = axis}, {x.value})};
}

Flow GLU::build(LayerBuild&, const Flow& x) const {
  const int64_t length = slot_length(x.value, axis);
  if (axis_in(axis, x.value.shape().rank()) == 0) unfit("'axis' is the batch, and a half is taken of another.");
  if (length % 2 != 0)
    unfit("axis " + std::to_string(axis) + " is " + std::to_string(length) + " long, and an even length is halved.");
  const Values halves = ops::split(x.value, {length / 2, length / 2}, axis);
  return {ops::mul(halves[0], ops::sigmoid(halves[1]))};
}

// By where() rather than by a shrunken size, so that the slope at a threshold is 0 and a NaN stays one.
Flow SoftShrink::build(LayerBuild&, const Flow& x) const {
  expect_threshold(threshold);
  const Value above = ops::shifted(x.value, -threshold), below = ops::shifted(x.value, threshold);
  const Value middle = ops::where(ops::less(x.value, -static_cast<double>(threshold)), below, ops::scale(x.value, 0));
  return {ops::where(ops::greater(x.value, threshold), above, middle)};
}

Flow HardShrink::build(LayerBuild&, const Flow& x) const {
  expect_threshold(threshold);
  return {ops::where(ops::less_or_equal(ops::abs(x.value), threshold), 0.0, x.value)};
}

Flow Threshold::build(LayerBuild&, const Flow& x) const {
  return {ops::where(ops::less_or_equal(x.value, threshold), static_cast<double>(default_value), x.value)};
}

// Below 0, the two terms of x + sqrt(x^2 + b) all but cancel: there it is b / (sqrt(x^2 + b) - x).
Flow Squareplus::build(LayerBuild&, const Flow& x) const {
  if (!(b >= 0)) unfit("'b' is " + text_of(b) + ", and it is at least 0.");
  const Value root = ops::sqrt(ops::shifted(ops::square(x.value), b));
  const Value above = ops::scale(ops::add(x.value, root), 0.5);
  const Value below = ops::scale(ops::reciprocal(ops::sub(root, ops::min(x.value, 0.0))), b / 2.0);
  return {ops::where(ops::less(x.value, 0.0), below, above)};
}

}  // namespace causeway::nn
