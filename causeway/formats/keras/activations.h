#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "causeway/base/json.h"
#include "causeway/nn/layer.h"

namespace causeway::formats::keras {

/// The kind of the layer that an activation's word becomes; "" where the word is not read.
std::string_view activation_kind(std::string_view word);

/// Applies the activation of a word that has a kind. A Keras before 3 means another hard_sigmoid.
Flow apply_activation(std::string_view word, Flow x, nn::LayerBuild& maker, bool is_keras_2);

/// The word that a setting names an activation by, as a text or as one of Keras's functions; none for anything else.
std::optional<std::string> activation_word(const Json& said);

/// Whether a setting holds an object of Keras's own: a layer, with a class and its settings.
bool is_keras_layer(const Json& said);

/// Every word that is read, for a refusal.
std::string activation_words();

}  // namespace causeway::formats::keras
