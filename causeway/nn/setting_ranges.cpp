#include "causeway/nn/setting_ranges.h"

#include <cmath>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"

namespace causeway::nn {

void expect_in_range(const Initializer& initializer) {
  const Initializer& i = initializer;
  for (const double number : {i.value, i.minval, i.maxval, i.mean, i.stddev, i.gain}) {
    if (!std::isfinite(static_cast<float>(number)))
      unfit("starts from " + i.word + " by " + text_of(number) + ", and numbers within float32 are read.");
  }
  if (i.minval > i.maxval) {
    unfit("starts from " + i.word + " between " + text_of(i.minval) + " and " + text_of(i.maxval) +
          ", and 'minval' is at most 'maxval'.");
  }
  if (i.stddev < 0)
    unfit("starts from " + i.word + " with a 'stddev' of " + text_of(i.stddev) + ", and at least 0 is read.");
}

int64_t times(int64_t a, int64_t b, std::string_view setting) {
  const std::optional<int64_t> product = checked_multiply(a, b);
  if (product) return *product;
  unfit("'" + std::string(setting) + "' makes a length of " + std::to_string(a) + " times " + std::to_string(b) +
        ", which passes 2^63 - 1.");
}

}  // namespace causeway::nn
