#include <gmock/gmock.h>

#include "causeway/formats/onnx/graph_reader.h"
#include "causeway/formats/onnx/graph_writer.h"
#include "causeway/nn/words.h"
#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

// Keras repeats the output before a masked step, and ONNX answers 0 there: the same to all who leave those steps out.

namespace causeway::formats::onnx {
namespace {

struct Row {
  const char* name;
  const char* layers;  // behind an embedding that makes the mask
  bool is_written;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

#define STEPS R"("return_sequences": true, "zero_output_for_mask": false})"
const std::vector<Row> kRows = {
    {"lstm_behind", R"({"kind": "lstm", "units": 3, )" STEPS R"(, {"kind": "lstm", "units": 2})", true},
    {"through_a_dropout",
     R"({"kind": "lstm", "units": 3, )" STEPS R"(, {"kind": "dropout", "rate": 0.3}, {"kind": "gru", "units": 2})",
     true},
    {"three_of_them", R"({"kind": "gru", "units": 3, )" STEPS R"(, {"kind": "simple_rnn", "units": 3, )" STEPS R"(,
       {"kind": "lstm", "units": 2})",
     true},
    {"mean_behind", R"({"kind": "lstm", "units": 3, )" STEPS R"(, "global_average_pooling1d")", true},
    {"both_ways", R"({"kind": "bidirectional", "layer": {"kind": "gru", "units": 3, )" STEPS R"(},
       {"kind": "bidirectional", "layer": {"kind": "lstm", "units": 2}})",
     true},
    {"dense_between", R"({"kind": "lstm", "units": 3, )" STEPS R"(,
       {"kind": "dense", "units": 3, "activation": "tanh"}, {"kind": "lstm", "units": 2})",
     true},
    {"output", R"({"kind": "lstm", "units": 3, )" STEPS, false},
    {"dense_behind", R"({"kind": "lstm", "units": 3, )" STEPS R"(, {"kind": "dense", "units": 2})", false},
    {"largest_behind", R"({"kind": "lstm", "units": 3, )" STEPS R"(, "global_max_pooling1d")", false},
};
#undef STEPS
class OnnxMaskedSteps : public testing::TestWithParam<Row> {};

TEST_P(OnnxMaskedSteps, AreWrittenWhereEveryReaderLeavesThemOut) {
  const SavedNetwork saved = network_of_words(
      R"({"inputs": {"ids": {"shape": ["L"], "dtype": "int32"}}, "layers": [
          {"kind": "embedding", "input_dim": 5, "output_dim": 2, "mask_zero": true}, )" +
          std::string(GetParam().layers) + "]}",
      "NET", {.seed = 7});
  if (!GetParam().is_written) {
    EXPECT_THAT(tests::refusal_of([&] { written_model(saved, {}); }),
                testing::ElementsAre(testing::EndsWith(
                    "a masked step repeats the output before it, and ONNX's LSTM answers 0 there. Set "
                    "zero_output_for_mask to true or return_sequences to false, or let only layers read its steps that "
                    "mask the same ones.")));
    return;
  }
  const SavedNetwork again = read_graph(written_model(saved, {}), {}, {}, {});
  const Tensor ids = Tensor::of<int32_t>({3, 4}, {1, 2, 3, 4, 2, 1, 0, 0, 4, 0, 0, 0});
  EXPECT_LE(apart(ask(again, {{"ids", ids}}).at("output"), ask(saved, {{"ids", ids}}).at("output")), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Table, OnnxMaskedSteps, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway::formats::onnx
