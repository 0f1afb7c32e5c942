#include "causeway/formats/onnx/element_types.h"

#include <array>
#include <string_view>

namespace causeway::formats::onnx {
namespace {

struct Row {
  std::string_view name;
  DType dtype = DType::Unknown;
};

// By their numbers in TensorProto.DataType.
constexpr std::array<Row, 27> kElementTypes = {{
    {"undefined"},
    {"float32", DType::Float32},
    {"uint8", DType::UInt8},
    {"int8", DType::Int8},
    {"uint16", DType::UInt16},
    {"int16", DType::Int16},
    {"int32", DType::Int32},
    {"int64", DType::Int64},
    {"string"},
    {"bool", DType::Bool},
    {"float16", DType::Float16},
    {"float64", DType::Float64},
    {"uint32", DType::UInt32},
    {"uint64", DType::UInt64},
    {"complex64"},
    {"complex128"},
    {"bfloat16", DType::BFloat16},
    {"float8e4m3fn"},
    {"float8e4m3fnuz"},
    {"float8e5m2"},
    {"float8e5m2fnuz"},
    {"uint4"},
    {"int4"},
    {"float4e2m1"},
    {"float8e8m0"},
    {"uint2"},
    {"int2"},
}};

bool is_known(int64_t number) { return number >= 0 && number < static_cast<int64_t>(kElementTypes.size()); }

}  // namespace

DType dtype_of_element_type(int64_t number) {
  return is_known(number) ? kElementTypes[static_cast<size_t>(number)].dtype : DType::Unknown;
}

int32_t element_type_of(DType dtype) {
  for (size_t number = 1; number < kElementTypes.size(); ++number) {
    if (kElementTypes[number].dtype == dtype) return static_cast<int32_t>(number);
  }
  return 0;
}

std::string element_type_name(int64_t number) {
  return is_known(number) ? std::string(kElementTypes[static_cast<size_t>(number)].name)
                          : "element type " + std::to_string(number);
}

std::string not_read(const std::string& what, int64_t number) {
  return what + " is " + element_type_name(number) +
         "; float32, float16, bfloat16, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64 and bool "
         "are read.";
}

}  // namespace causeway::formats::onnx
