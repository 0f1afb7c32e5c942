#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "causeway/formats/hdf5_bytes.h"
#include "causeway/tensor/dtype.h"

namespace causeway::formats::hdf5 {

/// What one element is.
struct ElementType {
  enum class Kind { Number, Text, LongText, Other };  // a text of fixed length, or of variable length
  Kind kind = Kind::Other;
  uint32_t size_bytes = 0;
  DType dtype = DType::Unknown;  ///< Of a number.
  bool big_endian = false;
  uint8_t padding = 0;  ///< Of a text: ended by a zero (0), filled up with zeros (1) or with spaces (2).
  std::string name;     ///< For messages: "float32", "opaque elements of 2 bytes".
};

ElementType read_type(Reader reader);

/// The lengths of a dataspace: none of a scalar. `is_null`: it holds no element at all.
struct Dataspace {
  std::vector<int64_t> lengths;
  std::vector<uint64_t> most;  ///< As far as each may grow; kNowhere without end.
  bool is_null = false;
};

Dataspace read_dataspace(Reader reader);

}  // namespace causeway::formats::hdf5
