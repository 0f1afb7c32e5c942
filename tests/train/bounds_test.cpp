// Norm bounds that words state, through a step: each unit of a weight is cut to the bound by itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "causeway/answer/engines.h"
#include "causeway/base/philox.h"
#include "causeway/nn/words.h"
#include "causeway/train/fit.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

struct Row {
  const char* name;
  /// "input" and the layer's settings but for its constraint.
  const char *input, *layer;
  const char *constraint, *slot;
  /// Along which the norm of a unit runs.
  std::vector<size_t> axes;
};

const Row kRows[] = {
    {"dense", "[5]", R"("kind": "dense", "units": 3)", "kernel", "0.weight", {0}},
    {"bias", "[5]", R"("kind": "dense", "units": 3)", "bias", "0.bias", {0}},
    {"conv1d",
     "[6, 4]",
     R"("kind": "conv1d", "filters": 6, "kernel_size": 3, "groups": 2)",
     "kernel",
     "0.weight",
     {0, 1}},
    {"conv2d", "[5, 4, 2]", R"("kind": "conv2d", "filters": 3, "kernel_size": 2)", "kernel", "0.weight", {0, 1, 2}},
    {"conv3d",
     "[3, 4, 3, 2]",
     R"("kind": "conv3d", "filters": 2, "kernel_size": 2)",
     "kernel",
     "0.weight",
     {0, 1, 2, 3}},
    {"transposed",
     "[3, 4, 2]",
     R"("kind": "conv2d_transpose", "filters": 3, "kernel_size": 2)",
     "kernel",
     "0.weight",
     {0, 1, 3}},
    {"depthwise",
     "[5, 4, 2]",
     R"("kind": "depthwise_conv2d", "kernel_size": 3, "depth_multiplier": 2)",
     "depthwise",
     "0.weight",
     {0, 1, 2}},
    {"separable_depthwise",
     "[7, 3]",
     R"("kind": "separable_conv1d", "filters": 2, "kernel_size": 3)",
     "depthwise",
     "0.depthwise.weight",
     {0, 1}},
    {"separable_pointwise",
     "[7, 3]",
     R"("kind": "separable_conv1d", "filters": 2, "kernel_size": 3)",
     "pointwise",
     "0.pointwise.weight",
     {0, 1}},
    {"embedding", "[]", R"("kind": "embedding", "input_dim": 4, "output_dim": 3)", "embeddings", "0.weight", {1}},
    {"lstm", "[4, 3]", R"("kind": "lstm", "units": 2)", "kernel", "0.weight_ih_l0", {0}},
    {"gru_recurrent", "[4, 3]", R"("kind": "gru", "units": 2)", "recurrent", "0.weight_hh_l0", {0}},
    {"gamma", "[5]", R"("kind": "batch_normalization")", "gamma", "0.weight", {0}},
};

SavedNetwork stepped(const Row& row, const std::string& constraint) {
  const std::string words = std::string(R"({"input": )") + row.input + R"(, "layers": [{)" + row.layer + constraint +
                            R"(}], "loss": "mean_squared_error"})";
  SavedNetwork saved = network_of_words(words, "words", {.seed = 3});
  const Door& door = saved.network.inputs()[0];
  std::vector<int64_t> lengths{4}, answers{4};
  for (size_t axis = 1; axis < door.value.shape().rank(); ++axis) lengths.push_back(door.value.shape()[axis].number());
  const Shape& made = saved.network.outputs()[0].value.shape();
  for (size_t axis = 1; axis < made.rank(); ++axis) answers.push_back(made[axis].number());
  Tensor x(DType::Float32, lengths), y(DType::Float32, answers);
  const bool is_of_rows = lengths.size() == 1;  // an embedding's
  const Draws draws(5, "bounds", 0);
  for (int64_t i = 0; i < x.size(); ++i) {
    x.mutable_values<float>()[static_cast<size_t>(i)] =
        is_of_rows ? static_cast<float>(i % 4) : static_cast<float>(draws.normal(static_cast<uint64_t>(i)));
  }
  for (float& number : y.mutable_values<float>()) number = 3;
  fit(saved, x, y, Sgd{.learning_rate = 1}, {.batch_size = 4, .shuffle = false});
  return saved;
}

/// Which unit an element belongs to: its place along every axis that the norm does not run along.
std::vector<int64_t> unit_of(const Tensor& weight, int64_t element, const std::vector<size_t>& axes) {
  std::vector<int64_t> unit;
  for (size_t axis = weight.rank(); axis-- > 0;) {
    const int64_t place = element % weight.lengths()[axis];
    element /= weight.lengths()[axis];
    if (std::count(axes.begin(), axes.end(), axis) == 0) unit.push_back(place);
  }
  return unit;
}

class NetworkSection12Bounds : public testing::TestWithParam<Row> {};

TEST_P(NetworkSection12Bounds, CutEveryUnitAfterTheStep) {
  constexpr double kMost = 0.5;
  const Row& row = GetParam();
  const Tensor free = stepped(row, "").network.slots().at(row.slot).numbers;
  const Tensor cut = stepped(row, std::string(R"(, ")") + row.constraint + R"(_constraint": {"max_norm": 0.5})")
                         .network.slots()
                         .at(row.slot)
                         .numbers;
  std::map<std::vector<int64_t>, double> squares;
  for (int64_t i = 0; i < free.size(); ++i) {
    squares[unit_of(free, i, row.axes)] += free.number_at(i) * free.number_at(i);
  }
  bool any_is_cut = false;
  for (int64_t i = 0; i < free.size(); ++i) {
    const double norm = std::sqrt(squares.at(unit_of(free, i, row.axes)));
    any_is_cut = any_is_cut || norm > kMost;
    EXPECT_NEAR(cut.number_at(i), free.number_at(i) * (std::min(norm, kMost) / (1e-7 + norm)), 2e-6) << i;
  }
  EXPECT_TRUE(any_is_cut);
}

INSTANTIATE_TEST_SUITE_P(Words, NetworkSection12Bounds, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway
