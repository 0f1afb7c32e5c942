#pragma once

#include "causeway/graph/graph.h"

namespace causeway::nn {

// What the formulas of several losses share.

/// The mean over everything but the batch, [N].
Value mean_of_rows(Value elements);

/// A chance, or each of `shared` classes' shares, with that part of it spread evenly: a * (1 - s) + s / shared.
Value smoothed(Value answers, float smoothing, double shared);
/// unfit() for a smoothing outside [0, 1].
void expect_smoothing(float smoothing);

/// How many classes logits have; unfit() where that is open.
int64_t classes_of(const Value& logits);
/// Answers as shares of the logits' classes: themselves, or class numbers (int64, without the last axis) as shares of 1.
Value shares_of(Value answers, const Value& logits);

}  // namespace causeway::nn
