// Every network of tests/fixtures/layers beside the framework that judged it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "causeway/answer/predict.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "causeway/graph/rewrite.h"
#include "causeway/learn/models.h"
#include "causeway/nn/loss_list.h"
#include "causeway/ops/build.h"
#include "causeway/train/backward.h"
#include "causeway/train/fit.h"
#include "tests/learn/fixture_models.h"
#include "tests/learn/layer_cases.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace causeway {
namespace {

using tests::LayerCase;

// By name, the numbers of two sides; a failure names the first that is too far from the judge's. `relative` is of the
// tensor's largest number: what lies beneath it is a sum's rounding.
void expect_near(const LayerCase::Tensors& given, const LayerCase::Tensors& judged, double relative, double absolute) {
  for (const auto& [name, expected] : judged) {
    const auto at = given.find(name);
    ASSERT_NE(at, given.end()) << name;
    ASSERT_EQ(at->second.lengths(), expected.lengths()) << name;
    const double bound = relative * tests::largest(expected) + absolute;
    for (int64_t i = 0; i < expected.size(); ++i) {
      ASSERT_LE(std::abs(at->second.number_at(i) - expected.number_at(i)), bound)
          << name << ", number " << i << ": " << at->second.number_at(i) << " beside " << expected.number_at(i);
    }
  }
}

class Layers : public testing::TestWithParam<LayerCase> {};

TEST_P(Layers, AnswerAsTheFramework) {
  const SavedNetwork saved = GetParam().network();
  for (const Engine* engine : engines()) {
    SCOPED_TRACE(engine->name());
    const auto answers = predict(saved, GetParam().tensors("input"), {.engine = engine});
    expect_near({answers.begin(), answers.end()}, GetParam().tensors("answer"), 1e-5, 2e-6);
  }
}

// The sum of the answers times their cotangents, and its gradient to every learned slot and floating input.
LayerCase::Tensors gradients_of(const LayerCase& given, const Engine& engine, int threads) {
  SavedNetwork saved = given.network();
  const LayerCase::Tensors inputs = given.tensors("input"), cotangents = given.tensors("cotangent");
  Slots slots = saved.network.slots();
  GraphBuilder graph(slots);
  const ValueMap made = copy_nodes(graph, saved.network.graph());
  Value sum;
  for (const Door& output : saved.network.graph().outputs()) {
    const Value answer = made.at(output.value);
    const Value times = graph.constant(cotangents.at(output.name), "cotangent_" + output.name);
    const Value part = ops::reduce_sum(ops::mul(answer, times));
    sum = sum ? ops::add(sum, part) : part;
  }
  std::vector<std::string> names;
  Values to;
  for (const SlotUse& use : saved.network.graph().slots()) {
    if (saved.network.slots().at(use.path).role != Role::Learned) continue;
    names.push_back("gradient/" + use.path);
    to.push_back(made.at(use.value));
  }
  Binding binding;
  std::vector<TensorView> views;
  for (const Door& door : saved.network.graph().inputs()) {
    const Tensor& rows = inputs.at(door.name);
    binding.lengths[door.name] = rows.lengths();
    views.push_back(view_of(rows));
    if (rows.dtype() != DType::Float32) continue;
    names.push_back("slope/" + door.name);
    to.push_back(made.at(door.value));
  }
  const Values slopes = train::gradients(graph, sum, to);
  for (size_t i = 0; i < to.size(); ++i) {
    graph.output(names[i], slopes[i] ? slopes[i] : ops::full_like(to[i], 0));
  }
  const Graph whole = std::move(graph).finish();
  const auto executable = engine.compile(whole, slots, binding, {.threads = threads});
  const auto context = executable->context();
  const auto answers = context->run(views);
  LayerCase::Tensors found;
  for (size_t i = 0; i < names.size(); ++i) found.emplace(names[i], copy_of(answers[i]));
  return found;
}

TEST_P(Layers, HaveTheFrameworksGradients) {
  LayerCase::Tensors judged;
  for (const std::string kind : {"gradient", "slope"}) {
    for (auto& [name, tensor] : GetParam().tensors(kind)) judged.emplace(kind + "/" + name, tensor);
  }
  for (const Engine* engine : engines()) {
    SCOPED_TRACE(engine->name());
    expect_near(gradients_of(GetParam(), *engine, 1), judged, 2e-5, 4e-6);
  }
}

// The slots behind the steps of the case.
SavedNetwork stepped(const LayerCase& given, const Engine* engine, int threads) {
  SavedNetwork saved = given.network();
  Examples rows;
  for (const auto& [name, tensor] : given.tensors("input")) rows.inputs.emplace(name, tensor);
  for (const auto& [name, tensor] : given.tensors("target")) {
    rows.answers.emplace(name, tensor);
    saved.losses.emplace(name, MeanSquaredError{});
  }
  const Sgd sgd{.learning_rate = std::stod(given.metadata("rate")), .momentum = std::stod(given.metadata("momentum"))};
  const int64_t count = rows.inputs.begin()->second.lengths()[0];
  fit(saved, rows, sgd,
      {.epochs = std::stoi(given.metadata("steps")),
       .batch_size = count,
       .shuffle = false,
       .engine = engine,
       .threads = threads});
  return saved;
}

LayerCase::Tensors numbers_of(const SavedNetwork& saved) {
  LayerCase::Tensors numbers;
  for (size_t i = 0; i < saved.network.slots().size(); ++i) {
    numbers.emplace(saved.network.slots()[i].path, saved.network.slots()[i].numbers);
  }
  return numbers;
}

TEST_P(Layers, TrainAsTheFramework) {
  const LayerCase::Tensors judged = GetParam().tensors("stepped");
  if (judged.empty()) return;  // the framework did not train it
  for (const Engine* engine : engines()) {
    SCOPED_TRACE(engine->name());
    expect_near(numbers_of(stepped(GetParam(), engine, 1)), judged, 1e-5, 1e-5);
  }
}

// Where the judge draws otherwise in training.
TEST_P(Layers, StepWhatTheFrameworkDrawsOtherwise) {
  if (GetParam().tensors("target").empty() || !GetParam().tensors("stepped").empty()) return;
  const LayerCase::Tensors before = GetParam().tensors("slot");
  for (const Engine* engine : engines()) {
    SCOPED_TRACE(engine->name());
    bool has_moved = false;
    for (const auto& [path, numbers] : numbers_of(stepped(GetParam(), engine, 1))) {
      for (int64_t i = 0; i < numbers.size(); ++i) EXPECT_TRUE(std::isfinite(numbers.number_at(i))) << path;
      has_moved = has_moved || !numbers.same_bits(before.at(path));
    }
    EXPECT_TRUE(has_moved);
  }
}

TEST_P(Layers, GiveTheSameBitsAtAnyThreadCount) {
  const SavedNetwork saved = GetParam().network();
  const auto inputs = GetParam().tensors("input");
  const auto one = predict(saved, inputs, {.threads = 1}), two = predict(saved, inputs, {.threads = 2});
  for (const auto& [name, answer] : one) EXPECT_TRUE(answer.same_bits(two.at(name))) << name;
  for (const auto& [name, slope] : gradients_of(GetParam(), cpu(), 1)) {
    EXPECT_TRUE(slope.same_bits(gradients_of(GetParam(), cpu(), 2).at(name))) << name;
  }
  if (GetParam().tensors("target").empty()) return;
  EXPECT_EQ(tests::bits_by_path(stepped(GetParam(), nullptr, 1).network),
            tests::bits_by_path(stepped(GetParam(), nullptr, 2).network));
}

TEST_P(Layers, ComeBackFromTheNativeFile) {
  const SavedNetwork saved = GetParam().network();
  const tests::TemporaryFolder folder;
  save(saved, folder.file("kept.causeway"));
  const SavedNetwork read = read_model(folder.file("kept.causeway"));
  EXPECT_EQ(read.network.graph().text(), saved.network.graph().text());
  EXPECT_EQ(read.words, saved.words);
  EXPECT_EQ(tests::bits_by_path(read.network), tests::bits_by_path(saved.network));
  const auto inputs = GetParam().tensors("input");
  const auto before = predict(saved, inputs), after = predict(read, inputs);
  for (const auto& [name, answer] : before) EXPECT_TRUE(answer.same_bits(after.at(name))) << name;
}

TEST_P(Layers, AnswerTheSameFromOnnxOrAreRefusedThere) {
  const SavedNetwork saved = GetParam().network();
  const tests::TemporaryFolder folder;
  const std::string refused = GetParam().metadata("onnx_refuses");
  if (!refused.empty()) {
    EXPECT_THAT(tests::refusal_of([&] { write_onnx(saved, folder.file("written.onnx")); }),
                testing::Contains(testing::HasSubstr(refused)));
    return;
  }
  write_onnx(saved, folder.file("written.onnx"));
  const SavedNetwork read = read_model(folder.file("written.onnx"));
  const auto answers = predict(read, GetParam().tensors("input"));
  expect_near({answers.begin(), answers.end()}, GetParam().tensors("answer"), 1e-5, 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Layers, testing::ValuesIn(tests::all_layer_cases()),
                         [](const auto& row) { return row.param.test_name(); });

}  // namespace
}  // namespace causeway
