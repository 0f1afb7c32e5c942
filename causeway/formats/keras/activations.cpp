#include "causeway/formats/keras/activations.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "causeway/nn/layer_list.h"
#include "causeway/ops/build.h"
#include "causeway/ops/hard_sigmoid.h"

namespace causeway::formats::keras {
namespace {

Value one(Op op, Value x) { return x.graph().add1(std::move(op), {x}); }

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
  if (!last.is_number() || last.number() % 2 != 0) {
    unfit("glu halves its last axis, and that is " + last.text() + " long.");
  }
  const Values halves = ops::split(x, {last.number() / 2, last.number() / 2}, -1);
  return ops::mul(halves[0], ops::sigmoid(halves[1]));
}

// The words that lead to layers of the network's own words.
constexpr std::string_view kLayerWords[] = {
    "celu",       "elu",    "exponential", "gelu",        "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh",
    "leaky_relu", "linear", "log_sigmoid", "log_softmax", "mish",         "relu",      "relu6",      "selu",
    "sigmoid",    "silu",   "softmax",     "softplus",    "softsign",     "swish",     "tanh",       "tanh_shrink",
};

// Keras's words that no layer has.
struct OwnWord {
  std::string_view word, kind;
  Value (*apply)(Value x);
};
constexpr OwnWord kOwnWords[] = {
    {"glu", "GLU", glu},
    {"hard_shrink", "HardShrink", [](Value x) { return ops::where(ops::greater(ops::abs(x), 0.5), x, 0.0); }},
    {"soft_shrink", "SoftShrink", soft_shrink},
    {"sparse_plus", "SparsePlus", sparse_plus},
    {"sparse_sigmoid", "SparseSigmoid", [](Value x) { return one(ops::HardSigmoid{.alpha = 0.5f, .beta = 0.5f}, x); }},
    {"squareplus", "Squareplus",
     [](Value x) { return ops::scale(ops::add(x, ops::sqrt(ops::shifted(ops::square(x), 4))), 0.5); }},
};

const OwnWord* own_word(std::string_view word) {
  const auto* found =
      std::find_if(std::begin(kOwnWords), std::end(kOwnWords), [&](const OwnWord& own) { return own.word == word; });
  return found != std::end(kOwnWords) ? found : nullptr;
}

}  // namespace

std::string_view activation_kind(std::string_view word) {
  if (const OwnWord* own = own_word(word)) return own->kind;
  const bool is_layer = std::find(std::begin(kLayerWords), std::end(kLayerWords), word) != std::end(kLayerWords);
  const nn::LayerRow* row = is_layer ? nn::layer_row(word) : nullptr;
  return row != nullptr ? row->kind : std::string_view();
}

Flow apply_activation(std::string_view word, Flow x, nn::LayerBuild& maker, bool is_keras_2) {
  if (const OwnWord* own = own_word(word)) return {own->apply(x.value), x.mask};
  if (is_keras_2 && word == "hard_sigmoid")
    return {one(ops::HardSigmoid{.alpha = 0.2f, .beta = 0.5f}, x.value), x.mask};
  return nn::layer_row(word)->plain.build(maker, {&x, 1});
}

std::string activation_words() {
  std::vector<std::string_view> words(std::begin(kLayerWords), std::end(kLayerWords));
  for (const OwnWord& own : kOwnWords) words.push_back(own.word);
  std::sort(words.begin(), words.end());
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  return all;
}

}  // namespace causeway::formats::keras
