#include "causeway/formats/pytorch/pickled_state.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::formats::pytorch {
namespace {

constexpr size_t kMostListed = 64;    // keys that one fault names
constexpr size_t kLongestKey = 1024;  // bytes of one that are remembered
constexpr std::string_view kOnItsOwn = "save model.state_dict() on its own.";

std::optional<PickleValue> member(const PickleHeap& heap, const PickleValue& dictionary, std::string_view key) {
  for (const auto& [name, value] : heap.dictionary(dictionary)) {
    if (heap.is_text(name, key)) return value;
  }
  return std::nullopt;
}

/// What `key` leads to: the whole of it as one key, else its longest run of parts that is one, and on from there.
std::optional<PickleValue> value_under(const PickleHeap& heap, PickleValue at, std::string_view key) {
  while (true) {
    if (!at.is(PickleKind::Dictionary)) return std::nullopt;
    size_t end = key.size();
    std::optional<PickleValue> found = member(heap, at, key);
    while (!found && end != 0) {
      const size_t dot = key.rfind('.', end - 1);
      if (dot == std::string_view::npos) return std::nullopt;
      end = dot;
      found = member(heap, at, key.substr(0, end));
    }
    if (!found) return std::nullopt;
    if (end == key.size()) return found;
    at = *found;
    key.remove_prefix(end + 1);
  }
}

size_t tensors_by_name(const PickleHeap& heap, const PickleValue& dictionary) {
  if (!heap.is_by_name(dictionary)) return 0;
  const auto items = heap.dictionary(dictionary);
  const auto is_tensor = [](const auto& item) { return item.second.is(PickleKind::Tensor); };
  return static_cast<size_t>(std::count_if(items.begin(), items.end(), is_tensor));
}

struct Found {
  std::string key;
  size_t tensors = 0;
};

/// Dictionaries of tensors that keys lead to, nearest first. Those on the way are walked once each, however many keys
/// lead to them.
std::vector<Found> dictionaries_under_keys(const PickleHeap& heap, const PickleValue& root) {
  struct Place {
    PickleValue dictionary;
    std::string key;
  };
  std::vector<Found> found;
  std::vector<std::optional<size_t>> counts(heap.dictionaries());  // of tensors by name, where one was met
  counts[root.index] = 0;
  std::deque<Place> left{{root, ""}};
  while (!left.empty()) {
    const Place at = std::move(left.front());
    left.pop_front();
    for (const auto& [name, value] : heap.dictionary(at.dictionary)) {
      if (!name.is(PickleKind::Text) || !value.is(PickleKind::Dictionary) || found.size() == kMostListed) continue;
      std::optional<size_t>& tensors = counts[value.index];
      const bool is_new = !tensors;
      if (is_new) tensors = tensors_by_name(heap, value);
      if (*tensors == 0 && !is_new) continue;
      std::string key = at.key + (at.key.empty() ? "" : ".") + std::string(heap.text_of(name).substr(0, kLongestKey));
      if (*tensors > 0) {
        found.push_back({std::move(key), *tensors});
      } else {
        left.push_back({value, std::move(key)});
      }
    }
  }
  return found;
}

std::string counted_tensors(size_t count) { return std::to_string(count) + (count == 1 ? " tensor" : " tensors"); }

/// "under 'a' it holds 6 tensors by name, under 'b' 2 tensors. Read it with --key a or --key b, or save …"
std::string keys_text(const std::vector<Found>& found) {
  std::string there, ways;
  for (const Found& place : found) {
    there += (there.empty() ? "under " : ", under ") + quoted(place.key) + " " + (there.empty() ? "it holds " : "") +
             counted_tensors(place.tensors) + (there.empty() ? " by name" : "");
    ways += (ways.empty() ? "--key " : " or --key ") + escaped(place.key);
  }
  return "this is no state dictionary: " + there + ". Read it with " + ways + ", or " + std::string(kOnItsOwn);
}

StateTensor state_tensor(const PickleHeap& heap, std::string name, const PickleValue& value,
                         const std::vector<std::shared_ptr<Storage>>& storages) {
  const TensorRecord& record = heap.tensor(value);
  StateTensor tensor;
  tensor.kind = record.kind;
  tensor.lengths = record.lengths;
  tensor.strides = record.strides;
  tensor.offset = record.offset;
  tensor.storage = storages[record.storage];
  const std::string plain = escaped(name);
  if (record.repeats) {
    tensor.refused = quoted(name) + " repeats its storage's numbers. Save " + plain + ".contiguous().";
  } else if (record.is_negated) {
    tensor.refused = quoted(name) + " is a negated view of its storage. Save " + plain + ".resolve_neg().";
  } else if (record.is_conjugated) {
    tensor.refused = quoted(name) + " is a conjugated view of its storage. Save " + plain + ".resolve_conj().";
  }
  tensor.name = std::move(name);
  return tensor;
}

}  // namespace

StateDictionary state_of(const PickleHeap& heap, const PickleValue& root, std::string_view key, std::string where,
                         const std::vector<std::shared_ptr<Storage>>& storages) {
  const std::optional<PickleValue> value = key.empty() ? root : value_under(heap, root, key);
  if (!value) throw Refused(where, "it holds nothing under " + quoted(key) + ".");
  if (!value->is(PickleKind::Dictionary)) {
    throw Refused(
        where, (key.empty() ? "it holds " : "under " + quoted(key) + " it holds ") + std::string(name_of(value->kind)) +
                   ", and a state dictionary is read: a tensor under each name. Save model.state_dict() on its own.");
  }
  const auto items = heap.dictionary(*value);
  const size_t own = tensors_by_name(heap, *value);
  if (own != items.size()) {
    const std::vector<Found> found = dictionaries_under_keys(heap, *value);
    const bool is_checkpoint =
        std::any_of(found.begin(), found.end(), [&](const Found& place) { return place.tensors > own; });
    if (is_checkpoint) {
      std::vector<std::string> keys;
      keys.reserve(found.size());
      for (const Found& place : found) keys.push_back(place.key);
      throw UnderKeys(where, keys_text(found), std::move(keys));
    }
  }

  StateDictionary state;
  for (const auto& [name, entry] : items) {
    if (!name.is(PickleKind::Text)) {
      state.faults.push_back({where, "a key of it is " + std::string(name_of(name.kind)) +
                                         ", and a state dictionary names its tensors by text."});
    } else if (!entry.is(PickleKind::Tensor)) {
      state.faults.push_back({where, quoted(heap.text_of(name)) + " is " + std::string(name_of(entry.kind)) +
                                         " in the file, and a state dictionary holds tensors."});
    } else {
      state.tensors.push_back(state_tensor(heap, std::string(heap.text_of(name)), entry, storages));
    }
  }
  state.where = std::move(where);
  return state;
}

}  // namespace causeway::formats::pytorch
