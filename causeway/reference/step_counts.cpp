#include <string>

#include "causeway/base/fault.h"
#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"

namespace causeway::reference {

void step_counts(const ops::StepCounts&, Views inputs, Views outputs) {
  const int64_t steps = index_at(inputs[1], 0);
  for (int64_t i = 0, count = inputs[0].size(); i < count; ++i) {
    const int64_t length = index_at(inputs[0], i);
    if (length < 0 || length > steps) {
      unfit("the length of series " + std::to_string(i) + " is " + std::to_string(length) + ", and the series has " +
            std::to_string(steps) + (steps == 1 ? " step." : " steps."));
    }
    write<int64_t>(outputs[0])[i] = length;
  }
}

}  // namespace causeway::reference
