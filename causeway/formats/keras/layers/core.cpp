#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/nn/layers/dense.h"
#include "causeway/nn/layers/dropout.h"
#include "causeway/nn/layers/einsum_dense.h"
#include "causeway/nn/layers/shaping.h"

namespace causeway::formats::keras {
namespace {

template <size_t kAxes>
Flow spatial_dropout(LayerReader& layer) {
  const Channels channels = kAxes == 1 ? Channels{} : read_channels(layer.words());
  const nn::SpatialDropout<kAxes> dropout{.rate = layer.words().real("rate", 0.0f)};
  layer.words().only_off("noise_shape", "a draw that several numbers share is not read.");
  return channels.from_last(layer.build(dropout, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

}  // namespace

// An archive holds the kernel with the low-rank pair merged into it, so it is a plain kernel there.
void read_low_rank(LayerReader& layer) {
  Words& words = layer.words();
  const Json* rank = words.find("lora_rank");
  words.ignore({"lora_alpha"});
  if (rank == nullptr) return;
  if (layer.is_archive()) {
    layer.note("was trained with a low-rank pair; the file holds the two merged into its kernel, which is read.");
  } else {
    layer.refuse("'lora_rank' is " + shown(*rank) +
                 ": the file holds the low-rank pair apart. Save the model as .keras, which merges it.");
  }
}

Flow read_dense(LayerReader& layer) {
  Words& words = layer.words();
  nn::Dense dense;
  dense.units = words.count("units");
  dense.use_bias = words.boolean("use_bias", true);
  dense.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  dense.bias_regularizer = read_penalty(words, "bias_regularizer");
  dense.kernel_constraint = read_max_norm(words, "kernel_constraint", {0}, 2);
  dense.bias_constraint = read_max_norm(words, "bias_constraint", {0}, 1);
  const Json* activation = words.find("activation");
  layer.number("kernel", "weight");
  if (dense.use_bias) layer.number("bias", "bias");
  if (layer.is_archive() || !words.has("lora_rank")) {
    read_low_rank(layer);
  } else {
    dense.lora_rank = words.integer("lora_rank", 1, 1);
    if (words.has("lora_alpha")) dense.lora_alpha = words.real("lora_alpha", 1);
    layer.number("lora_kernel_a", "lora_A.weight");
    layer.number("lora_kernel_b", "lora_B.weight");
  }
  return layer.activated(activation, layer.build(dense));
}

Flow read_einsum_dense(LayerReader& layer) {
  Words& words = layer.words();
  nn::EinsumDense dense;
  dense.equation = words.text("equation", "");
  if (!words.has("equation")) layer.refuse("'equation' is missing.");
  try {
    if (const Json* lengths = words.find("output_shape")) {
      read_setting(lengths->is_integer() ? Json(Json::Array{*lengths}) : *lengths, dense.output_shape);
    }
  } catch (const Unfit& reason) {
    layer.refuse("'output_shape' " + std::string(reason.what()));
  }
  if (words.has("bias_axes")) dense.bias_axes = words.text("bias_axes", "");
  dense.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  dense.bias_regularizer = read_penalty(words, "bias_regularizer");
  // Which axes one unit's numbers lie along, an equation leaves open.
  read_max_norm(words, "kernel_constraint", {}, 0);
  read_max_norm(words, "bias_constraint", {}, 0);
  const Json* activation = words.find("activation");
  read_low_rank(layer);
  layer.number("kernel", "weight");
  if (dense.bias_axes) layer.number("bias", "bias");
  return layer.activated(activation, layer.build(dense));
}

Flow read_activation(LayerReader& layer) {
  const Json* activation = layer.words().find("activation");
  if (activation == nullptr) layer.refuse("'activation' is missing.");
  return layer.activated(activation, layer.x());
}

Flow read_identity(LayerReader& layer) { return layer.build(nn::IdentityLayer{}); }

// Measured: all of these pass their input on when answering.
Flow read_only_training(LayerReader& layer) {
  for (const auto& [key, value] : layer.words().json().members()) layer.words().ignore({key});
  layer.named("training");  // true unless said: what calls the network says otherwise
  layer.note("changes its input only while training, and passes it on here.");
  return read_identity(layer);
}

Flow read_dropout(LayerReader& layer) {
  const nn::Dropout dropout{.rate = layer.words().real("rate", 0.0f)};
  layer.words().only_off("noise_shape", "a draw that several numbers share is not read.");
  return layer.build(dropout);
}

Flow read_alpha_dropout(LayerReader& layer) {
  layer.words().only_off("noise_shape", "a draw that several numbers share is not read.");
  return layer.build(nn::AlphaDropout{layer.words().real("rate", 0.0f)});
}

Flow read_gaussian_dropout(LayerReader& layer) {
  return layer.build(nn::GaussianDropout{layer.words().real("rate", 0.0f)});
}

Flow read_gaussian_noise(LayerReader& layer) {
  return layer.build(nn::GaussianNoise{{layer.words().real("stddev", 1.0f)}});
}

Flow read_spatial_dropout_1d(LayerReader& layer) { return spatial_dropout<1>(layer); }
Flow read_spatial_dropout_2d(LayerReader& layer) { return spatial_dropout<2>(layer); }
Flow read_spatial_dropout_3d(LayerReader& layer) { return spatial_dropout<3>(layer); }

}  // namespace causeway::formats::keras
