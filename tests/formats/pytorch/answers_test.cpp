// PyTorch's files, read into words: the network answers as PyTorch did, and writes a file that holds the same bits.

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>

#include "causeway/answer/predict.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/formats/pytorch/reader.h"
#include "causeway/formats/pytorch/writer.h"
#include "causeway/nn/loss_list.h"
#include "tests/formats/pytorch/torch_fixture.h"
#include "tests/support/files.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

using tests::fixture;
using tests::stored_tensors;
using tests::words_of;

SavedNetwork read(const std::string& path, const SavedNetwork& words) {
  return PytorchReader().read(ByteSource::open(path), {.network = &words.network});
}

/// The largest difference, over the largest of the right answers.
double distance(const Tensor& got, const Tensor& right) {
  EXPECT_EQ(got.lengths(), right.lengths());
  double most = 0, largest = 0;
  for (int64_t i = 0; i < right.size(); ++i) {
    most = std::max(most, std::abs(got.number_at(i) - right.number_at(i)));
    largest = std::max(largest, std::abs(right.number_at(i)));
  }
  return most / largest;
}

/// What a network is handed: the file's arrays of its doors' names, or its one array.
NamedTensors inputs_of(const SavedNetwork& saved, const NamedTensors& answers) {
  NamedTensors inputs;
  for (const Door& door : saved.network.inputs()) {
    const auto turned = answers.find("x_channels_last"), of_door = answers.find(door.name);
    inputs[door.name] = turned != answers.end()    ? turned->second
                        : of_door != answers.end() ? of_door->second
                                                   : answers.at("x");
  }
  return inputs;
}

struct Case {
  const char *name, *folder = "convolution";
};
constexpr Case kNetworks[] = {
    {"series"},
    {"image"},
    {"map"},
    {"branches"},
    {"steps"},
    {"volume"},
    {"attention", "recurrent"},
    {"attention_cross", "recurrent"},
    {"attention_widths", "recurrent"},
    {"encoder", "recurrent"},
    {"encoder_norm_first", "recurrent"},
    {"decoder", "recurrent"},
    {"decoder_norm_first", "recurrent"},
    {"lstm", "recurrent"},
    {"lstm_last", "recurrent"},
    {"lstm_no_bias", "recurrent"},
    {"lstm_stacked", "recurrent"},
    {"gru", "recurrent"},
    {"gru_stacked", "recurrent"},
    {"rnn", "recurrent"},
};

class TorchAnswers : public testing::TestWithParam<Case> {
 protected:
  std::string name_ = std::string(GetParam().folder) + "/torch_" + GetParam().name;
};

TEST_P(TorchAnswers, AreThoseOfPytorchInDouble) {
  const SavedNetwork words = words_of(name_);
  const auto answers = stored_tensors(name_ + ".answers.safetensors");
  const auto turned = answers.find("expected_double_channels_last");
  const Tensor right = turned == answers.end() ? answers.at("expected_double") : turned->second;
  for (const char* suffix : {".pt", ".safetensors"}) {
    const SavedNetwork saved = read(fixture(name_ + suffix), words);
    const AnswerOptions judge{.engine = &reference_engine()};
    const Tensor got = predict(saved, inputs_of(saved, answers), judge).at("output");
    EXPECT_LE(distance(got, right), 1e-6) << suffix;
  }
}

TEST_P(TorchAnswers, ComeFromTheSameBitsInBothContainers) {
  const SavedNetwork words = words_of(name_);
  const SavedNetwork pickled = read(fixture(name_ + ".pt"), words);
  const SavedNetwork plain = read(fixture(name_ + ".safetensors"), words);
  for (size_t i = 0; i < pickled.network.slots().size(); ++i) {
    const Slot& slot = pickled.network.slots()[i];
    EXPECT_TRUE(slot.numbers.same_bits(plain.network.slots().at(slot.path).numbers)) << slot.path;
  }
}

TEST_P(TorchAnswers, AreWrittenAsTheFileTheyWereReadFrom) {
  const SavedNetwork saved = read(fixture(name_ + ".safetensors"), words_of(name_));
  const tests::TemporaryFolder folder;
  write_state(saved.network, folder.file("a.safetensors"));
  const StateDictionary written = read_state(ByteSource::open(folder.file("a.safetensors")));
  const auto right = stored_tensors(name_ + ".safetensors");
  EXPECT_EQ(written.tensors.size(), right.size());
  for (const StateTensor& tensor : written.tensors) {
    ASSERT_EQ(right.count(tensor.name), 1u) << tensor.name;
    if (is_readable(*tensor.kind)) {
      EXPECT_TRUE(numbers_of(tensor).same_bits(right.at(tensor.name))) << tensor.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, TorchAnswers, testing::ValuesIn(kNetworks), tests::by_name);

/// Places between two float32 numbers of one sign.
int64_t ulps(float got, float right) {
  return std::abs(int64_t{std::bit_cast<int32_t>(got)} - int64_t{std::bit_cast<int32_t>(right)});
}

struct Titanic {
  const char *name, *answers;
  int64_t most_ulps;
};
constexpr Titanic kTitanic[] = {{"dense", "torch_chances_in_double", 5},
                                {"batchnorm", "batchnorm_torch_chances_in_double", 10}};

class TitanicAnswers : public testing::TestWithParam<Titanic> {};
// PyTorch in float32 is itself up to 7 places from PyTorch in double.
TEST_P(TitanicAnswers, AreThoseOfPytorchInDouble) {
  const std::string name = "titanic/" + std::string(GetParam().name);
  const SavedNetwork words = words_of(name);
  const Tensor rows = stored_tensors("titanic/rows.safetensors").at("test_x");
  const Tensor right = stored_tensors("titanic/expected.safetensors").at(GetParam().answers);
  for (const char* suffix : {".pt", ".safetensors"}) {
    const SavedNetwork saved = PytorchReader().read(ByteSource::open(fixture(name + suffix)),
                                                    {.network = &words.network, .loss = BinaryCrossentropy{}});
    const Tensor got = predict(saved, rows, reference_engine());
    ASSERT_EQ(got.lengths(), right.lengths());
    for (int64_t i = 0; i < right.size(); ++i) {
      const auto at = static_cast<size_t>(i);
      EXPECT_LE(ulps(got.values<float>()[at], static_cast<float>(right.number_at(i))), GetParam().most_ulps)
          << suffix << " row " << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, TitanicAnswers, testing::ValuesIn(kTitanic), tests::by_name);

}  // namespace
}  // namespace causeway::formats::pytorch
