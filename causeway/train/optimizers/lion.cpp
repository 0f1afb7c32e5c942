#include "causeway/train/optimizers/lion.h"

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {

std::vector<Fault> Lion::check() const {
  return train::SettingFaults(kName)
      .rate(learning_rate)
      .share("beta_1", beta_1)
      .share("beta_2", beta_2)
      .at_least_nought("weight_decay", weight_decay)
      .take();
}

std::vector<train::Memory> Lion::memory() const { return {{"exp_avg"}}; }
std::vector<std::string_view> Lion::scalars() const { return {}; }
void Lion::work(const train::StepNumbers&, std::span<double>) const {}

Value Lion::step(const train::SlotStep& slot) const {
  const auto [weight, gradient] = decayed_apart(slot);
  const Value average = slot.memory("exp_avg");
  const auto weighed = [&gradient = gradient, &average](double share) {
    return ops::add(ops::scale(average, share), ops::scale(gradient, 1 - share));
  };
  slot.remember("exp_avg", weighed(beta_2));
  return ops::fma(ops::sign(weighed(beta_1)), slot.scalar("descent"), weight);
}

}  // namespace causeway
