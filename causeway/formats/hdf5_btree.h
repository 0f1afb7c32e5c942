#pragma once

#include <cstdint>
#include <functional>

#include "causeway/formats/hdf5_bytes.h"

namespace causeway::formats::hdf5 {

/// Calls `each` with every record of a B-tree of version 2 whose records are of that type.
void for_each_record(const Bytes& file, uint64_t address, uint8_t type, Budget& budget,
                     const std::function<void(Reader)>& each);

/// Calls `each` with the key and the child of every entry in the leaves of a B-tree of version 1: of a group (type 0,
/// keys of one length) or of a dataset's chunks (type 1).
void for_each_leaf_entry(const Bytes& file, uint64_t address, uint8_t type, size_t key_bytes, Budget& budget,
                         const std::function<void(Reader key, uint64_t child)>& each);

}  // namespace causeway::formats::hdf5
