#include "causeway/train/optimizers/adagrad.h"

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {

std::vector<Fault> Adagrad::check() const {
  return train::SettingFaults(kName)
      .rate(learning_rate)
      .at_least_nought("lr_decay", lr_decay)
      .at_least_nought("initial_accumulator_value", initial_accumulator_value)
      .at_least_nought("epsilon", epsilon)
      .at_least_nought("weight_decay", weight_decay)
      .take();
}

std::vector<train::Memory> Adagrad::memory() const { return {{"sum", initial_accumulator_value}}; }
std::vector<std::string_view> Adagrad::scalars() const { return {"step_size"}; }

void Adagrad::work(const train::StepNumbers& at, std::span<double> into) const {
  into[0] = -at.rate / (1 + static_cast<double>(at.step - 1) * lr_decay);
}

Value Adagrad::step(const train::SlotStep& slot) const {
  const auto [weight, gradient] = decayed(slot, form);
  const bool keras = form == OptimizerForm::Keras;
  const Value before = slot.memory("sum");
  const Value sum = keras ? ops::add(before, ops::square(gradient)) : ops::fma(gradient, gradient, before);
  slot.remember("sum", sum);
  const Value divisor = keras ? ops::sqrt(ops::shifted(sum, epsilon)) : ops::shifted(ops::sqrt(sum), epsilon);
  return ops::add(weight, ops::div(ops::mul(slot.scalar("step_size"), gradient), divisor));
}

}  // namespace causeway
