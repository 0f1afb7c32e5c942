#include "causeway/formats/keras/activations.h"

#include <algorithm>

#include "causeway/nn/layer_list.h"
#include "causeway/ops/hard_sigmoid.h"

namespace causeway::formats::keras {
namespace {

// The words of Keras's that are read: layers of the network's own words, which mean the same. In the order of the words.
constexpr std::string_view kWords[] = {
    "celu",           "elu",          "exponential", "gelu",        "glu",
    "hard_shrink",    "hard_sigmoid", "hard_silu",   "hard_swish",  "hard_tanh",
    "leaky_relu",     "linear",       "log_sigmoid", "log_softmax", "mish",
    "relu",           "relu6",        "selu",        "sigmoid",     "silu",
    "soft_shrink",    "softmax",      "softplus",    "softsign",    "sparse_plus",
    "sparse_sigmoid", "squareplus",   "swish",       "tanh",        "tanh_shrink",
};

}  // namespace

std::string_view activation_kind(std::string_view word) {
  const bool is_read = std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  return is_read ? nn::layer_row(word)->kind : std::string_view();
}

Flow apply_activation(std::string_view word, Flow x, nn::LayerBuild& maker, bool is_keras_2) {
  if (is_keras_2 && word == "hard_sigmoid") {
    return {x.value.graph().add1(ops::HardSigmoid{.alpha = 0.2f, .beta = 0.5f}, {x.value}), x.mask};
  }
  return nn::layer_row(word)->plain.build(maker, {&x, 1});
}

namespace {

bool is_of_keras(const Json& said) {
  const Json* module = said.find("module");
  return module == nullptr || !module->is_text() || module->text() == "builtins" ||
         module->text().rfind("keras", 0) == 0;
}

}  // namespace

std::optional<std::string> activation_word(const Json& said) {
  if (said.is_text()) return said.text();
  const Json* class_name = said.find("class_name");
  const Json* config = said.find("config");
  const bool is_function = class_name != nullptr && *class_name == Json("function") && is_of_keras(said);
  return is_function && config != nullptr && config->is_text() ? std::optional(config->text()) : std::nullopt;
}

bool is_keras_layer(const Json& said) {
  const Json* class_name = said.find("class_name");
  const Json* config = said.find("config");
  return class_name != nullptr && class_name->is_text() && class_name->text() != "function" && config != nullptr &&
         config->is_object() && is_of_keras(said);
}

std::string activation_words() {
  std::string all;
  for (const std::string_view word : kWords) all += (all.empty() ? "" : ", ") + std::string(word);
  return all;
}

}  // namespace causeway::formats::keras
