#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace causeway::ops {

/// The functions a recurrent cell may take. Their formulas stand in docs/layers.md under the words of activations; those
/// that ONNX alone has: affine alpha·x + beta, scaled_tanh alpha·tanh(beta·x).
enum class CellFunctionKind {
  Tanh,
  Sigmoid,
  Relu,
  Linear,
  HardSigmoid,
  LeakyRelu,
  Elu,
  Selu,
  Celu,
  Softplus,
  Softsign,
  Relu6,
  Gelu,
  GeluTanh,
  Silu,
  Mish,
  Exponential,
  LogSigmoid,
  HardSilu,
  HardTanh,
  TanhShrink,
  SoftShrink,
  HardShrink,
  Threshold,
  Squareplus,
  SparsePlus,
  SparseSigmoid,
  Affine,
  ScaledTanh
};
constexpr auto words_of(CellFunctionKind) {
  return std::array<std::string_view, 29>{
      "tanh",       "sigmoid",     "relu",           "linear",      "hard_sigmoid", "leaky_relu",
      "elu",        "selu",        "celu",           "softplus",    "softsign",     "relu6",
      "gelu",       "gelu_tanh",   "silu",           "mish",        "exponential",  "log_sigmoid",
      "hard_silu",  "hard_tanh",   "tanh_shrink",    "soft_shrink", "hard_shrink",  "threshold",
      "squareplus", "sparse_plus", "sparse_sigmoid", "affine",      "scaled_tanh"};
}

/// A function of one number, with its own numbers where it has any: alpha is the slope of leaky_relu, hard_sigmoid and
/// affine, the alpha of elu and celu, the threshold of soft_shrink, hard_shrink and threshold, the b of squareplus and
/// the factor of scaled_tanh; beta is the offset of hard_sigmoid and affine, what threshold gives below it, and the
/// factor inside scaled_tanh.
struct CellFunction {
  CellFunctionKind kind = CellFunctionKind::Tanh;
  float alpha = 1, beta = 0;

  static void fields(auto&& each) {
    each("kind", &CellFunction::kind);
    each("alpha", &CellFunction::alpha);
    each("beta", &CellFunction::beta);
  }
  friend bool operator==(const CellFunction&, const CellFunction&) = default;
};

/// Whether the slope follows from the value: tanh, sigmoid, relu and linear.
constexpr bool slope_follows_from_value(CellFunctionKind kind) {
  return kind == CellFunctionKind::Tanh || kind == CellFunctionKind::Sigmoid || kind == CellFunctionKind::Relu ||
         kind == CellFunctionKind::Linear;
}

}  // namespace causeway::ops
