#include "causeway/formats/keras/activations.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"
#include "causeway/ops/gelu.h"

namespace causeway::formats::keras {
namespace {

Value of_two(LayerReader& layer, Value (*join)(Value, Value)) {
  const auto [a, b] = layer.two_operands();
  return join(a, b);
}

}  // namespace

Value read_operator_add(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::add(a, b); });
}
Value read_operator_subtract(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::sub(a, b); });
}
Value read_operator_multiply(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::mul(a, b); });
}
Value read_operator_divide(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::div(a, b); });
}
Value read_operator_maximum(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::max(a, b); });
}
Value read_operator_minimum(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::min(a, b); });
}

Value read_operator_negative(LayerReader& layer) { return ops::neg(layer.x()); }
Value read_operator_absolute(LayerReader& layer) { return ops::abs(layer.x()); }
Value read_operator_square(LayerReader& layer) { return ops::square(layer.x()); }
Value read_operator_sqrt(LayerReader& layer) { return ops::sqrt(layer.x()); }
Value read_operator_exp(LayerReader& layer) { return ops::exp(layer.x()); }
Value read_operator_log(LayerReader& layer) { return ops::log(layer.x()); }

// An activation called as a function. Here gelu is the approximate form unless it is told otherwise.
Value read_operator_word(LayerReader& layer) {
  const std::string word = snake_case(layer.plan().class_name);
  if (word == "gelu") {
    const bool approximate = layer.words().boolean("approximate", true);
    return layer.graph().add1(ops::Gelu{.tanh_form = approximate}, {layer.x()});
  }
  if (word == "softmax" || word == "log_softmax") {
    const int64_t axis = layer.words().integer("axis", -1, -32);
    return word == "softmax" ? ops::softmax(layer.x(), axis) : ops::log_softmax(layer.x(), axis);
  }
  return apply_word(word, layer.x(), false);
}

}  // namespace causeway::formats::keras
