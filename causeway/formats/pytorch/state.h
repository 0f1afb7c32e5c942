#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/safetensors/element_kind.h"
#include "causeway/tensor/tensor.h"

namespace causeway::formats::pytorch {

using safetensors::ElementKind;

/// Bytes and what keeps them.
struct OwnedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// Where numbers lie: bytes that are fetched (inflated, checked) when the first tensor over them is asked for, and shared
/// as long as one of them lives.
class Storage {
 public:
  using Fetch = std::function<OwnedBytes()>;
  explicit Storage(Fetch fetch) : fetch_(std::move(fetch)) {}

  OwnedBytes bytes();

 private:
  Fetch fetch_;
  std::span<const std::byte> bytes_;
  std::weak_ptr<const void> owner_;
};

/// One tensor of a state dictionary. What it says is known; its numbers are gathered when they are asked for.
struct StateTensor {
  std::string name;
  const ElementKind* kind = nullptr;
  std::vector<int64_t> lengths;
  std::vector<int64_t> strides;  ///< In elements; empty: dense.
  int64_t offset = 0;            ///< In elements.
  std::shared_ptr<Storage> storage;
  bool is_swapped = false;  ///< The file is big-endian.
  std::string refused;      ///< Why it has no numbers of its own, where it has none.
};

/// Whether the numbers of such a kind can stand in a slot: every float that is not scaled by something beside it.
bool is_readable(const ElementKind& kind);

/// The numbers, dense: over the file's bytes where they lie so and are aligned, else gathered. 8-bit floats are widened
/// to float16, which holds each of theirs exactly. The tensor is readable and not refused.
Tensor numbers_of(const StateTensor& tensor);

/// What a file of numbers by name holds, in its order.
struct StateDictionary {
  std::string where;  ///< The place in a fault that concerns the whole: the file, or `data.pkl`.
  std::vector<StateTensor> tensors;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<Fault> faults;  ///< Found while it was read: names written twice.
};

}  // namespace causeway::formats::pytorch
