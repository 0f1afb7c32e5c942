#pragma once

#include <string>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Uniform draws from [0, 1), the same for the same seed, purpose and step: element i is draw number i of Philox
/// 4x32-10.
///
/// Shapes     seed, step [] int64; lengths [rank of y] int64; y float32.
/// Settings   purpose: what the draws are for, "dropout:encoder.0"; part of their address.
/// Gradient   none.
/// Source     Salmon and others 2011, https://doi.org/10.1145/2063384.2063405
struct RandomUniform {
  static constexpr std::string_view kName = "RandomUniform";
  static constexpr std::string_view kNoGradient = "draws do not move with their address.";
  std::string purpose = {};

  static void fields(auto&& each) { each("purpose", &RandomUniform::purpose); }
  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
