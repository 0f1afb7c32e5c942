// The whole way: any bytes give a network that answers noughts, or Refused.

#include "causeway/answer/predict.h"
#include "causeway/learn/models.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/sequential.h"
#include "tests/fuzz/any_bytes.h"

namespace {

using causeway::Tensor;

// The network that files of numbers alone belong to: that of tests/fixtures/titanic/dense.pt.
const causeway::Network& dense() {
  static const causeway::Network network = causeway::Sequential({14}).dense(16).relu().dense(1).build(/*seed=*/7);
  return network;
}

// Answers within a memory bound: a network may ask for any amount of work, and is no fault for that.
void answer(const causeway::SavedNetwork& saved, const causeway::NamedTensors& inputs) {
  constexpr size_t kMostBytes = size_t{16} << 20;
  causeway::Slots slots = saved.network.slots();
  causeway::Binding binding;
  std::vector<causeway::TensorView> views;
  for (const causeway::Door& door : saved.network.inputs()) {
    const Tensor& tensor = inputs.find(door.name)->second;
    binding.lengths[door.name] = tensor.lengths();
    if (!causeway::is_floating(tensor.dtype())) binding.values[door.name] = tensor;
    views.push_back(causeway::view_of(tensor));
  }
  const causeway::Graph graph = causeway::answering_graph(saved, /*logits=*/false, slots);
  causeway::cpu().compile(graph, slots, binding, {.max_bytes = kMostBytes})->context()->run(views);
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
    if (const std::optional<causeway::NamedTensors> inputs = noughts(saved.network)) answer(saved, *inputs);
  });
}
