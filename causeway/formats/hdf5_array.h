#pragma once

#include <cstdint>
#include <memory>

#include "causeway/formats/hdf5_bytes.h"

namespace causeway::formats::hdf5 {

/// The chunks of a dataset in an array by their number: a fixed one where the dataset cannot grow without end, an
/// extensible one where it can along one axis.
class ChunkArray {
 public:
  struct Entry {
    uint64_t address = kNowhere;  ///< kNowhere: the chunk is not stored.
    uint64_t stored_bytes = 0;    ///< Of filtered chunks.
    uint32_t skipped_filters = 0;
  };
  virtual ~ChunkArray() = default;
  virtual Entry at(uint64_t number) = 0;
};

std::unique_ptr<ChunkArray> fixed_array(const Bytes& file, uint64_t address, bool is_filtered, Budget& budget);
std::unique_ptr<ChunkArray> extensible_array(const Bytes& file, uint64_t address, bool is_filtered, Budget& budget);

}  // namespace causeway::formats::hdf5
