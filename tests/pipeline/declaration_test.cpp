#include "causeway/pipeline/declaration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/pipeline/pipeline.h"
#include "tests/pipeline/titanic.h"
#include "tests/support/refusal.h"

namespace causeway::pipeline {
namespace {

// A declaration that is right but for what a case puts in it: line 1 reads, line 2 declares, the case's own steps
// begin at line 3, column 1.
std::string declaration_of(const std::string& steps) {
  return R"({"pipeline": 1, "steps": [{"verb": "read.rows", "description": "r"},
{"verb": "declare", "columns": [{"name": "id", "kind": "integer", "id": true}, {"name": "y", "kind": "boolean"}, {"name": "c", "kind": "category"}, {"name": "d", "kind": "category", "optional": true}, {"name": "b", "kind": "boolean", "optional": true}, {"name": "x", "kind": "number", "optional": true}, {"name": "n", "kind": "integer"}, {"name": "t", "kind": "timestamp", "id": true}]},
)" + steps +
         "]}";
}

// What makes every column of it a bounded feature.
constexpr char kRest[] =
    R"({"verb": "target", "column": "y"}, {"verb": "encode.categories"}, {"verb": "normalize", "columns": ["x", "n"]})";

std::vector<std::string> lines_of(const std::string& text) {
  return tests::refusal_of([&] { Pipeline::from_text(text, ".", "p.json"); });
}

struct Case {
  const char* name;
  std::string steps;
  std::vector<std::string> lines;
};

const Case kParameters[] = {
    {"UnknownVerb",
     R"({"verb": "fill.mising"})",
     {"step 2, line 3:10: 'fill.mising' is no verb that is known here. Did you mean 'fill.missing'?"}},
    {"VerbOfALaterLevel",
     R"({"verb": "outliers.clip"})",
     {"step 2, line 3:10: 'outliers.clip' is no verb that is known here. Known are read.csv, read.rows, declare, "
      "split.stratified, split.at_random, target, fill.missing, encode.categories, normalize, features, learn.network "
      "and evidence.metrics."}},
    {"Parquet",
     R"({"verb": "read.parquet", "path": "x"})",
     {"step 2, line 3:10: Parquet is not read here. Write it as CSV or SQLite first."}},
    {"NoVerb",
     R"({"column": "y"})",
     {R"(step 2, line 3:1: A step is an object with a "verb", and this is an object without one.)"}},
    {"NoObject", R"("target")", {R"(step 2, line 3:1: A step is an object with a "verb", and this is a text.)"}},
    {"UnknownParameter",
     R"({"verb": "target", "colum": "y"})",
     {"step 2 (target), line 3:29: There is no parameter 'colum' of this verb. Did you mean 'column'?",
      "step 2 (target), line 3:1: The parameter 'column' is missing: a number, an integer or a boolean: one answer."}},
    {"WrongKinds",
     R"({"verb": "fill.missing", "columns": "x", "with": 3, "mark": 1, "refuse_above": "a"})",
     {"step 2 (fill.missing), line 3:37: 'columns' is a text, and a list of columns' names is read.",
      "step 2 (fill.missing), line 3:50: 'with' is a number, and one of mean, median, zero, most_frequent and previous "
      "or {\"constant\": a number, a text or a boolean} is read.",
      "step 2 (fill.missing), line 3:61: 'mark' is a number, and true or false is read.",
      "step 2 (fill.missing), line 3:80: 'refuse_above' is a text, and a number is read."}},
    {"UnknownWord",
     R"({"verb": "normalize", "columns": ["x"], "scale": "min_max"})",
     {"step 2 (normalize), line 3:50: 'min_max' is no word for 'scale'. Did you mean 'minmax'?"}},
    {"ScaleOfALaterLevel",
     R"({"verb": "normalize", "columns": ["x"], "scale": "robust"})",
     {"step 2 (normalize), line 3:50: 'robust' is no word for 'scale'. Known are midrange, minmax and standard."}},
    {"DoubledColumn",
     R"({"verb": "normalize", "columns": ["x", "x"]})",
     {"step 2 (normalize), line 3:40: 'x' stands twice in 'columns'."}},
    {"EmptyList",
     R"({"verb": "normalize", "columns": []})",
     {"step 2 (normalize), line 3:34: 'columns' is an empty list."}},
    {"SharesOfSevenDecimals",
     R"({"verb": "split.at_random", "train": 0.1234567, "validation": 0.1}, )" + std::string(kRest),
     {"step 2 (split.at_random), line 3:38: 'train' is 0.1234567, and at most 6 decimals are read."}},
    {"SharesOutOfRange",
     R"({"verb": "split.at_random", "train": 1.5, "validation": -0.1}, )" + std::string(kRest),
     {"step 2 (split.at_random), line 3:38: 'train' is 1.5, and 0 to 1 is read.",
      "step 2 (split.at_random), line 3:57: 'validation' is -0.1, and 0 to 1 is read."}},
    {"SeedsPast2To53",
     R"({"verb": "split.at_random", "train": 1, "validation": 0, "seed": 9007199254740992}, )" + std::string(kRest),
     {"step 2 (split.at_random), line 3:66: 'seed' is 9007199254740992, and 0 to 9007199254740991 is read."}},
    {"SeedsThatAreFractions",
     R"({"verb": "split.at_random", "train": 1, "validation": 0, "seed": 0.5}, )" + std::string(kRest),
     {"step 2 (split.at_random), line 3:66: 'seed' is a number, and a whole number is read."}},
    {"EveryFaultAtOnce",
     R"({"verb": "target"}, {"verb": "nonsense"}, {"verb": "normalize"})",
     {"step 2 (target), line 3:1: The parameter 'column' is missing: a number, an integer or a boolean: one answer.",
      "step 3, line 3:30: 'nonsense' is no verb that is known here. Known are read.csv, read.rows, declare, "
      "split.stratified, split.at_random, target, fill.missing, encode.categories, normalize, features, learn.network "
      "and evidence.metrics.",
      "step 4 (normalize), line 3:43: The parameter 'columns' is missing: numbers and integers; the target too, below "
      "its step."}},
};

const Case kOrder[] = {
    {"SecondReader",
     R"({"verb": "read.csv", "path": "x"}, )" + std::string(kRest),
     {"step 2 (read.csv), line 3:1: Rows are read once, by the first step."}},
    {"SecondDeclare",
     std::string(kRest) + R"(, {"verb": "declare", "columns": [{"name": "z", "kind": "boolean"}]})",
     {"step 5 (declare), line 3:113: Columns are declared once, by the step behind the reader."}},
    {"SecondSplit",
     R"({"verb": "split.at_random", "train": 1, "validation": 0},
{"verb": "split.stratified", "column": "c", "train": 1, "validation": 0}, )" +
         std::string(kRest),
     {"step 3 (split.stratified), line 4:1: There is one split at most, and step 2 is one."}},
    {"SecondTarget",
     std::string(kRest) + R"(, {"verb": "target", "column": "b"})",
     {"step 5 (target), line 3:113: There is one target verb at most, and step 2 is one."}},
    {"LearningWithoutTarget",
     R"({"verb": "encode.categories"}, {"verb": "normalize", "columns": ["x", "n"]}, {"verb": "learn.network"})",
     {"step 4 (learn.network), line 3:78: A network learns answers, and no step says the target. Add 'target'."}},
    {"LearningAboveTheSplit",
     R"({"verb": "normalize", "columns": ["x", "n"]},
{"verb": "split.at_random", "train": 1, "validation": 0}, {"verb": "encode.categories"})",
     {"step 2 (normalize), line 3:1: The step learns from training rows, and which those are is said below, by step 3. "
      "Put it below the split."}},
    {"LearnAboveAChange",
     R"({"verb": "learn.network"},
)" + std::string(kRest),
     {"step 2 (learn.network), line 3:1: It stands above step 3 (target), which changes what it is given. Put it "
      "below."}},
    {"EvidenceAboveLearning",
     std::string(kRest) + R"(,
{"verb": "evidence.metrics", "metrics": ["auc"]}, {"verb": "learn.network"})",
     {"step 5 (evidence.metrics), line 4:1: It judges what the network answers, and the network is learned below, by "
      "step 6. Put it below."}},
    {"FeaturesAboveAChange",
     R"({"verb": "features"},
)" + std::string(kRest),
     {"step 2 (features), line 3:1: It stands above step 3 (target), which changes what it is given. Put it below."}},
};

const Case kColumns[] = {
    {"UnknownColumn",
     R"({"verb": "target", "column": "yy"})",
     {"step 2 (target), line 3:30: There is no column 'yy' here. The nearest is 'y'."}},
    {"NearestColumn",
     R"({"verb": "normalize", "columns": ["id2"]})",
     {"step 2 (normalize), line 3:35: There is no column 'id2' here. The nearest is 'id'."}},
    {"AnId",
     R"({"verb": "normalize", "columns": ["id"]})",
     {"step 2 (normalize), line 3:35: 'id' is an id: it names the row and is never changed."}},
    {"TargetOfAWrongKind",
     R"({"verb": "target", "column": "c"})",
     {"step 2 (target), line 3:30: 'c' is of kind category, and a number, an integer or a boolean is a target."}},
    {"NormalizeOfAWrongKind",
     R"({"verb": "normalize", "columns": ["c", "b"]})",
     {"step 2 (normalize), line 3:35: 'c' is of kind category, and numbers and integers are normalized.",
      "step 2 (normalize), line 3:40: 'b' is of kind boolean, and numbers and integers are normalized."}},
    {"FillOfNothing",
     R"({"verb": "fill.missing", "columns": ["n"], "with": "mean"})",
     {"step 2 (fill.missing), line 3:38: 'n' cannot hold gaps, so there is nothing to fill. Declare it optional, or "
      "leave it out here."}},
    {"FillTwice",
     R"({"verb": "fill.missing", "columns": ["x"], "with": "mean"}, {"verb": "fill.missing", "columns": ["x"], "with": "zero"})",
     {"step 3 (fill.missing), line 3:98: 'x' cannot hold gaps, so there is nothing to fill. Declare it optional, or "
      "leave it out here."}},
    {"MeanOfABoolean",
     R"({"verb": "fill.missing", "columns": ["b", "d"], "with": "mean"})",
     {"step 2 (fill.missing), line 3:38: 'b' is of kind boolean, and has no mean. Fill it with 'most_frequent' or a "
      "constant.",
      "step 2 (fill.missing), line 3:43: 'd' is of kind category, and has no mean. Fill it with 'most_frequent' or a "
      "constant."}},
    {"ConstantOfAnotherKind",
     R"({"verb": "fill.missing", "columns": ["x"], "with": {"constant": "a"}})",
     {"step 2 (fill.missing), line 3:38: 'x' is of kind number, and the constant is a text."}},
    {"PreviousWithoutOrder",
     R"({"verb": "fill.missing", "columns": ["x"], "with": "previous"})",
     {"step 2 (fill.missing), line 3:52: 'previous' looks at the row above, so it stands below an 'order.by' and above "
      "the split; no step orders these rows."}},
    {"FillOfTheTarget",
     R"({"verb": "target", "column": "b"}, {"verb": "fill.missing", "columns": ["b"], "with": "zero"})",
     {"step 3 (fill.missing), line 3:73: 'b' is the target, which only 'normalize' may change."}},
    {"NormalizeAboveItsTarget",
     R"({"verb": "normalize", "columns": ["n"]}, {"verb": "target", "column": "n"})",
     {"step 2 (normalize), line 3:35: 'n' is the target, which is normalized below its 'target' step alone."}},
    {"NothingToEncode",
     R"({"verb": "encode.categories"}, {"verb": "encode.categories"})",
     {"step 3 (encode.categories), line 3:32: No category is left here to encode. Leave the step out."}},
    {"AMadeColumnIsFollowed",
     R"({"verb": "encode.categories"}, {"verb": "normalize", "columns": ["c_red"]})",
     {"step 3 (normalize), line 3:66: There is no column 'c_red' here. The columns made of 'c' are noughts and ones "
      "whose names only the fit knows, and no step changes them."}},
    {"MarkMadeTwice",
     R"({"verb": "fill.missing", "columns": ["d"], "with": "most_frequent"}, {"verb": "encode.categories"})",
     {"step 3 (encode.categories), line 2:149: The step makes a column 'd_was_missing', and there is one of that "
      "name."}},
    {"StandardHasNoEnds",
     R"({"verb": "normalize", "columns": ["x"], "scale": "standard", "out_of_range": "clip"})",
     {"step 2 (normalize), line 3:78: The scale 'standard' has no ends, so nothing is out of its range."}},
    {"TrainOfNothing",
     R"({"verb": "split.at_random", "train": 0, "validation": 0.5})",
     {"step 2 (split.at_random), line 3:38: 'train' is 0, and what is learned is learned from training rows."}},
    {"SharesPastOne",
     R"({"verb": "split.at_random", "train": 0.7, "validation": 0.4})",
     {"step 2 (split.at_random), line 3:38: 'train' and 'validation' are 1.1 together, and at most 1 is there to be "
      "dealt."}},
    {"TargetAmongFeatures",
     R"({"verb": "target", "column": "y"}, {"verb": "features", "order": ["y"]})",
     {"step 3 (features), line 3:67: 'y' is the target, which is no feature."}},
    {"InputOfANetwork",
     std::string(kRest) + R"(,
{"verb": "learn.network", "input": [3]})",
     {"step 5 (learn.network), line 4:36: 'input' is said by the rows. Leave it out."}},
    {"LeftAsTheyAre",
     R"({"verb": "target", "column": "y"})",
     {"step 1 (declare), line 2:114: 'c' is a category when the rows are handed over. Encode it.",
      "step 1 (declare), line 2:149: 'd' is a category when the rows are handed over. Encode it.",
      "step 1 (declare), line 2:254: 'x' is not bounded by declaration. Normalize it to 'midrange' or 'minmax', or "
      "state "
      R"({"verb": "features", "takes": "any"}.)",
      "step 1 (declare), line 2:305: 'n' is not bounded by declaration. Normalize it to 'midrange' or 'minmax', or "
      "state "
      R"({"verb": "features", "takes": "any"}.)"}},
    {"OrdinalIsNotBounded",
     R"({"verb": "encode.categories", "as": "ordinal"}, {"verb": "normalize", "columns": ["x", "n", "d"]})",
     {"step 1 (declare), line 2:114: 'c' is not bounded by declaration. Normalize it to 'midrange' or 'minmax', or "
      "state "
      R"({"verb": "features", "takes": "any"}.)"}},
    {"StandardIsNotBounded",
     R"({"verb": "encode.categories"}, {"verb": "normalize", "columns": ["x", "n"], "scale": "standard"})",
     {"step 1 (declare), line 2:254: 'x' is not bounded by declaration. Normalize it to 'midrange' or 'minmax', or "
      "state "
      R"({"verb": "features", "takes": "any"}.)",
      "step 1 (declare), line 2:305: 'n' is not bounded by declaration. Normalize it to 'midrange' or 'minmax', or "
      "state "
      R"({"verb": "features", "takes": "any"}.)"}},
};

class Refusals : public testing::TestWithParam<Case> {};
TEST_P(Refusals, NameEachStepAndPlace) { EXPECT_EQ(lines_of(declaration_of(GetParam().steps)), GetParam().lines); }
const auto by_name = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Parameters, Refusals, testing::ValuesIn(kParameters), by_name);
INSTANTIATE_TEST_SUITE_P(Order, Refusals, testing::ValuesIn(kOrder), by_name);
INSTANTIATE_TEST_SUITE_P(Columns, Refusals, testing::ValuesIn(kColumns), by_name);

struct Document {
  const char* name;
  std::string text;
  std::vector<std::string> lines;
};
const Document kDocuments[] = {
    {"NoObject",
     "[]",
     {R"(p.json, line 1:1: A pipeline is an object, {"pipeline": 1, "steps": […]}, and this is an array.)"}},
    {"NoVersion",
     R"({"steps": []})",
     {R"(p.json, line 1:1: "pipeline" is not there, and version 1 is read. A newer version wants a newer program.)"}},
    {"NewerVersion",
     R"({"pipeline": 2, "steps": [{"verb": "new"}], "more": 1})",
     {R"(p.json, line 1:14: "pipeline" is 2, and version 1 is read. A newer version wants a newer program.)"}},
    {"UnknownKey",
     R"({"pipeline": 1, "step": [], "steps": [{"verb": "declare", "columns": [{"name": "b", "kind": "boolean"}]}]})",
     {"p.json, line 1:25: A pipeline has no key 'step'. Did you mean 'steps'?",
      "step 0 (declare), line 1:39: The first step reads the rows: 'read.csv' or 'read.rows'.",
      "step 0 (declare), line 1:39: The step behind the reader is 'declare'.",
      "step 0 (declare), line 1:39: Columns are declared once, by the step behind the reader."}},
    {"NoSteps", R"({"pipeline": 1, "steps": []})", {"p.json, line 1:26: 'steps' is no list of steps."}},
    {"DeclaredBadly",
     R"({"pipeline": 1, "steps": [{"verb": "read.rows", "description": "r"}, {"verb": "declare", "columns": [
{"name": "a", "kind": "numbr"},
{"kind": "number", "mising": []},
{"name": "b", "kind": "number", "optional": "yes", "missing": [1]},
{"name": "c", "kind": "number", "format": "%Y"},
{"name": "d", "kind": "timestamp", "format": "%q"},
7]}]})",
     {"step 1 (declare), line 2:23: 'numbr' is no kind of column. Did you mean 'number'?",
      "step 1 (declare), line 3:30: A column has no key 'mising'. Did you mean 'missing'?",
      "step 1 (declare), line 3:1: The column has no 'name'.",
      "step 1 (declare), line 4:45: 'optional' is a text, and true or false is read.",
      "step 1 (declare), line 4:64: 'missing' lists words that mean a gap. The empty cell always is one.",
      "step 1 (declare), line 5:43: Only a timestamp has a 'format'.",
      "step 1 (declare), line 6:46: '%q' is no part of a moment that is read. Known are %Y %m %d %H %M %S %f %z and "
      "plain "
      "text.",
      R"(step 1 (declare), line 7:1: A column is an object, {"name": …, "kind": …}, and this is a number.)"}},
    {"DeclaredTwice",
     R"({"pipeline": 1, "steps": [{"verb": "read.rows", "description": "r"}, {"verb": "declare", "columns": [
{"name": "a", "kind": "boolean"},
{"name": "a", "kind": "boolean"},
{"name": "b", "kind": "integer", "id": true, "optional": true}]}]})",
     {"step 1 (declare), line 3:1: A column 'a' is declared already.",
      "step 1 (declare), line 4:1: 'b' is an id, which names the row and may not be a gap."}},
    {"NoFeature",
     R"({"pipeline": 1, "steps": [{"verb": "read.rows", "description": "r"},
{"verb": "declare", "columns": [{"name": "a", "kind": "boolean"}]}, {"verb": "target", "column": "a"}]})",
     {"step 1 (declare), line 2:1: No feature is left: every column is an id or the target."}},
    {"TextAndMomentAreNoFeatures",
     R"({"pipeline": 1, "steps": [{"verb": "read.rows", "description": "r"}, {"verb": "declare", "columns": [
{"name": "a", "kind": "text"},
{"name": "b", "kind": "timestamp"}]}]})",
     {"step 1 (declare), line 2:1: 'a' is of kind text, which is no feature. Make it an id, or do not declare it.",
      "step 1 (declare), line 3:1: 'b' is of kind timestamp, which is no feature. Make it an id, or do not declare "
      "it."}},
};
class Documents : public testing::TestWithParam<Document> {};
TEST_P(Documents, AreRefusedAtTheirPlaces) { EXPECT_EQ(lines_of(GetParam().text), GetParam().lines); }
INSTANTIATE_TEST_SUITE_P(All, Documents, testing::ValuesIn(kDocuments), by_name);

TEST(Declaration, TheRestOfTheCasesIsRight) {
  Pipeline::from_text(declaration_of(kRest));
  Pipeline::from_text(
      declaration_of(R"({"verb": "encode.categories", "as": "ordinal"}, {"verb": "features", "takes": "any"})"));
}

TEST(Declaration, WritesEveryParameterOutAndReadsItBack) {
  const Pipeline pipeline = Pipeline::from_text(kTitanicDeclaration);
  const std::string written = pipeline.to_json().dump();
  EXPECT_EQ(Pipeline::from_text(written).to_json().dump(), written);
  EXPECT_EQ(Pipeline::from_text(pipeline.to_json().pretty()).to_json().dump(), written);
}

TEST(Declaration, KeepsWhatOthersRead) {
  const Pipeline pipeline = Pipeline::from_text(kTitanicDeclaration);
  const LearnRequest learn = pipeline.learn().value();
  EXPECT_EQ(learn.verb, "learn.network");
  EXPECT_EQ(learn.where, "step 7 (learn.network), line 18:3");
  EXPECT_EQ(learn.stated.find("layers")->items().size(), 2u);
  EXPECT_EQ(learn.place_of(*learn.stated.find("loss")), "step 7 (learn.network), line 20:12");
  ASSERT_EQ(pipeline.metrics().size(), 1u);
  EXPECT_THAT(pipeline.metrics()[0].metrics, testing::ElementsAre("accuracy", "auc", "log_loss", "confusion_matrix"));
  EXPECT_THAT(pipeline.metrics()[0].parts, testing::ElementsAre("test"));
}

TEST(Declaration, CutAndFlippedTextIsReadOrRefused) {
  const std::string text = kTitanicDeclaration;
  const auto survives = [](const std::string& damaged) {
    try {
      Pipeline::from_text(damaged);
    } catch (const Refused&) {
    }
  };
  for (size_t length = 0; length <= text.size(); ++length) survives(text.substr(0, length));
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    survives(flipped);
  }
}

}  // namespace
}  // namespace causeway::pipeline
