#pragma once

#include <array>
#include <string_view>

#include "causeway/graph/op.h"

namespace causeway::ops {

enum class ReduceKind { Sum, Mean, Max, Min, Prod, LogSumExp };
constexpr auto words_of(ReduceKind) {
  return std::array<std::string_view, 6>{"sum", "mean", "max", "min", "prod", "log_sum_exp"};
}

/// Takes axes together by a total: a sum, a mean, the largest, the smallest, the product, or log sum e^x (stable). Over
/// no elements: 0, NaN, -inf, inf, 1, -inf; an integer's largest and smallest of none are its range's ends.
///
/// Shapes     x [any], floating or integer (Max and Min also bool; Mean and LogSumExp floating); y has no longer the
///            axes, or has them with length 1.
/// Settings   kind. axes: each once, from the end where negative; none: all of them. keepdims: keep them as 1.
/// Gradient   to x. Max and Min share dy equally among ties. Prod multiplies y / x, worked again where x has zeros.
/// Source     https://onnx.ai/onnx/operators/onnx__ReduceSum.html and its like
struct Reduce {
  static constexpr std::string_view kName = "Reduce";
  ReduceKind kind = ReduceKind::Sum;
  std::vector<int64_t> axes = {};
  bool keepdims = false;

  static void fields(auto&& each) {
    each("kind", &Reduce::kind);
    each("axes", &Reduce::axes);
    each("keepdims", &Reduce::keepdims);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
};

}  // namespace causeway::ops
