#include "causeway/train/optimizers/adam.h"

#include <cmath>

#include "causeway/ops/build.h"
#include "causeway/train/optimizers/rules.h"

namespace causeway {
namespace {

using train::Decayed;
using train::SlotStep;

// What Adam and AdamW share.
template <class S>
std::vector<Fault> faults_of(const S& settings) {
  return train::SettingFaults(S::kName)
      .rate(settings.learning_rate)
      .share("beta_1", settings.beta_1)
      .share("beta_2", settings.beta_2)
      .at_least_nought("epsilon", settings.epsilon)
      .at_least_nought("weight_decay", settings.weight_decay)
      .take();
}

template <class S>
std::vector<train::Memory> memory_of(const S& settings) {
  if (settings.amsgrad) return {{"exp_avg"}, {"exp_avg_sq"}, {"max_exp_avg_sq"}};
  return {{"exp_avg"}, {"exp_avg_sq"}};
}

template <class S>
void work_of(const S& settings, const train::StepNumbers& at, std::span<double> into) {
  const auto t = static_cast<double>(at.step);
  const double first = 1 - std::pow(settings.beta_1, t), second = std::sqrt(1 - std::pow(settings.beta_2, t));
  into[0] = -at.rate / first;
  into[1] = second;
  into[2] = -at.rate * second / first;
}

// From decay on: the slot's next value.
template <class S>
Value step_of(const S& settings, const SlotStep& slot, const Decayed& decayed) {
  const auto& [weight, gradient] = decayed;
  const bool keras = settings.form == OptimizerForm::Keras;
  const Value old_average = slot.memory("exp_avg"), old_square = slot.memory("exp_avg_sq");
  const Value average = keras ? train::keras_average(old_average, gradient, settings.beta_1)
                              : train::lerp(old_average, gradient, 1 - settings.beta_1);
  const Value square = keras ? train::keras_average(old_square, ops::square(gradient), settings.beta_2)
                             : train::gathered_squares(old_square, gradient, settings.beta_2);
  slot.remember("exp_avg", average);
  slot.remember("exp_avg_sq", square);
  Value under_root = square;
  if (settings.amsgrad) {
    under_root = ops::max(slot.memory("max_exp_avg_sq"), square);
    slot.remember("max_exp_avg_sq", under_root);
  }
  Value root = ops::sqrt(under_root);
  if (!keras) root = ops::div(root, slot.scalar("second_correction"));
  const Value step_size = slot.scalar(keras ? "keras_step_size" : "step_size");
  return ops::add(weight, ops::div(ops::mul(step_size, average), ops::shifted(root, settings.epsilon)));
}

std::vector<std::string_view> adam_scalars() { return {"step_size", "second_correction", "keras_step_size"}; }

}  // namespace

std::vector<Fault> Adam::check() const { return faults_of(*this); }
std::vector<train::Memory> Adam::memory() const { return memory_of(*this); }
std::vector<std::string_view> Adam::scalars() const { return adam_scalars(); }
void Adam::work(const train::StepNumbers& at, std::span<double> into) const { work_of(*this, at, into); }
Value Adam::step(const SlotStep& slot) const { return step_of(*this, slot, decayed(slot, form)); }

std::vector<Fault> AdamW::check() const { return faults_of(*this); }
std::vector<train::Memory> AdamW::memory() const { return memory_of(*this); }
std::vector<std::string_view> AdamW::scalars() const { return adam_scalars(); }
void AdamW::work(const train::StepNumbers& at, std::span<double> into) const { work_of(*this, at, into); }

Value AdamW::step(const SlotStep& slot) const {
  return step_of(*this, slot, form == OptimizerForm::Keras ? decayed_as_keras(slot) : decayed_apart(slot));
}

}  // namespace causeway
