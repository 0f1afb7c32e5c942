#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/formats/pytorch/pickle_heap.h"
#include "causeway/formats/pytorch/state.h"

namespace causeway::formats::pytorch {

/// The state dictionary in what a pickle built: the value itself, or what lies under `key`, whose dots lead from
/// dictionary to dictionary (a key that holds a dot is tried whole first). `storages` are the heap's, by index.
///
/// Refused    a value that is no dictionary of texts and tensors, at `where`; where dictionaries of tensors lie under
///            keys, one fault that names each.
StateDictionary state_of(const PickleHeap& heap, const PickleValue& root, std::string_view key, std::string where,
                         const std::vector<std::shared_ptr<Storage>>& storages);

}  // namespace causeway::formats::pytorch
