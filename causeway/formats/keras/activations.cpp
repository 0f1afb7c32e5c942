#include "causeway/formats/keras/activations.h"

#include "causeway/ops/build.h"
#include "causeway/ops/celu.h"
#include "causeway/ops/elu.h"
#include "causeway/ops/gelu.h"
#include "causeway/ops/hard_sigmoid.h"
#include "causeway/ops/hard_swish.h"
#include "causeway/ops/leaky_relu.h"
#include "causeway/ops/mish.h"
#include "causeway/ops/selu.h"
#include "causeway/ops/softsign.h"
#include "causeway/ops/swish.h"

namespace causeway::formats::keras {
namespace {

Value one(Op op, Value x) { return x.graph().add1(std::move(op), {x}); }

Value hard_sigmoid(Value x, bool is_keras_2) {
  return one(ops::HardSigmoid{.alpha = is_keras_2 ? 0.2f : 1.0f / 6.0f, .beta = 0.5f}, x);
}

Value soft_shrink(Value x) {
  constexpr double kThreshold = 0.5;
  const Value above = ops::shifted(x, -kThreshold), below = ops::shifted(x, kThreshold);
  return ops::where(ops::greater(x, kThreshold), above, ops::where(ops::less(x, -kThreshold), below, 0.0));
}

Value sparse_plus(Value x) {
  const Value between = ops::scale(ops::square(ops::shifted(x, 1)), 0.25);
  return ops::where(ops::less_or_equal(x, -1), 0.0, ops::where(ops::greater_or_equal(x, 1), x, between));
}

Value glu(Value x) {
  const Dim& last = x.shape().at(-1);
  if (!last.is_number() || last.number() % 2 != 0)
    unfit("glu halves its last axis, and that is " + last.text() + " long.");
  const Values halves = ops::split(x, {last.number() / 2, last.number() / 2}, -1);
  return ops::mul(halves[0], ops::sigmoid(halves[1]));
}

struct WordRow {
  std::string_view word;
  Value (*apply)(Value x, bool is_keras_2);
};

constexpr WordRow kWords[] = {
    {"celu", [](Value x, bool) { return one(ops::Celu{}, x); }},
    {"elu", [](Value x, bool) { return one(ops::Elu{}, x); }},
    {"exponential", [](Value x, bool) { return ops::exp(x); }},
    {"gelu", [](Value x, bool) { return one(ops::Gelu{}, x); }},
    {"glu", [](Value x, bool) { return glu(x); }},
    {"hard_shrink", [](Value x, bool) { return ops::where(ops::greater(ops::abs(x), 0.5), x, 0.0); }},
    {"hard_sigmoid", hard_sigmoid},
    {"hard_silu", [](Value x, bool) { return one(ops::HardSwish{}, x); }},
    {"hard_swish", [](Value x, bool) { return one(ops::HardSwish{}, x); }},
    {"hard_tanh", [](Value x, bool) { return ops::clip(x, -1.0f, 1.0f); }},
    {"leaky_relu", [](Value x, bool) { return one(ops::LeakyRelu{.slope = 0.2f}, x); }},
    {"linear", [](Value x, bool) { return x; }},
    {"log_sigmoid", [](Value x, bool) { return ops::neg(ops::softplus(ops::neg(x))); }},
    {"log_softmax", [](Value x, bool) { return ops::log_softmax(x); }},
    {"mish", [](Value x, bool) { return one(ops::Mish{}, x); }},
    {"relu", [](Value x, bool) { return ops::relu(x); }},
    {"relu6", [](Value x, bool) { return ops::clip(x, 0.0f, 6.0f); }},
    {"selu", [](Value x, bool) { return one(ops::Selu{}, x); }},
    {"sigmoid", [](Value x, bool) { return ops::sigmoid(x); }},
    {"silu", [](Value x, bool) { return one(ops::Swish{}, x); }},
    {"soft_shrink", [](Value x, bool) { return soft_shrink(x); }},
    {"softmax", [](Value x, bool) { return ops::softmax(x); }},
    {"softplus", [](Value x, bool) { return ops::softplus(x); }},
    {"softsign", [](Value x, bool) { return one(ops::Softsign{}, x); }},
    {"sparse_plus", [](Value x, bool) { return sparse_plus(x); }},
    {"sparse_sigmoid", [](Value x, bool) { return one(ops::HardSigmoid{.alpha = 0.5f, .beta = 0.5f}, x); }},
    {"squareplus",
     [](Value x, bool) { return ops::scale(ops::add(x, ops::sqrt(ops::shifted(ops::square(x), 4))), 0.5); }},
    {"swish", [](Value x, bool) { return one(ops::Swish{}, x); }},
    {"tanh", [](Value x, bool) { return ops::tanh(x); }},
    {"tanh_shrink", [](Value x, bool) { return ops::sub(x, ops::tanh(x)); }},
};

}  // namespace

Value apply_word(std::string_view word, Value x, bool is_keras_2) {
  for (const WordRow& row : kWords) {
    if (row.word == word) return row.apply(x, is_keras_2);
  }
  return {};
}

std::string known_words() {
  std::string all;
  for (const WordRow& row : kWords) all += (all.empty() ? "" : ", ") + std::string(row.word);
  return all;
}

Value relu_of(Value x, float slope, float threshold, const float* max_value) {
  if (threshold == 0 && max_value == nullptr) return slope == 0 ? ops::relu(x) : one(ops::LeakyRelu{.slope = slope}, x);
  const Value below = ops::scale(ops::shifted(x, -threshold), slope);
  const Value y = ops::where(ops::greater(x, threshold), x, below);
  return max_value == nullptr ? y : ops::where(ops::greater_or_equal(x, *max_value), *max_value, y);
}

}  // namespace causeway::formats::keras
