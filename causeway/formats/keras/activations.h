#pragma once

#include <string>
#include <string_view>

#include "causeway/graph/graph.h"

namespace causeway::formats::keras {

/// Applies the activation of that word; an empty value where no word is read. Keras before 3 means another hard_sigmoid.
Value apply_word(std::string_view word, Value x, bool is_keras_2);

/// Every word that is read, for a refusal.
std::string known_words();

/// max_value where it is met, x above `threshold`, slope * (x - threshold) below.
Value relu_of(Value x, float slope, float threshold, const float* max_value);

}  // namespace causeway::formats::keras
