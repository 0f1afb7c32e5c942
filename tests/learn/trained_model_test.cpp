// The whole walk of a table: rows prepared, a network trained behind them, both kept as one file.

#include "causeway/learn/trained_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "causeway/formats/native/native_file.h"
#include "causeway/learn/models.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "causeway/nn/summary.h"
#include "causeway/pipeline/csv.h"
#include "tests/learn/fixture_models.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace causeway {
namespace {

using formats::ByteSource;
using testing::ElementsAre;
using tests::FixtureModel;

std::string example(std::string_view name) { return tests::data_file("../examples/").append(name); }

const pipeline::Prepared& prepared() {
  static const pipeline::Prepared rows = pipeline::Pipeline::read(example("titanic_prepare.json")).run();
  return rows;
}

// A Titanic model with a loss to train by; tf2onnx writes none.
SavedNetwork read_to_train(const FixtureModel& model) {
  SavedNetwork saved = tests::read_fixture(model);
  if (!saved.losses.empty()) return saved;
  return read_model(tests::fixture(model.file), {.loss = BinaryCrossentropy{}});
}

TrainedModel trained_further(const FixtureModel& model = {"titanic/dense.keras"}, FitOptions options = {.seed = 7}) {
  return fit(read_to_train(model), prepared(), Adam{.learning_rate = 0.001}, std::move(options));
}

class TrainedFurther : public testing::TestWithParam<FixtureModel> {};

TEST_P(TrainedFurther, AnswersFromItsOneFileAsBefore) {
  const SavedNetwork before = read_to_train(GetParam());
  const TrainedModel model = trained_further(GetParam());
  ASSERT_EQ(model.history->epochs.size(), 1u);
  // PyTorch's default exporter folds the normalisation away.
  const bool folded = GetParam().file.find("dynamo") != std::string::npos;
  const bool normalises = GetParam().file.find("batchnorm") != std::string::npos && !folded;
  EXPECT_EQ(nn::parameter_count(model.saved.network), 14 * 16 + 16 + 16 + 1 + (normalises ? 32 : 0));
  EXPECT_NE(tests::bits_by_path(model.saved.network), tests::bits_by_path(before.network))
      << "an epoch changes numbers";
  EXPECT_LT(model.history->epochs[0].loss, 0.5) << "the model was trained before";

  const tests::TemporaryFolder folder;
  save(model, folder.file("titanic.causeway"));
  const TrainedModel read = read_trained(folder.file("titanic.causeway"));
  EXPECT_EQ(tests::bits_by_path(read.saved.network), tests::bits_by_path(model.saved.network));
  EXPECT_EQ(read.saved.features, prepared().features);
  EXPECT_EQ(read.fit.trained_behind(), model.fit.trained_behind());
  EXPECT_EQ(read.history, model.history);
  EXPECT_TRUE(answer_part(read, prepared().test).same_bits(answer_part(model, prepared().test)));

  // Written again, it is the same file.
  save(read, folder.file("again.causeway"));
  EXPECT_EQ(tests::bytes_of(folder.file("again.causeway")), tests::bytes_of(folder.file("titanic.causeway")));
}
INSTANTIATE_TEST_SUITE_P(Titanic, TrainedFurther, testing::ValuesIn(tests::titanic_models()),
                         [](const auto& row) { return row.param.test_name(); });

// The loss sees rows dealt and in another order; a fault names them by their lines in the file.
TEST(TrainedModel, NamesRefusedAnswersByTheirLines) {
  const std::string csv = "id,x,y\n1,2,0.5\n2,3,-1\n3,4,1\n4,5,-2\n5,6,1\n6,7,1\n";
  const auto source = pipeline::CsvSource::over(csv, "table.csv");
  const pipeline::Prepared rows =
      pipeline::Pipeline::read_csv("table.csv")
          .declare(pipeline::Schema().id("id", pipeline::Kind::Integer).number("x").number("y"))
          .target("y")
          .features({.takes = "any"})
          .build()
          .run(*source);
  SavedNetwork saved{.network = Sequential({1}).dense(1).build(0), .losses = {{"output", BinaryCrossentropy{}}}};
  EXPECT_THAT(
      tests::refusal_of([&] { fit(saved, rows, Adam{}, {}); }),
      testing::UnorderedElementsAre(
          "training rows, answers of 'output', table.csv, line 3: column 0 is -1, and a chance lies in [0, 1].",
          "training rows, answers of 'output', table.csv, line 5: column 0 is -2, and a chance lies in [0, 1]."));
}

// examples/titanic_learn.json with other keys for its network.
pipeline::Pipeline learning(const Json::Object& keys) {
  Json document = parse_json(tests::bytes_of(example("titanic_learn.json")), "titanic_learn.json");
  Json::Array steps = document.find("steps")->items();
  for (Json& step : steps) {
    if (step.find("verb")->text() != "learn.network") continue;
    for (const auto& [key, value] : keys) step.set(key, value);
  }
  document.set("steps", std::move(steps));
  return pipeline::Pipeline::from_json(document, example(""));
}

class LearnedFromNothing : public testing::TestWithParam<int64_t> {};

TEST_P(LearnedFromNothing, JudgesThePassengersWell) {
  const pipeline::Pipeline pipeline = learning({{"seed", GetParam()}});
  const pipeline::Prepared rows = pipeline.run();
  const TrainedModel model = learn_network(*pipeline.learn(), rows);
  std::vector<std::string> notes;
  const Json evidence = evidence_of(model, pipeline, rows, notes);
  const auto metric = [&](std::string_view name) { return evidence.find("test")->find(name)->find("value")->number(); };
  EXPECT_GE(metric("accuracy"), 0.77);
  EXPECT_GE(metric("auc"), 0.84);
  EXPECT_LE(metric("log_loss"), 0.46);
}
INSTANTIATE_TEST_SUITE_P(Seeds, LearnedFromNothing, testing::Range(int64_t{0}, int64_t{10}));

TEST(LearnNetwork, MovesTheRateByAScheduleOfItsOwn) {
  const pipeline::Pipeline pipeline =
      learning({{"epochs", 3},
                {"optimizer", parse_json(R"({"kind": "sgd", "form": "keras", "learning_rate": 0.5})", "")},
                {"schedule", parse_json(R"({"kind": "exponential_decay", "factor": 0.5})", "")}});
  const TrainedModel model = learn_network(*pipeline.learn(), pipeline.run());
  std::vector<double> rates;
  for (const EpochRecord& epoch : model.history->epochs) rates.push_back(epoch.learning_rate);
  EXPECT_THAT(rates, testing::ElementsAre(0.5, 0.25, 0.125));
  const pipeline::Pipeline misstated = learning({{"schedule", "cosine_decay"}});
  EXPECT_THAT(tests::refusal_of([&] { learn_network(*misstated.learn(), prepared()); }),
              testing::ElementsAre(testing::HasSubstr("setting 'length' is missing, and cosine_decay needs it.")));
}

TEST(LearnNetwork, RefusesEverySettingAtItsPlace) {
  std::string text = tests::bytes_of(example("titanic_learn.json"));
  const size_t keys = text.find("   \"epochs\""), end = text.find("},", keys);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(keys), '\n');
  text.replace(keys, end - keys, R"("epochs": 0, "batch_size": 3.5, "clip_norm": -1, "threads": 2000, "shufle": true,
"engine": "gpu", "early_stopping": {"patience": -1, "min_delta": "small", "patient": 3},
"class_weight": {"survived": 2}, "inputs": {"x": [3]})");
  const pipeline::Pipeline pipeline = pipeline::Pipeline::from_text(text, example(""));
  const auto at = [&](int below, int column) {
    return "step 7 (learn.network), line " + std::to_string(line + below) + ":" + std::to_string(column) + ": ";
  };
  EXPECT_THAT(tests::refusal_of([&] { learn_network(*pipeline.learn(), prepared()); }),
              testing::UnorderedElementsAre(
                  at(-3, 3) + "learn.network: setting 'seed' is missing, and learn.network needs it.",
                  at(0, 11) + "'epochs' is 0, and 1 to 1000000 are read.",
                  at(0, 28) + "learn.network: 'batch_size' is 3.5, and a whole number is read here.",
                  at(0, 46) + "'clip_norm' is -1, and is finite and above 0.",
                  at(0, 61) + "'threads' is 2000, and 1 to 1024 are read.",
                  at(0, 77) + "learn.network: it has no setting 'shufle'. The nearest is 'shuffle'.",
                  at(1, 11) + "no engine is named 'gpu'. There are cpu, reference.",
                  at(1, 49) + "'patience' is -1, and 0 to 1000000 are read.",
                  at(1, 66) + "learn.network.early_stopping: 'min_delta' is 'small', and a number is read here.",
                  at(1, 86) + "learn.network.early_stopping: it has no setting 'patient'. The nearest is 'patience'.",
                  at(2, 17) + "learn.network: 'class_weight' weighs 'survived', which is no class: a whole number is.",
                  at(2, 44) + "the rows say the network's input, and it is not stated again."));
}

// The rows of data/titanic.csv as text: its header, then its lines in another order.
std::string lines_in_another_order() {
  const std::string text = tests::bytes_of(tests::data_file("titanic.csv"));
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::reverse(lines.begin() + 1, lines.end());
  std::rotate(lines.begin() + 1, lines.begin() + 300, lines.end());
  std::string joined;
  for (const std::string& line : lines) joined += line + "\n";
  return joined;
}

TEST(TrainedModel, IsTheSameWhateverTheOrderOfTheRows) {
  const std::string text = lines_in_another_order();
  const auto source = pipeline::CsvSource::over(text, "shuffled.csv");
  const pipeline::Prepared shuffled = pipeline::Pipeline::read(example("titanic_prepare.json")).run(*source);
  const TrainedModel model =
      fit(read_to_train({"titanic/dense.keras"}), shuffled, Adam{.learning_rate = 0.001}, {.seed = 7});
  EXPECT_EQ(tests::bits_by_path(model.saved.network), tests::bits_by_path(trained_further().saved.network));
  EXPECT_EQ(model.fit.trained_behind(), prepared().fit.trained_behind());
}

TEST(TrainedModel, IsTheSameAtAnyNumberOfThreads) {
  const auto bits = [](int threads) {
    return tests::bits_by_path(
        trained_further({"titanic/batchnorm.keras"}, {.seed = 7, .epochs = 2, .threads = threads}).saved.network);
  };
  EXPECT_EQ(bits(2), bits(1));
  EXPECT_EQ(bits(3), bits(1));
}

TEST(TrainedModel, IsTheSameWhateverFileItsNumbersCameIn) {
  const auto chances = [](const char* file, const char* words) {
    return answer_part(trained_further({file, words}), prepared().test);
  };
  const Tensor expected = chances("titanic/dense.safetensors", "titanic/dense.network.json");
  EXPECT_TRUE(chances("titanic/dense.pt", "titanic/dense.network.json").same_bits(expected));
  EXPECT_TRUE(chances("titanic/dense_from_torch.keras", "").same_bits(expected));
  EXPECT_TRUE(chances("titanic/dense_from_torch.h5", "").same_bits(expected));
  // In an exporter's graph the kernel stands turned, and its gradient's sums run in another order.
  for (const char* file : {"titanic/dense_dynamo.onnx", "titanic/dense_torchscript.onnx"}) {
    EXPECT_LE(tests::most_apart(chances(file, ""), expected), 1e-6) << file;
  }
}

TEST(TrainedModel, AnswersRowsOfAFileAsThePartsTheyAreOf) {
  const TrainedModel model = trained_further();
  const auto source = pipeline::CsvSource::open(tests::data_file("titanic.csv"), "titanic.csv");
  const RowAnswers answered = answer_rows(model, *source);
  ASSERT_EQ(answered.answers.lengths(), (std::vector<int64_t>{891, 1}));
  EXPECT_THAT(answered.names, ElementsAre("survived"));
  const Tensor test = answer_part(model, prepared().test);
  for (size_t i = 0; i < prepared().test.rows(); ++i) {
    const auto row = static_cast<int64_t>(prepared().test.source_rows[i]);
    EXPECT_NEAR(answered.answers.number_at(row), test.number_at(static_cast<int64_t>(i)), 1e-6) << row;
  }
}

// A .causeway file with one of its documents put in another's place, and its checksum made anew.
std::string with_document(const std::string& path, std::string_view key, const Json& document,
                          const tests::TemporaryFolder& folder) {
  formats::native::NativeFile file = formats::native::read_native(ByteSource::open(path));
  file.documents.insert_or_assign(std::string(key), document);
  formats::native::write_native(file, folder.file("changed.causeway"));
  return folder.file("changed.causeway");
}

TEST(TrainedModel, IsRefusedBehindAnotherPipeline) {
  const tests::TemporaryFolder folder;
  const TrainedModel model = trained_further();
  save(model, folder.file("titanic.causeway"));
  // A fit of the same columns, learned from fewer rows: another midrange and another median.
  std::string text = tests::bytes_of(tests::data_file("titanic.csv"));
  text.resize(text.rfind('\n', text.size() / 2) + 1);
  const auto source = pipeline::CsvSource::over(text, "half.csv");
  const pipeline::Prepared half = pipeline::Pipeline::read(example("titanic_prepare.json")).run(*source);
  ASSERT_EQ(half.features, prepared().features);
  const std::string changed = with_document(folder.file("titanic.causeway"), "pipeline", half.fit.to_json(), folder);
  EXPECT_THAT(
      tests::refusal_of([&] { read_trained(changed); }),
      ElementsAre("causeway.pipeline: the network was trained behind another pipeline than the one beside it: "
                  "its 'trained_behind' is \"" +
                  model.fit.trained_behind() + "\", and this pipeline's is \"" + half.fit.trained_behind() + "\"."));
}

TEST(TrainedModel, IsRefusedWhereAByteOfItWasChanged) {
  const tests::TemporaryFolder folder;
  save(trained_further(), folder.file("titanic.causeway"));
  std::string bytes = tests::bytes_of(folder.file("titanic.causeway"));
  const size_t at = bytes.find("median");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 6, "medium");
  EXPECT_THAT(tests::refusal_of([&] { read_trained(folder.write("changed.causeway", bytes)); }),
              ElementsAre("causeway.checksum: the file's contents do not add up to it: the file was changed or damaged "
                          "after it was written."));
}

TEST(TrainedModel, IsRefusedWhereTheModelNamesOtherFeatures) {
  SavedNetwork saved = read_to_train({"titanic/dense.keras"});
  saved.features = prepared().features;
  std::swap(saved.features[0], saved.features[13]);
  std::string order;
  for (const std::string& feature : saved.features) order += (order.empty() ? "\"" : ",\"") + feature + "\"";
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, prepared(), Adam{}); }),
              ElementsAre("features: the model names other features than the pipeline makes, or in another order. The "
                          "step {\"verb\": \"features\", \"order\": [" +
                          order + "]} would fit it."));
}

TEST(TrainedModel, IsRefusedWhereItsDoorsHaveAnotherWidth) {
  SavedNetwork saved{.network = Sequential({13}).dense(2).build(7)};
  saved.losses.emplace("output", BinaryCrossentropy{});
  EXPECT_THAT(tests::refusal_of([&] { fit(saved, prepared(), Adam{}); }),
              ElementsAre("input 'input': it takes [N, 13], and the pipeline makes 14 features.",
                          "output 'output': it gives [N, 2], and the pipeline's rows have 1 answers."));
}

TEST(TrainedModel, IsRefusedWhereAFileIsANetworkAlone) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("alone.causeway");
  save(read_to_train({"titanic/dense.keras"}), path);
  EXPECT_FALSE(has_pipeline(ByteSource::open(path)));
  EXPECT_THAT(tests::refusal_of([&] { read_trained(path); }),
              ElementsAre(path + ": it holds no pipeline: it is a network alone."));
}

}  // namespace
}  // namespace causeway
