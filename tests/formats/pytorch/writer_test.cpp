#include "causeway/formats/pytorch/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/nn/words.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

std::string over_series(const std::string& layer) {
  return R"({"input": [3, 2], "layers": [{"name": "rnn", "units": 2, )" + layer + "}]}";
}

// What PyTorch has no module for.

struct Row {
  std::string name, layer, sentence;
};
class NoModule : public testing::TestWithParam<Row> {};

TEST_P(NoModule, IsRefused) {
  const SavedNetwork saved = network_of_words(over_series(GetParam().layer), "words");
  const tests::TemporaryFolder folder;
  EXPECT_THAT(tests::refusal_of([&] { write_state(saved.network, folder.file("a.safetensors")); }),
              testing::ElementsAre(testing::EndsWith(GetParam().sentence)));
}

const Row kRows[] = {
    {"gru_before", R"("kind": "gru", "reset_after": false)",
     "layer 'rnn' (GRU): it resets its state before the product, and PyTorch's GRU resets behind it."},
    {"lstm_relu", R"("kind": "lstm", "activation": "relu")", "its activation is relu, and PyTorch has tanh there."},
    {"simple_rnn_elu", R"("kind": "simple_rnn", "activation": "elu")",
     "its activation is elu, and PyTorch has tanh there."},
    {"gru_hard", R"("kind": "gru", "recurrent_activation": "hard_sigmoid")",
     "its recurrent activation is hard_sigmoid, and PyTorch has sigmoid there."},
};
INSTANTIATE_TEST_SUITE_P(Rows, NoModule, testing::ValuesIn(kRows), tests::by_name);

TEST(WrittenState, HasZerosForABiasThatTheStateLacks) {
  const SavedNetwork saved =
      network_of_words(over_series(R"("kind": "simple_rnn", "activation": "relu", "recurrent_bias": false)"), "words");
  const tests::TemporaryFolder folder;
  write_state(saved.network, folder.file("a.safetensors"));
  std::vector<std::string> names;
  for (const StateTensor& tensor : read_state(ByteSource::open(folder.file("a.safetensors"))).tensors) {
    names.push_back(tensor.name);
  }
  EXPECT_THAT(
      names, testing::UnorderedElementsAre("rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0"));
}

}  // namespace
}  // namespace causeway::formats::pytorch
