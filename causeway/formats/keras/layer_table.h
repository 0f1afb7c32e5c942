#pragma once

#include <span>
#include <string_view>

#include "causeway/formats/keras/layer_reader.h"

namespace causeway::formats::keras {

/// One class of Keras's: the function that reads it, or the reason why none does.
struct LayerRow {
  std::string_view class_name;
  Flow (*read)(LayerReader&) = nullptr;
  std::string_view refused = "";
};

/// In alphabetical order.
std::span<const LayerRow> layer_table();
const LayerRow* find_layer(std::string_view class_name);

/// The same for operators written in code (`x * 2 + 1`), told by their class in keras.src.ops.
const LayerRow* find_operator(std::string_view class_name);

}  // namespace causeway::formats::keras
