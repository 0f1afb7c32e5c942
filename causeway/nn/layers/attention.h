#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// What an attention looks at, and which keys its queries may use: key_mask [N, keys], attention_mask
/// [N, queries, keys] or [queries, keys], true where a key may be used; each may be absent.
struct Attended {
  Value query, key, value, key_mask = {}, attention_mask = {};

  /// Of one value (itself), of [query, value] or of [query, value, key]; the key's mask is the one stated, or else the
  /// one that comes with it. unfit() for another number of values, or for values that are no series.
  static Attended of(const LayerBuild& build, std::span<const Flow> from, const ValueNames& mask,
                     const ValueNames& attention_mask);
};

/// Attention of several heads: softmax(q · kᵀ / √key_dim) · v head by head, on projections of the query, key and value,
/// then one projection of the heads side by side. It takes one value (self-attention), [query, value] or
/// [query, value, key]; the query's mask passes on.
///
/// Slots      P = num_heads · key_dim. Packed: in_proj_weight [E, 3P] (query, key, value side by side); otherwise
///            q_proj_weight, k_proj_weight [in, P], v_proj_weight [in, num_heads · value_dim]. Both: in_proj_bias, all
///            three end to end; out_proj.weight [num_heads · value_dim, out], out_proj.bias.
/// Settings   value_dim: key_dim unless stated. output_shape: the query's width unless stated. mask, attention_mask:
///            values above, true where a key may be used; without `mask` the one that comes with the key. no_key: what
///            a query answers that has none left, `zeros` or the `average` of all values. packed_projection: unless
///            stated, where all widths are P and value_dim is key_dim. dropout: on the shares.
struct MultiHeadAttention {
  static constexpr std::string_view kWord = "multi_head_attention", kKind = "MultiHeadAttention";
  int64_t num_heads = 0, key_dim = 0;
  std::optional<int64_t> value_dim = std::nullopt, output_shape = std::nullopt;
  float dropout = 0;
  bool use_bias = true, use_causal_mask = false;
  ValueNames mask = {}, attention_mask = {};
  std::string no_key = "zeros";
  std::optional<bool> packed_projection = std::nullopt;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};
  /// Not a word's: numbers start as those of PyTorch's MultiheadAttention.
  bool starts_as_torch = false;

  static void settings(auto&& each) {
    using Self = MultiHeadAttention;
    each("num_heads", &Self::num_heads, Need::Required);
    each("key_dim", &Self::key_dim, Need::Required);
    each("value_dim", &Self::value_dim);
    each("output_shape", &Self::output_shape);
    each("dropout", &Self::dropout);
    each("use_bias", &Self::use_bias);
    each("use_causal_mask", &Self::use_causal_mask);
    each("mask", &Self::mask);
    each("attention_mask", &Self::attention_mask);
    each("no_key", &Self::no_key);
    each("packed_projection", &Self::packed_projection);
    each("kernel_initializer", &Self::kernel_initializer);
    each("bias_initializer", &Self::bias_initializer);
    each("kernel_regularizer", &Self::kernel_regularizer);
    each("bias_regularizer", &Self::bias_regularizer);
    each("kernel_constraint", &Self::kernel_constraint);
    each("bias_constraint", &Self::bias_constraint);
  }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
  /// The same of values that no name leads to.
  Value attend(LayerBuild& build, const Attended& of) const;
};

/// Attention whose key and value heads each serve several query heads; otherwise as multi_head_attention, its slots not
/// packed.
///
/// Slots      q_proj_weight [in, num_query_heads · head_dim], k_proj_weight and v_proj_weight
///            [in, num_key_value_heads · head_dim], in_proj_bias (all three end to end), out_proj.weight
///            [num_query_heads · head_dim, the query's width], out_proj.bias.
struct GroupQueryAttention {
  static constexpr std::string_view kWord = "group_query_attention", kKind = "GroupQueryAttention";
  int64_t head_dim = 0, num_query_heads = 0, num_key_value_heads = 0;
  float dropout = 0;
  bool use_bias = true, use_causal_mask = false;
  ValueNames mask = {}, attention_mask = {};
  std::string no_key = "zeros";
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    using Self = GroupQueryAttention;
    each("head_dim", &Self::head_dim, Need::Required);
    each("num_query_heads", &Self::num_query_heads, Need::Required);
    each("num_key_value_heads", &Self::num_key_value_heads, Need::Required);
    each("dropout", &Self::dropout);
    each("use_bias", &Self::use_bias);
    each("use_causal_mask", &Self::use_causal_mask);
    each("mask", &Self::mask);
    each("attention_mask", &Self::attention_mask);
    each("no_key", &Self::no_key);
    each("kernel_initializer", &Self::kernel_initializer);
    each("bias_initializer", &Self::bias_initializer);
    each("kernel_regularizer", &Self::kernel_regularizer);
    each("bias_regularizer", &Self::bias_regularizer);
    each("kernel_constraint", &Self::kernel_constraint);
    each("bias_constraint", &Self::bias_constraint);
  }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
  Value attend(LayerBuild& build, const Attended& of) const;
};

/// Attention without projections: softmax over keys of q · kᵀ (not divided by √d), or of w · Σ tanh(scale · (q + k)),
/// times the values. A masked query answers 0.
///
/// Slots      scale [] where use_scale, concat_score_weight [] where score_mode is `concat`.
/// Settings   score_mode: `dot` or `concat`. The others as of multi_head_attention.
struct DotAttention {
  static constexpr std::string_view kWord = "attention", kKind = "Attention";
  bool use_scale = false;
  std::string score_mode = "dot";
  float dropout = 0;
  bool use_causal_mask = false;
  ValueNames mask = {}, attention_mask = {};
  std::string no_key = "zeros";

  static void settings(auto&& each) {
    each("use_scale", &DotAttention::use_scale);
    each("score_mode", &DotAttention::score_mode);
    each("dropout", &DotAttention::dropout);
    each("use_causal_mask", &DotAttention::use_causal_mask);
    each("mask", &DotAttention::mask);
    each("attention_mask", &DotAttention::attention_mask);
    each("no_key", &DotAttention::no_key);
  }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
  Value attend(LayerBuild& build, const Attended& of) const;
};

/// Attention without projections, additive: softmax over keys of Σ scale · tanh(q + k), times the values. A masked query
/// answers 0.
///
/// Slots      scale [d] where use_scale.
struct AdditiveAttention {
  static constexpr std::string_view kWord = "additive_attention", kKind = "AdditiveAttention";
  bool use_scale = true;
  float dropout = 0;
  bool use_causal_mask = false;
  ValueNames mask = {}, attention_mask = {};
  std::string no_key = "zeros";

  static void settings(auto&& each) {
    each("use_scale", &AdditiveAttention::use_scale);
    each("dropout", &AdditiveAttention::dropout);
    each("use_causal_mask", &AdditiveAttention::use_causal_mask);
    each("mask", &AdditiveAttention::mask);
    each("attention_mask", &AdditiveAttention::attention_mask);
    each("no_key", &AdditiveAttention::no_key);
  }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
  Value attend(LayerBuild& build, const Attended& of) const;
};

}  // namespace causeway::nn
