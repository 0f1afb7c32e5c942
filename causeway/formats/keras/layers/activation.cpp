#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/nn/layers/activations.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {

Flow read_relu(LayerReader& layer) {
  Words& words = layer.words();
  nn::ReLU relu;
  if (words.has("max_value")) relu.max_value = words.real("max_value", 0);
  relu.negative_slope = words.real("negative_slope", 0);
  relu.threshold = words.real("threshold", 0);
  return layer.build(relu);
}

Flow read_leaky_relu(LayerReader& layer) {
  Words& words = layer.words();
  // Keras 2 called it alpha.
  const float alpha = words.real("alpha", 0.3f);
  return layer.build(nn::LeakyReLU{.negative_slope = words.real("negative_slope", alpha)});
}

// The file keeps the lengths of 1 along shared axes that the slot leaves out in front.
Flow read_prelu(LayerReader& layer) {
  nn::PReLU prelu;
  prelu.shared_axes = layer.words().integers("shared_axes", {});
  prelu.alpha_regularizer = read_penalty(layer.words(), "alpha_regularizer");
  const size_t rank = layer.x().value.shape().rank();
  layer.number("alpha", "weight", [rank](const std::vector<int64_t>& slot) {
    std::vector<int64_t> in_file(slot);
    while (in_file.size() + 1 < rank) in_file.insert(in_file.begin(), 1);
    return in_file == slot ? Turn{} : Turn{{ReshapeMove{in_file, slot}}};
  });
  return layer.build(prelu);
}

Flow read_elu(LayerReader& layer) { return layer.build(nn::ELU{.alpha = layer.words().real("alpha", 1.0f)}); }

// Over one axis it is a layer of the words; over several it is worked by its formula.
Flow read_softmax(LayerReader& layer) {
  const std::vector<int64_t> axes = layer.words().integers("axis", {-1});
  if (layer.x().mask) unfit("it is called on a series with a mask, which Keras fails on.");
  if (axes.size() == 1) return layer.build(nn::Softmax{.axis = axes[0]});
  const Value x = layer.x().value;
  const Value powers = ops::exp(ops::sub(x, ops::reduce_max(x, axes, true)));
  return {ops::div(powers, ops::reduce_sum(powers, axes, true))};
}

}  // namespace causeway::formats::keras
