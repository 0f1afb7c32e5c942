// write_ops FOLDER writes every case of every op as ONNX below FOLDER, at the oldest set that holds it and at newer ones,
// but for those that are refused: what tests/judges/ops_in_onnx.py looks at. OPSET/asked.safetensors holds what each
// OPSET/NUMBER.onnx is asked and answers, and in its metadata each number's case.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/graph_writer.h"
#include "causeway/formats/onnx/serialize.h"
#include "causeway/formats/safetensors/writer.h"
#include "causeway/ops/recurrent.h"
#include "tests/formats/onnx/op_networks.h"
#include "tests/ops/case_graph.h"

namespace {

using namespace causeway;

/// What the cases of one folder are asked and answer, under NUMBER/in.NAME and NUMBER/out.NAME.
struct Asked {
  formats::safetensors::Metadata cases;
  std::vector<formats::safetensors::WrittenTensor> tensors;
};

void write(const tests::OpCase& one, std::optional<int64_t> opset, const std::filesystem::path& folder, Asked& asked) {
  const SavedNetwork saved = tests::network_of(one);
  const std::string number = std::to_string(asked.cases.size());
  try {
    const std::string bytes = formats::onnx::serialized(formats::onnx::written_model(saved, {.opset = opset}));
    std::ofstream(folder / (number + ".onnx"), std::ios::binary) << bytes;
  } catch (const Refused&) {
    return;
  }
  asked.cases.push_back({number, one.name + " (" + std::string(one.op.name()) + ")"});
  const std::vector<Tensor> inputs = tests::forward_graph(one).inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    asked.tensors.push_back({number + "/in." + saved.network.inputs()[i].name, inputs[i], {}});
  }
  const std::vector<Tensor> answers = tests::answers_of(saved, inputs);
  for (size_t i = 0; i < answers.size(); ++i) {
    asked.tensors.push_back({number + "/out." + saved.network.outputs()[i].name, answers[i], {}});
  }
}

// ONNX Runtime ends the program on a recurrent op over no rows, and gives zeros for the state behind no steps.
bool is_empty_series(const tests::OpCase& one) {
  if (!one.op.is<ops::Recurrent>()) return false;
  const std::vector<int64_t>& lengths = one.inputs[0].lengths;
  return std::count(lengths.begin(), lengths.end(), 0) > 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::optional<int64_t> kSets[] = {std::nullopt, 13, 18, 25};
  for (const std::optional<int64_t> opset : kSets) {
    const std::filesystem::path folder =
        std::filesystem::path(arguments[1]) / (opset ? std::to_string(*opset) : "oldest");
    std::filesystem::create_directories(folder);
    Asked asked;
    for (const tests::OpCase& one : tests::all_op_cases()) {
      if (!tests::has_hole_in_mask(one) && !is_empty_series(one)) write(one, opset, folder, asked);
    }
    formats::safetensors::write_safetensors((folder / "asked.safetensors").string(), asked.cases, asked.tensors);
  }
  return 0;
}
