#pragma once

#include <string>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// Standard normal draws, the same for the same seed, purpose and step: element i is made by Box and Muller, in double,
/// of the words i and its neighbour of Philox 4x32-10, and rounded to float32.
///
/// Shapes     seed, step [] int64; lengths [rank of y] int64; y float32.
/// Settings   purpose: what the draws are for, "noise:encoder.0"; part of their address.
/// Gradient   none.
/// Source     Salmon and others 2011, https://doi.org/10.1145/2063384.2063405;
///            Box and Muller 1958, https://doi.org/10.1214/aoms/1177706645
struct RandomNormal {
  static constexpr std::string_view kName = "RandomNormal";
  static constexpr std::string_view kNoGradient = "draws do not move with their address.";
  std::string purpose = {};

  static void fields(auto&& each) { each("purpose", &RandomNormal::purpose); }
  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
