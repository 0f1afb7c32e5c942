#include <algorithm>
#include <cmath>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/native/checksum.h"
#include "causeway/formats/native/graph_json.h"
#include "causeway/formats/native/layout.h"
#include "causeway/formats/native/losses_json.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/formats/safetensors/writer.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::native {
namespace {

using safetensors::Metadata;
using safetensors::WrittenTensor;

constexpr std::string_view kProducer = "causeway 0.1.0";

// The first number that is not finite, or that passes float16 when it is narrowed.
void expect_writable(const Slot& slot, const Tensor& numbers, std::vector<Fault>& faults) {
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers.number_at(i);
    if (std::isfinite(number)) continue;
    faults.push_back({"slot " + quoted(slot.path),
                      "element " + std::to_string(i) + " is " + text_of(number) + ", and a slot is written finite."});
    return;
  }
}

std::vector<WrittenTensor> written_tensors(const NativeFile& file, bool half) {
  std::vector<WrittenTensor> tensors;
  std::vector<Fault> faults;
  const Slots& slots = file.saved.network.slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    const bool narrow = half && slot.role != Role::Constant;
    Tensor numbers = narrow ? slot.numbers.converted(DType::Float16) : slot.numbers;
    if (slot.role != Role::Constant) expect_writable(slot, numbers, faults);
    tensors.push_back({slot.path, std::move(numbers), {}});
  }
  refuse_if_any(std::move(faults));
  for (const auto& [name, numbers] : file.tensors) tensors.push_back({name, numbers, {}});
  std::stable_sort(tensors.begin(), tensors.end(), [](const WrittenTensor& a, const WrittenTensor& b) {
    return size_of(a.numbers.dtype()) > size_of(b.numbers.dtype());
  });
  return tensors;
}

// An op that a reader of another format made for itself could not be read again.
void expect_known_ops(const Graph& graph, std::vector<Fault>& faults) {
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Op& op = graph.nodes()[i]->op;
    const auto is_it = [&](const ops::OpRow& row) { return row.name == op.name(); };
    if (!std::any_of(ops::all_ops().begin(), ops::all_ops().end(), is_it)) {
      faults.push_back({"node " + std::to_string(i) + " (" + std::string(op.name()) + ")",
                        "a native file has no word for this op. Keep the file that the network was read from."});
    }
    for (const NamedSetting& setting : op.settings()) {
      const auto* inner = std::get_if<std::shared_ptr<const Graph>>(&setting.value);
      if (inner && *inner) expect_known_ops(**inner, faults);
    }
  }
}

Metadata written_metadata(const NativeFile& file) {
  Json network = graph_to_json(file.saved.network.graph());
  network.set("slots", slots_to_json(file.saved.network.slots()));
  if (!file.saved.words.empty()) network.set("words", file.saved.words);
  if (!file.saved.features.empty()) {
    network.set("features", Json::Array(file.saved.features.begin(), file.saved.features.end()));
  }
  Metadata metadata{{"format", "causeway"},
                    {"causeway.version", std::to_string(kVersion)},
                    {"causeway.producer", std::string(kProducer)},
                    {"causeway.network", network.dump()},
                    {"causeway.loss", losses_to_json(file.saved).dump()}};
  for (const auto& [key, document] : file.documents) metadata.emplace_back(std::string(kPrefix) + key, document.dump());
  return metadata;
}

}  // namespace

void write_native(const NativeFile& file, const std::string& path, const WriteNativeOptions& options) {
  std::vector<Fault> faults;
  expect_known_ops(file.saved.network.graph(), faults);
  refuse_if_any(std::move(faults));
  const std::vector<WrittenTensor> tensors = written_tensors(file, options.half);
  Metadata metadata = written_metadata(file);
  std::vector<Placed> placed;
  std::vector<std::span<const std::byte>> data;
  uint64_t at = 0;
  for (const WrittenTensor& tensor : tensors) {
    const uint64_t end = at + tensor.numbers.size_bytes();
    placed.push_back(
        {tensor.name, safetensors::kind_of(tensor.numbers.dtype()).name, tensor.numbers.lengths(), at, end});
    data.push_back(tensor.numbers.bytes());
    at = end;
  }
  metadata.emplace_back("causeway.checksum", checksum(data, std::move(placed), metadata));
  std::sort(metadata.begin(), metadata.end());
  safetensors::write_safetensors(path, metadata, tensors,
                                 {.header_multiple = 64, .order = safetensors::TensorOrder::AsGiven});
}

}  // namespace causeway::formats::native

namespace causeway {

void save(const SavedNetwork& saved, const std::string& path) { formats::native::write_native({.saved = saved}, path); }

}  // namespace causeway
