#include "causeway/nn/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "causeway/nn/loss_list.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::nn {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

struct Refusal {
  const char* name;
  Loss loss;
  std::vector<int64_t> lengths;
  std::vector<float> answers;
  Shape logits;
  std::vector<std::string> lines;
};

const Refusal kRefused[] = {
    {"chance_past_1",
     BinaryCrossentropy{},
     {2, 2},
     {0, 1, -0.5f, kNaN},
     {2, 2},
     {"row 1: column 0 is -0.5, and a chance lies in [0, 1].", "row 1: column 1 is nan, and a chance lies in [0, 1]."}},
    {"focal",
     BinaryFocalCrossentropy{},
     {1, 1},
     {1.5f},
     {1, 1},
     {"row 0: column 0 is 1.5, and a chance lies in [0, 1]."}},
    {"shares",
     CategoricalCrossentropy{},
     {3, 2},
     {-1, 2, .5f, .75f, 1, 0},
     {3, 2},
     {"row 0: column 0 is -1, and a share is finite and at least 0.",
      "row 1: its shares sum to 1.25, and they sum to 1."}},
    {"one_class",
     CategoricalCrossentropy{},
     {2, 1},
     {1, 1},
     {2, 1},
     {"a loss over classes takes two of them or more, and the network gives 1."}},
    {"class_numbers",
     SparseCategoricalCrossentropy{},
     {3},
     {3, -1, 2},
     {3, 3},
     {"row 0: column 0 is 3, and a class lies in [0, 3).", "row 1: column 0 is -1, and a class lies in [0, 3)."}},
    {"class_numbers_that_are_none",
     CategoricalCrossentropy{},
     {2, 1},
     {0.5f, kInfinity},
     {2, 3},
     {"row 0: column 0 is 0.5, and a class is a whole number in [0, 3).",
      "row 1: column 0 is inf, and a class is a whole number in [0, 3)."}},
    {"class_numbers_in_a_series",
     SparseCategoricalCrossentropy{},
     {2, 2},
     {0, 1, 0, 7},
     {2, 2, 3},
     {"row 1: column 1 is 7, and a class lies in [0, 3)."}},
    {"shares_for_class_numbers",
     SparseCategoricalCrossentropy{},
     {1, 3},
     {0, 1, 0},
     {1, 3},
     {"the answers are [1, 3], and class numbers without the last axis of [1, 3] are taken."}},
    {"numbers",
     MeanSquaredError{},
     {2, 1},
     {1, kInfinity},
     {2, 1},
     {"row 1: column 0 is inf, and an answer is finite."}},
    {"absolute", MeanAbsoluteError{}, {1, 1}, {kNaN}, {1, 1}, {"row 0: column 0 is nan, and an answer is finite."}},
    {"huber", Huber{}, {1, 1}, {-kInfinity}, {1, 1}, {"row 0: column 0 is -inf, and an answer is finite."}},
    {"counts", Poisson{}, {2, 1}, {-1, 0}, {2, 1}, {"row 0: column 0 is -1, and a count is finite and at least 0."}},
    {"hinge",
     Hinge{},
     {3, 3},
     {1, 0, .5f, 0, 1, 1, -1, 0, -1},
     {3, 3},
     {"row 0: column 2 is 0.5, and a column is all 0 and 1, or all -1 and 1.",
      "row 2: column 0 is -1, and the column holds 0 above: a column is all 0 and 1, or all -1 and 1."}},
    {"bands_that_hold_nothing",
     EarthMoversDistance{.remainder = true},
     {2, 3},
     {.5f, .5f, 0, 0, 0, 1},
     {2, 3},
     {"row 1: all of it is left over, and bands that hold nothing have no shares to compare."}},
    {"class_number_of_the_remainder",
     EarthMoversDistance{.remainder = true},
     {2},
     {0, 2},
     {2, 3},
     {"row 1: column 0 is 2, and bands that hold nothing have no shares to compare."}},
    {"other_shape",
     Huber{},
     {2, 3},
     {0, 0, 0, 0, 0, 0},
     {2, 2},
     {"the answers are [2, 3], and the network gives [2, 2]."}},
};

class AnswersRefused : public testing::TestWithParam<Refusal> {};

TEST_P(AnswersRefused, NameRowColumnAndValue) {
  const Refusal& row = GetParam();
  std::vector<Fault> faults;
  EXPECT_FALSE(answers_for(row.loss, Tensor::of<float>(row.lengths, row.answers), row.logits, faults));
  std::vector<std::string> lines;
  for (const Fault& fault : faults) lines.push_back((fault.where.empty() ? "" : fault.where + ": ") + fault.what);
  EXPECT_THAT(lines, ElementsAreArray(row.lines));
}
INSTANTIATE_TEST_SUITE_P(Table, AnswersRefused, testing::ValuesIn(kRefused), tests::by_name);

TEST(Answers, ListTheFirst20FaultsAndCountTheRest) {
  std::vector<Fault> faults;
  const Tensor answers = Tensor::of<float>({50, 1}, std::vector<float>(50, 2.0f));
  EXPECT_FALSE(answers_for(BinaryCrossentropy{}, answers, {50, 1}, faults));
  ASSERT_EQ(faults.size(), 21u);
  EXPECT_EQ(faults[19].where, "row 19");
  EXPECT_EQ(faults[20].what, "and 30 more.");
}

std::vector<double> numbers_of(const Tensor& tensor) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i) numbers.push_back(tensor.number_at(i));
  return numbers;
}

TEST(Answers, ClassNumbersStayNumbers) {
  std::vector<Fault> faults;
  for (const std::vector<int64_t>& lengths : {std::vector<int64_t>{2}, std::vector<int64_t>{2, 1}}) {
    const std::optional<Tensor> taken =
        answers_for(CategoricalCrossentropy{}, Tensor::of<float>(lengths, {3, 0}), {Dim::named("N"), 100000}, faults);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->dtype(), DType::Int64);
    EXPECT_THAT(taken->lengths(), ElementsAre(2));
    EXPECT_THAT(numbers_of(*taken), ElementsAre(3, 0));
  }
}

TEST(Answers, OfAHingeAreTurnedColumnByColumn) {
  std::vector<Fault> faults;
  const std::optional<Tensor> taken =
      answers_for(Hinge{}, Tensor::of<float>({2, 3}, {0, -1, 1, 1, 1, 1}), {2, 3}, faults);
  ASSERT_TRUE(taken);
  EXPECT_THAT(numbers_of(*taken), ElementsAre(-1, -1, 1, 1, 1, 1));
}

TEST(Answers, AColumnMayComeWithoutItsAxis) {
  std::vector<Fault> faults;
  const std::optional<Tensor> taken = answers_for(Poisson{}, Tensor::of<float>({3}, {0, 1, 2}), {3, 1}, faults);
  ASSERT_TRUE(taken);
  EXPECT_THAT(taken->lengths(), ElementsAre(3, 1));
}

TEST(Answers, HaveTheClassOfTheRoundedChanceOrTheFirstLargestShare) {
  EXPECT_THAT(classes_of_rows(BinaryCrossentropy{}, Tensor::of<float>({3, 1}, {0.25f, 0.75f, 1})),
              ElementsAre(0, 1, 1));
  EXPECT_THAT(classes_of_rows(Hinge{}, Tensor::of<float>({2, 1}, {-1, 1})), ElementsAre(0, 1));
  EXPECT_THAT(classes_of_rows(EarthMoversDistance{}, Tensor::of<float>({2, 3}, {.4f, .4f, .2f, 0, .1f, .9f})),
              ElementsAre(0, 2));
  EXPECT_THAT(classes_of_rows(SparseCategoricalCrossentropy{}, Tensor::of<int64_t>({2}, {4, 0})), ElementsAre(4, 0));
  EXPECT_EQ(tests::unfit_of([] {
              classes_of_rows(Huber{}, Tensor::of<float>({1, 1}, {0}));
            }),
            "the answers of huber have no classes to weigh.");
  EXPECT_EQ(tests::unfit_of([] {
              classes_of_rows(BinaryCrossentropy{}, Tensor::of<float>({1, 2}, {0, 1}));
            }),
            "its answers are [1, 2], and class weights are for one answer a row. Hand each row its weight.");
}

}  // namespace
}  // namespace causeway::nn
