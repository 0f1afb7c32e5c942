#pragma once

#include "causeway/base/json.h"
#include "causeway/ops/cell_function.h"

namespace causeway::nn {

/// A recurrent layer's activation: a word of any activation that works element by element and has no slot, or an object
/// with its kind and settings.
struct CellActivation {
  ops::CellFunction function = {};

  static CellActivation tanh() { return {}; }
  static CellActivation sigmoid() { return {{.kind = ops::CellFunctionKind::Sigmoid}}; }
  static CellActivation relu() { return {{.kind = ops::CellFunctionKind::Relu}}; }
  friend bool operator==(const CellActivation&, const CellActivation&) = default;
};

void read_setting(const Json& json, CellActivation& into);
Json write_setting(const CellActivation& value);

}  // namespace causeway::nn
