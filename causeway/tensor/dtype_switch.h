#pragma once

#include <cstdint>
#include <type_traits>

#include "causeway/base/check.h"
#include "causeway/tensor/dtype.h"

namespace causeway {

/// Calls `body(std::type_identity<T>())` with the C++ type of a dtype, and gives what it gives.
template <class Body>
decltype(auto) with_type(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::Float32:
      return body(std::type_identity<float>());
    case DType::Float64:
      return body(std::type_identity<double>());
    case DType::Float16:
      return body(std::type_identity<Half>());
    case DType::BFloat16:
      return body(std::type_identity<BFloat16>());
    case DType::Int64:
      return body(std::type_identity<int64_t>());
    case DType::Int32:
      return body(std::type_identity<int32_t>());
    case DType::Int16:
      return body(std::type_identity<int16_t>());
    case DType::Int8:
      return body(std::type_identity<int8_t>());
    case DType::UInt64:
      return body(std::type_identity<uint64_t>());
    case DType::UInt32:
      return body(std::type_identity<uint32_t>());
    case DType::UInt16:
      return body(std::type_identity<uint16_t>());
    case DType::UInt8:
      return body(std::type_identity<uint8_t>());
    case DType::Bool:
      return body(std::type_identity<bool>());
    case DType::Unknown:
      break;
  }
  broken_promise(__FILE__, __LINE__, "dtype != DType::Unknown", "a tensor has a known dtype");
}

}  // namespace causeway
