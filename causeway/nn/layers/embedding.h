#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// The rows of a table by their numbers: [N] or [N, L] becomes [..., output_dim]. A number outside [0, input_dim) is
/// refused from run with its place; a floating input holds whole numbers.
///
/// Slots      weight [input_dim, output_dim].
/// Settings   one_hot: the input is [..., input_dim], shares of all rows, y = x · weight. mask_zero: number 0 says that a
///            step is not real. padding_idx: a row that starts at 0 and learns nothing.
struct Embedding {
  static constexpr std::string_view kWord = "embedding", kKind = "Embedding";
  int64_t input_dim = 0, output_dim = 0;
  bool one_hot = false, mask_zero = false;
  std::optional<int64_t> padding_idx = std::nullopt;
  Initializer embeddings_initializer = {.word = "random_uniform"};
  Penalty embeddings_regularizer = {};
  MaxNorm embeddings_constraint = {};

  static void settings(auto&& each) {
    each("input_dim", &Embedding::input_dim, Need::Required);
    each("output_dim", &Embedding::output_dim, Need::Required);
    each("one_hot", &Embedding::one_hot);
    each("mask_zero", &Embedding::mask_zero);
    each("padding_idx", &Embedding::padding_idx);
    each("embeddings_initializer", &Embedding::embeddings_initializer);
    each("embeddings_regularizer", &Embedding::embeddings_regularizer);
    each("embeddings_constraint", &Embedding::embeddings_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
  /// The table itself; unfit() where the settings say none.
  Value weight(LayerBuild& build) const;
};

/// The rows of a table by their numbers, [N, L], brought together over the steps: [N, output_dim].
///
/// Slots      weight [input_dim, output_dim].
/// Settings   mode: mean, sum or max. Steps whose number is padding_idx, or that are masked, are left out; where none is
///            left the answer is 0. mask: a value above, [N, L]; unless stated the one that comes with x.
struct EmbeddingBag {
  static constexpr std::string_view kWord = "embedding_bag", kKind = "EmbeddingBag";
  int64_t input_dim = 0, output_dim = 0;
  std::string mode = "mean";
  std::optional<int64_t> padding_idx = std::nullopt;
  ValueNames mask = {};
  Initializer embeddings_initializer = {.word = "random_uniform"};
  Penalty embeddings_regularizer = {};
  MaxNorm embeddings_constraint = {};

  static void settings(auto&& each) {
    each("input_dim", &EmbeddingBag::input_dim, Need::Required);
    each("output_dim", &EmbeddingBag::output_dim, Need::Required);
    each("mode", &EmbeddingBag::mode);
    each("padding_idx", &EmbeddingBag::padding_idx);
    each("mask", &EmbeddingBag::mask);
    each("embeddings_initializer", &EmbeddingBag::embeddings_initializer);
    each("embeddings_regularizer", &EmbeddingBag::embeddings_regularizer);
    each("embeddings_constraint", &EmbeddingBag::embeddings_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// Numbers by the cosines and sines of learned frequencies: rows [N, F] become [N, F, d_embedding]; v = 2π · c · x for
/// each frequency c of a feature, and (cos v, sin v) · linear + bias, then a relu.
///
/// Slots      periodic.weight [F, k]; linear.weight [F, 2k, d], linear.bias [F, d]; lite: [2k, d] and [d].
/// Settings   n_frequencies: k. frequency_init_scale: the spread of the first frequencies. activation: false leaves the
///            relu out. lite: one linear map for all features, always behind a relu.
/// Source     Gorishniy and others 2022, https://arxiv.org/abs/2203.05556
struct PeriodicEmbedding {
  static constexpr std::string_view kWord = "periodic_embedding", kKind = "PeriodicEmbedding";
  int64_t d_embedding = 24, n_frequencies = 48;
  double frequency_init_scale = 0.01;
  bool activation = true, lite = false;

  static void settings(auto&& each) {
    each("d_embedding", &PeriodicEmbedding::d_embedding);
    each("n_frequencies", &PeriodicEmbedding::n_frequencies);
    each("frequency_init_scale", &PeriodicEmbedding::frequency_init_scale);
    each("activation", &PeriodicEmbedding::activation);
    each("lite", &PeriodicEmbedding::lite);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// A step whose every channel equals mask_value is not real, and its values become 0.
struct Masking {
  static constexpr std::string_view kWord = "masking", kKind = "Masking";
  float mask_value = 0;

  static void settings(auto&& each) { each("mask_value", &Masking::mask_value); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
