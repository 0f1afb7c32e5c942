#pragma once

#include <optional>

#include "causeway/graph/value.h"
#include "causeway/nn/setting_words.h"
#include "causeway/ops/window.h"

namespace causeway::nn {

/// The window that a layer's words state over `axes` place axes. unfit() for sizes below 1, and for a causal border over
/// more than one axis or where `causal` is not allowed.
ops::Window window_of(size_t axes, const PerAxis& size, const PerAxis& strides, const PerAxis& dilation,
                      const Padding& padding, bool ceil_mode, bool causal);

/// unfit() unless x is [N, place axes…, C], as far as its rank is known.
void expect_places(const Value& x, size_t axes);

}  // namespace causeway::nn
