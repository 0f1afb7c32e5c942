#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "causeway/formats/hdf5_bytes.h"

namespace causeway::formats::hdf5 {

struct Filter {
  uint16_t id = 0;
  uint32_t first_value = 0;  ///< Of shuffle: the bytes of one element.
};

/// The pipeline in the order it was written in. `dataset` is the name that messages give; a filter other than deflate,
/// shuffle and Fletcher-32 calls unfit().
std::vector<Filter> read_filters(Reader reader, std::string_view dataset);

/// Undoes the filters, last to first, but those whose bit in `skipped` is set; unfit() where a check fails or the result
/// is not `size_bytes`.
std::vector<std::byte> unpacked(std::span<const std::byte> packed, const std::vector<Filter>& filters, uint32_t skipped,
                                size_t size_bytes);

/// Fletcher's checksum of 16-bit big-endian words, as HDF5 works it.
uint32_t fletcher32(std::span<const std::byte> bytes);

}  // namespace causeway::formats::hdf5
