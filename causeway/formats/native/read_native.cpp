#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/given_losses.h"
#include "causeway/formats/load.h"
#include "causeway/formats/native/checksum.h"
#include "causeway/formats/native/graph_json.h"
#include "causeway/formats/native/layout.h"
#include "causeway/formats/native/losses_json.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/named_lengths.h"
#include "causeway/nn/words.h"
#include "causeway/passes/with_lengths.h"

namespace causeway::formats::native {
namespace {

using safetensors::Metadata;
using safetensors::SafetensorsFile;
using safetensors::StoredTensor;

constexpr JsonLimits kLimits{.size_bytes = 100'000'000, .depth = 64};

bool has_metadata(const ByteSource& source, std::string_view key) {
  if (!safetensors::claims_safetensors(source)) return false;
  try {
    return safetensors::read_safetensors(source).find_metadata(key) != nullptr;
  } catch (const Refused&) {
    return false;
  }
}

}  // namespace

bool claims_native(const ByteSource& source) { return has_metadata(source, "causeway.version"); }

bool names_document(const ByteSource& source, std::string_view name) {
  return claims_native(source) && has_metadata(source, std::string(kPrefix).append(name));
}

namespace {

// Reads one native file from its header on.
class NativeReader {
 public:
  NativeReader(const ByteSource& source, bool mapped) : file_(safetensors::read_safetensors(source)), mapped_(mapped) {}

  NativeFile read() {
    check_version();
    check_checksum();
    check_keys();
    take_tensors();
    refuse_if_any(std::move(faults_));
    faults_.clear();
    read_network();
    read_.documents = documents();
    refuse_if_any(std::move(faults_));
    return std::move(read_);
  }

  std::map<std::string, Json, std::less<>> documents() const {
    std::map<std::string, Json, std::less<>> found;
    for (const std::string_view name : kDocuments) {
      const std::string key = std::string(kPrefix) + std::string(name);
      if (file_.find_metadata(key)) found.emplace(name, document(key));
    }
    return found;
  }

 private:
  void fault(std::string where, std::string what) { faults_.push_back({std::move(where), std::move(what)}); }

  void check_version() {
    const std::string& version = *file_.find_metadata("causeway.version");
    if (version == std::to_string(kVersion)) return;
    throw Refused("causeway.version", "it is " + quoted(version) + ", and version " + std::to_string(kVersion) +
                                          " is read here. Read it with a newer causeway.");
  }

  void check_checksum() {
    const std::string* stated = file_.find_metadata("causeway.checksum");
    if (!stated) throw Refused("causeway.checksum", "it is missing, and a file is believed by its checksum alone.");
    std::vector<StoredTensor> in_order = file_.tensors;
    std::sort(in_order.begin(), in_order.end(), [](const StoredTensor& a, const StoredTensor& b) {
      return std::pair(a.bytes.data(), a.bytes.size()) < std::pair(b.bytes.data(), b.bytes.size());
    });
    std::vector<Placed> placed;
    std::vector<std::span<const std::byte>> data;
    uint64_t at = 0;
    for (const StoredTensor& tensor : in_order) {
      placed.push_back({tensor.name, tensor.kind->name, tensor.lengths, at, at + tensor.bytes.size()});
      data.push_back(tensor.bytes);
      at += tensor.bytes.size();
    }
    Metadata rest;
    for (const auto& [key, value] : file_.metadata) {
      if (key != "causeway.checksum") rest.emplace_back(key, value);
    }
    if (checksum(data, std::move(placed), std::move(rest)) == *stated) return;
    throw Refused("causeway.checksum",
                  "the file's contents do not add up to it: the file was changed or damaged after it was written.");
  }

  void check_keys() {
    std::vector<std::string_view> known{"format",           "causeway.version", "causeway.producer",
                                        "causeway.network", "causeway.loss",    "causeway.checksum"};
    std::vector<std::string> documents;
    for (const std::string_view name : kDocuments) documents.push_back(std::string(kPrefix) + std::string(name));
    known.insert(known.end(), documents.begin(), documents.end());
    for (const auto& [key, value] : file_.metadata) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string nearest = nearest_word(key, known);
      fault("header", "it holds the key " + quoted(key) + ", which is not known." +
                          (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
    }
    for (const std::string_view key : {"causeway.network", "causeway.loss"}) {
      if (!file_.find_metadata(key)) fault("header", "its " + quoted(key) + " is missing.");
    }
  }

  void take_tensors() {
    for (const StoredTensor& stored : file_.tensors) {
      try {
        if (stored.kind->dtype == DType::Unknown)
          unfit("its elements are " + std::string(stored.kind->name) + ", which are not read.");
        Tensor numbers = stored.tensor();
        if (!mapped_) numbers.mutable_data();
        (stored.name.starts_with("@") ? read_.tensors : tensors_).emplace(stored.name, std::move(numbers));
      } catch (const Unfit& unfit) {
        fault("tensor " + quoted(stored.name), unfit.what());
      }
    }
  }

  Json document(const std::string& key) const { return parse_json(*file_.find_metadata(key), key, kLimits); }

  void read_network() {
    const Json json = document("causeway.network");
    const Json* listed = json.is_object() ? json.find("slots") : nullptr;
    if (!listed) throw Refused("causeway.network", "its 'slots' are missing.");
    for (const auto& [key, value] : json.members()) {
      constexpr std::array<std::string_view, 7> kKeys{"inputs", "outputs", "scopes",  "nodes",
                                                      "slots",  "words",   "features"};
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
        fault("causeway.network",
              "it holds " + quoted(key) + ", which is not known." + nearest_or_all(key, {kKeys.begin(), kKeys.end()}));
    }
    Slots slots;
    slots_from_json(*listed, tensors_, slots, faults_);
    refuse_if_any(std::move(faults_));
    faults_.clear();
    for (const auto& [name, numbers] : tensors_) {
      const Slot* slot = slots.find(name);
      if (!slot || slot->path != name) fault("tensor " + quoted(name), "no part of the file mentions it.");
    }
    Graph graph = graph_from_json(json, slots);
    read_.saved.network = Network(std::move(graph), std::move(slots));
    load_numbers();
    read_.saved.format = "causeway";
    if (const std::string* producer = file_.find_metadata("causeway.producer")) read_.saved.producer = *producer;
    read_words(json);
    losses_from_json(document("causeway.loss"), read_.saved, faults_);
    check_beside();
  }

  void load_numbers() {
    std::vector<Entry> entries;
    const Slots& slots = read_.saved.network.slots();
    bool half = false;
    for (size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].role == Role::Constant) continue;
      const Tensor& numbers = tensors_.find(slots[i].path)->second;
      half = half || numbers.dtype() == DType::Float16;
      entries.push_back({slots[i].path, numbers, {}, "tensor " + quoted(slots[i].path)});
    }
    load(read_.saved.network, entries, std::exchange(faults_, {}));
    read_.saved.kept_in_half = half;
    if (half) read_.saved.notes.push_back("its slots are kept in half precision, and are widened here.");
  }

  void read_words(const Json& json) {
    if (const Json* features = json.find("features")) {
      if (!features->is_array()) return fault("causeway.network", "its 'features' are no list.");
      for (const Json& feature : features->items()) {
        if (!feature.is_text()) return fault("causeway.network", "one of its 'features' is no text.");
        read_.saved.features.push_back(feature.text());
      }
    }
    const Json* words = json.find("words");
    if (!words) return;
    if (!words->is_text()) return fault("causeway.network", "its 'words' are no text.");
    try {
      const SavedNetwork said = network_of_words(words->text(), "causeway.network, words");
      if (said.network.graph().text() != read_.saved.network.graph().text()) {
        return fault("causeway.network", "its 'words' say another network than its nodes.");
      }
      read_.saved.words = words->text();
    } catch (const Refused& refused) {
      faults_.insert(faults_.end(), refused.faults().begin(), refused.faults().end());
    }
  }

  // A tensor beside the slots belongs to one of them, and has its shape.
  void check_beside() {
    for (const auto& [name, numbers] : read_.tensors) {
      const size_t from = name.find('/');
      const bool memory = name.starts_with("@memory/"), best = name.starts_with("@best/");
      const std::string path = from == std::string::npos ? ""
                               : memory                  ? name.substr(from + 1, name.rfind('/') - from - 1)
                                                         : name.substr(from + 1);
      const Slot* slot = memory || best ? read_.saved.network.slots().find(path) : nullptr;
      if (!slot) {
        fault("tensor " + quoted(name), "no part of the file mentions it.");
      } else if (numbers.lengths() != slot->numbers.lengths() || numbers.dtype() != slot->numbers.dtype()) {
        fault("tensor " + quoted(name), "it is " + std::string(name_of(numbers.dtype())) + " " +
                                            text_of(numbers.lengths()) + ", and its slot is " +
                                            slot->numbers.shape().text() + ".");
      }
    }
  }

  SafetensorsFile file_;
  bool mapped_;
  NativeFile read_;
  std::map<std::string, Tensor, std::less<>> tensors_;
  std::vector<Fault> faults_;
};

}  // namespace

NativeFile read_native(const ByteSource& source, bool mapped) {
  NativeReader reader(source, mapped);
  return reader.read();
}

std::map<std::string, Json, std::less<>> documents_of(const ByteSource& source) {
  return NativeReader(source, true).documents();
}

namespace {

void bind_lengths(SavedNetwork& saved, const std::map<std::string, int64_t, std::less<>>& lengths) {
  if (lengths.empty()) return;
  std::set<std::string> open;
  for (const Door& door : saved.network.inputs()) {
    if (!door.value.shape().has_rank()) continue;
    for (const Dim& dim : *door.value.shape().dims) {
      for (std::string& name : dim.names()) open.insert(std::move(name));
    }
  }
  refuse_if_any(nn::unknown_lengths(lengths, open));
  saved.network = passes::with_lengths(saved.network, lengths);
  // The words alone would make a network whose lengths are open.
  saved.words.clear();
}

}  // namespace

SavedNetwork NativeImporter::read(const ByteSource& source, const ReadOptions& options) const {
  SavedNetwork saved = read_native(source, options.mapped).saved;
  bind_lengths(saved, options.dims);
  give_losses(saved, options);
  return saved;
}

}  // namespace causeway::formats::native
