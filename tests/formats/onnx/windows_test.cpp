#include <gmock/gmock.h>

#include <cmath>

#include "causeway/formats/onnx/graph_reader.h"
#include "causeway/formats/onnx/graph_writer.h"
#include "causeway/nn/words.h"
#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

// The borders of windows, in the nodes that ONNX Runtime answers alike: it takes auto_pad for another border beside a
// dilation, and fails where a window is shorter than its stride.

namespace causeway::formats::onnx {
namespace {

struct Row {
  const char* name;
  const char* input;  // in words
  const char* layer;
  std::vector<int64_t> lengths;       // of a row; 0 where they are open
  std::vector<std::string> of_nodes;  // Pad, and the auto_pad or pads of a window, in their order
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kWindows = {
    {"max_dilated",
     "[\"L\", 2]",
     R"({"kind": "max_pooling1d", "pool_size": 3, "strides": 3, "padding": "same", "dilation_rate": 2})",
     {0, 2},
     {"Pad"}},
    {"max_shorter_than_its_stride",
     "[\"L\", 2]",
     R"({"kind": "max_pooling1d", "pool_size": 3, "strides": 5, "padding": "same"})",
     {0, 2},
     {"Pad"}},
    {"max_of_one_cell",
     "[\"L\", 2]",
     R"({"kind": "max_pooling1d", "pool_size": 1, "strides": 2, "padding": "same"})",
     {0, 2},
     {"MaxPool [0, 0]"}},
    {"max_of_two_cells",
     "[\"L\", 2]",
     R"({"kind": "max_pooling1d", "pool_size": 2, "strides": 3, "padding": "same"})",
     {0, 2},
     {"MaxPool [0, 1]"}},
    {"max_plain",
     "[\"L\", 2]",
     R"({"kind": "max_pooling1d", "pool_size": 3, "strides": 2, "padding": "same"})",
     {0, 2},
     {"MaxPool SAME_UPPER"}},
    {"max_dilated_cell_by_cell",
     "[\"L\", 2]",
     R"({"kind": "max_pooling1d", "pool_size": 3, "strides": 1, "padding": "same", "dilation_rate": 3})",
     {0, 2},
     {"Pad"}},
    {"max_of_one_open_axis",
     "[7, \"W\", 2]",
     R"({"kind": "max_pooling2d", "pool_size": [3, 3], "strides": [2, 5], "padding": "same"})",
     {7, 0, 2},
     {"Pad"}},
    {"average_of_one_cell",
     "[\"L\", 2]",
     R"({"kind": "average_pooling1d", "pool_size": 1, "strides": 2, "padding": "same"})",
     {0, 2},
     {"AveragePool [0, 0]"}},
    {"average_plain",
     "[\"L\", 2]",
     R"({"kind": "average_pooling1d", "pool_size": 3, "strides": 3, "padding": "same"})",
     {0, 2},
     {"AveragePool SAME_UPPER"}},
    {"average_shorter_than_its_stride",
     "[\"L\", 2]",
     R"({"kind": "average_pooling1d", "pool_size": 3, "strides": 5, "padding": "same"})",
     {0, 2},
     {"Pad", "Pad"}},
    {"average_of_two_open_axes",
     "[\"H\", \"W\", 2]",
     R"({"kind": "average_pooling2d", "pool_size": [3, 2], "strides": [5, 1], "padding": "same"})",
     {0, 0, 2},
     {"Pad", "Pad"}},
    {"average_that_counts_a_border_its_last_window_passes",
     "[3, 17, 2]",
     R"({"kind": "average_pooling2d", "pool_size": [2, 3], "strides": 3, "padding": [[1, 1], [2, 0]], "ceil_mode": true,
         "count_include_pad": true})",
     {3, 17, 2},
     {"Pad", "AveragePool [0, 0, 0, 2]"}},
    {"average_that_leaves_such_a_border_out",
     "[3, 17, 2]",
     R"({"kind": "average_pooling2d", "pool_size": [2, 3], "strides": 3, "padding": [[1, 1], [2, 0]], "ceil_mode": true})",
     {3, 17, 2},
     {"AveragePool [1, 2, 1, 2]"}},
    {"conv_dilated",
     "[\"L\", 2]",
     R"({"kind": "conv1d", "filters": 2, "kernel_size": 3, "strides": 3, "padding": "same", "dilation_rate": 2})",
     {0, 2},
     {"Pad"}},
    {"conv_shorter_than_its_stride",
     "[\"L\", 2]",
     R"({"kind": "conv1d", "filters": 2, "kernel_size": 3, "strides": 5, "padding": "same"})",
     {0, 2},
     {"Pad"}},
    {"conv_plain",
     "[\"L\", 2]",
     R"({"kind": "conv1d", "filters": 2, "kernel_size": 3, "strides": 2, "padding": "same"})",
     {0, 2},
     {"Conv SAME_UPPER"}},
};
class OnnxWindows : public testing::TestWithParam<Row> {};

SavedNetwork network_of(const char* input, const std::string& layer) {
  return network_of_words("{\"input\": " + std::string(input) + ", \"layers\": [" + layer + "]}", "NET", {.seed = 7});
}

std::vector<std::string> borders_of(const FileModel& model) {
  std::vector<std::string> borders;
  for (const FileNode& node : model.graph.nodes) {
    if (node.op == "Pad") borders.push_back(node.op);
    for (const Attribute& attribute : node.attributes) {
      if (attribute.name == "auto_pad") borders.push_back(node.op + " " + attribute.text);
      if (attribute.name == "pads" && node.op != "Pad")
        borders.push_back(node.op + " " + Shape::of(attribute.integers).text());
    }
  }
  return borders;
}

TEST_P(OnnxWindows, AnswerTheSameForEveryLength) {
  const SavedNetwork saved = network_of(GetParam().input, GetParam().layer);
  FileModel model = written_model(saved, {});
  EXPECT_THAT(borders_of(model), testing::ElementsAreArray(GetParam().of_nodes));
  const SavedNetwork again = read_graph(std::move(model), {}, {}, {});
  for (int64_t open = 3; open < 10; ++open) {
    std::vector<int64_t> lengths{2};
    for (const int64_t length : GetParam().lengths) lengths.push_back(length == 0 ? open : length);
    Tensor x(DType::Float32, lengths);
    float at = 0.3f;
    for (float& number : x.mutable_values<float>()) number = std::sin(at += 1.7f);
    EXPECT_LE(apart(ask(again, {{"input", x}}).at("output"), ask(saved, {{"input", x}}).at("output")), 1e-6) << open;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, OnnxWindows, testing::ValuesIn(kWindows), tests::by_name);

struct Refusal {
  const char* name;
  const char* layer;
  std::optional<int64_t> opset;
  const char* line;
};
void PrintTo(const Refusal& row, std::ostream* out) { *out << row.name; }

const std::vector<Refusal> kRefused = {
    {"older_set", R"({"kind": "max_pooling1d", "pool_size": 3, "strides": 5, "padding": "same"})", 9,
     "a border that hangs on a length is of opset 11 on, and opset 9 is asked for."},
    {"stride_too_long", R"({"kind": "max_pooling1d", "pool_size": 3, "strides": 4097, "padding": "same"})",
     std::nullopt,
     "its border hangs on an open length, and its stride is 4097, above 4096. State the length, or the border in "
     "numbers."},
};
class OnnxWindowRefused : public testing::TestWithParam<Refusal> {};

TEST_P(OnnxWindowRefused, SaysWhy) {
  const SavedNetwork saved = network_of("[\"L\", 2]", GetParam().layer);
  EXPECT_THAT(tests::refusal_of([&] { written_model(saved, {.opset = GetParam().opset}); }),
              testing::ElementsAre(testing::EndsWith(GetParam().line)));
}

INSTANTIATE_TEST_SUITE_P(Table, OnnxWindowRefused, testing::ValuesIn(kRefused), tests::by_name);

}  // namespace
}  // namespace causeway::formats::onnx
