#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/formats/onnx/graph_reader.h"
#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"

// The lengths of series that a file takes as an input: what no series has is refused when it is asked.

namespace causeway::formats::onnx {
namespace {

FileModel recurrent() {
  FileModel model;
  model.ir_version = 8;
  model.opsets[""] = 17;
  model.graph.inputs = {{.name = "x", .dtype = DType::Float32, .shape = {3, Dim::named("N"), 1}},
                        {.name = "count", .dtype = DType::Int32, .shape = {Dim::named("N")}}};
  model.graph.outputs = {{.name = "y", .dtype = DType::Float32, .shape = {1, Dim::named("N"), 1}}};
  for (const char* name : {"W", "R"}) {
    model.graph.initializers.push_back({.name = name, .numbers = Tensor::of<float>({1, 1, 1}, {0.5f})});
  }
  model.graph.nodes = {{.op = "RNN", .inputs = {"x", "W", "R", "", "count"}, .outputs = {"", "y"}}};
  return model;
}

struct Row {
  int32_t length;
  const char* line;
};

TEST(OnnxLengths, LieBetweenNoneAndAll) {
  const SavedNetwork saved = read_graph(recurrent(), {}, {}, {});
  const Row kRows[] = {{-1, "the length of series 1 is -1, and the series has 3 steps."},
                       {4, "the length of series 1 is 4, and the series has 3 steps."}};
  const auto answer = [&](int32_t length) {
    return ask(saved, {{"x", Tensor::of<float>({3, 2, 1}, {1, 2, 3, 4, 5, 6})},
                       {"count", Tensor::of<int32_t>({2}, {1, length})}});
  };
  for (const auto& [length, line] : kRows) {
    EXPECT_THAT(tests::refusal_of([&, length = length] { answer(length); }),
                testing::ElementsAre(testing::HasSubstr(line)));
  }
  EXPECT_EQ(answer(0).at("y").number_at(1), 0);
  EXPECT_NE(answer(3).at("y").number_at(1), 0);
}

}  // namespace
}  // namespace causeway::formats::onnx
