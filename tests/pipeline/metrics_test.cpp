#include "causeway/pipeline/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/pipeline/titanic.h"

namespace causeway::pipeline {
namespace {

using testing::ElementsAre;

double number_of(std::string_view name, const Judged& judged) {
  std::vector<std::string> notes;
  return metric(name, judged, notes).number();
}

// Nine digits are given, some of them cut and not rounded: a unit of the last.
constexpr double kShown = 1e-9;

class TitanicMetrics : public testing::Test {
 protected:
  TitanicMetrics() {
    const Prepared rows = titanic_pipeline().run();
    for (const float answer : rows.test.answers.values<float>()) truth.push_back(answer);
    for (const float answer : rows.train.answers.values<float>()) training.push_back(answer);
    const std::span<const float> features = rows.test.features.values<float>();
    for (size_t row = 0; row < rows.test.rows(); ++row) female.push_back(features[row * 14 + 5] == 1);
    for (const bool is : female) by_sex.push_back(is ? 0.75 : 0.2);
  }

  std::vector<double> truth, training, by_sex;
  std::vector<bool> female;
};

struct Expected {
  const char* name;
  double baseline, by_sex;
};

TEST_F(TitanicMetrics, BesideTheirBaselines) {
  const Expected cases[] = {
      {"accuracy", 0.614814815, 0.785185185},
      {"precision", 0, 0.709090909},
      {"recall", 0, 0.75},
      {"f1", 0, 0.728971963},
      {"auc", 0.5, 0.778614458},
      {"log_loss", 0.666550692, 0.513137936},
      {"brier", 0.236819984, 0.166203704},
      {"rmse", 0.486641536, 0.407680884},
      {"mae", 0.473277451, 0.337407407},
      {"r2", -1.02443654e-5, 0.298178290},
  };
  const std::vector<double> baseline = mean_answers(training, 1);
  EXPECT_EQ(baseline.at(0), 239.0 / 623.0);
  std::vector<std::string> names, notes;
  for (const Expected& one : cases) names.emplace_back(one.name);
  names.emplace_back("confusion_matrix");
  const Json judged = judge(names, {.truth = truth, .answers = by_sex}, baseline, notes);
  for (const Expected& one : cases) {
    EXPECT_NEAR(judged.find(one.name)->find("value")->number(), one.by_sex, kShown) << one.name;
    EXPECT_NEAR(judged.find(one.name)->find("baseline")->number(), one.baseline, kShown) << one.name;
  }
  EXPECT_EQ(judged.find("confusion_matrix")->find("value")->dump(), "[[67,16],[13,39]]");
  EXPECT_EQ(judged.find("confusion_matrix")->find("baseline")->dump(), "[[83,0],[52,0]]");
  EXPECT_TRUE(notes.empty());
}

TEST_F(TitanicMetrics, Calibration) {
  std::vector<std::string> notes;
  const Json judged = metric("calibration", {.truth = truth, .answers = by_sex}, notes);
  const Json::Array& bins = judged.find("bins")->items();
  ASSERT_EQ(bins.size(), 10u);
  EXPECT_EQ(bins[2].find("count")->integer(), 80);
  EXPECT_NEAR(bins[2].find("share")->number(), 0.1625, kShown);
  EXPECT_NEAR(bins[2].find("mean")->number(), 0.2, 1e-15);
  EXPECT_EQ(bins[7].find("count")->integer(), 55);
  EXPECT_NEAR(bins[7].find("share")->number(), 0.709090909, kShown);
  EXPECT_TRUE(bins[0].find("mean")->is_null());
  EXPECT_NEAR(judged.find("ece")->number(), 0.038888889, kShown);
}

struct Case {
  const char *name, *metric;
  size_t width;
  std::vector<double> truth, answers, logits;
  double value;
  bool labels = false;
};
const Case kCases[] = {
    {"Emd", "emd", 3, {0, 1, 0}, {.1, .2, .7}, {}, 0.8},
    {"Rps", "rps", 3, {0, 1, 0}, {.1, .2, .7}, {}, 0.5},
    {"Kl", "kl", 3, {0, 1, 0}, {.1, .2, .7}, {}, 1.609437912},
    {"EmdOfTraining", "emd", 3, {0, 0, 1}, {.2, .5, .3}, {}, 0.9},
    {"RpsOfTraining", "rps", 3, {0, 0, 1}, {.2, .5, .3}, {}, 0.53},
    {"AucWithTies", "auc", 1, {0, 0, 1, 1, 1}, {.1, .4, .35, .8, .4}, {}, 0.75},
    {"LogLoss", "log_loss", 1, {0, 0, 1, 1, 1}, {.1, .4, .35, .8, .4}, {}, 0.561088509},
    {"LogLossOfCertainErrors", "log_loss", 1, {1, 0}, {0, 1}, {}, 36.04365338911715},
    {"LogLossOfLogits", "log_loss", 1, {0}, {1}, {40}, 40},
    {"LogLossOfClasses", "log_loss", 3, {0, 1, 0}, {.1, .2, .7}, {}, 1.609437912},
    {"LogLossOfClassLogits", "log_loss", 3, {0, 1, 0}, {.3, .6, .1}, {1, 2, .5}, 0.464368784},
    {"LogLossOfLabels", "log_loss", 2, {0, 1}, {.5, .5}, {}, 0.693147181, true},
    {"Rmse", "rmse", 1, {1, 2, 4}, {1.5, 2, 3}, {}, 0.645497224},
    {"Mae", "mae", 1, {1, 2, 4}, {1.5, 2, 3}, {}, 0.5},
    {"R2", "r2", 1, {1, 2, 4}, {1.5, 2, 3}, {}, 0.732142857},
    {"R2OfOneValueHit", "r2", 1, {2, 2}, {2, 2}, {}, 1},
    {"R2OfOneValueMissed", "r2", 1, {2, 2}, {2, 3}, {}, 0},
    {"RmseIsEachColumnsMean", "rmse", 2, {0, 0, 0, 0}, {1, 2, 1, 2}, {}, 1.5},
    {"AccuracyIsOneFromAHalfOn", "accuracy", 1, {1, 0}, {.5, .5}, {}, 0.5},
    {"AccuracyTakesTheFirstLargest", "accuracy", 3, {1, 0, 0, 0, 0, 1}, {.4, .4, .2, .1, .3, .6}, {}, 1},
    {"AccuracyOfLabelsIsEveryOne", "accuracy", 2, {1, 0, 1, 1}, {.9, .1, .9, .1}, {}, 0.5, true},
    // Truth 0 0 1, answers 0 1 1; class 2 is seen nowhere and counts nowhere.
    {"PrecisionIsMacro", "precision", 3, {1, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0, 0, 1, 0}, {}, 0.75},
    {"RecallIsMacro", "recall", 3, {1, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0, 0, 1, 0}, {}, 0.75},
    {"F1IsMacro", "f1", 3, {1, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0, 0, 1, 0}, {}, 2.0 / 3},
    {"BrierOfClassesIsTheirSum", "brier", 2, {1, 0}, {.5, .5}, {}, 0.5},
    {"BrierOfLabelsIsTheirMean", "brier", 2, {1, 0}, {.5, .5}, {}, 0.25, true},
    {"AucOfClasses", "auc", 2, {1, 0, 0, 1}, {.9, .1, .2, .8}, {}, 1},
};
class Metrics : public testing::TestWithParam<Case> {};
TEST_P(Metrics, FollowTheirConventions) {
  const Case& one = GetParam();
  const Judged judged{
      .truth = one.truth, .answers = one.answers, .logits = one.logits, .width = one.width, .labels = one.labels};
  EXPECT_NEAR(number_of(one.metric, judged), one.value, kShown);
}
INSTANTIATE_TEST_SUITE_P(TrainingSection2, Metrics, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

struct Without {
  const char* metric;
  size_t width;
  std::vector<double> truth, answers;
  const char *json, *note;
  bool labels = false;
};
const Without kWithout[] = {
    {"auc", 1, {1, 1}, {.2, .3}, "null", "auc: a class is absent from the judged rows."},
    {"emd", 1, {1}, {.2}, "null", "emd: it compares shares of two answers or more."},
    {"calibration", 2, {1, 0}, {.2, .8}, "null", "calibration: it judges one chance."},
    {"confusion_matrix",
     2,
     {1, 0},
     {.2, .8},
     "null",
     "confusion_matrix: labels are no classes that exclude each other.",
     true},
    {"rmse", 1, {}, {}, "null", "rmse: there is no row to judge."},
    {"rmse", 1, {1}, {std::nan("")}, "null", "rmse: an answer is not finite."},
    {"kl", 2, {1, 0, 1, 0}, {0, 1, 0, 1}, "\"inf\"", nullptr},
};
TEST(MetricsOf, SayWhereThereIsNone) {
  for (const Without& one : kWithout) {
    std::vector<std::string> notes;
    const Judged judged{.truth = one.truth, .answers = one.answers, .width = one.width, .labels = one.labels};
    EXPECT_EQ(metric(one.metric, judged, notes).dump(), one.json);
    if (one.note == nullptr) {
      EXPECT_TRUE(notes.empty());
    } else {
      EXPECT_THAT(notes, ElementsAre(one.note));
    }
  }
}

TEST(MetricsOf, EachWordIsCounted) {
  const std::vector<double> truth = {1, 0, 0, 1}, answers = {.9, .1, .2, .8};
  for (const std::string_view word : kMetricWords) {
    std::vector<std::string> notes;
    metric(word, {.truth = truth, .answers = answers, .width = 2}, notes);
  }
}

}  // namespace
}  // namespace causeway::pipeline
