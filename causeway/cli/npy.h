#pragma once

#include <string>
#include <string_view>

#include "causeway/formats/byte_source.h"
#include "causeway/tensor/tensor.h"

namespace causeway::cli {

/// One array as NumPy saves it, its bytes of `file` from the first on. Versions 1 to 3; either byte order; C and Fortran
/// order; bool, whole numbers and floats.
/// unfit(): a header that is none, an element type without a dtype here (objects among them), more or fewer bytes than
/// the shape says.
/// Source     https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Tensor read_npy(std::span<const std::byte> file);

/// The same numbers as such a file, version 1, little-endian, C order.
std::string npy_of(const Tensor& tensor);

bool claims_npy(std::span<const std::byte> file);

}  // namespace causeway::cli
