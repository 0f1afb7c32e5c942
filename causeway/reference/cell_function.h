#pragma once

#include "causeway/ops/cell_function.h"

namespace causeway::reference {

/// What a cell's function makes of x, and its slope there: at a corner what PyTorch takes (docs/layers.md).
double value_of(const ops::CellFunction& function, double x);
double slope_of(const ops::CellFunction& function, double x);
/// The slope by the value, where slope_follows_from_value().
double slope_by_value(const ops::CellFunction& function, double y);

}  // namespace causeway::reference
