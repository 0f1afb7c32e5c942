#include "causeway/formats/pytorch/unpickler.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"
#include "causeway/formats/pytorch/pickle_globals.h"
#include "causeway/tensor/shape.h"

namespace causeway::formats::pytorch {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;
constexpr size_t kMostAxes = 32;

std::string counted_values(size_t count) { return std::to_string(count) + (count == 1 ? " value" : " values"); }

}  // namespace

Unpickler::Unpickler(std::string_view bytes, size_t begin, PickleHeap& heap, UnpickleRules rules)
    : bytes_(bytes), begin_(begin), at_(begin), opcode_at_(begin), heap_(heap), rules_(std::move(rules)) {}

void Unpickler::refuse(const std::string& what) const {
  throw Refused(rules_.where,
                "byte " + std::to_string(opcode_at_ - begin_) + " is " + opcode_name(opcode_) + ", and " + what);
}

std::string_view Unpickler::operand(size_t count) {
  const size_t left = bytes_.size() - at_;
  if (count > left) {
    refuse("it takes " + std::to_string(count) + (count == 1 ? " byte" : " bytes") + " where " + std::to_string(left) +
           (left == 1 ? " is." : " are."));
  }
  at_ += count;
  return bytes_.substr(at_ - count, count);
}

template <class Number>
Number Unpickler::number() {
  Number value;
  std::memcpy(&value, operand(sizeof value).data(), sizeof value);
  return value;
}

PickleValue Unpickler::text(size_t count) {
  const size_t offset = at_;
  if (!is_utf8(operand(count))) refuse("its text is no UTF-8.");
  return heap_.text_at(offset, count);
}

void Unpickler::need(size_t count) const {
  const size_t there = stack_.size() - (marks_.empty() ? 0 : marks_.back());
  if (there < count) {
    refuse("it takes " + counted_values(count) + " where " + std::to_string(there) + (there == 1 ? " is." : " are."));
  }
}

PickleValue Unpickler::pop(size_t taken) {
  need(taken);
  const PickleValue value = stack_.back();
  stack_.pop_back();
  return value;
}

std::vector<PickleValue> Unpickler::pop_to_mark() {
  if (marks_.empty()) refuse("no MARK stands before it.");
  const auto begin = stack_.begin() + marks_.back();
  std::vector<PickleValue> values(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return values;
}

PickleValue& Unpickler::top(PickleKind kind) {
  need(1);
  if (!stack_.back().is(kind)) {
    refuse("it takes " + std::string(name_of(kind)) + " where " + std::string(name_of(stack_.back().kind)) + " is.");
  }
  return stack_.back();
}

PickleValue Unpickler::run() {
  while (true) {
    opcode_at_ = at_;
    if (at_ - begin_ > kMostBytes) {
      throw Refused(rules_.where, "it is longer than " + std::to_string(kMostBytes) + " bytes.");
    }
    if (at_ == bytes_.size()) {
      throw Refused(rules_.where,
                    "byte " + std::to_string(at_ - begin_) + " is its end, and no STOP stands before it.");
    }
    opcode_ = static_cast<uint8_t>(bytes_[at_++]);
    const Opcode opcode{opcode_};
    const bool is_first = opcode_at_ == begin_;
    if (is_first != (opcode == Opcode::Proto)) {
      refuse(is_first ? "a pickle of torch.save begins with PROTO 2." : "PROTO stands at the beginning alone.");
    }
    if (opcode == Opcode::Stop) break;
    try {
      step(opcode);
    } catch (const Unfit& fault) {
      refuse(fault.what());
    }
  }
  if (stack_.size() != 1 || !marks_.empty()) {
    refuse("it takes 1 value where " + std::to_string(stack_.size()) +
           (marks_.empty() ? " are." : " are behind a MARK."));
  }
  return stack_.back();
}

void Unpickler::step(Opcode opcode) {
  switch (opcode) {
    case Opcode::Proto:
      return proto();
    case Opcode::Mark:
      return marks_.push_back(static_cast<uint32_t>(stack_.size()));
    case Opcode::Stop:
      return;
    case Opcode::None:
      return push({});
    case Opcode::NewTrue:
      return push(PickleValue::boolean(true));
    case Opcode::NewFalse:
      return push(PickleValue::boolean(false));
    case Opcode::BinInt:
      return push(PickleValue::integer(number<int32_t>()));
    case Opcode::BinInt1:
      return push(PickleValue::integer(number<uint8_t>()));
    case Opcode::BinInt2:
      return push(PickleValue::integer(number<uint16_t>()));
    case Opcode::Long1:
      return long1();
    case Opcode::BinFloat:
      return push(PickleValue::real(std::bit_cast<double>(__builtin_bswap64(number<uint64_t>()))));
    case Opcode::BinUnicode:
      return push(text(number<uint32_t>()));
    case Opcode::ShortBinString:
      return push(text(number<uint8_t>()));
    case Opcode::EmptyDict:
      return push(heap_.new_dictionary(/*is_ordered=*/false));
    case Opcode::EmptyList:
      return push(heap_.new_list());
    case Opcode::EmptyTuple:
      return push(heap_.new_tuple({}));
    case Opcode::EmptySet:
      return push({PickleKind::Inert});
    case Opcode::Tuple:
      return push(heap_.new_tuple(pop_to_mark()));
    case Opcode::Tuple1:
    case Opcode::Tuple2:
    case Opcode::Tuple3: {
      const size_t count = opcode_ - static_cast<uint8_t>(Opcode::Tuple1) + size_t{1};
      need(count);
      const std::vector<PickleValue> items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
      stack_.resize(stack_.size() - count);
      return push(heap_.new_tuple(items));
    }
    case Opcode::Append: {
      const PickleValue value = pop(2);
      return append_all({&value, 1});
    }
    case Opcode::Appends:
      return append_all(pop_to_mark());
    case Opcode::SetItem: {
      const PickleValue value = pop(3);
      const PickleValue pair[] = {pop(2), value};
      return set_all(pair);
    }
    case Opcode::SetItems:
      return set_all(pop_to_mark());
    case Opcode::BinPut:
      return put(number<uint8_t>());
    case Opcode::LongBinPut:
      return put(number<uint32_t>());
    case Opcode::BinGet:
      return get(number<uint8_t>());
    case Opcode::LongBinGet:
      return get(number<uint32_t>());
    case Opcode::Global:
      return global();
    case Opcode::BinPersId:
      return persistent_id();
    case Opcode::Reduce:
      return reduce();
    case Opcode::NewObj:
      return new_object();
    case Opcode::Build:
      return build();
  }
  refuse("a state dictionary needs no such instruction.");
}

void Unpickler::proto() {
  const uint8_t protocol = number<uint8_t>();
  if (protocol == 2 || protocol == 3) return;
  throw Refused(rules_.where, "byte 0 is PROTO " + std::to_string(protocol) +
                                  ", and torch.save's own protocol, 2, is read. Save without pickle_protocol.");
}

void Unpickler::long1() {
  const uint8_t count = number<uint8_t>();
  const size_t offset = at_;
  const std::string_view digits = operand(count);
  if (count > sizeof(int64_t)) {
    return push({PickleKind::LongInteger, static_cast<uint32_t>(digits.size()), offset});
  }
  // Little-endian with a sign in the last byte, which the bytes it lacks repeat.
  const bool is_negative = !digits.empty() && (static_cast<uint8_t>(digits.back()) & 0x80) != 0;
  uint64_t value = is_negative ? ~uint64_t{0} : 0;
  std::memcpy(&value, digits.data(), digits.size());
  push(PickleValue::integer(static_cast<int64_t>(value)));
}

void Unpickler::put(uint32_t number) {
  need(1);
  memo_[number] = stack_.back();
}

void Unpickler::get(uint32_t number) {
  const auto found = memo_.find(number);
  if (found == memo_.end()) refuse("nothing is kept under " + std::to_string(number) + ".");
  push(found->second);
}

void Unpickler::append_all(std::span<const PickleValue> values) {
  const PickleValue list = top(PickleKind::List);
  for (const PickleValue& value : values) heap_.append(list, value);
}

void Unpickler::set_all(std::span<const PickleValue> values) {
  if (values.size() % 2 != 0)
    refuse("it takes keys and values in pairs where " + counted_values(values.size()) + " are.");
  const PickleValue dictionary = top(PickleKind::Dictionary);
  for (size_t i = 0; i < values.size(); i += 2) {
    if (heap_.set(dictionary, values[i], values[i + 1])) continue;
    const bool is_text = values[i].is(PickleKind::Text);
    if (!doubled_keys_.insert(is_text ? values[i].bits : bytes_.size()).second) continue;
    const std::string name =
        is_text ? quoted(heap_.text_of(values[i])) : "a key that is " + std::string(name_of(values[i].kind));
    doubled_.push_back({is_text ? "tensor " + name : rules_.where,
                        name + " is written twice, and only one of the two could be read."});
  }
}

void Unpickler::global() {
  std::string_view parts[2];
  for (std::string_view& part : parts) {
    const size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) refuse("its two lines do not end.");
    part = bytes_.substr(at_, end - at_);
    at_ = end + 1;
  }
  const std::string name = std::string(parts[0]) + "." + std::string(parts[1]);
  const int found = global_named(name);
  if (found < 0) {
    throw Refused(rules_.where, "byte " + std::to_string(opcode_at_ - begin_) + " names " + quoted(name) + ", and " +
                                    reason_against(name));
  }
  push({PickleKind::Global, static_cast<uint32_t>(found)});
}

void Unpickler::persistent_id() {
  const PickleValue id = pop(1);
  if (!id.is(PickleKind::Tuple)) refuse("it takes a tuple where " + std::string(name_of(id.kind)) + " is.");
  const std::span<const PickleValue> parts = heap_.tuple(id);
  const size_t count = rules_.is_before_1_6 ? 6 : 5;
  const bool is_storage = parts.size() == count && heap_.is_text(parts[0], "storage") &&
                          parts[1].is(PickleKind::Global) && global_at(parts[1].index).role == GlobalRole::Storage &&
                          parts[2].is(PickleKind::Text) && parts[3].is(PickleKind::Text) &&
                          parts[4].is(PickleKind::Integer) && parts[4].integer() >= 0;
  if (!is_storage) {
    refuse("it takes ('storage', kind, key, location, count" + std::string(count == 6 ? ", None)" : ")") +
           " and another tuple is there.");
  }
  if (count == 6 && !parts[5].is(PickleKind::None)) refuse("its storage is a view of another, which is not read.");

  StorageRecord storage;
  storage.key = heap_.text_of(parts[2]);
  storage.kind = global_at(parts[1].index).kind;
  storage.count = parts[4].integer();
  const auto found = storages_by_key_.find(parts[2].bits);
  if (found != storages_by_key_.end()) {
    const StorageRecord& before = heap_.storage(found->second.index);
    if (before.kind != storage.kind || before.count != storage.count) {
      refuse("its storage " + quoted(storage.key) + " had another kind or count before.");
    }
    return push(found->second);
  }
  const std::optional<int64_t> bytes =
      storage.kind ? safetensors::bytes_of(*storage.kind, storage.count) : std::optional(storage.count);
  if (!bytes) refuse("its storage " + quoted(storage.key) + " is of more bytes than can be counted.");
  storage.size_bytes = *bytes;
  if (rules_.on_storage) rules_.on_storage(storage);
  const PickleValue value = heap_.add(storage);
  storages_by_key_.emplace(parts[2].bits, value);
  push(value);
}

void Unpickler::reduce() {
  const PickleValue arguments = pop(2);
  const PickleValue function = pop(1);
  if (!arguments.is(PickleKind::Tuple)) {
    refuse("it takes a tuple of arguments where " + std::string(name_of(arguments.kind)) + " is.");
  }
  push(called(function, heap_.tuple(arguments)));
}

void Unpickler::new_object() {
  const PickleValue arguments = pop(2);
  const PickleValue type = pop(1);
  const bool is_ordered = type.is(PickleKind::Global) && global_at(type.index).role == GlobalRole::OrderedDictionary;
  if (!is_ordered || !arguments.is(PickleKind::Tuple) || !heap_.tuple(arguments).empty()) {
    refuse("it makes nothing but an empty collections.OrderedDict.");
  }
  push(heap_.new_dictionary(/*is_ordered=*/true));
}

void Unpickler::build() {
  const PickleValue state = pop(2);
  const PickleValue target = top(PickleKind::Dictionary);
  if (!heap_.is_ordered(target) || !state.is(PickleKind::Dictionary)) {
    refuse("it gives nothing but a dictionary of attributes to a collections.OrderedDict.");
  }
}

PickleValue Unpickler::called(const PickleValue& function, std::span<const PickleValue> arguments) {
  if (!function.is(PickleKind::Global)) {
    refuse("it calls a name where " + std::string(name_of(function.kind)) + " is.");
  }
  const Global& global = global_at(function.index);
  const auto takes = [&](bool fits) {
    if (!fits) refuse("its arguments are none that " + quoted(global.name) + " takes.");
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
  refuse("it calls " + quoted(global.name) + ", which is not called in a state dictionary.");
}

/// What Python gives an object's attributes: a dictionary by name, or that and another of its slots, either being None.
bool Unpickler::is_object_state(const PickleValue& state) const {
  const auto names_attributes = [&](const PickleValue& part) {
    return part.is(PickleKind::None) || (part.is(PickleKind::Dictionary) && heap_.is_by_name(part));
  };
  if (!state.is(PickleKind::Tuple)) return names_attributes(state);
  const std::span<const PickleValue> parts = heap_.tuple(state);
  return parts.size() == 2 && names_attributes(parts[0]) && names_attributes(parts[1]);
}

PickleValue Unpickler::rebuilt_tensor(std::span<const PickleValue> arguments, bool states_dtype) {
  const PickleValue& storage_value = arguments[0];
  if (!storage_value.is(PickleKind::Storage)) {
    refuse("its tensor takes a storage where " + std::string(name_of(storage_value.kind)) + " is.");
  }
  const StorageRecord& storage = heap_.storage(storage_value.index);
  TensorRecord tensor;
  tensor.storage = storage_value.index;
  tensor.kind = storage.kind ? storage.kind : safetensors::kind_of_torch("uint8");
  if (states_dtype) {
    const bool is_dtype =
        arguments[6].is(PickleKind::Global) && global_at(arguments[6].index).role == GlobalRole::Dtype;
    if (!is_dtype || storage.kind) refuse("its tensor takes an untyped storage and a dtype, and others are there.");
    tensor.kind = global_at(arguments[6].index).kind;
  }
  const int64_t element_bytes = (tensor.kind->bits + 7) / 8;
  tensor.offset = count_of(arguments[1], "offset");
  tensor.lengths = whole_numbers(arguments[2], "size");
  tensor.strides = whole_numbers(arguments[3], "stride");
  if (tensor.lengths.size() != tensor.strides.size()) {
    refuse("its tensor has " + std::to_string(tensor.lengths.size()) + " lengths and " +
           std::to_string(tensor.strides.size()) + " strides.");
  }
  if (!arguments[4].is(PickleKind::Bool)) refuse("its tensor's requires_grad is no bool.");
  check_within_storage(tensor, storage.size_bytes / element_bytes);
  const size_t metadata = states_dtype ? 7 : 6;
  if (arguments.size() > metadata) read_metadata(tensor, arguments[metadata]);
  return heap_.add(std::move(tensor));
}

int64_t Unpickler::count_of(const PickleValue& value, std::string_view what) const {
  if (!value.is(PickleKind::Integer) || value.integer() < 0) {
    refuse("its tensor's " + std::string(what) + " is no whole number of at least 0.");
  }
  return value.integer();
}

std::vector<int64_t> Unpickler::whole_numbers(const PickleValue& value, std::string_view what) const {
  if (!value.is(PickleKind::Tuple)) {
    refuse("its tensor's " + std::string(what) + " is a tuple, and " + std::string(name_of(value.kind)) + " is there.");
  }
  const std::span<const PickleValue> items = heap_.tuple(value);
  if (items.size() > kMostAxes) refuse("its tensor has more than " + std::to_string(kMostAxes) + " axes.");
  std::vector<int64_t> numbers;
  numbers.reserve(items.size());
  for (const PickleValue& item : items) numbers.push_back(count_of(item, what));
  return numbers;
}

void Unpickler::check_within_storage(TensorRecord& tensor, int64_t storage_count) const {
  const std::optional<int64_t> count = checked_product(tensor.lengths);
  const bool is_empty = std::find(tensor.lengths.begin(), tensor.lengths.end(), 0) != tensor.lengths.end();
  if (is_empty && count) return;
  std::optional<int64_t> last = tensor.offset;
  for (size_t axis = 0; last && axis < tensor.lengths.size(); ++axis) {
    const std::optional<int64_t> reach = checked_multiply(tensor.lengths[axis] - 1, tensor.strides[axis]);
    last = reach ? checked_add(*last, *reach) : std::nullopt;
  }
  if (is_empty || !last || *last >= storage_count) {
    refuse("its tensor of shape " + text_of(std::span<const int64_t>(tensor.lengths)) +
           " reaches past its storage of " + std::to_string(storage_count) +
           (storage_count == 1 ? " number." : " numbers."));
  }
  tensor.repeats = !count || *count > storage_count;
}

void Unpickler::read_metadata(TensorRecord& tensor, const PickleValue& metadata) const {
  if (metadata.is(PickleKind::None)) return;
  if (!metadata.is(PickleKind::Dictionary)) {
    refuse("its tensor's metadata is a dictionary, and " + std::string(name_of(metadata.kind)) + " is there.");
  }
  for (const auto& [key, value] : heap_.dictionary(metadata)) {
    const bool is_negation = heap_.is_text(key, "neg"), is_conjugation = heap_.is_text(key, "conj");
    if (!(is_negation || is_conjugation) || !value.is(PickleKind::Bool)) {
      refuse("its tensor's metadata holds something else than 'neg' and 'conj'.");
    }
    if (value.bits == 0) continue;
    (is_negation ? tensor.is_negated : tensor.is_conjugated) = true;
  }
}

}  // namespace causeway::formats::pytorch
