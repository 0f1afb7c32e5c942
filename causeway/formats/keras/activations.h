#pragma once

#include <string>
#include <string_view>

#include "causeway/nn/layer.h"

namespace causeway::formats::keras {

/// The kind of the layer that an activation's word becomes; "" where the word is not read.
std::string_view activation_kind(std::string_view word);

/// Applies the activation of a word that has a kind. A Keras before 3 means another hard_sigmoid.
Flow apply_activation(std::string_view word, Flow x, nn::LayerBuild& maker, bool is_keras_2);

/// Every word that is read, for a refusal.
std::string activation_words();

}  // namespace causeway::formats::keras
