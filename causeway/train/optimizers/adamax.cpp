#include "causeway/train/optimizers/adamax.h"

#include <cmath>

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {

std::vector<Fault> Adamax::check() const {
  return train::SettingFaults(kName)
      .rate(learning_rate)
      .share("beta_1", beta_1)
      .share("beta_2", beta_2)
      .at_least_nought("epsilon", epsilon)
      .at_least_nought("weight_decay", weight_decay)
      .take();
}

std::vector<train::Memory> Adamax::memory() const { return {{"exp_avg"}, {"exp_inf"}}; }
std::vector<std::string_view> Adamax::scalars() const { return {"step_size", "first_correction"}; }

void Adamax::work(const train::StepNumbers& at, std::span<double> into) const {
  into[1] = 1 - std::pow(beta_1, static_cast<double>(at.step));
  into[0] = -at.rate / into[1];
}

Value Adamax::step(const train::SlotStep& slot) const {
  const bool keras = form == OptimizerForm::Keras;
  const auto [weight, gradient] = decayed(slot, form);
  const Value average = keras ? train::keras_average(slot.memory("exp_avg"), gradient, beta_1)
                              : train::lerp(slot.memory("exp_avg"), gradient, 1 - beta_1);
  slot.remember("exp_avg", average);
  const Value size = keras ? ops::abs(gradient) : ops::shifted(ops::abs(gradient), epsilon);
  const Value largest = ops::max(ops::scale(slot.memory("exp_inf"), beta_2), size);
  slot.remember("exp_inf", largest);
  if (keras) {
    const Value divisor = ops::mul(slot.scalar("first_correction"), ops::shifted(largest, epsilon));
    return ops::add(weight, ops::div(ops::mul(slot.scalar("descent"), average), divisor));
  }
  return ops::add(weight, ops::div(ops::mul(slot.scalar("step_size"), average), largest));
}

}  // namespace causeway
