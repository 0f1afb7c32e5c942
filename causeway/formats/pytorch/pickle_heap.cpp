#include "causeway/formats/pytorch/pickle_heap.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"

namespace causeway::formats::pytorch {
namespace {

constexpr int kMostNesting = 64;
constexpr size_t kLongestTupleKey = 64;

/// Both halves of the product of two 64-bit numbers, folded: any bit of either reaches every bit.
uint64_t folded(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t kOdd = 0x9E3779B97F4A7C15u;
constexpr uint64_t kOther = 0xD1B54A32D192ED03u;

uint64_t a_seed() {
  std::random_device device;
  return (uint64_t{device()} << 32) ^ device();
}

}  // namespace

std::string_view name_of(PickleKind kind) {
  switch (kind) {
    case PickleKind::None:
      return "None";
    case PickleKind::Bool:
      return "a bool";
    case PickleKind::Integer:
      return "a whole number";
    case PickleKind::LongInteger:
      return "a whole number past 64 bits";
    case PickleKind::Real:
      return "a number";
    case PickleKind::Text:
      return "text";
    case PickleKind::Tuple:
      return "a tuple";
    case PickleKind::List:
      return "a list";
    case PickleKind::Dictionary:
      return "a dictionary";
    case PickleKind::Global:
      return "a name";
    case PickleKind::Storage:
      return "a storage";
    case PickleKind::Tensor:
      return "a tensor";
    case PickleKind::Inert:
      return "an object";
  }
  return "nothing";
}

PickleHeap::PickleHeap(std::string_view bytes) : bytes_(bytes), seed_(a_seed()) {}

uint64_t PickleHeap::hash_of(std::string_view text) const {
  uint64_t hash = seed_ ^ text.size();
  for (size_t i = 0; i < text.size(); i += sizeof(uint64_t)) {
    uint64_t piece = 0;
    std::memcpy(&piece, text.data() + i, std::min(sizeof piece, text.size() - i));
    hash = folded(hash ^ piece, kOdd ^ (seed_ << 1));
  }
  return folded(hash ^ kOther, kOdd);
}

void PickleHeap::grow_texts() {
  std::vector<Text> larger(std::max<size_t>(16, texts_.size() * 2));
  for (const Text& text : texts_) {
    if (!text.is_taken) continue;
    size_t at = hash_of(bytes_.substr(text.offset, text.length)) & (larger.size() - 1);
    while (larger[at].is_taken) at = (at + 1) & (larger.size() - 1);
    larger[at] = text;
  }
  texts_ = std::move(larger);
}

PickleValue PickleHeap::text_at(size_t offset, size_t length) {
  if (text_count_ * 2 >= texts_.size()) grow_texts();
  const std::string_view text = bytes_.substr(offset, length);
  size_t at = hash_of(text) & (texts_.size() - 1);
  while (texts_[at].is_taken && bytes_.substr(texts_[at].offset, texts_[at].length) != text) {
    at = (at + 1) & (texts_.size() - 1);
  }
  if (!texts_[at].is_taken) {
    texts_[at] = {offset, static_cast<uint32_t>(length), true};
    ++text_count_;
  }
  return {PickleKind::Text, texts_[at].length, texts_[at].offset};
}

uint8_t PickleHeap::depth_of(const PickleValue& value) const {
  if (value.is(PickleKind::Tuple)) return tuples_[value.index].depth;
  if (value.is(PickleKind::List)) return lists_[value.index].depth;
  if (value.is(PickleKind::Dictionary)) return dictionaries_[value.index].depth;
  return 0;
}

uint8_t PickleHeap::depth_around(uint8_t depth, const PickleValue& value) const {
  const int around = std::max<int>(depth, depth_of(value) + 1);
  if (around > kMostNesting) unfit("its values nest deeper than " + std::to_string(kMostNesting) + ".");
  return static_cast<uint8_t>(around);
}

PickleValue PickleHeap::new_tuple(std::span<const PickleValue> items) {
  Tuple tuple;
  tuple.size = static_cast<uint32_t>(items.size());
  if (!items.empty()) tuple.items = std::make_unique<PickleValue[]>(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    tuple.items[i] = items[i];
    tuple.depth = depth_around(tuple.depth, items[i]);
  }
  tuples_.push_back(std::move(tuple));
  return {PickleKind::Tuple, static_cast<uint32_t>(tuples_.size() - 1)};
}

PickleValue PickleHeap::new_list() {
  lists_.emplace_back();
  return {PickleKind::List, static_cast<uint32_t>(lists_.size() - 1)};
}

PickleValue PickleHeap::new_dictionary(bool is_ordered) {
  dictionaries_.emplace_back().is_ordered = is_ordered;
  return {PickleKind::Dictionary, static_cast<uint32_t>(dictionaries_.size() - 1)};
}

PickleValue PickleHeap::add(TensorRecord tensor) {
  tensors_.push_back(std::move(tensor));
  return {PickleKind::Tensor, static_cast<uint32_t>(tensors_.size() - 1)};
}

PickleValue PickleHeap::add(StorageRecord storage) {
  storages_.push_back(storage);
  return {PickleKind::Storage, static_cast<uint32_t>(storages_.size() - 1)};
}

void PickleHeap::append(const PickleValue& list, const PickleValue& value) {
  List& into = lists_[list.index];
  into.depth = depth_around(into.depth, value);
  into.items.push_back(value);
}

/// A key in the form that equal keys share: Python's True, 1 and 1.0 are one key.
PickleValue PickleHeap::as_key(const PickleValue& value) const {
  switch (value.kind) {
    case PickleKind::None:
    case PickleKind::Integer:
    case PickleKind::Text:
    case PickleKind::Tuple:
      return value;
    case PickleKind::Bool:
      return PickleValue::integer(value.integer());
    case PickleKind::Real: {
      constexpr double kWithinInt64 = 9.2e18;
      const double real = value.real();
      if (std::trunc(real) != real || std::abs(real) > kWithinInt64) return value;
      return PickleValue::integer(static_cast<int64_t>(real));
    }
    default:
      unfit("a dictionary's key is None, a bool, a number, text or a flat tuple of those, and here it is " +
            std::string(name_of(value.kind)) + ".");
  }
}

uint64_t PickleHeap::hash_of(const PickleValue& key) const {
  if (!key.is(PickleKind::Tuple)) {
    const uint64_t what = (uint64_t{key.index} << 8) ^ static_cast<uint64_t>(key.kind);
    return folded(key.bits ^ seed_, kOdd ^ (seed_ << 1)) ^ folded(what ^ kOther, kOdd);
  }
  uint64_t hash = seed_;
  for (const PickleValue& item : tuple(key)) hash = folded(hash ^ hash_of(as_key(item)), kOdd);
  return hash;
}

bool PickleHeap::same_key(const PickleValue& a, const PickleValue& b) const {
  if (!a.is(PickleKind::Tuple) || !b.is(PickleKind::Tuple)) return a == b;
  const std::span<const PickleValue> first = tuple(a), second = tuple(b);
  return a.index == b.index ||
         std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [&](const PickleValue& x, const PickleValue& y) { return same_key(as_key(x), as_key(y)); });
}

void PickleHeap::grow(Dictionary::Body& body) const {
  body.places.assign(std::max<size_t>(8, body.places.size() * 2), 0);
  for (uint32_t i = 0; i < body.items.size(); ++i) {
    size_t at = hash_of(as_key(body.items[i].first)) & (body.places.size() - 1);
    while (body.places[at] != 0) at = (at + 1) & (body.places.size() - 1);
    body.places[at] = i + 1;
  }
}

bool PickleHeap::set(const PickleValue& dictionary, const PickleValue& key, const PickleValue& value) {
  if (key.is(PickleKind::Tuple)) {
    const std::span<const PickleValue> items = tuple(key);
    const bool is_flat =
        std::none_of(items.begin(), items.end(), [](const PickleValue& item) { return item.is(PickleKind::Tuple); });
    if (!is_flat || items.size() > kLongestTupleKey) {
      unfit("a dictionary's key is a tuple that is not flat, or longer than " + std::to_string(kLongestTupleKey) + ".");
    }
  }
  const PickleValue wanted = as_key(key);
  Dictionary& into = dictionaries_[dictionary.index];
  into.depth = depth_around(into.depth, value);
  into.is_by_name = into.is_by_name && key.is(PickleKind::Text);
  if (!into.body) into.body = std::make_unique<Dictionary::Body>();
  Dictionary::Body& body = *into.body;
  if (body.items.size() * 2 >= body.places.size()) grow(body);
  size_t at = hash_of(wanted) & (body.places.size() - 1);
  for (; body.places[at] != 0; at = (at + 1) & (body.places.size() - 1)) {
    Item& item = body.items[body.places[at] - 1];
    if (!same_key(as_key(item.first), wanted)) continue;
    item.second = value;
    return false;
  }
  body.items.emplace_back(key, value);
  body.places[at] = static_cast<uint32_t>(body.items.size());
  return true;
}

std::span<const PickleValue> PickleHeap::tuple(const PickleValue& value) const {
  const Tuple& tuple = tuples_[value.index];
  return {tuple.items.get(), tuple.size};
}

std::span<const PickleValue> PickleHeap::list(const PickleValue& value) const { return lists_[value.index].items; }

std::span<const PickleHeap::Item> PickleHeap::dictionary(const PickleValue& value) const {
  const Dictionary& dictionary = dictionaries_[value.index];
  if (!dictionary.body) return {};
  return dictionary.body->items;
}

}  // namespace causeway::formats::pytorch
