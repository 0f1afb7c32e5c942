#pragma once

#include "causeway/graph/op.h"

namespace causeway::ops {

/// How many steps of each series are real, checked: whole numbers in [0, steps], as int64. Any other number is refused
/// from run, with its place, where a comparison would take it for none of the steps or for all.
///
/// Shapes     lengths [any] integers; steps [] int64; y as lengths, int64.
/// Gradient   none.
struct StepCounts {
  static constexpr std::string_view kName = "StepCounts";
  static constexpr std::string_view kNoGradient = "a count of steps does not move.";

  Types infer(std::span<const Type> inputs) const;
};

/// Which steps are real, [N, steps] truths: step t of a series is where t lies below its length, checked as StepCounts
/// does. lengths [N] integers, steps [] int64.
Value real_steps(Value lengths, Value steps);

}  // namespace causeway::ops
