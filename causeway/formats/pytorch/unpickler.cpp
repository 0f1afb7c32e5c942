#include "causeway/formats/pytorch/unpickler.h"

#include <bit>
#include <cstring>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"
#include "causeway/formats/pytorch/pickle_calls.h"
#include "causeway/formats/pytorch/pickle_globals.h"

namespace causeway::formats::pytorch {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;

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
  push(called(heap_, function, heap_.tuple(arguments)));
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

}  // namespace causeway::formats::pytorch
