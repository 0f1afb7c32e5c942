// Each convolution network trained further, whatever file it came in: both engines take the same steps, and what is
// trained is kept by every format.

#include <gtest/gtest.h>

#include <algorithm>

#include "causeway/answer/predict.h"
#include "causeway/base/philox.h"
#include "causeway/learn/models.h"
#include "causeway/nn/loss_list.h"
#include "causeway/train/fit.h"
#include "tests/learn/fixture_models.h"
#include "tests/support/files.h"

namespace causeway {
namespace {

using tests::FixtureModel;

SavedNetwork read_to_train(const FixtureModel& model) {
  SavedNetwork saved = tests::read_fixture(model);
  if (saved.losses.empty()) saved.losses.emplace(saved.network.outputs()[0].name, MeanSquaredError{});
  return saved;
}

constexpr int64_t kRows = 6;

Tensor normal_rows(const Network& network) {
  std::vector<int64_t> lengths{kRows};
  const Shape shape = network.inputs()[0].value.shape();
  for (size_t axis = 1; axis < shape.rank(); ++axis) lengths.push_back(shape[axis].number());
  Tensor x(DType::Float32, lengths);
  const Draws draws(11, "rows", 0);
  const std::span<float> values = x.mutable_values<float>();
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(draws.normal(i));
  return x;
}

// What any loss takes: for each row the answer to the row before it.
Tensor answers_of_the_row_before(const SavedNetwork& saved, const Tensor& x) {
  Tensor y = predict(saved, x);
  const std::span<float> values = y.mutable_values<float>();
  std::rotate(values.begin(), values.end() - static_cast<std::ptrdiff_t>(values.size() / kRows), values.end());
  return y;
}

class TrainedConvolution : public testing::TestWithParam<FixtureModel> {
 protected:
  const SavedNetwork before_ = read_to_train(GetParam());
  const Tensor x_ = normal_rows(before_.network), y_ = answers_of_the_row_before(before_, x_);

  SavedNetwork trained(const Engine& engine, int threads = 1) const {
    SavedNetwork saved = before_;
    fit(saved, x_, y_, Sgd{.learning_rate = 0.05},
        {.seed = 5, .epochs = 2, .batch_size = 4, .engine = &engine, .threads = threads});
    return saved;
  }
};

TEST_P(TrainedConvolution, TakesTheSameStepsOnBothEngines) {
  const SavedNetwork cpu_trained = trained(cpu()), judged = trained(engine_named("reference"));
  size_t moved = 0;
  for (size_t i = 0; i < before_.network.slots().size(); ++i) {
    const Slot& slot = judged.network.slots()[i];
    const Tensor& numbers = cpu_trained.network.slots().at(slot.path).numbers;
    const double size = std::max(1.0, tests::largest(slot.numbers));
    EXPECT_LE(tests::most_apart(numbers, slot.numbers), 1e-5 * size) << slot.path;
    moved += !numbers.same_bits(before_.network.slots()[i].numbers);
    if (slot.role == Role::Constant) {
      EXPECT_TRUE(numbers.same_bits(before_.network.slots()[i].numbers)) << slot.path;
    }
  }
  EXPECT_GT(moved, before_.network.slots().size() / 2) << "most slots learn";
}

TEST_P(TrainedConvolution, IsTheSameAtTwoThreads) {
  EXPECT_EQ(tests::bits_by_path(trained(cpu(), 2).network), tests::bits_by_path(trained(cpu()).network));
}

TEST_P(TrainedConvolution, IsKeptByWhatIsWritten) {
  const SavedNetwork saved = trained(cpu());
  const Tensor expected = predict(saved, x_);
  const tests::TemporaryFolder folder;
  write_model(saved, folder.file("a.causeway"));
  EXPECT_EQ(tests::bits_by_path(read_model(folder.file("a.causeway")).network), tests::bits_by_path(saved.network));
  write_model(saved, folder.file("a.onnx"));
  const Tensor answers = predict(read_model(folder.file("a.onnx")), x_);
  EXPECT_LE(tests::most_apart(answers, expected), 1e-6 * std::max(1.0, tests::largest(expected)));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, TrainedConvolution, testing::ValuesIn(tests::convolution_models()),
                         [](const auto& row) { return row.param.test_name(); });

}  // namespace
}  // namespace causeway
