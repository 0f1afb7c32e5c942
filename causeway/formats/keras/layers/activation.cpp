#include "causeway/base/quoted.h"
#include "causeway/formats/keras/activations.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/build.h"
#include "causeway/ops/elu.h"
#include "causeway/ops/leaky_relu.h"
#include "causeway/ops/p_relu.h"

namespace causeway::formats::keras {

Value read_relu(LayerReader& layer) {
  Words& words = layer.words();
  const bool is_bound = words.has("max_value");
  const float max_value = words.real("max_value", 0), slope = words.real("negative_slope", 0);
  const float threshold = words.real("threshold", 0);
  return relu_of(layer.x(), slope, threshold, is_bound ? &max_value : nullptr);
}

Value read_leaky_relu(LayerReader& layer) {
  Words& words = layer.words();
  // Keras 2 called it alpha.
  const float alpha = words.real("alpha", 0.3f), slope = words.real("negative_slope", alpha);
  return layer.graph().add1(ops::LeakyRelu{.slope = slope}, {layer.x()});
}

Value read_prelu(LayerReader& layer) {
  const std::vector<int64_t> shared = layer.words().integers("shared_axes", {});
  const Value x = layer.x();
  std::vector<int64_t> lengths;
  for (size_t axis = 1; axis < x.shape().rank(); ++axis) {
    bool is_shared = false;
    for (const int64_t other : shared) is_shared = is_shared || other == static_cast<int64_t>(axis);
    lengths.push_back(is_shared ? 1 : layer.length(x, static_cast<int64_t>(axis)));
  }
  return layer.graph().add1(ops::PRelu{}, {x, layer.learned("alpha", "weight", lengths, {})});
}

Value read_elu(LayerReader& layer) {
  const float alpha = layer.words().real("alpha", 1.0f);
  return layer.graph().add1(ops::Elu{.alpha = alpha}, {layer.x()});
}

// Over one axis an op of its own; over several by the formula.
Value read_softmax(LayerReader& layer) {
  const std::vector<int64_t> axes = layer.words().integers("axis", {-1});
  const Value x = layer.x();
  if (axes.size() == 1) return ops::softmax(x, axes[0]);
  const Value largest = ops::reduce_max(x, axes, true), powers = ops::exp(ops::sub(x, largest));
  return ops::div(powers, ops::reduce_sum(powers, axes, true));
}

}  // namespace causeway::formats::keras
