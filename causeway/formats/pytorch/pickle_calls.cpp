#include "causeway/formats/pytorch/pickle_calls.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/pickle_globals.h"
#include "causeway/tensor/shape.h"

namespace causeway::formats::pytorch {
namespace {

constexpr size_t kMostAxes = 32;

class Caller {
 public:
  explicit Caller(PickleHeap& heap) : heap_(heap) {}

  PickleValue called(const PickleValue& function, std::span<const PickleValue> arguments);

 private:
  bool is_object_state(const PickleValue& state) const;
  PickleValue rebuilt_tensor(std::span<const PickleValue> arguments, bool states_dtype);
  std::vector<int64_t> whole_numbers(const PickleValue& tuple, std::string_view what) const;
  void check_within_storage(TensorRecord& tensor, int64_t storage_count) const;
  void read_metadata(TensorRecord& tensor, const PickleValue& metadata) const;
  int64_t count_of(const PickleValue& value, std::string_view what) const;

  PickleHeap& heap_;
};

PickleValue Caller::called(const PickleValue& function, std::span<const PickleValue> arguments) {
  if (!function.is(PickleKind::Global)) {
    unfit("it calls a name where " + std::string(name_of(function.kind)) + " is.");
  }
  const Global& global = global_at(function.index);
  const auto takes = [&](bool fits) {
    if (!fits) unfit("its arguments are none that " + quoted(global.name) + " takes.");
  };
  switch (global.role) {
    case GlobalRole::OrderedDictionary:
      takes(arguments.empty());
      return heap_.new_dictionary(/*is_ordered=*/true);
    case GlobalRole::RebuildTensorV2:
      takes(arguments.size() == 6 || arguments.size() == 7);
      return rebuilt_tensor(arguments, /*states_dtype=*/false);
    case GlobalRole::RebuildTensorV3:
      takes(arguments.size() == 7 || arguments.size() == 8);
      return rebuilt_tensor(arguments, /*states_dtype=*/true);
    case GlobalRole::RebuildParameter:
    case GlobalRole::RebuildParameterWithState:
      takes(arguments.size() == (global.role == GlobalRole::RebuildParameter ? 3u : 4u) &&
            arguments[0].is(PickleKind::Tensor) && arguments[1].is(PickleKind::Bool) &&
            (arguments.size() == 3 || is_object_state(arguments[3])));
      return arguments[0];
    case GlobalRole::RebuildFromType: {
      takes(arguments.size() == 4 && arguments[0].is(PickleKind::Global) && arguments[1].is(PickleKind::Global) &&
            global_at(arguments[1].index).role == GlobalRole::TensorType && arguments[2].is(PickleKind::Tuple) &&
            is_object_state(arguments[3]));
      const GlobalRole inner = global_at(arguments[0].index).role;
      takes(inner == GlobalRole::RebuildTensorV2 || inner == GlobalRole::RebuildTensorV3);
      return called(arguments[0], heap_.tuple(arguments[2]));
    }
    case GlobalRole::Inert:
      return {PickleKind::Inert};
    case GlobalRole::TensorType:
    case GlobalRole::Storage:
    case GlobalRole::Dtype:
      break;
  }
  unfit("it calls " + quoted(global.name) + ", which is not called in a state dictionary.");
}

/// What Python gives an object's attributes: a dictionary by name, or that and another of its slots, either being None.
bool Caller::is_object_state(const PickleValue& state) const {
  const auto names_attributes = [&](const PickleValue& part) {
    return part.is(PickleKind::None) || (part.is(PickleKind::Dictionary) && heap_.is_by_name(part));
  };
  if (!state.is(PickleKind::Tuple)) return names_attributes(state);
  const std::span<const PickleValue> parts = heap_.tuple(state);
  return parts.size() == 2 && names_attributes(parts[0]) && names_attributes(parts[1]);
}

PickleValue Caller::rebuilt_tensor(std::span<const PickleValue> arguments, bool states_dtype) {
  const PickleValue& storage_value = arguments[0];
  if (!storage_value.is(PickleKind::Storage)) {
    unfit("its tensor takes a storage where " + std::string(name_of(storage_value.kind)) + " is.");
  }
  const StorageRecord& storage = heap_.storage(storage_value.index);
  TensorRecord tensor;
  tensor.storage = storage_value.index;
  tensor.kind = storage.kind ? storage.kind : safetensors::kind_of_torch("uint8");
  if (states_dtype) {
    const bool is_dtype =
        arguments[6].is(PickleKind::Global) && global_at(arguments[6].index).role == GlobalRole::Dtype;
    if (!is_dtype || storage.kind) unfit("its tensor takes an untyped storage and a dtype, and others are there.");
    tensor.kind = global_at(arguments[6].index).kind;
  }
  const int64_t element_bytes = (tensor.kind->bits + 7) / 8;
  tensor.offset = count_of(arguments[1], "offset");
  tensor.lengths = whole_numbers(arguments[2], "size");
  tensor.strides = whole_numbers(arguments[3], "stride");
  if (tensor.lengths.size() != tensor.strides.size()) {
    unfit("its tensor has " + std::to_string(tensor.lengths.size()) + " lengths and " +
          std::to_string(tensor.strides.size()) + " strides.");
  }
  if (!arguments[4].is(PickleKind::Bool)) unfit("its tensor's requires_grad is no bool.");
  check_within_storage(tensor, storage.size_bytes / element_bytes);
  const size_t metadata = states_dtype ? 7 : 6;
  if (arguments.size() > metadata) read_metadata(tensor, arguments[metadata]);
  return heap_.add(std::move(tensor));
}

int64_t Caller::count_of(const PickleValue& value, std::string_view what) const {
  if (!value.is(PickleKind::Integer) || value.integer() < 0) {
    unfit("its tensor's " + std::string(what) + " is no whole number of at least 0.");
  }
  return value.integer();
}

std::vector<int64_t> Caller::whole_numbers(const PickleValue& value, std::string_view what) const {
  if (!value.is(PickleKind::Tuple)) {
    unfit("its tensor's " + std::string(what) + " is a tuple, and " + std::string(name_of(value.kind)) + " is there.");
  }
  const std::span<const PickleValue> items = heap_.tuple(value);
  if (items.size() > kMostAxes) unfit("its tensor has more than " + std::to_string(kMostAxes) + " axes.");
  std::vector<int64_t> numbers;
  numbers.reserve(items.size());
  for (const PickleValue& item : items) numbers.push_back(count_of(item, what));
  return numbers;
}

void Caller::check_within_storage(TensorRecord& tensor, int64_t storage_count) const {
  const std::optional<int64_t> count = checked_product(tensor.lengths);
  const bool is_empty = std::find(tensor.lengths.begin(), tensor.lengths.end(), 0) != tensor.lengths.end();
  if (is_empty && count) return;
  std::optional<int64_t> last = tensor.offset;
  for (size_t axis = 0; last && axis < tensor.lengths.size(); ++axis) {
    const std::optional<int64_t> reach = checked_multiply(tensor.lengths[axis] - 1, tensor.strides[axis]);
    last = reach ? checked_add(*last, *reach) : std::nullopt;
  }
  if (is_empty || !last || *last >= storage_count) {
    unfit("its tensor of shape " + text_of(std::span<const int64_t>(tensor.lengths)) + " reaches past its storage of " +
          std::to_string(storage_count) + (storage_count == 1 ? " number." : " numbers."));
  }
  tensor.repeats = !count || *count > storage_count;
}

void Caller::read_metadata(TensorRecord& tensor, const PickleValue& metadata) const {
  if (metadata.is(PickleKind::None)) return;
  if (!metadata.is(PickleKind::Dictionary)) {
    unfit("its tensor's metadata is a dictionary, and " + std::string(name_of(metadata.kind)) + " is there.");
  }
  for (const auto& [key, value] : heap_.dictionary(metadata)) {
    const bool is_negation = heap_.is_text(key, "neg"), is_conjugation = heap_.is_text(key, "conj");
    if (!(is_negation || is_conjugation) || !value.is(PickleKind::Bool)) {
      unfit("its tensor's metadata holds something else than 'neg' and 'conj'.");
    }
    if (value.bits == 0) continue;
    (is_negation ? tensor.is_negated : tensor.is_conjugated) = true;
  }
}

}  // namespace

PickleValue called(PickleHeap& heap, const PickleValue& function, std::span<const PickleValue> arguments) {
  return Caller(heap).called(function, arguments);
}

}  // namespace causeway::formats::pytorch
