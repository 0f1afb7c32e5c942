#include "causeway/formats/keras/activations.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/nn/layers/activations.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

Flow of_two(LayerReader& layer, Value (*join)(Value, Value)) {
  const auto [a, b] = layer.two_operands();
  return {join(a, b)};
}

}  // namespace

Flow read_operator_add(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::add(a, b); });
}
Flow read_operator_subtract(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::sub(a, b); });
}
Flow read_operator_multiply(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::mul(a, b); });
}
Flow read_operator_divide(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::div(a, b); });
}
Flow read_operator_maximum(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::max(a, b); });
}
Flow read_operator_minimum(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::min(a, b); });
}

Flow read_operator_negative(LayerReader& layer) { return {ops::neg(layer.x().value)}; }
Flow read_operator_absolute(LayerReader& layer) { return {ops::abs(layer.x().value)}; }
Flow read_operator_square(LayerReader& layer) { return {ops::square(layer.x().value)}; }
Flow read_operator_sqrt(LayerReader& layer) { return {ops::sqrt(layer.x().value)}; }
Flow read_operator_exp(LayerReader& layer) { return {ops::exp(layer.x().value)}; }
Flow read_operator_log(LayerReader& layer) { return {ops::log(layer.x().value)}; }

// An activation called as a function. Here gelu is the approximate form unless it is told otherwise.
Flow read_operator_word(LayerReader& layer) {
  const std::string word = snake_case(layer.plan().class_name);
  if (word == "gelu") {
    const bool approximate = layer.words().boolean("approximate", true);
    return layer.build(nn::GELU{.approximate = approximate});
  }
  if (word == "softmax" || word == "log_softmax") {
    const int64_t axis = layer.words().integer("axis", -1, -32);
    return word == "softmax" ? layer.build(nn::Softmax{.axis = axis}) : layer.build(nn::LogSoftmax{.axis = axis});
  }
  return apply_activation(word, layer.x(), layer.maker(), false);
}

}  // namespace causeway::formats::keras
