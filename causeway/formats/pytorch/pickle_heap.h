#pragma once

// formats/pytorch/ reads what PyTorch saved, numbers by name, into a network it is handed: safetensors files, torch.save
// archives and the files of before 1.6. A pickle is a program; here it is read by a machine that can build texts,
// numbers, lists, dictionaries and tensors and nothing else. It also knows PyTorch's layout of every slot, and writes
// safetensors files in it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/formats/safetensors/element_kind.h"

namespace causeway::formats::pytorch {

using safetensors::ElementKind;

enum class PickleKind : uint8_t {
  None,
  Bool,
  Integer,
  LongInteger,  ///< Past 64 bits; its bytes are compared and never counted with.
  Real,
  Text,
  Tuple,
  List,
  Dictionary,
  Global,   ///< A name that is allowed; which one is in `index`.
  Storage,  ///< Where numbers lie; `index` counts the storages.
  Tensor,   ///< A view of a storage; `index` counts the tensors.
  Inert,    ///< Something an optimizer or a checkpoint holds and no state dictionary does.
};

/// One value of a pickle: small enough to be copied; what is larger lies in the heap under `index`.
struct PickleValue {
  PickleKind kind = PickleKind::None;
  uint32_t index = 0;  ///< Of what lies in the heap; of a text, its length.
  uint64_t bits = 0;   ///< Of a number; of a text, the offset of its first byte in the pickle.

  static PickleValue boolean(bool value) { return {PickleKind::Bool, 0, value}; }
  static PickleValue integer(int64_t value) { return {PickleKind::Integer, 0, static_cast<uint64_t>(value)}; }
  static PickleValue real(double value) { return {PickleKind::Real, 0, std::bit_cast<uint64_t>(value)}; }

  bool is(PickleKind other) const { return kind == other; }
  int64_t integer() const { return static_cast<int64_t>(bits); }
  double real() const { return std::bit_cast<double>(bits); }

  friend bool operator==(const PickleValue&, const PickleValue&) = default;
};
static_assert(sizeof(PickleValue) == 16, "a thousand values of a pickle are few bytes");

/// "a dictionary", "None", "text" …, for messages.
std::string_view name_of(PickleKind kind);

/// What a persistent id says of a storage.
struct StorageRecord {
  std::string_view key;
  const ElementKind* kind = nullptr;  ///< Null: untyped, counted in bytes.
  int64_t count = 0;
  int64_t size_bytes = 0;
};

/// A tensor as its pickle says: a view of a storage by lengths and strides, checked against the storage's count.
struct TensorRecord {
  const ElementKind* kind = nullptr;
  uint32_t storage = 0;
  bool repeats = false, is_negated = false, is_conjugated = false;
  int64_t offset = 0;
  std::vector<int64_t> lengths, strides;
};

/// The values that a pickle builds. Whatever it does, the memory is a small multiple of the bytes it took to say so.
class PickleHeap {
 public:
  using Item = std::pair<PickleValue, PickleValue>;

  /// Texts stand in `bytes`, which outlives the heap.
  explicit PickleHeap(std::string_view bytes);

  /// The same text anywhere in the pickle is one value, so that texts compare by their offset.
  PickleValue text_at(size_t offset, size_t length);
  std::string_view text_of(const PickleValue& text) const { return bytes_.substr(text.bits, text.index); }
  bool is_text(const PickleValue& value, std::string_view text) const {
    return value.is(PickleKind::Text) && text_of(value) == text;
  }

  PickleValue new_tuple(std::span<const PickleValue> items);
  PickleValue new_list();
  PickleValue new_dictionary(bool is_ordered);
  PickleValue add(TensorRecord tensor);
  PickleValue add(StorageRecord storage);

  /// unfit() where the list would nest deeper than 64.
  void append(const PickleValue& list, const PickleValue& value);
  /// False where the key was there already; unfit() where it is no key, or the dictionary would nest deeper than 64.
  bool set(const PickleValue& dictionary, const PickleValue& key, const PickleValue& value);

  std::span<const PickleValue> tuple(const PickleValue& value) const;
  std::span<const PickleValue> list(const PickleValue& value) const;
  std::span<const Item> dictionary(const PickleValue& value) const;
  bool is_ordered(const PickleValue& dictionary) const { return dictionaries_[dictionary.index].is_ordered; }
  /// Whether every key is a text.
  bool is_by_name(const PickleValue& dictionary) const { return dictionaries_[dictionary.index].is_by_name; }
  const TensorRecord& tensor(const PickleValue& value) const { return tensors_[value.index]; }
  const StorageRecord& storage(uint32_t index) const { return storages_[index]; }
  size_t storages() const { return storages_.size(); }
  size_t dictionaries() const { return dictionaries_.size(); }

 private:
  struct Tuple {
    std::unique_ptr<PickleValue[]> items;
    uint32_t size = 0;
    uint8_t depth = 1;
  };
  struct List {
    std::vector<PickleValue> items;
    uint8_t depth = 1;
  };
  struct Dictionary {
    struct Body {
      std::vector<Item> items;
      std::vector<uint32_t> places;  ///< An open table of positions in `items`, each one more than it is; 0 is free.
    };
    std::unique_ptr<Body> body;
    uint8_t depth = 1;
    bool is_ordered = false;
    bool is_by_name = true;
  };
  struct Text {
    uint64_t offset = 0;
    uint32_t length = 0;
    bool is_taken = false;
  };

  uint8_t depth_of(const PickleValue& value) const;
  uint8_t depth_around(uint8_t depth, const PickleValue& value) const;
  PickleValue as_key(const PickleValue& value) const;
  uint64_t hash_of(const PickleValue& key) const;
  bool same_key(const PickleValue& a, const PickleValue& b) const;
  void grow(Dictionary::Body& body) const;
  void grow_texts();
  uint64_t hash_of(std::string_view text) const;

  std::string_view bytes_;
  uint64_t seed_;
  std::vector<Text> texts_;
  size_t text_count_ = 0;
  std::deque<Tuple> tuples_;
  std::deque<List> lists_;
  std::deque<Dictionary> dictionaries_;
  std::deque<TensorRecord> tensors_;
  std::deque<StorageRecord> storages_;
};

}  // namespace causeway::formats::pytorch
