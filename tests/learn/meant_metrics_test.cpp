#include "causeway/learn/meant_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

using testing::ElementsAreArray;

// data/…/titanic_learn.json with another loss, judged by those metrics.
pipeline::Pipeline judged_by(const Json& loss, const std::vector<std::string>& metrics) {
  const std::string example = tests::data_file("../examples/");
  Json document = parse_json(tests::bytes_of(example + "titanic_learn.json"), "titanic_learn.json");
  Json::Array steps = document.find("steps")->items();
  for (Json& step : steps) {
    if (step.find("verb")->text() == "learn.network") step.set("loss", loss);
    if (step.find("verb")->text() == "evidence.metrics")
      step.set("metrics", Json::Array(metrics.begin(), metrics.end()));
  }
  document.set("steps", std::move(steps));
  return pipeline::Pipeline::from_json(document, example);
}

struct Row {
  const char* name;
  const char* loss;
  std::vector<std::string> metrics;
  std::vector<std::string> refused;
};

const Row kRows[] = {
    {"numbers",
     "huber",
     {"rmse", "mae", "r2", "accuracy", "log_loss"},
     {"'accuracy' means nothing for huber, whose answers are numbers. They have rmse, mae, r2.",
      "'log_loss' means nothing for huber, whose answers are numbers. They have rmse, mae, r2."}},
    {"chances",
     "binary_focal_crossentropy",
     {"accuracy", "auc", "brier", "calibration", "rmse", "rps"},
     {"'rps' means nothing for binary_focal_crossentropy, whose answers are chances. They have rmse, mae, r2, "
      "accuracy, "
      "precision, recall, f1, auc, log_loss, brier, confusion_matrix, calibration."}},
    {"margins",
     "hinge",
     {"auc", "brier"},
     {"'brier' means nothing for hinge, whose answers are margins. They have auc."}},
    {"shares", "earth_movers_distance", {"emd", "rps", "kl", "accuracy"}, {}},
};

class TrainingSection2Metrics : public testing::TestWithParam<Row> {};

TEST_P(TrainingSection2Metrics, AreRefusedWhereTheyMeanNothingForTheLoss) {
  const pipeline::Pipeline pipeline = judged_by(GetParam().loss, GetParam().metrics);
  std::vector<std::string> said;
  if (GetParam().refused.empty()) {
    expect_meaning(pipeline);
    return;
  }
  for (const Fault& fault : tests::faults_of([&] { expect_meaning(pipeline); })) {
    EXPECT_THAT(fault.where, testing::HasSubstr("(evidence.metrics)"));
    said.push_back(fault.what);
  }
  EXPECT_THAT(said, ElementsAreArray(GetParam().refused));
}
INSTANTIATE_TEST_SUITE_P(Table, TrainingSection2Metrics, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway
