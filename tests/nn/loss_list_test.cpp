#include "causeway/nn/loss_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/rows.h"

namespace causeway::nn {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<std::string> lines_of(const std::vector<Fault>& faults) {
  std::vector<std::string> lines;
  for (const Fault& fault : faults) lines.push_back(fault.where + ": " + fault.what);
  return lines;
}

TEST(LossList, StandsInTheOrderOfItsWords) {
  std::vector<std::string_view> words;
  for (const LossRow& row : all_losses()) words.push_back(row.word);
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
  EXPECT_EQ(words.size(), 10u);
}

TEST(LossList, ReadsWhatItWrites) {
  for (const LossRow& row : all_losses()) {
    const Loss loss = row.plain.weighing({.weight = 0.1f, .weight_reduction = WeightReduction::Weights});
    std::vector<Fault> faults;
    const std::optional<StatedLoss> again = read_loss(write_loss(loss), "", faults);
    ASSERT_TRUE(again) << row.word;
    EXPECT_TRUE(again->loss == loss) << row.word;
    EXPECT_FALSE(again->loss == row.plain) << row.word;
  }
}

TEST(LossList, WritesEverySetting) {
  EXPECT_EQ(write_loss(BinaryFocalCrossentropy{.gamma = 1.5f}).dump(),
            R"({"kind":"binary_focal_crossentropy","gamma":1.5,"apply_class_balancing":false,"alpha":0.25,)"
            R"("label_smoothing":0.0,"weight":1.0,"weight_reduction":"rows"})");
}

TEST(LossList, StandsInThePageOfWords) {
  const std::string page = tests::bytes_of(tests::fixture("../../docs/words.md"));
  for (const LossRow& row : all_losses()) {
    EXPECT_THAT(page, testing::HasSubstr("`" + std::string(row.word) + "`"));
    for (const auto& [name, value] : row.plain.settings()) {
      EXPECT_THAT(page, testing::HasSubstr("`" + name + "`")) << row.word;
    }
  }
}

struct Refusal {
  const char* name;
  const char* text;
  std::vector<std::string> lines;
};
const Refusal kRefused[] = {
    {"no_loss",
     R"("binary_crossentropi")",
     {"NET, line 1:1: 'binary_crossentropi' is no loss. The nearest is 'binary_crossentropy'. Known are "
      "binary_crossentropy, binary_focal_crossentropy, categorical_crossentropy, earth_movers_distance, hinge, huber, "
      "mean_absolute_error, mean_squared_error, poisson, sparse_categorical_crossentropy."}},
    {"no_kind", "3", {"NET, line 1:1: a loss is a word, or an object with its \"kind\", and a number stands here."}},
    {"no_setting",
     R"({"kind": "huber", "deltas": 2, "weigth": 1})",
     {"NET, line 1:29: huber: it has no setting 'deltas'. The nearest is 'delta'.",
      "NET, line 1:42: huber: it has no setting 'weigth'. The nearest is 'weight'."}},
    {"no_logits_to_ask_about",
     R"({"kind": "huber", "from_logits": true})",
     {"NET, line 1:34: huber: it has no setting 'from_logits'."}},
    {"no_smoothing_of_class_numbers",
     R"({"kind": "sparse_categorical_crossentropy", "label_smoothing": 0.1})",
     {"NET, line 1:64: sparse_categorical_crossentropy: it has no setting 'label_smoothing'."}},
    {"delta", R"({"kind": "huber", "delta": 0})", {"NET, line 1:1: huber: 'delta' is 0, and is finite and above 0."}},
    {"smoothing",
     R"({"kind": "binary_crossentropy", "label_smoothing": 1.5})",
     {"NET, line 1:1: binary_crossentropy: 'label_smoothing' is 1.5, and lies in [0, 1]."}},
    {"gamma",
     R"({"kind": "binary_focal_crossentropy", "gamma": -1})",
     {"NET, line 1:1: binary_focal_crossentropy: 'gamma' is -1, and is finite and at least 0."}},
    {"alpha",
     R"({"kind": "binary_focal_crossentropy", "alpha": 2})",
     {"NET, line 1:1: binary_focal_crossentropy: 'alpha' is 2, and lies in [0, 1]."}},
    {"weight",
     R"({"kind": "hinge", "weight": -1})",
     {"NET, line 1:1: hinge: 'weight' is -1, and is finite and at least 0."}},
    {"weight_reduction",
     R"({"kind": "hinge", "weight_reduction": "mean"})",
     {"NET, line 1:39: hinge: 'weight_reduction' is 'mean', and 'rows' or 'weights' is read here."}},
    {"a_setting_of_another_kind",
     R"({"kind": "poisson", "log_input": 1})",
     {"NET, line 1:34: poisson: 'log_input' is 1, and true or false is read here."}},
};

class LossWords : public testing::TestWithParam<Refusal> {};

TEST_P(LossWords, AreRefusedAtTheirPlace) {
  std::vector<Fault> faults;
  EXPECT_FALSE(read_loss(parse_json(GetParam().text, "NET"), "NET", faults));
  EXPECT_THAT(lines_of(faults), ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Refused, LossWords, testing::ValuesIn(kRefused), tests::by_name);

}  // namespace
}  // namespace causeway::nn
