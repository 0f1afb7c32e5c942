#include <gmock/gmock.h>

#include <random>

#include "causeway/formats/onnx/graph_writer.h"
#include "causeway/formats/onnx/node_table.h"
#include "causeway/formats/onnx/serialize.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "causeway/nn/loss_list.h"
#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::onnx {
namespace {

using tests::TemporaryFolder;

/// Numbers for every input, three rows where the batch is open.
NamedTensors some_inputs(const SavedNetwork& saved) {
  std::mt19937 random(7);
  NamedTensors inputs;
  for (const Door& door : saved.network.inputs()) {
    std::vector<int64_t> lengths;
    for (const Dim& dim : *door.value.shape().dims) lengths.push_back(dim.if_number().value_or(3));
    Tensor numbers(DType::Float32, lengths);
    std::normal_distribution<float> normal;
    std::uniform_int_distribution<int> few(0, 3);
    const bool is_real = is_floating(door.value.dtype());
    for (float& number : numbers.mutable_values<float>())
      number = is_real ? normal(random) : static_cast<float>(few(random));
    inputs[door.name] = numbers.converted(door.value.dtype());
  }
  return inputs;
}

SavedNetwork written_and_read(const SavedNetwork& saved, const WriteOnnxOptions& options = {}) {
  const TemporaryFolder folder;
  write_onnx(saved, folder.file("written.onnx"), options);
  return read_file(folder.file("written.onnx"));
}

void expect_equal_answers(const SavedNetwork& first, const SavedNetwork& second, double bound) {
  const NamedTensors inputs = some_inputs(first);
  const NamedTensors before = ask(first, inputs), after = ask(second, inputs);
  ASSERT_EQ(before.size(), after.size());
  for (const auto& [name, tensor] : before) {
    ASSERT_EQ(after.count(name), 1u) << name;
    EXPECT_LE(apart(after.at(name), tensor), bound) << name;
  }
}

std::vector<std::string> all_models() {
  std::vector<std::string> files;
  for (const char* folder : {"titanic", "convolution", "onnx/exporters", "onnx/cases"}) {
    for (const std::string& name : models_in(folder)) {
      const std::string path = std::string(folder) + "/" + name;
      // A case without answers is one that is refused.
      const bool is_case = path.compare(0, 10, "onnx/cases") == 0;
      if (is_case && !std::filesystem::exists(tests::fixture(path + ".answers.safetensors"))) continue;
      files.push_back(path + ".onnx");
    }
  }
  return files;
}

/// Why a network is not written; "" where it is.
std::string_view not_written_by(const Graph& graph) {
  for (const Node* node : graph.nodes()) {
    if (const std::string_view why = not_written(node->op.name()); !why.empty()) return why;
  }
  return "";
}

class OnnxWritten : public testing::TestWithParam<std::string> {};

TEST_P(OnnxWritten, ReadsBackWithTheSameAnswers) {
  SavedNetwork saved;
  try {
    saved = read(GetParam());
  } catch (const Refused&) {
    return;  // what is not read is exporters_test.cpp's affair
  }
  if (const std::string_view why = not_written_by(saved.network.graph()); !why.empty()) {
    const TemporaryFolder folder;
    EXPECT_THAT(tests::refusal_of([&] { write_onnx(saved, folder.file("written.onnx")); }),
                testing::Contains(testing::EndsWith(std::string(why))));
    return;
  }
  expect_equal_answers(saved, written_and_read(saved), 1e-6);
}

TEST_P(OnnxWritten, HoldsInTheOldestSetThatIsAskedFor) {
  SavedNetwork saved, again;
  try {
    saved = read(GetParam());
    again = written_and_read(saved, {.opset = 11});
  } catch (const Refused& refused) {
    // Refused by name, or written: nothing between.
    for (const Fault& fault : refused.faults()) EXPECT_THAT(fault.where, testing::Not(testing::IsEmpty()));
    return;
  }
  expect_equal_answers(saved, again, 1e-5);
}

// Every slot that is no constant, and how many numbers it holds.
std::map<std::string, std::string> roles_of(const Network& network) {
  std::map<std::string, std::string> roles;
  for (const SlotUse& use : network.graph().slots()) {
    const Slot& slot = network.slots().at(use.path);
    if (slot.role == Role::Constant) continue;
    roles[slot.path] = std::string(name_of(slot.role)) + " " + slot.numbers.shape().text();
  }
  return roles;
}

TEST_P(OnnxWritten, KeepsWhatIsLearnedInEverySet) {
  SavedNetwork saved;
  try {
    saved = read(GetParam());
  } catch (const Refused&) {
    return;
  }
  for (int64_t opset = 7; opset <= 25; ++opset) {
    SavedNetwork again;
    try {
      const std::string bytes = serialized(written_model(saved, {.opset = opset}));
      again = OnnxImporter().read(ByteSource::in_memory("written.onnx", std::as_bytes(std::span(bytes))), {});
    } catch (const Refused&) {
      continue;
    }
    EXPECT_EQ(roles_of(again.network), roles_of(saved.network)) << "opset " << opset;
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxWritten, testing::ValuesIn(all_models()), [](const auto& row) {
  std::string name = row.param.substr(0, row.param.size() - 5);
  for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
});

TEST(OnnxWrite, GivesTheSameBytesForTheSameNetwork) {
  const TemporaryFolder folder;
  const SavedNetwork saved = read("convolution/torch_branches_dynamo.onnx");
  write_onnx(saved, folder.file("a.onnx"));
  write_onnx(read("convolution/torch_branches_dynamo.onnx"), folder.file("b.onnx"));
  EXPECT_EQ(tests::bytes_of(folder.file("a.onnx")), tests::bytes_of(folder.file("b.onnx")));
}

TEST(OnnxWrite, EndsWithTheLossesActivationAndTakesItOffAgain) {
  SavedNetwork saved = read("titanic/dense_torchscript.onnx", {.loss = BinaryCrossentropy{}});
  saved.features = {"age", "fare"};
  const SavedNetwork again = written_and_read(saved);
  ASSERT_EQ(again.losses.count("y"), 1u);
  EXPECT_EQ(again.losses.at("y"), Loss(BinaryCrossentropy{}));
  EXPECT_EQ(again.features, saved.features);
  const NamedTensors inputs = some_inputs(saved);
  EXPECT_LE(apart(ask(again, inputs).at("y"), ask(saved, inputs).at("y")), 0.0);
  EXPECT_LE(apart(ask(again, inputs, true).at("y"), ask(saved, inputs, true).at("y")), 0.0);
}

TEST(OnnxWrite, PutsLargeNumbersBesideTheGraphWhereAsked) {
  const TemporaryFolder folder;
  const SavedNetwork saved = read("convolution/keras_image.onnx");
  write_onnx(saved, folder.file("net.onnx"), {.external_data = true});
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++files;
    EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("net.onnx"));
  }
  EXPECT_EQ(files, 2u);
  expect_equal_answers(saved, read_file(folder.file("net.onnx")), 0);
}

TEST(OnnxWrite, HalvesTheNumbersAndNotTheDoors) {
  const SavedNetwork saved = read("convolution/torch_image_dynamo.onnx");
  const TemporaryFolder folder;
  write_onnx(saved, folder.file("whole.onnx"));
  write_onnx(saved, folder.file("half.onnx"), {.half = true});
  EXPECT_LT(std::filesystem::file_size(folder.file("half.onnx")),
            std::filesystem::file_size(folder.file("whole.onnx")));
  const SavedNetwork again = read_file(folder.file("half.onnx"));
  EXPECT_EQ(again.network.inputs()[0].value.dtype(), DType::Float32);
  expect_equal_answers(saved, again, 1e-2);
}

TEST(OnnxWrite, RefusesASetItDoesNotWriteAndLeavesNoFile) {
  const TemporaryFolder folder;
  const SavedNetwork saved = read("titanic/dense_torchscript.onnx");
  EXPECT_THAT(tests::refusal_of([&] { write_onnx(saved, folder.file("net.onnx"), {.opset = 26}); }),
              testing::ElementsAre("opset: it is 26, and 7 to 25 are written."));
  const SavedNetwork chooses = read("onnx/exporters/softplus_dy18.onnx");
  EXPECT_THAT(tests::refusal_of([&] { write_onnx(chooses, folder.file("net.onnx"), {.opset = 8}); }),
              testing::ElementsAre(testing::EndsWith("Where is of opset 9 on, and opset 8 is asked for.")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("net.onnx")));
}

struct SetRow {
  const char* name;  // the file
  int64_t opset, ir;
};
void PrintTo(const SetRow& row, std::ostream* out) { *out << row.name; }

constexpr SetRow kSets[] = {
    {"titanic/dense_dynamo", 7, 3},           {"convolution/torch_steps_dynamo", 17, 8},
    {"onnx/exporters/hardswish_dy18", 14, 7}, {"onnx/exporters/gelu_dy20", 20, 9},
    {"onnx/exporters/rms_norm_dy23", 23, 11}, {"onnx/exporters/pad_circular_dy18", 19, 9},
};
class OnnxOpset : public testing::TestWithParam<SetRow> {};

TEST_P(OnnxOpset, IsTheOldestThatHoldsEveryNode) {
  const TemporaryFolder folder;
  write_onnx(read(std::string(GetParam().name) + ".onnx"), folder.file("written.onnx"));
  const std::string bytes = tests::bytes_of(folder.file("written.onnx"));
  EXPECT_EQ(bytes.substr(0, 2), std::string({'\x08', static_cast<char>(GetParam().ir)}));
  // opset_import { domain: "" version: N }
  EXPECT_NE(bytes.find(std::string({'\x42', '\x04', '\x0a', '\x00', '\x10', static_cast<char>(GetParam().opset)})),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Table, OnnxOpset, testing::ValuesIn(kSets), tests::by_name);

}  // namespace
}  // namespace causeway::formats::onnx
