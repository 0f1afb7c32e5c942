// The whole way: any bytes give a network that answers noughts, or Refused.

#include "causeway/answer/predict.h"
#include "causeway/learn/models.h"
#include "causeway/nn/losses.h"
#include "causeway/nn/sequential.h"
#include "tests/fuzz/any_bytes.h"

namespace {

using causeway::Tensor;

// The network that files of numbers alone belong to: that of tests/fixtures/titanic/dense.pt.
const causeway::Network& dense() {
  static const causeway::Network network = causeway::Sequential({14}).dense(16).relu().dense(1).build(/*seed=*/7);
  return network;
}

// Two rows of noughts for each input; nothing where a length is open or makes too much.
std::optional<causeway::NamedTensors> noughts(const causeway::Network& network) {
  constexpr int64_t kMost = 1 << 16;
  causeway::NamedTensors inputs;
  for (const causeway::Door& door : network.inputs()) {
    const causeway::Shape& shape = door.value.shape();
    if (!shape.has_rank()) return std::nullopt;
    std::vector<int64_t> lengths;
    int64_t count = 1;
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      if (axis > 0 && !shape[axis].is_number()) return std::nullopt;
      lengths.push_back(shape[axis].is_number() ? shape[axis].number() : 2);
      if (lengths.back() > kMost || (count *= lengths.back()) > kMost) return std::nullopt;
    }
    inputs[door.name] = Tensor(door.value.dtype(), lengths);
  }
  return inputs;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return causeway::tests::any_bytes(data, size, [](std::span<const std::byte> bytes) {
    const auto source = causeway::formats::ByteSource::in_memory("fuzzed", bytes);
    const causeway::SavedNetwork saved = causeway::importer_of(source).read(source, {.network = &dense()});
    if (const std::optional<causeway::NamedTensors> inputs = noughts(saved.network)) causeway::predict(saved, *inputs);
  });
}
