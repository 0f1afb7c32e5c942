#include "causeway/formats/native/native_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/base/sha256.h"
#include "causeway/formats/given_losses.h"
#include "causeway/formats/load.h"
#include "causeway/formats/native/graph_json.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/formats/safetensors/writer.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/named_lengths.h"
#include "causeway/nn/words.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::native {
namespace {

using safetensors::Metadata;
using safetensors::SafetensorsFile;
using safetensors::StoredTensor;
using safetensors::WrittenTensor;

constexpr int64_t kVersion = 1;
constexpr std::string_view kProducer = "causeway 0.1.0";
constexpr std::string_view kPrefix = "causeway.";
constexpr std::array<std::string_view, 4> kDocuments{"history", "pipeline", "rows", "training"};
constexpr JsonLimits kLimits{.size_bytes = 100'000'000, .depth = 64};

// A tensor as the checksum sees it: its place behind the header.
struct Placed {
  std::string name;
  std::string_view dtype;
  std::vector<int64_t> lengths;
  uint64_t begin = 0, end = 0;
};

void add_text(Sha256& hash, std::string_view text) {
  hash.add_u64(text.size());
  hash.add(text);
}

std::string checksum(std::span<const std::span<const std::byte>> data, std::vector<Placed> tensors, Metadata metadata) {
  Sha256 hash;
  for (const std::span<const std::byte> piece : data) hash.add(piece);
  std::sort(tensors.begin(), tensors.end(), [](const Placed& a, const Placed& b) { return a.name < b.name; });
  for (const Placed& tensor : tensors) {
    add_text(hash, tensor.name);
    add_text(hash, tensor.dtype);
    for (const int64_t length : tensor.lengths) hash.add_u64(static_cast<uint64_t>(length));
    hash.add_u64(tensor.begin);
    hash.add_u64(tensor.end);
  }
  std::sort(metadata.begin(), metadata.end());
  for (const auto& [key, value] : metadata) {
    add_text(hash, key);
    add_text(hash, value);
  }
  return hex(hash.finish());
}

// A loss as words state it, and the op that answers go through behind the network's own nodes.
Json loss_to_json(const Loss& loss) {
  Json json = nn::write_loss(loss);
  if (const std::optional<Op> activation = loss.activation()) json.set("activation", std::string(activation->name()));
  return json;
}

std::optional<Loss> loss_from_json(const Json& json, std::vector<Fault>& faults) {
  constexpr char kWhere[] = "causeway.loss";
  Json words = json;
  const Json* activation = json.is_object() ? json.find("activation") : nullptr;
  if (activation) {
    Json::Object members;
    for (const auto& member : json.members()) {
      if (member.first != "activation") members.push_back(member);
    }
    words = Json(std::move(members));
    words.set_place(json.line(), json.column());
  }
  const std::optional<nn::StatedLoss> stated = nn::read_loss(words, kWhere, faults);
  if (!stated || !activation) return stated ? std::optional<Loss>(stated->loss) : std::nullopt;
  const std::optional<Op> own = stated->loss.activation();
  if (own && activation->is_text() && activation->text() == own->name()) return stated->loss;
  faults.push_back({nn::place_in(kWhere, *activation), std::string(stated->loss.name()) + " goes with " +
                                                           (own ? "a " + std::string(own->name()) : "no activation") +
                                                           ", and " + activation->dump() + " stands here."});
  return std::nullopt;
}

Json losses_to_json(const SavedNetwork& saved) {
  if (saved.losses.empty()) return {};
  if (saved.network.outputs().size() == 1) return loss_to_json(saved.losses.begin()->second);
  Json by_output{Json::Object{}};
  for (const auto& [output, loss] : saved.losses) by_output.set(output, loss_to_json(loss));
  return by_output;
}

void losses_from_json(const Json& json, SavedNetwork& saved, std::vector<Fault>& faults) {
  if (json.is_null()) return;
  const auto give = [&](const std::string& output, const Json& stated) {
    const std::optional<Loss> loss = loss_from_json(stated, faults);
    if (loss) saved.losses.insert_or_assign(output, *loss);
  };
  const std::span<const Door> outputs = saved.network.outputs();
  if (json.is_object() && json.find("kind") && outputs.size() == 1) return give(outputs[0].name, json);
  if (!json.is_object()) {
    faults.push_back({"causeway.loss", "it is no loss, and no object of losses by output."});
    return;
  }
  for (const auto& [output, loss] : json.members()) {
    if (saved.network.graph().output(output)) {
      give(output, loss);
    } else {
      faults.push_back({"causeway.loss", "the network has no output " + quoted(output) + "."});
    }
  }
}

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

namespace {

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

SavedNetwork NativeImporter::read(const ByteSource& source, const ReadOptions& options) const {
  SavedNetwork saved = read_native(source, options.mapped).saved;
  // Its nodes state every length as they were when it was written.
  refuse_if_any(nn::unknown_lengths(options.dims, {}));
  give_losses(saved, options);
  return saved;
}

}  // namespace causeway::formats::native

namespace causeway {

void save(const SavedNetwork& saved, const std::string& path) { formats::native::write_native({.saved = saved}, path); }

}  // namespace causeway
