#include "causeway/formats/pytorch/summary.h"

#include <set>
#include <utility>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/formats/pytorch/pickled_state.h"
#include "causeway/formats/pytorch/wrapping.h"

namespace causeway::formats::pytorch {
namespace {

/// What training wraps around a model, as people meet it: DataParallel, torch.compile, a training script's own class.
bool is_usual_prefix(std::string_view prefix) {
  return prefix == "module." || prefix == "_orig_mod." || prefix == "model.";
}

/// Notes the usual wrapping of a state dictionary.
void note_wrapping(const StateDictionary& state, std::vector<std::string>& notes) {
  const std::string prefix = common_prefix(state);
  const bool is_wrapped = is_usual_prefix(std::string_view(prefix).substr(0, prefix.find('.') + 1));
  if (is_wrapped && state.tensors.size() > 1) {
    notes.push_back("all " + std::to_string(state.tensors.size()) + " names begin with " + quoted(prefix) +
                    ". Where the network's do not, read it with --strip-prefix " + escaped(prefix));
  }
  const Reparametrized odd = reparametrized(state, Slots());
  for (const WeightNorm& halves : odd.weight_norms) {
    notes.push_back(
        "layer " + quoted(halves.layer) +
        " keeps its weight under weight_norm; it is read as the plain weight, from which training goes on.");
  }
  for (const OddWeight& weight : odd.refused) notes.push_back(weight.fault);
  std::set<std::string_view> names;
  for (const StateTensor& tensor : state.tensors) names.insert(tensor.name);
  for (const auto& [left_out, kept] : state.metadata) {
    if (names.count(kept) != 0) notes.push_back(quoted(left_out) + " is tied to " + quoted(kept) + " and left out.");
  }
}

}  // namespace

StateSummary summary_of(const ByteSource& source, std::string_view key) {
  StateSummary summary;
  summary.format = format_of(container_of(source));
  try {
    StateDictionary state = read_state(source, key);
    refuse_if_any(std::move(state.faults));
    note_wrapping(state, summary.notes);
    summary.tensors = std::move(state.tensors);
  } catch (const UnderKeys& wrapped) {
    summary.notes.push_back(wrapped.faults().front().what);
    for (const std::string& inner : wrapped.keys()) {
      const std::string whole = key.empty() ? inner : std::string(key) + "." + inner;
      for (StateTensor& tensor : read_state(source, whole).tensors) {
        tensor.name = whole + "." + tensor.name;
        summary.tensors.push_back(std::move(tensor));
      }
    }
  }
  return summary;
}

}  // namespace causeway::formats::pytorch
