#pragma once

#include "causeway/nn/layers/embedding.h"

namespace causeway::nn {

/// An embedding that is also called the other way round: [..., output_dim] becomes [..., input_dim], a product with the
/// turned table. `again` calls it so, with "reverse": true.
///
/// Slots      weight [input_dim, output_dim]; where tie_weights is false also reverse_embeddings [output_dim, input_dim],
///            which the way back then takes.
/// Settings   as embedding's; logit_soft_cap c: the way back answers c · tanh(y / c).
struct ReversibleEmbedding {
  static constexpr std::string_view kWord = "reversible_embedding", kKind = "ReversibleEmbedding";
  int64_t input_dim = 0, output_dim = 0;
  bool tie_weights = true, mask_zero = false;
  std::optional<float> logit_soft_cap = std::nullopt;
  bool reverse = false;
  Initializer embeddings_initializer = {.word = "random_uniform"};
  Penalty embeddings_regularizer = {};
  MaxNorm embeddings_constraint = {};

  static void settings(auto&& each) {
    each("input_dim", &ReversibleEmbedding::input_dim, Need::Required);
    each("output_dim", &ReversibleEmbedding::output_dim, Need::Required);
    each("tie_weights", &ReversibleEmbedding::tie_weights);
    each("mask_zero", &ReversibleEmbedding::mask_zero);
    each("logit_soft_cap", &ReversibleEmbedding::logit_soft_cap);
    each("reverse", &ReversibleEmbedding::reverse);
    each("embeddings_initializer", &ReversibleEmbedding::embeddings_initializer);
    each("embeddings_regularizer", &ReversibleEmbedding::embeddings_regularizer);
    each("embeddings_constraint", &ReversibleEmbedding::embeddings_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
