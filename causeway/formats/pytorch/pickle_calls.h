#pragma once

#include <span>

#include "causeway/formats/pytorch/pickle_heap.h"

namespace causeway::formats::pytorch {

/// What a call of a pickle makes: an ordered dictionary, a tensor or parameter over a storage, or something that nothing
/// reads. Nothing is run: the names are those of the table of globals, and each of them is worked here by hand. unfit()
/// for arguments it does not take, a tensor that reaches past its storage, and a name that a state dictionary does not
/// call.
PickleValue called(PickleHeap& heap, const PickleValue& function, std::span<const PickleValue> arguments);

}  // namespace causeway::formats::pytorch
