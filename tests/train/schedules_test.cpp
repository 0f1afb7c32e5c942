#include "causeway/train/schedules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/train/schedule_words.h"
#include "tests/support/refusal.h"
#include "tests/train/stated.h"

namespace causeway {
namespace {

constexpr double kRate = 0.1;

Schedule stated(const std::string& text) { return tests::stated(read_schedule, text); }

struct Row {
  const char* name;
  Schedule schedule;
  const char* words;
  std::vector<double> rates;

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
};
const Row kRows[] = {
    {"constant", {}, R"({"kind":"constant","per":"epoch"})", {.1, .1, .1}},
    {"step_decay",
     StepDecay{.every = 3},
     R"({"kind":"step_decay","every":3,"factor":0.1,"per":"epoch"})",
     {.1, .1, .1, .01}},
    {"exponential_decay",
     ExponentialDecay{.factor = .9},
     R"({"kind":"exponential_decay","factor":0.9,"per":"epoch"})",
     {.1, .09, .081, .0729}},
    {"piecewise",
     Schedule(Piecewise{.boundaries = {1, 3}, .factors = {1, .5, .1}}, Per::Step),
     R"({"kind":"piecewise","boundaries":[1,3],"factors":[1.0,0.5,0.1],"per":"step"})",
     {.1, .05, .05, .01, .01}},
    {"polynomial_decay",
     PolynomialDecay{.length = 4, .power = 2},
     R"({"kind":"polynomial_decay","length":4,"end":0.0,"power":2.0,"per":"epoch"})",
     {.1, .05625, .025, .00625, 0, 0}},
    {"cosine_decay",
     CosineDecay{.length = 4, .minimum = .01},
     R"({"kind":"cosine_decay","length":4,"minimum":0.01,"per":"epoch"})",
     {.1, .0868198, .055, .0231802, .01, .01}},
    {"cosine_restarts",
     CosineRestarts{.length = 2, .factor = 2},
     R"({"kind":"cosine_restarts","length":2,"factor":2.0,"per":"epoch"})",
     {.1, .05, .1, .0853553, .05, .0146447, .1}},
    {"cosine_restarts_alike",
     CosineRestarts{.length = 3},
     R"({"kind":"cosine_restarts","length":3,"factor":1.0,"per":"epoch"})",
     {.1, .075, .025, .1, .075, .025, .1}},
    {"linear_warmup",
     LinearWarmup{.length = 4},
     R"({"kind":"linear_warmup","length":4,"start":0.3333333333333333,"then":{"kind":"constant"},"per":"epoch"})",
     {.0333333, .05, .0666667, .0833333, .1, .1}},
    {"linear_warmup_then",
     LinearWarmup{.length = 2, .start = 0, .then = PolynomialDecay{.length = 2}},
     R"({"kind":"linear_warmup","length":2,"start":0.0,)"
     R"("then":{"kind":"polynomial_decay","length":2,"end":0.0,"power":1.0},"per":"epoch"})",
     {0, .05, .1, .05, 0}},
};
class TrainingSection4 : public testing::TestWithParam<Row> {};

TEST_P(TrainingSection4, GivesTheRateAtEachPlace) {
  const Schedule& schedule = GetParam().schedule;
  ASSERT_THAT(schedule.check(), testing::IsEmpty());
  for (size_t at = 0; at < GetParam().rates.size(); ++at) {
    EXPECT_NEAR(schedule.rate(kRate, static_cast<int64_t>(at)), GetParam().rates[at], 5e-8) << at;
  }
}

TEST_P(TrainingSection4, IsSaidInWords) {
  const Json words = GetParam().schedule.json();
  EXPECT_EQ(words.dump(), GetParam().words);
  EXPECT_EQ(stated(GetParam().words).json().dump(), GetParam().words);
}
INSTANTIATE_TEST_SUITE_P(Rows, TrainingSection4, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(TrainingSection4Plateau, ReducesAfterMoreThanPatienceWorseEpochs) {
  train::Plateau plateau({.patience = 1}, {.rate = kRate});
  const std::vector<double> losses{1, .9, .9, .9, .9, .9, .8}, rates{.1, .1, .1, .01, .01, .001, .001};
  for (size_t epoch = 0; epoch < losses.size(); ++epoch) {
    // Where it goes on from a state that was kept, it is the same.
    plateau = train::Plateau({.patience = 1}, plateau.state());
    plateau.sees(losses[epoch]);
    EXPECT_DOUBLE_EQ(plateau.state().rate, rates[epoch]) << epoch;
  }
}

TEST(TrainingSection4Plateau, StaysAboveItsMinimumAndNeedsMoreThanItsThreshold) {
  train::Plateau plateau({.patience = 0, .threshold = .1, .minimum = .05}, {.rate = kRate});
  for (const double loss : {1.0, .95, .91, .9}) plateau.sees(loss);
  EXPECT_EQ(plateau.state().rate, .05);
  EXPECT_EQ(plateau.state().best, 1.0);
  plateau.sees(.89);
  EXPECT_EQ(plateau.state().best, .89);
}

TEST(CosineRestarts, BeginsEachCycleWhereTheLastOneEnded) {
  const CosineRestarts schedule{.length = 10, .factor = 1.5};
  // 10, 15, 22.5, 33.75: the cycles begin at 0, 10, 25, 47.5 and 81.25.
  EXPECT_DOUBLE_EQ(schedule.rate(1, 25), 1);
  EXPECT_LT(schedule.rate(1, 47), 0.01);
  EXPECT_GT(schedule.rate(1, 48), 0.99);
  EXPECT_DOUBLE_EQ(CosineRestarts{.length = 1}.rate(1, 1'000'000), 1);
  EXPECT_GT((CosineRestarts{.length = 1, .factor = 2}.rate(1, 1'000'000)), 0);
}

struct Case {
  const char* name;
  const char* text;
  std::vector<std::string> lines;

  friend void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }
};
const Case kRefused[] = {
    {"unknown_word", "cosine_decey", {"'cosine_decey' is no schedule. The nearest is 'cosine_decay'."}},
    {"no_kind", R"({"length": 1})", {"line 1:1: a schedule is a word, or an object with its \"kind\"."}},
    {"setting_missing", "cosine_decay", {"cosine_decay: setting 'length' is missing, and cosine_decay needs it."}},
    {"unknown_setting",
     R"({"kind": "step_decay", "every": 2, "factr": 0.5})",
     {"line 1:45: step_decay: it has no setting 'factr'. The nearest is 'factor'."}},
    {"unknown_per",
     R"({"kind": "step_decay", "every": 2, "per": "batch"})",
     {"line 1:43: 'per' is \"epoch\" or \"step\"."}},
    {"no_length",
     R"({"kind": "cosine_restarts", "length": 0, "factor": 0.5})",
     {"line 1:39: 'length' is 0, and it is at least 1.",
      "line 1:52: 'factor' is 0.5, and it is finite and at least 1."}},
    {"every_nought", R"({"kind": "step_decay", "every": 0})", {"line 1:33: 'every' is 0, and it is at least 1."}},
    {"factor_below_nought",
     R"({"kind": "exponential_decay", "factor": -1})",
     {"line 1:41: 'factor' is -1, and it is finite and at least 0."}},
    {"boundaries",
     R"({"kind": "piecewise", "boundaries": [3, 3], "factors": [1, -1]})",
     {"line 1:37: 'boundaries' are at least 0 and rise, and number 1 is 3.",
      "line 1:56: 'factors' is -1, and it is finite and at least 0.",
      "line 1:1: it has 2 factors and 2 boundaries, and there is one factor more: each boundary parts two."}},
    {"plateau",
     R"({"kind": "reduce_on_plateau", "factor": 1, "patience": -1, "minimum": -1})",
     {"line 1:41: 'factor' is 1, and it lies in [0, 1).", "line 1:56: 'patience' is -1, and it is at least 0.",
      "line 1:71: 'minimum' is -1, and it is finite and at least 0."}},
    {"plateau_by_steps",
     R"({"kind": "reduce_on_plateau", "per": "step"})",
     {"line 1:1: it counts steps, and a plateau is judged by the loss of an epoch. Let it count epochs."}},
    {"then_a_plateau",
     R"({"kind": "linear_warmup", "length": 2, "then": "reduce_on_plateau"})",
     {"line 1:48: 'then' is reduce_on_plateau, which goes by losses and follows no other."}},
    {"then_with_a_count_of_its_own",
     R"({"kind": "linear_warmup", "length": 2, "then": {"kind": "cosine_decay", "length": 3, "per": "step"}})",
     {"line 1:48: linear_warmup: 'then' states 'per', and counts what the one around it counts."}},
    {"then_misstated",
     R"({"kind": "linear_warmup", "length": 2, "then": {"kind": "cosine_decay", "lenght": 3}})",
     {"line 1:48: linear_warmup: 'then' is no schedule: cosine_decay: setting 'length' is missing, and cosine_decay "
      "needs it. cosine_decay: it has no setting 'lenght'. The nearest is 'length'."}},
};
class ScheduleRefused : public testing::TestWithParam<Case> {};

TEST_P(ScheduleRefused, NamesTheSettingAndItsPlace) {
  EXPECT_THAT(tests::refusal_of([] { stated(GetParam().text); }), testing::ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Words, ScheduleRefused, testing::ValuesIn(kRefused),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace causeway
