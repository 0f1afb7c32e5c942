#pragma once

#include <span>

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// An activation without settings: a row of a table.
struct PlainActivation {
  struct Row {
    std::string_view word, kind;
    Value (*apply)(Value x);
  };
  const Row* row = nullptr;

  std::string_view word() const { return row->word; }
  std::string_view kind() const { return row->kind; }
  static void settings(auto&&) {}
  Flow build(LayerBuild&, const Flow& x) const { return {row->apply(x.value)}; }
};
/// The rows, in the order of their words.
std::span<const PlainActivation::Row> plain_activations();
/// The activation of that word; none of the table's: a mistake of the program.
PlainActivation plain_activation(std::string_view word);

/// max_value where x >= max_value; x where x > threshold; negative_slope * (x - threshold) elsewhere.
struct ReLU {
  static constexpr std::string_view kWord = "relu", kKind = "ReLU";
  std::optional<float> max_value = std::nullopt;
  float negative_slope = 0, threshold = 0;

  static void settings(auto&& each) {
    each("max_value", &ReLU::max_value);
    each("negative_slope", &ReLU::negative_slope);
    each("threshold", &ReLU::threshold);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x where x >= 0, negative_slope * x elsewhere. The word's slope is Keras's 0.2 (PyTorch's and ONNX's is 0.01).
struct LeakyReLU {
  static constexpr std::string_view kWord = "leaky_relu", kKind = "LeakyReLU";
  float negative_slope = 0.2f;

  static void settings(auto&& each) { each("negative_slope", &LeakyReLU::negative_slope); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x where x >= 0, weight * x elsewhere. Slot weight: the example's shape, 1 along shared_axes (from 1), leading ones
/// dropped.
struct PReLU {
  static constexpr std::string_view kWord = "prelu", kKind = "PReLU";
  std::vector<int64_t> shared_axes = {};
  Initializer alpha_initializer = {};
  Penalty alpha_regularizer = {};
  MaxNorm alpha_constraint = {};

  static void settings(auto&& each) {
    each("shared_axes", &PReLU::shared_axes);
    each("alpha_initializer", &PReLU::alpha_initializer);
    each("alpha_regularizer", &PReLU::alpha_regularizer);
    each("alpha_constraint", &PReLU::alpha_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x where x > 0, alpha * expm1(x) elsewhere.
struct ELU {
  static constexpr std::string_view kWord = "elu", kKind = "ELU";
  float alpha = 1;

  static void settings(auto&& each) { each("alpha", &ELU::alpha); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// max(x, 0) + min(0, alpha * expm1(x / alpha)).
struct CELU {
  static constexpr std::string_view kWord = "celu", kKind = "CELU";
  float alpha = 1;

  static void settings(auto&& each) { each("alpha", &CELU::alpha); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x * Phi(x) by erf, or its tanh form.
struct GELU {
  static constexpr std::string_view kWord = "gelu", kKind = "GELU";
  bool approximate = false;

  static void settings(auto&& each) { each("approximate", &GELU::approximate); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// e^(x - m) over its sum along an axis, m the largest there.
struct Softmax {
  static constexpr std::string_view kWord = "softmax", kKind = "Softmax";
  int64_t axis = -1;

  static void settings(auto&& each) { each("axis", &Softmax::axis); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x - m - log of the sum of e^(x - m) along an axis, m the largest there.
struct LogSoftmax {
  static constexpr std::string_view kWord = "log_softmax", kKind = "LogSoftmax";
  int64_t axis = -1;

  static void settings(auto&& each) { each("axis", &LogSoftmax::axis); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The nearest shares to x along an axis: max(x - t, 0), t such that they sum to 1.
struct Sparsemax {
  static constexpr std::string_view kWord = "sparsemax", kKind = "Sparsemax";
  int64_t axis = -1;

  static void settings(auto&& each) { each("axis", &Sparsemax::axis); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// The first half along an axis times the sigmoid of the second.
struct GLU {
  static constexpr std::string_view kWord = "glu", kKind = "GLU";
  int64_t axis = -1;

  static void settings(auto&& each) { each("axis", &GLU::axis); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x nearer to 0 by the threshold, and 0 within it.
struct SoftShrink {
  static constexpr std::string_view kWord = "soft_shrink", kKind = "SoftShrink";
  float threshold = 0.5f;

  static void settings(auto&& each) { each("threshold", &SoftShrink::threshold); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// x where its size is above the threshold, 0 elsewhere.
struct HardShrink {
  static constexpr std::string_view kWord = "hard_shrink", kKind = "HardShrink";
  float threshold = 0.5f;

  static void settings(auto&& each) { each("threshold", &HardShrink::threshold); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// default_value where x is at most the threshold, x elsewhere: a NaN stays one.
struct Threshold {
  static constexpr std::string_view kWord = "threshold", kKind = "Threshold";
  float threshold = 0, default_value = 0;

  static void settings(auto&& each) {
    each("threshold", &Threshold::threshold, Need::Required);
    each("default_value", &Threshold::default_value, Need::Required);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

/// (x + sqrt(x^2 + b)) / 2.
struct Squareplus {
  static constexpr std::string_view kWord = "squareplus", kKind = "Squareplus";
  float b = 4;

  static void settings(auto&& each) { each("b", &Squareplus::b); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
