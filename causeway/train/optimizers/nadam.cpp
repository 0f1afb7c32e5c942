#include "causeway/train/optimizers/nadam.h"

#include <cmath>

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {
namespace {

// The momentum of step t: it rises to beta_1.
double momentum_at(const NAdam& settings, int64_t step) {
  return settings.beta_1 * (1 - 0.5 * std::pow(0.96, static_cast<double>(step) * settings.momentum_decay));
}

}  // namespace

std::vector<Fault> NAdam::check() const {
  return train::SettingFaults(kName)
      .rate(learning_rate)
      .share("beta_1", beta_1)
      .share("beta_2", beta_2)
      .at_least_nought("epsilon", epsilon)
      .at_least_nought("momentum_decay", momentum_decay)
      .at_least_nought("weight_decay", weight_decay)
      .take();
}

std::vector<train::Memory> NAdam::memory() const { return {{"exp_avg"}, {"exp_avg_sq"}}; }
std::vector<std::string_view> NAdam::scalars() const {
  return {"gradient_step_size", "average_step_size", "second_correction"};
}

double NAdam::carry(double before, int64_t step) const {
  return static_cast<float>(before) * static_cast<float>(momentum_at(*this, step));
}

void NAdam::work(const train::StepNumbers& at, std::span<double> into) const {
  const double now = momentum_at(*this, at.step), next = momentum_at(*this, at.step + 1);
  into[0] = -at.rate * (1 - now) / (1 - at.carried);
  into[1] = -at.rate * next / (1 - at.carried * next);
  into[2] = 1 - std::pow(beta_2, static_cast<double>(at.step));
}

Value NAdam::step(const train::SlotStep& slot) const {
  const bool apart = form == OptimizerForm::PyTorch && decoupled_weight_decay;
  const auto [weight, gradient] = apart ? decayed_apart(slot) : decayed(slot, form);
  const Value average = train::lerp(slot.memory("exp_avg"), gradient, 1 - beta_1);
  const Value square = train::gathered_squares(slot.memory("exp_avg_sq"), gradient, beta_2);
  slot.remember("exp_avg", average);
  slot.remember("exp_avg_sq", square);
  const Value divisor = ops::shifted(ops::sqrt(ops::div(square, slot.scalar("second_correction"))), epsilon);
  const Value by_gradient = ops::add(weight, ops::div(ops::mul(slot.scalar("gradient_step_size"), gradient), divisor));
  return ops::add(by_gradient, ops::div(ops::mul(slot.scalar("average_step_size"), average), divisor));
}

}  // namespace causeway
