#include "causeway/train/optimizer_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/train/optimizer_list.h"
#include "tests/support/refusal.h"
#include "tests/train/stated.h"

namespace causeway {
namespace {

// An optimizer in words, or its refusal.
StatedOptimizer stated(const std::string& text) { return tests::stated(read_optimizer, text); }

struct Defaults {
  const char* text;
  const char* settings;

  friend void PrintTo(const Defaults& row, std::ostream* out) { *out << row.text; }
};
const Defaults kDefaults[] = {
    {"sgd",
     R"({"kind":"sgd","learning_rate":0.001,"momentum":0.0,"dampening":0.0,"weight_decay":0.0,"nesterov":false,"form":"pytorch"})"},
    {R"({"kind": "sgd", "form": "keras"})",
     R"({"kind":"sgd","learning_rate":0.01,"momentum":0.0,"dampening":0.0,"weight_decay":0.0,"nesterov":false,"form":"keras"})"},
    {"adam",
     R"({"kind":"adam","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-08,"weight_decay":0.0,"amsgrad":false,"form":"pytorch"})"},
    {R"({"kind": "adam", "form": "keras"})",
     R"({"kind":"adam","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-07,"weight_decay":0.0,"amsgrad":false,"form":"keras"})"},
    {R"({"form": "keras", "epsilon": 1e-8, "kind": "adam"})",
     R"({"kind":"adam","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-08,"weight_decay":0.0,"amsgrad":false,"form":"keras"})"},
    {"adamw",
     R"({"kind":"adamw","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-08,"weight_decay":0.01,"amsgrad":false,"form":"pytorch"})"},
    {R"({"kind": "adamw", "form": "keras"})",
     R"({"kind":"adamw","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-07,"weight_decay":0.004,"amsgrad":false,"form":"keras"})"},
    {"rmsprop",
     R"({"kind":"rmsprop","learning_rate":0.01,"rho":0.99,"epsilon":1e-08,"momentum":0.0,"weight_decay":0.0,"centered":false,"form":"pytorch"})"},
    {R"({"kind": "rmsprop", "form": "keras"})",
     R"({"kind":"rmsprop","learning_rate":0.001,"rho":0.9,"epsilon":1e-07,"momentum":0.0,"weight_decay":0.0,"centered":false,"form":"keras"})"},
    {"nadam",
     R"({"kind":"nadam","learning_rate":0.002,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-08,"momentum_decay":0.004,"weight_decay":0.0,"decoupled_weight_decay":false,"form":"pytorch"})"},
    {R"({"kind": "nadam", "form": "keras"})",
     R"({"kind":"nadam","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-07,"momentum_decay":1.0,"weight_decay":0.0,"decoupled_weight_decay":false,"form":"keras"})"},
    {"adagrad",
     R"({"kind":"adagrad","learning_rate":0.01,"lr_decay":0.0,"initial_accumulator_value":0.0,"epsilon":1e-10,"weight_decay":0.0,"form":"pytorch"})"},
    {R"({"kind": "adagrad", "form": "keras"})",
     R"({"kind":"adagrad","learning_rate":0.001,"lr_decay":0.0,"initial_accumulator_value":0.1,"epsilon":1e-07,"weight_decay":0.0,"form":"keras"})"},
    {"adamax",
     R"({"kind":"adamax","learning_rate":0.002,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-08,"weight_decay":0.0,"form":"pytorch"})"},
    {R"({"kind": "adamax", "form": "keras"})",
     R"({"kind":"adamax","learning_rate":0.001,"beta_1":0.9,"beta_2":0.999,"epsilon":1e-07,"weight_decay":0.0,"form":"keras"})"},
    {"lion", R"({"kind":"lion","learning_rate":0.001,"beta_1":0.9,"beta_2":0.99,"weight_decay":0.0,"form":"pytorch"})"},
};
class OptimizerDefaults : public testing::TestWithParam<Defaults> {};

TEST_P(OptimizerDefaults, AreThoseOfTheForm) {
  const Json written = stated(GetParam().text).optimizer.json();
  EXPECT_TRUE(written == parse_json(GetParam().settings, "settings")) << written.dump();
  // What is written is read back the same.
  EXPECT_TRUE(stated(written.dump()).optimizer.json() == written);
}
INSTANTIATE_TEST_SUITE_P(Words, OptimizerDefaults, testing::ValuesIn(kDefaults));

TEST(OptimizerWords, AreInOrderAndSettledInCodeAsInWords) {
  const auto rows = train::all_optimizers();
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.word < b.word; }));
  EXPECT_TRUE(Optimizer(RmsProp{.form = OptimizerForm::Keras}).json() ==
              stated(R"({"kind": "rmsprop", "form": "keras"})").optimizer.json());
}

struct Case {
  const char* name;
  const char* text;
  std::vector<std::string> lines;

  friend void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }
};
const Case kRefused[] = {
    {"unknown_word", "adamv", {"'adamv' is no optimizer. The nearest is 'adam'."}},
    {"no_kind", R"({"learning_rate": 1})", {"line 1:1: an optimizer is a word, or an object with its \"kind\"."}},
    {"unknown_setting",
     R"({"kind": "adam", "beta1": 0.5})",
     {"line 1:27: adam: it has no setting 'beta1'. The nearest is 'beta_1'."}},
    {"setting_of_another", R"({"kind": "sgd", "rho": 0.5})", {"line 1:24: sgd: it has no setting 'rho'."}},
    {"kind_of_value",
     R"({"kind": "adam", "amsgrad": 1, "epsilon": "x"})",
     {"line 1:43: adam: 'epsilon' is 'x', and a number is read here.",
      "line 1:29: adam: 'amsgrad' is 1, and true or false is read here."}},
    {"unknown_form",
     R"({"kind": "adam", "form": "torch"})",
     {"line 1:26: adam: 'form' is 'torch', and 'pytorch' or 'keras' is read here."}},
    {"rate_of_nought",
     R"({"kind": "lion", "learning_rate": 0})",
     {"line 1:35: 'learning_rate' is 0, and a rate is a normal float32 above 0."}},
    {"rate_denormal_in_float32",
     R"({"kind": "sgd", "learning_rate": 1.17e-38})",
     {"line 1:34: 'learning_rate' is 1.17e-38, and a rate is a normal float32 above 0."}},
    {"rate_past_float32",
     R"({"kind": "sgd", "learning_rate": 1e39})",
     {"line 1:34: 'learning_rate' is 1e+39, and a rate is a normal float32 above 0."}},
    {"rate_below_nought",
     R"({"kind": "rmsprop", "learning_rate": -1})",
     {"line 1:38: 'learning_rate' is -1, and a rate is a normal float32 above 0."}},
    {"betas",
     R"({"kind": "nadam", "beta_1": 1, "beta_2": -0.5})",
     {"line 1:29: 'beta_1' is 1, and it lies in [0, 1).", "line 1:42: 'beta_2' is -0.5, and it lies in [0, 1)."}},
    {"below_nought",
     R"({"kind": "adagrad", "epsilon": -1, "weight_decay": -1, "lr_decay": -1, "initial_accumulator_value": -1})",
     {"line 1:68: 'lr_decay' is -1, and it is finite and at least 0.",
      "line 1:101: 'initial_accumulator_value' is -1, and it is finite and at least 0.",
      "line 1:32: 'epsilon' is -1, and it is finite and at least 0.",
      "line 1:52: 'weight_decay' is -1, and it is finite and at least 0."}},
    {"adamax_epsilon",
     R"({"kind": "adamax", "epsilon": -1})",
     {"line 1:31: 'epsilon' is -1, and it is finite and at least 0."}},
    {"nesterov_without_momentum",
     R"({"kind": "sgd", "nesterov": true})",
     {"line 1:29: 'nesterov' needs a momentum above 0 and a dampening of 0."}},
    {"nesterov_with_dampening",
     R"({"kind": "sgd", "nesterov": true, "momentum": 0.9, "dampening": 0.1})",
     {"line 1:29: 'nesterov' needs a momentum above 0 and a dampening of 0."}},
    {"dampening_in_keras",
     R"({"kind": "sgd", "momentum": 0.9, "dampening": 0.1, "form": "keras"})",
     {"line 1:47: 'dampening' is PyTorch's, and Keras's form has none."}},
    {"group_of_an_empty_path",
     R"({"kind": "sgd", "groups": [{"paths": [""]}]})",
     {"line 1:39: a path is a text, and no empty one."}},
    {"groups_that_are_none",
     R"({"kind": "sgd", "groups": {}})",
     {"line 1:27: 'groups' is a list of objects with \"paths\"."}},
    {"group_without_paths",
     R"({"kind": "sgd", "groups": [{"learning_rate": 1}]})",
     {"line 1:28: a group is an object with its \"paths\"."}},
    {"group_of_an_unknown_member",
     R"({"kind": "sgd", "groups": [{"paths": ["0"], "learnin_rate": 1}]})",
     {"line 1:61: a group has no 'learnin_rate'. The nearest is 'learning_rate'."}},
};
class OptimizerRefused : public testing::TestWithParam<Case> {};

TEST_P(OptimizerRefused, NamesTheSettingAndItsPlace) {
  EXPECT_THAT(tests::refusal_of([] { stated(GetParam().text); }), testing::ElementsAreArray(GetParam().lines));
}
INSTANTIATE_TEST_SUITE_P(Words, OptimizerRefused, testing::ValuesIn(kRefused),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace causeway
