#pragma once

#include <gtest/gtest.h>

#include "causeway/base/philox.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "causeway/train/fit.h"

namespace causeway::samples {

/// Rows whose answer is 1 where the first two features sum above 0.
struct Data {
  Tensor x, y;
};
inline Data some_rows(int64_t rows) {
  const Draws draws(1, "rows", 0);
  Data data{Tensor(DType::Float32, {rows, 4}), Tensor(DType::Float32, {rows, 1})};
  const std::span<float> x = data.x.mutable_values<float>(), y = data.y.mutable_values<float>();
  for (size_t i = 0; i < x.size(); ++i) x[i] = draws.uniform(i, -1, 1);
  for (size_t row = 0; row < y.size(); ++row) y[row] = x[4 * row] + x[4 * row + 1] > 0 ? 1.0f : 0.0f;
  return data;
}

/// A network with what differs between training and answering: a batch normalization and a dropout.
inline SavedNetwork some_network(uint64_t seed = 7) {
  SavedNetwork saved{.network =
                         Sequential({4}).dense(8).batch_normalization().relu().dropout(0.25f).dense(1).build(seed)};
  saved.losses.emplace("output", BinaryCrossentropy{});
  return saved;
}

/// A network whose rows do not touch each other, and whose step is a batch's mean.
inline SavedNetwork plain_network(uint64_t seed = 7) {
  SavedNetwork saved{.network = Sequential({4}).dense(8).tanh().dense(1).build(seed)};
  saved.losses.emplace("output", BinaryCrossentropy{});
  return saved;
}

inline void expect_same_slots(const SavedNetwork& a, const SavedNetwork& b) {
  const Slots &left = a.network.slots(), &right = b.network.slots();
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) {
    EXPECT_TRUE(left[i].numbers.same_bits(right[i].numbers)) << left[i].path;
  }
}

inline void expect_near_slots(const SavedNetwork& a, const SavedNetwork& b, double apart) {
  const Slots &left = a.network.slots(), &right = b.network.slots();
  ASSERT_EQ(left.size(), right.size());
  for (size_t i = 0; i < left.size(); ++i) {
    for (int64_t j = 0; j < left[i].numbers.size(); ++j)
      EXPECT_NEAR(left[i].numbers.number_at(j), right[i].numbers.number_at(j), apart) << left[i].path;
  }
}

}  // namespace causeway::samples
