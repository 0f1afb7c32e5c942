#pragma once

#include <cstdint>
#include <string>

#include "causeway/tensor/dtype.h"

namespace causeway::formats::onnx {

/// The dtype of a TensorProto.DataType number; Unknown where it is none of ours.
DType dtype_of_element_type(int64_t number);
int32_t element_type_of(DType dtype);
/// "float8e4m3fn", "string"; "element type 99" where ONNX has none.
std::string element_type_name(int64_t number);
/// "its input is float8e4m3fn; float32, … are read."
std::string not_read(const std::string& what, int64_t number);

}  // namespace causeway::formats::onnx
