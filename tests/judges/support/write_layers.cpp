// write_layers FOLDER writes every network of tests/fixtures/layers as ONNX below FOLDER, but for those that ONNX
// refuses: what tests/judges/layers_in_onnx.py looks at.

#include <cstdio>
#include <filesystem>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "tests/learn/layer_cases.h"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  int failed = 0;
  for (const causeway::tests::LayerCase& given : causeway::tests::all_layer_cases()) {
    if (!given.metadata("onnx_refuses").empty()) continue;
    const std::filesystem::path path = std::filesystem::path(arguments[1]) / (given.name + ".onnx");
    std::filesystem::create_directories(path.parent_path());
    try {
      causeway::write_onnx(given.network(), path.string());
    } catch (const causeway::Refused& refused) {
      std::fprintf(stderr, "%s: %s\n", given.name.c_str(), refused.what());
      failed = 1;
    }
  }
  return failed;
}
