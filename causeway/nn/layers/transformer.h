#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// A transformer's encoder layer: x attends to itself, and each step passes through two dense layers, each time added to
/// what came in and normalized; norm_first normalizes what goes in instead.
///
/// Slots      PyTorch's: self_attn.in_proj_weight [E, 3E], self_attn.in_proj_bias, self_attn.out_proj.{weight, bias},
///            linear1.{weight [E, F], bias}, linear2.{weight [F, E], bias}, norm1.{weight, bias}, norm2.{weight, bias}.
/// Settings   nhead: the heads, E a multiple. dim_feedforward: F. dropout: on the shares, behind the activation and
///            behind both parts. activation: `relu`, `gelu` or one without settings. mask [N, L]: true where a key may be
///            used; without it the one that comes with x, which passes on.
struct TransformerEncoderLayer {
  static constexpr std::string_view kWord = "transformer_encoder_layer", kKind = "TransformerEncoderLayer";
  int64_t nhead = 0, dim_feedforward = 2048;
  float dropout = 0.1f;
  std::string activation = "relu";
  float layer_norm_eps = 1e-5f;
  bool norm_first = false, use_bias = true, use_causal_mask = false;
  ValueNames mask = {};
  /// Not a word's: numbers start as those of PyTorch's module.
  bool starts_as_torch = false;

  static void settings(auto&& each) {
    using Self = TransformerEncoderLayer;
    each("nhead", &Self::nhead, Need::Required);
    each("dim_feedforward", &Self::dim_feedforward);
    each("dropout", &Self::dropout);
    each("activation", &Self::activation);
    each("layer_norm_eps", &Self::layer_norm_eps);
    each("norm_first", &Self::norm_first);
    each("use_bias", &Self::use_bias);
    each("use_causal_mask", &Self::use_causal_mask);
    each("mask", &Self::mask);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
  /// The same with a mask that no name leads to; it may be empty.
  Value encode(LayerBuild& build, Value x, Value key_mask) const;
};

/// A transformer's decoder layer, of [target, memory]: as the encoder layer, and between its two parts the target attends
/// to the memory.
///
/// Slots      those of the encoder layer, and after self_attn multihead_attn.* of the same shapes (the memory is E wide
///            too), after norm2 norm3.{weight, bias}.
/// Settings   as the encoder layer's; use_causal_mask and mask are the target's, memory_mask [N, memory's steps] says
///            which steps of the memory may be used; without it the mask that comes with the memory.
struct TransformerDecoderLayer {
  static constexpr std::string_view kWord = "transformer_decoder_layer", kKind = "TransformerDecoderLayer";
  int64_t nhead = 0, dim_feedforward = 2048;
  float dropout = 0.1f;
  std::string activation = "relu";
  float layer_norm_eps = 1e-5f;
  bool norm_first = false, use_bias = true, use_causal_mask = false;
  ValueNames mask = {}, memory_mask = {};
  /// Not a word's: numbers start as those of PyTorch's module.
  bool starts_as_torch = false;

  static void settings(auto&& each) {
    using Self = TransformerDecoderLayer;
    each("nhead", &Self::nhead, Need::Required);
    each("dim_feedforward", &Self::dim_feedforward);
    each("dropout", &Self::dropout);
    each("activation", &Self::activation);
    each("layer_norm_eps", &Self::layer_norm_eps);
    each("norm_first", &Self::norm_first);
    each("use_bias", &Self::use_bias);
    each("use_causal_mask", &Self::use_causal_mask);
    each("mask", &Self::mask);
    each("memory_mask", &Self::memory_mask);
  }
  Flow build(LayerBuild& build, std::span<const Flow> from) const;
  /// The same with masks that no name leads to; each may be empty.
  Value decode(LayerBuild& build, Value target, Value memory, Value target_mask, Value memory_mask) const;
};

/// x + p, p[t, i] = sin(t / max_wavelength^(2 (i div 2) / C)) for even i, and the cosine for odd i.
///
/// Settings   max_wavelength: above 0.
struct SinePositionEncoding {
  static constexpr std::string_view kWord = "sine_position_encoding", kKind = "SinePositionEncoding";
  float max_wavelength = 10000;

  static void settings(auto&& each) { each("max_wavelength", &SinePositionEncoding::max_wavelength); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
