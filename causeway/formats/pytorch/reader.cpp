#include "causeway/formats/pytorch/reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/given_losses.h"
#include "causeway/formats/load.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/formats/pytorch/default_notes.h"
#include "causeway/formats/pytorch/layouts.h"
#include "causeway/formats/pytorch/wrapping.h"

namespace causeway::formats::pytorch {
namespace {

std::string place_of(const StateTensor& tensor) { return "tensor " + quoted(tensor.name); }

std::string dtype_fault(const StateTensor& tensor) {
  return quoted(tensor.name) + " holds " + std::string(tensor.kind->torch_name) +
         " in the file, and a slot here holds float32.";
}

/// What a name that is no slot says of a module that no network here has; "" where it says nothing.
std::string known_module_fault(const StateTensor& tensor) {
  const std::string_view last = std::string_view(tensor.name).substr(tensor.name.rfind('.') + 1);
  if (last.starts_with("weight_hr_l")) {
    return quoted(tensor.name) + " belongs to an LSTM with proj_size, and none here projects its state.";
  }
  const bool is_learned_key = (last == "bias_k" || last == "bias_v") && tensor.lengths.size() == 3 &&
                              tensor.lengths[0] == 1 && tensor.lengths[1] == 1;
  if (is_learned_key) {
    return quoted(tensor.name) + " belongs to an attention with add_bias_kv, and none here adds a learned key.";
  }
  return "";
}

/// Turns a state dictionary into entries for the slots of one network.
class Entries {
 public:
  Entries(StateDictionary& state, const Slots& slots, const Layouts& layouts)
      : state_(state), slots_(slots), layouts_(layouts) {
    for (const StateTensor& tensor : state.tensors) names_.insert(tensor.name);
  }

  void make() {
    const Reparametrized odd = reparametrized(state_, slots_);
    for (size_t i = 0; i < state_.tensors.size(); ++i) {
      if (!odd.is_part[i] && !counts_batches(state_.tensors[i])) add(state_.tensors[i].name, state_.tensors[i]);
    }
    for (const OddWeight& weight : odd.refused) {
      entries_.push_back({.path = weight.layer + ".weight", .where = state_.where, .refused = weight.fault});
    }
    for (const WeightNorm& halves : odd.weight_norms) add_normalized(halves);
    for (const auto& [left_out, kept] : state_.metadata) add_tied(left_out, kept);
  }

  std::vector<Entry> entries() && { return std::move(entries_); }
  std::vector<std::string>& notes() { return notes_; }

 private:
  Turn turn_of(const std::string& path) const {
    const Slot* const slot = slots_.find(path);
    const auto found = slot ? layouts_.turns.find(slot->path) : layouts_.turns.end();
    return found == layouts_.turns.end() ? Turn() : found->second;
  }

  void add(const std::string& path, const StateTensor& tensor) {
    Entry entry{.path = path, .where = place_of(tensor), .refused = tensor.refused};
    if (!slots_.find(path)) {
      entry.refused = known_module_fault(tensor);
    } else if (entry.refused.empty() && !is_readable(*tensor.kind)) {
      entry.refused = dtype_fault(tensor);
    } else if (entry.refused.empty()) {
      entry.turn = turn_of(path);
      fill(entry, [&] { return numbers_of(tensor); });
    }
    entries_.push_back(std::move(entry));
  }

  /// A record that cannot be read is a fault of its own place, found now that its numbers are asked for.
  template <class Numbers>
  static void fill(Entry& entry, const Numbers& numbers) {
    try {
      entry.numbers = numbers();
    } catch (const Refused& refused) {
      entry.where = refused.faults().front().where;
      entry.refused = refused.faults().front().what;
    } catch (const Unfit& fault) {
      entry.refused = fault.what();
    }
  }

  void add_normalized(const WeightNorm& halves) {
    const StateTensor &g = state_.tensors[halves.g], &v = state_.tensors[halves.v];
    Entry entry{.path = halves.layer + ".weight", .where = place_of(v)};
    if (slots_.find(entry.path)) {
      entry.turn = turn_of(entry.path);
      fill(entry, [&] { return normalized_weight(g, v); });
      notes_.push_back("layer " + quoted(halves.layer) +
                       " has its weight under weight_norm in the file; training goes on from the plain weight.");
    }
    entries_.push_back(std::move(entry));
  }

  /// safetensors.torch.save_model leaves one name of a tied pair out and says so in the metadata.
  void add_tied(const std::string& left_out, const std::string& kept) {
    const bool fills_a_gap = slots_.find(left_out) && names_.count(left_out) == 0 && names_.count(kept) != 0;
    if (!fills_a_gap || slots_.find(left_out) == slots_.find(kept)) return;
    const auto found = std::find_if(state_.tensors.begin(), state_.tensors.end(),
                                    [&](const StateTensor& tensor) { return tensor.name == kept; });
    add(left_out, *found);
    notes_.push_back(quoted(left_out) + " takes the numbers of " + quoted(kept) + ", to which the file ties it.");
  }

  /// A batch or instance normalisation's count of batches, which no slot keeps.
  bool counts_batches(const StateTensor& tensor) {
    constexpr std::string_view kEnding = ".num_batches_tracked";
    if (!tensor.name.ends_with(kEnding)) return false;
    const std::string layer = tensor.name.substr(0, tensor.name.size() - kEnding.size());
    if (!slots_.find(layer + ".running_mean")) return false;
    if (!is_integer(tensor.kind->dtype) || !tensor.lengths.empty()) {
      state_.faults.push_back({place_of(tensor), quoted(tensor.name) + " is " + std::string(tensor.kind->torch_name) +
                                                     " " + text_of(std::span<const int64_t>(tensor.lengths)) +
                                                     " in the file, and a count of batches is one whole number."});
    }
    return true;
  }

  StateDictionary& state_;
  const Slots& slots_;
  const Layouts& layouts_;
  std::set<std::string> names_;
  std::vector<Entry> entries_;
  std::vector<std::string> notes_;
};

}  // namespace

bool PytorchReader::claims(const ByteSource& source) const { return container_of(source) != Container::None; }

SavedNetwork PytorchReader::read(const ByteSource& source, const ReadOptions& options) const {
  StateDictionary state = read_state(source, options.key);
  if (!options.network) {
    throw Refused(
        escaped(source.file_name()),
        "the file holds numbers by name, and not the network they belong to. Give it with --network NET.json.");
  }
  SavedNetwork saved;
  saved.network = *options.network;
  if (!options.strip_prefix.empty()) {
    strip_prefix(state, options.strip_prefix);
  } else if (const std::optional<std::string> prefix = prefix_in_the_way(state, saved.network.slots())) {
    throw Refused(state.where, "all " + std::to_string(state.tensors.size()) + " names begin with " + quoted(*prefix) +
                                   ", and no slot here does. Read it with --strip-prefix " + escaped(*prefix));
  }
  Layouts layouts = layouts_of(saved.network, options.flattened, options.dims);
  if (layouts.network) saved.network = std::move(*layouts.network);

  Entries entries(state, saved.network.slots(), layouts);
  entries.make();
  saved.notes = std::move(entries.notes());
  std::vector<Fault> faults = std::move(state.faults);
  faults.insert(faults.end(), layouts.faults.begin(), layouts.faults.end());
  load(saved.network, std::move(entries).entries(), std::move(faults));
  for (std::string& note : default_notes(saved.network.graph())) saved.notes.push_back(std::move(note));
  give_losses(saved, options);
  saved.format = format_of(container_of(source));
  return saved;
}

}  // namespace causeway::formats::pytorch
