#include <gmock/gmock.h>

#include <map>
#include <string>

#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"

namespace causeway::formats::onnx {
namespace {

// Files that are refused, by the beginning of their names: the end of a fault of each.
const std::map<std::string, std::string> kRefused = {
    {"gelu_keras", "(Erfc): no op of this type is read. The nearest is Erf."},
};

const std::string* refusal(const std::string& name) {
  const std::string* longest = nullptr;
  for (const auto& [begin, what] : kRefused) {
    if (name.compare(0, begin.size(), begin) == 0) longest = &what;  // sorted: the longest comes last
  }
  return longest;
}

// The fixture of answers of a file: LAYER_ts17 is LAYER's, LAYER_keras its own.
NamedTensors answers_of(const std::string& name) {
  const size_t mark = name.rfind('_');
  const std::string layer = name.substr(mark) == "_keras" ? name : name.substr(0, mark);
  return tensors_of("onnx/exporters/" + layer + ".answers.safetensors");
}

class OnnxExporters : public testing::TestWithParam<std::string> {};

TEST_P(OnnxExporters, AnswersAsTheFrameworkDid) {
  const std::string file = "onnx/exporters/" + GetParam() + ".onnx";
  if (const std::string* refused = refusal(GetParam())) {
    EXPECT_THAT(tests::refusal_of([&] { read(file); }), testing::Contains(testing::EndsWith(*refused)));
    return;
  }
  const SavedNetwork saved = read(file);
  const NamedTensors answers = answers_of(GetParam());
  NamedTensors inputs;
  for (const Door& door : saved.network.inputs()) {
    inputs[door.name] = answers.count(door.name) ? answers.at(door.name) : answers.at("x");
  }
  const NamedTensors made = ask(saved, inputs);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_LE(apart(made.begin()->second, answers.at("y")), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxExporters, testing::ValuesIn(models_in("onnx/exporters")),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace causeway::formats::onnx
