#pragma once

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// A product with a weight as an equation of letters says it, one letter an axis: "abc,cd->abd" is a dense layer on every
/// step. Letters that the output lacks are summed over; one that x, the weight and the output all have is a place with a
/// weight of its own. "..." at the start or the end of x and of the output stands for the axes that no letter names.
///
/// Slots      weight, its axes as the equation has them; bias, over the axes of bias_axes and 1 along those behind the
///            first of them.
/// Settings   output_shape: the lengths of an example's output, without what "..." stands for. bias_axes: letters of the
///            output; no bias unless stated.
struct EinsumDense {
  static constexpr std::string_view kWord = "einsum_dense", kKind = "EinsumDense";
  std::string equation;
  OpenLengths output_shape = {};
  std::optional<std::string> bias_axes = std::nullopt;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, bias_initializer = {};
  Penalty kernel_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    each("equation", &EinsumDense::equation, Need::Required);
    each("output_shape", &EinsumDense::output_shape, Need::Required);
    each("bias_axes", &EinsumDense::bias_axes);
    each("kernel_initializer", &EinsumDense::kernel_initializer);
    each("bias_initializer", &EinsumDense::bias_initializer);
    each("kernel_regularizer", &EinsumDense::kernel_regularizer);
    each("bias_regularizer", &EinsumDense::bias_regularizer);
    each("kernel_constraint", &EinsumDense::kernel_constraint);
    each("bias_constraint", &EinsumDense::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
