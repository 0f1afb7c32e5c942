#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// x / sqrt(mean(x^2) + epsilon) * weight over some axes of each row; no mean is taken away.
///
/// Slots      weight [those axes].
/// Source     Zhang and Sennrich 2019, https://arxiv.org/abs/1910.07467
struct RMSNormalization {
  static constexpr std::string_view kWord = "rms_normalization", kKind = "RMSNormalization";
  std::vector<int64_t> axis = {-1};
  float epsilon = 1e-6f;
  bool scale = true;
  Initializer gamma_initializer = {.word = "ones"};
  Penalty gamma_regularizer = {};

  static void settings(auto&& each) {
    each("axis", &RMSNormalization::axis);
    each("epsilon", &RMSNormalization::epsilon);
    each("scale", &RMSNormalization::scale);
    each("gamma_initializer", &RMSNormalization::gamma_initializer);
    each("gamma_regularizer", &RMSNormalization::gamma_regularizer);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x / sqrt(max(sum(x^2), 1e-12)) over some axes of each row.
struct UnitNormalization {
  static constexpr std::string_view kWord = "unit_normalization", kKind = "UnitNormalization";
  std::vector<int64_t> axis = {-1};

  static void settings(auto&& each) { each("axis", &UnitNormalization::axis); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// (x - mean) / max(sqrt(variance), 1e-7) by numbers that are known beforehand and that training never moves; inverted,
/// x * max(sqrt(variance), 1e-7) + mean.
///
/// Slots      mean, variance: [C] of the last axis, measured and always held.
/// Settings   mean, variance: a number, or one a channel; noughts and ones unless stated, for a file to fill.
struct Normalization {
  static constexpr std::string_view kWord = "normalization", kKind = "Normalization";
  std::vector<float> mean = {0}, variance = {1};
  bool invert = false;
  /// Not a word's: the axes of a row that have numbers of their own. None: one number for all.
  std::vector<int64_t> axis = {-1};

  static void settings(auto&& each) {
    each("mean", &Normalization::mean);
    each("variance", &Normalization::variance);
    each("invert", &Normalization::invert);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x * scale + offset.
struct Rescaling {
  static constexpr std::string_view kWord = "rescaling", kKind = "Rescaling";
  std::vector<float> scale = {1}, offset = {0};

  static void settings(auto&& each) {
    each("scale", &Rescaling::scale, Need::Required);
    each("offset", &Rescaling::offset);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The axes of a row that a layer's `axis` names, ascending and from the start; unfit() for the batch, none, or one twice.
std::vector<int64_t> row_axes(const Value& x, const std::vector<int64_t>& axes);
/// x over its size along axes of a row: sqrt(max(sum(x^2), 1e-12)).
Value unit_of(const Value& x, const std::vector<int64_t>& axes);

}  // namespace causeway::nn
