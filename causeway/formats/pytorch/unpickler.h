#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/pytorch/pickle_heap.h"
#include "causeway/formats/pytorch/pickle_opcodes.h"

namespace causeway::formats::pytorch {

/// What reading one pickle is told.
struct UnpickleRules {
  std::string where;                                          ///< The place in a fault: `data.pkl`.
  bool is_before_1_6 = false;                                 ///< Persistent ids have a sixth part.
  std::function<void(const StorageRecord&)> on_storage = {};  ///< Hears each new storage, and may refuse it.
};

/// Reads one pickle on a stack of values, without recursion and without running anything. What it may build is a short
/// list: texts, numbers, lists, tuples, dictionaries, storages and tensors. A name outside the table of globals is
/// refused before the next byte is read. Work and memory are linear in the bytes read.
class Unpickler {
 public:
  /// `heap` stands over `bytes`, of which the pickle begins at `begin`; both outlive this.
  Unpickler(std::string_view bytes, size_t begin, PickleHeap& heap, UnpickleRules rules);

  /// The value that STOP leaves. Refused, by byte and instruction, at the first that is not read.
  PickleValue run();

  /// Behind STOP.
  size_t end() const { return at_; }
  /// Keys that were written twice into one dictionary, each once: `tensor 'name'`.
  const std::vector<Fault>& doubled() const { return doubled_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  std::string_view operand(size_t count);
  template <class Number>
  Number number();
  PickleValue text(size_t count);

  void step(Opcode opcode);
  void push(const PickleValue& value) { stack_.push_back(value); }
  PickleValue pop(size_t taken);
  /// The values above the last mark, which is taken away.
  std::vector<PickleValue> pop_to_mark();
  PickleValue& top(PickleKind kind);
  void need(size_t count) const;

  void proto();
  void global();
  void long1();
  void persistent_id();
  void reduce();
  void new_object();
  void build();
  void append_all(std::span<const PickleValue> values);
  void set_all(std::span<const PickleValue> values);
  void put(uint32_t number);
  void get(uint32_t number);

  std::string_view bytes_;
  size_t begin_, at_, opcode_at_;
  uint8_t opcode_ = 0;
  PickleHeap& heap_;
  UnpickleRules rules_;
  std::deque<PickleValue> stack_;
  std::vector<uint32_t> marks_;
  std::map<uint32_t, PickleValue> memo_;             // not hashed, so that no choice of numbers slows it
  std::map<uint64_t, PickleValue> storages_by_key_;  // by the key text's offset
  std::set<uint64_t> doubled_keys_;
  std::vector<Fault> doubled_;
};

}  // namespace causeway::formats::pytorch
