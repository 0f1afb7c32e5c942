// The network of a native file behind its checksum: any JSON gives slots and a graph over them, or faults. The numbers
// are those of tests/fixtures/native.

#include "causeway/base/json.h"
#include "causeway/formats/native/graph_json.h"
#include "tests/fuzz/any_bytes.h"

namespace {

using causeway::DType;
using causeway::Tensor;

const std::map<std::string, Tensor, std::less<>> kTensors{{"dense.weight", Tensor(DType::Float32, {14, 16})},
                                                          {"dense.bias", Tensor(DType::Float32, {16})},
                                                          {"dense_1.weight", Tensor(DType::Float32, {16, 1})},
                                                          {"dense_1.bias", Tensor(DType::Float32, {1})}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_text(data, size, [](std::string_view text) {
    const causeway::Json json = causeway::parse_json(text, "network");
    causeway::Slots slots;
    std::vector<causeway::Fault> faults;
    if (const causeway::Json* listed = json.find("slots")) {
      causeway::formats::native::slots_from_json(*listed, kTensors, slots, faults);
    }
    causeway::refuse_if_any(faults);
    causeway::formats::native::graph_from_json(json, slots);
  });
}
