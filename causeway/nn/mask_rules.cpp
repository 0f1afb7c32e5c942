#include "causeway/nn/mask_rules.h"

#include <algorithm>

#include "causeway/ops/build.h"

namespace causeway::nn {
namespace {

const MaskRow kStops{.rule = MaskRule::Stops, .says = "stops"};

// A layer that reads a mask takes the one its settings name (`mask`, `lengths`) before the one that comes with x.
const std::vector<MaskRow>& table() {
  static const std::vector<MaskRow> kRows{
      {MaskRule::Passes,
       "passes",
       {
           // activations
           "celu",
           "elu",
           "exponential",
           "gelu",
           "glu",
           "hard_shrink",
           "hard_sigmoid",
           "hard_silu",
           "hard_swish",
           "hard_tanh",
           "leaky_relu",
           "linear",
           "log_sigmoid",
           "log_softmax",
           "mish",
           "prelu",
           "relu",
           "relu6",
           "selu",
           "sigmoid",
           "silu",
           "soft_shrink",
           "softmax",
           "softplus",
           "softsign",
           "sparse_plus",
           "sparse_sigmoid",
           "sparsemax",
           "squareplus",
           "swish",
           "tanh",
           "tanh_shrink",
           "threshold",
           // dropouts and noise
           "alpha_dropout",
           "dropout",
           "gaussian_dropout",
           "gaussian_noise",
           "spatial_dropout1d",
           "spatial_dropout2d",
           "spatial_dropout3d",
           // normalizations but rms_normalization
           "batch_normalization",
           "group_normalization",
           "instance_normalization",
           "layer_normalization",
           "normalization",
           "rescaling",
           "unit_normalization",
           // every step by itself
           "dense",
           "identity",
           "sine_position_encoding",
           "time_distributed",
       }},
      {MaskRule::OfAll, "of all", {"add", "average", "maximum", "minimum", "multiply", "subtract"}},
      {MaskRule::OfLayer, "of all, unless along the steps", {"concatenate"}},
      {MaskRule::OfLayer, "makes one where `mask_zero`", {"embedding", "reversible_embedding"}},
      {MaskRule::OfLayer, "makes one", {"masking"}},
      {MaskRule::OfLayer, "used; passes where `return_sequences`", {"bidirectional", "gru", "lstm", "simple_rnn"}},
      {MaskRule::Passes, "used; passes", {"transformer_encoder_layer"}},
      {MaskRule::Passes, "target's and memory's used; target's passes", {"transformer_decoder_layer"}},
      {MaskRule::Passes, "key's used; query's passes", {"group_query_attention", "multi_head_attention"}},
      {MaskRule::Passes, "key's and query's used; query's passes", {"additive_attention", "attention"}},
      {MaskRule::Stops, "used; stops", {"embedding_bag", "global_average_pooling1d"}},
  };
  return kRows;
}

}  // namespace

std::span<const MaskRow> mask_rows() { return table(); }

const MaskRow& mask_row(std::string_view word) {
  for (const MaskRow& row : table()) {
    if (std::find(row.words.begin(), row.words.end(), word) != row.words.end()) return row;
  }
  return kStops;
}

Value mask_of_all(std::span<const Flow> from) {
  Value mask = from[0].mask;
  for (size_t i = 1; i < from.size() && mask; ++i) {
    mask = from[i].mask ? ops::logical_or(mask, from[i].mask) : Value();
  }
  return mask;
}

Flow with_mask_by_rule(std::string_view word, Flow made, std::span<const Flow> from) {
  switch (mask_row(word).rule) {
    case MaskRule::Stops:
      return {made.value};
    case MaskRule::Passes:
      return {made.value, from[0].mask};
    case MaskRule::OfAll:
      return {made.value, mask_of_all(from)};
    case MaskRule::OfLayer:
      break;
  }
  return made;
}

}  // namespace causeway::nn
