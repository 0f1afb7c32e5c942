#include "causeway/train/optimizers/sgd.h"

#include <cmath>

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {

std::vector<Fault> Sgd::check() const {
  train::SettingFaults faults(kName);
  faults.rate(learning_rate).at_least_nought("momentum", momentum).at_least_nought("weight_decay", weight_decay);
  if (!std::isfinite(dampening)) faults.say("'dampening' is " + text_of(dampening) + ", and it is finite.");
  if (nesterov && (momentum <= 0 || dampening != 0)) {
    faults.say("'nesterov' needs a momentum above 0 and a dampening of 0.");
  }
  if (form == OptimizerForm::Keras && dampening != 0)
    faults.say("'dampening' is PyTorch's, and Keras's form has none.");
  return faults.take();
}

std::vector<train::Memory> Sgd::memory() const {
  if (momentum == 0) return {};
  return {{"momentum_buffer"}};
}

std::vector<std::string_view> Sgd::scalars() const { return {"taken"}; }

// The first step has no buffer yet: the gradient is taken whole.
void Sgd::work(const train::StepNumbers& at, std::span<double> into) const {
  into[0] = at.step == 1 ? 1 : 1 - dampening;
}

Value Sgd::step(const train::SlotStep& slot) const {
  const auto [weight, gradient] = decayed(slot, form);
  const Value descent = slot.scalar("descent");
  if (form == OptimizerForm::Keras) {
    const Value descended = ops::mul(gradient, descent);
    if (momentum == 0) return ops::add(weight, descended);
    const Value buffer = ops::add(ops::scale(slot.memory("momentum_buffer"), momentum), descended);
    slot.remember("momentum_buffer", buffer);
    return ops::add(weight, nesterov ? ops::add(ops::scale(buffer, momentum), descended) : buffer);
  }
  if (momentum == 0) return ops::fma(gradient, descent, weight);
  const Value kept = ops::scale(slot.memory("momentum_buffer"), momentum);
  const Value buffer = ops::fma(gradient, slot.scalar("taken"), kept);
  slot.remember("momentum_buffer", buffer);
  const Value taken = nesterov ? ops::fma(buffer, ops::number_like(buffer, momentum), gradient) : buffer;
  return ops::fma(taken, descent, weight);
}

}  // namespace causeway
