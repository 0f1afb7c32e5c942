#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "causeway/formats/safetensors/element_kind.h"

namespace causeway::formats::pytorch {

/// What a name that a pickle may speak of means here.
enum class GlobalRole : uint8_t {
  OrderedDictionary,
  RebuildTensorV2,
  RebuildTensorV3,
  RebuildParameter,
  RebuildParameterWithState,
  RebuildFromType,
  TensorType,
  Storage,
  Dtype,
  Inert,
};

struct Global {
  std::string_view name;
  GlobalRole role = GlobalRole::Inert;
  const safetensors::ElementKind* kind = nullptr;  ///< Of a storage or a dtype; null for the untyped storage.
};

/// The place of a name in the table, or -1. Nothing is ever looked up anywhere else.
int global_named(std::string_view name);
const Global& global_at(uint32_t index);

/// Why a name that is not in the table is refused, as the end of "byte 2 names 'posix.system', and …".
std::string reason_against(std::string_view name);

}  // namespace causeway::formats::pytorch
