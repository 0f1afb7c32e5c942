#pragma once

#include <cstdint>
#include <string_view>

#include "causeway/nn/initializer.h"

namespace causeway::nn {

/// unfit() where the numbers of an initializer are none that it can draw by.
void expect_in_range(const Initializer& initializer);

/// A product of a setting and a length, each at least 0; unfit() where it passes int64, naming the setting.
int64_t times(int64_t a, int64_t b, std::string_view setting);

}  // namespace causeway::nn
