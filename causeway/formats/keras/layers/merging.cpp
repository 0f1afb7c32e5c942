#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

// Keras spreads values of fewer axes behind the batch, and not in front of it as broadcasting does.
const Values& of_one_rank(LayerReader& layer) {
  const Values& inputs = layer.inputs(2);
  for (const Value input : inputs) {
    if (input.shape().rank() != inputs[0].shape().rank()) {
      unfit("it joins " + inputs[0].shape().text() + " and " + input.shape().text() +
            ", and values of as many axes are read.");
    }
  }
  return inputs;
}

Value joined(LayerReader& layer, Value (*join)(Value, Value)) {
  const Values& inputs = of_one_rank(layer);
  Value y = inputs[0];
  for (size_t i = 1; i < inputs.size(); ++i) y = join(y, inputs[i]);
  return y;
}

}  // namespace

Value read_add(LayerReader& layer) {
  return joined(layer, [](Value a, Value b) { return ops::add(a, b); });
}
Value read_multiply(LayerReader& layer) {
  return joined(layer, [](Value a, Value b) { return ops::mul(a, b); });
}
Value read_maximum(LayerReader& layer) {
  return joined(layer, [](Value a, Value b) { return ops::max(a, b); });
}
Value read_minimum(LayerReader& layer) {
  return joined(layer, [](Value a, Value b) { return ops::min(a, b); });
}

Value read_subtract(LayerReader& layer) {
  const Values& inputs = of_one_rank(layer);
  if (inputs.size() != 2) unfit("it is called on " + std::to_string(inputs.size()) + " values, and two are read.");
  return ops::sub(inputs[0], inputs[1]);
}

Value read_average(LayerReader& layer) {
  const Value sum = read_add(layer);
  return ops::div(sum, ops::number_like(sum, static_cast<double>(layer.inputs(2).size())));
}

Value read_concatenate(LayerReader& layer) {
  const int64_t axis = layer.words().integer("axis", -1, -32);
  return ops::concat(of_one_rank(layer), axis);
}

}  // namespace causeway::formats::keras
