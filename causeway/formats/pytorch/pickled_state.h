#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/pytorch/pickle_heap.h"
#include "causeway/formats/pytorch/state.h"

namespace causeway::formats::pytorch {

/// Refuses a file whose state dictionaries lie under keys, and says which.
class UnderKeys : public Refused {
 public:
  UnderKeys(std::string where, std::string what, std::vector<std::string> keys)
      : Refused(std::move(where), std::move(what)), keys_(std::move(keys)) {}

  /// As `key` takes them.
  const std::vector<std::string>& keys() const noexcept { return keys_; }

 private:
  std::vector<std::string> keys_;
};

/// The state dictionary in what a pickle built: the value itself, or what lies under `key`, whose dots lead from
/// dictionary to dictionary (a key that holds a dot is tried whole first). `storages` are the heap's, by index.
///
/// Refused    a value that is no dictionary of texts and tensors, at `where`; where dictionaries of tensors lie under
///            keys, one fault that names each (UnderKeys).
StateDictionary state_of(const PickleHeap& heap, const PickleValue& root, std::string_view key, std::string where,
                         const std::vector<std::shared_ptr<Storage>>& storages);

}  // namespace causeway::formats::pytorch
