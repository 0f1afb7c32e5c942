#include "causeway/train/optimizers/rmsprop.h"

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {

std::vector<Fault> RmsProp::check() const {
  return train::SettingFaults(kName)
      .rate(learning_rate)
      .share("rho", rho)
      .at_least_nought("epsilon", epsilon)
      .at_least_nought("momentum", momentum)
      .at_least_nought("weight_decay", weight_decay)
      .take();
}

std::vector<train::Memory> RmsProp::memory() const {
  std::vector<train::Memory> kept{{"square_avg"}};
  if (centered) kept.push_back({"grad_avg"});
  if (momentum != 0) kept.push_back({"momentum_buffer"});
  return kept;
}

std::vector<std::string_view> RmsProp::scalars() const { return {}; }
void RmsProp::work(const train::StepNumbers&, std::span<double>) const {}

Value RmsProp::step(const train::SlotStep& slot) const {
  const bool keras = form == OptimizerForm::Keras;
  const auto [weight, gradient] = decayed(slot, form);
  const auto weighed = [&](std::string_view average, Value now) {
    return ops::add(ops::scale(slot.memory(average), rho), ops::scale(now, 1 - rho));
  };
  const Value square = keras ? weighed("square_avg", ops::square(gradient))
                             : train::gathered_squares(slot.memory("square_avg"), gradient, rho);
  slot.remember("square_avg", square);
  Value variance = square;
  if (centered) {
    const Value mean = keras ? weighed("grad_avg", gradient) : train::lerp(slot.memory("grad_avg"), gradient, 1 - rho);
    slot.remember("grad_avg", mean);
    // Rounding can take the difference below 0, where it has no root.
    variance = ops::max(keras ? ops::sub(square, ops::square(mean)) : ops::fma(ops::neg(mean), mean, square), 0.0);
  }
  const Value divisor = keras ? ops::sqrt(ops::shifted(variance, epsilon)) : ops::shifted(ops::sqrt(variance), epsilon);
  const Value descent = slot.scalar("descent");
  if (momentum == 0) return ops::add(weight, ops::div(ops::mul(descent, gradient), divisor));
  const Value kept = ops::scale(slot.memory("momentum_buffer"), momentum);
  if (keras) {
    const Value buffer = ops::add(kept, ops::div(ops::mul(slot.scalar("rate"), gradient), divisor));
    slot.remember("momentum_buffer", buffer);
    return ops::sub(weight, buffer);
  }
  const Value buffer = ops::add(kept, ops::div(gradient, divisor));
  slot.remember("momentum_buffer", buffer);
  return ops::fma(buffer, descent, weight);
}

}  // namespace causeway
