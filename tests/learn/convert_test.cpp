// Each model of the fixtures written in each format that is written, and read again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "causeway/answer/predict.h"
#include "causeway/base/fault.h"
#include "causeway/base/philox.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "causeway/learn/models.h"
#include "causeway/nn/sequential.h"
#include "causeway/nn/words.h"
#include "tests/learn/fixture_models.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace causeway {
namespace {

using tests::FixtureModel;

std::vector<FixtureModel> every_model() {
  std::vector<FixtureModel> all = tests::titanic_models();
  const std::vector<FixtureModel> images = tests::convolution_models();
  all.insert(all.end(), images.begin(), images.end());
  return all;
}

// Normal numbers in the shape of a network's input.
Tensor some_rows(const Network& network, int64_t rows) {
  const Door& door = network.inputs()[0];
  std::vector<int64_t> lengths{rows};
  for (size_t axis = 1; axis < door.value.shape().rank(); ++axis) lengths.push_back(door.value.shape()[axis].number());
  Tensor tensor(DType::Float32, lengths);
  const Draws draws(7, "rows", 0);
  const std::span<float> values = tensor.mutable_values<float>();
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(draws.normal(i));
  return tensor;
}

std::string names_of(std::span<const Door> doors) {
  std::string names;
  for (const Door& door : doors) names += door.name + " ";
  return names;
}

// Every slot that is no constant, and how many numbers it holds.
std::map<std::string, std::pair<Role, int64_t>> roles_of(const Network& network) {
  std::map<std::string, std::pair<Role, int64_t>> roles;
  for (const SlotUse& use : network.graph().slots()) {
    const Slot& slot = network.slots().at(use.path);
    if (slot.role != Role::Constant) roles[slot.path] = {slot.role, slot.numbers.size()};
  }
  return roles;
}

class Convert : public testing::TestWithParam<FixtureModel> {
 protected:
  const SavedNetwork saved_ = tests::read_fixture(GetParam());
  const tests::TemporaryFolder folder_;

  // Both networks' answers to 1 and 5 rows, in shares of the largest answer.
  void expect_same_answers(const SavedNetwork& again, double share) const {
    for (const int64_t rows : {1, 5}) {
      const Tensor x = some_rows(saved_.network, rows);
      const Tensor before = predict(saved_, x), after = predict(again, x);
      ASSERT_EQ(after.lengths(), before.lengths());
      EXPECT_LE(tests::most_apart(after, before), share * tests::largest(before)) << rows << " rows";
    }
  }
};

TEST_P(Convert, KeepsEveryBitInTheNativeFile) {
  const std::string path = folder_.file("written.causeway");
  write_model(saved_, path);
  const SavedNetwork again = read_model(path);
  EXPECT_EQ(again.format, "causeway");
  EXPECT_EQ(tests::bits_by_path(again.network), tests::bits_by_path(saved_.network));
  EXPECT_EQ(again.network.graph().text(), saved_.network.graph().text());
  EXPECT_EQ(again.losses.size(), saved_.losses.size());
  expect_same_answers(again, 0);
  // The same network gives the same bytes.
  write_model(again, folder_.file("again.causeway"));
  EXPECT_EQ(tests::bytes_of(folder_.file("again.causeway")), tests::bytes_of(path));
}

TEST_P(Convert, KeepsNamesAndAnswersInOnnx) {
  const std::string path = folder_.file("written.onnx");
  write_model(saved_, path);
  const SavedNetwork again = read_model(path);
  EXPECT_EQ(again.format, "onnx");
  EXPECT_EQ(names_of(again.network.inputs()), names_of(saved_.network.inputs()));
  EXPECT_EQ(names_of(again.network.outputs()), names_of(saved_.network.outputs()));
  EXPECT_EQ(roles_of(again.network), roles_of(saved_.network));
  // Channels may stand elsewhere there, so that sums run in another order.
  expect_same_answers(again, 1e-6);
}

TEST_P(Convert, KeepsEveryBitInSafetensors) {
  const std::string path = folder_.file("written.safetensors");
  write_model(saved_, path);
  SavedNetwork blank = saved_;
  for (size_t i = 0; i < blank.network.slots().size(); ++i) {
    Slot& slot = blank.network.slots()[i];
    if (slot.role != Role::Constant) slot.assign(Tensor(slot.numbers.dtype(), slot.numbers.lengths()));
  }
  const SavedNetwork again =
      read_model(path, {.network = &blank.network, .losses = {saved_.losses.begin(), saved_.losses.end()}});
  EXPECT_EQ(tests::bits_by_path(again.network), tests::bits_by_path(saved_.network));
  expect_same_answers(again, 0);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Convert, testing::ValuesIn(every_model()), [](const auto& row) {
  const std::string folder = row.param.file.substr(0, row.param.file.find('/'));
  return folder + "_" + row.param.test_name();
});

// Whatever a reader makes of a file, the native file keeps: graph, slots, doors and losses. What is refused elsewhere,
// when it is read or for an op of its reader's own, is refused here too.
TEST(NativeFile, KeepsEveryNetworkThatIsRead) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("a.causeway");
  size_t kept = 0;
  for (const char* below : {"keras", "onnx/exporters", "onnx/cases"}) {
    for (const auto& entry : std::filesystem::directory_iterator(tests::fixture(below))) {
      const std::string file = entry.path().string();
      if (!file.ends_with(".keras") && !file.ends_with(".h5") && !file.ends_with(".onnx")) continue;
      SCOPED_TRACE(file);
      SavedNetwork saved;
      try {
        saved = read_model(file);
        write_model(saved, path);
      } catch (const Refused&) {
        continue;
      }
      const SavedNetwork again = read_model(path);
      EXPECT_EQ(again.network.graph().text(), saved.network.graph().text());
      EXPECT_EQ(tests::bits_by_path(again.network), tests::bits_by_path(saved.network));
      EXPECT_EQ(again.losses.size(), saved.losses.size());
      ++kept;
    }
  }
  EXPECT_GT(kept, 450u);
}

// What an ONNX file has no place for is said when it is written, a sentence a kind.
TEST(WriteModel, SaysWhatOnnxLoses) {
  const tests::TemporaryFolder folder;
  const auto lost = [&](const SavedNetwork& saved) { return write_model(saved, folder.file("a.onnx")); };
  const auto said = [](const std::string& what) {
    return "ONNX has no place for " + what +
           ", and what is trained from the file learns without. A .causeway file keeps it.";
  };
  EXPECT_THAT(
      lost(tests::read_fixture({"keras/rules.keras"})),
      testing::ElementsAre(said("the penalty of 'penalised.weight' and 1 more"),
                           said("the norm bound of 'bound.weight'"), said("the hold of 'held.weight' and 1 more")));
  EXPECT_THAT(lost({.network = Sequential({4}).dense(3).dropout(0.5f).dense(2).dropout(0.5f).build(1)}),
              testing::ElementsAre(said("the dropout rate of '1' and 1 more")));
  EXPECT_THAT(lost({.network = Sequential({4}).dense(3).dropout(0).build(1)}), testing::IsEmpty());
  EXPECT_THAT(write_model(tests::read_fixture({"keras/rules.keras"}), folder.file("a.causeway")), testing::IsEmpty());
}

// Max and Min of opset 7 take equal shapes alone.
TEST(WriteModel, SpreadsTheLargerOfTwoFromOpset8) {
  const tests::TemporaryFolder folder;
  const auto written = [&](const std::string& shape, int64_t opset) {
    const SavedNetwork saved = network_of_words(R"({"inputs": {"a": [3, 2], "b": )" + shape + R"(}, "layers": [
        {"kind": "maximum", "from": ["a", "b"]}]})",
                                                "words");
    write_onnx(saved, folder.file("a.onnx"), {.opset = opset});
  };
  EXPECT_NO_THROW(written("[3, 2]", 7));
  EXPECT_NO_THROW(written("[1, 2]", 8));
  EXPECT_THAT(
      tests::refusal_of([&] { written("[1, 2]", 7); }),
      testing::ElementsAre(testing::EndsWith("Max of other shapes is of opset 8 on, and opset 7 is asked for.")));
}

TEST(WriteModel, SaysThatOnnxHasNoMaskWithHoles) {
  const tests::TemporaryFolder folder;
  const auto notes = [&](const std::string& doors, const std::string& layers) {
    const std::string words = R"({"inputs": {"x": [5, 2])" + doors + R"(}, "layers": [)" + layers + "]}";
    return write_model(network_of_words(words, "words"), folder.file("a.onnx"));
  };
  const std::string note =
      "ONNX has lengths in place of the mask of 'a' and 1 more: the file answers the same where every real step stands "
      "before those that are not, and does not check that they do.";
  EXPECT_THAT(notes("", R"("masking", {"kind": "lstm", "units": 1, "name": "a", "return_sequences": true},
                            {"kind": "gru", "units": 1})"),
              testing::ElementsAre(note));
  EXPECT_THAT(notes(R"(, "n": {"shape": [], "dtype": "int64"})",
                    R"({"kind": "lstm", "units": 1, "from": "x", "lengths": "n"})"),
              testing::IsEmpty());
  EXPECT_THAT(notes("", R"({"kind": "lstm", "units": 1})"), testing::IsEmpty());
}

TEST(WriteModel, RefusesWhatItDoesNotWrite) {
  const tests::TemporaryFolder folder;
  const SavedNetwork saved = tests::read_fixture({"titanic/dense.keras"});
  const std::pair<const char*, const char*> kRefused[] = {
      {"a.pt", "a pickle is a program and is never written. Write .onnx, .safetensors or .causeway."},
      {"a.h5", "no format that is written has the suffix '.h5'. Write .onnx, .safetensors or .causeway."},
      {"a", "no format that is written has the suffix ''. Write .onnx, .safetensors or .causeway."},
  };
  for (const auto& [name, what] : kRefused) {
    const std::string path = folder.file(name);
    EXPECT_EQ(tests::refusal_of([&] { write_model(saved, path); }), std::vector<std::string>{path + ": " + what});
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

}  // namespace
}  // namespace causeway
