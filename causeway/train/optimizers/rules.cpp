#include "causeway/train/optimizers/rules.h"

#include <cmath>
#include <limits>

#include "causeway/ops/build.h"

namespace causeway::train {

bool is_rate(double value) {
  using Limits = std::numeric_limits<float>;
  return value >= double{Limits::min()} && value <= double{Limits::max()};
}

SettingFaults& SettingFaults::rate(double value) {
  return is_rate(value) ? *this : add("learning_rate", value, kWhatARateIs);
}

SettingFaults& SettingFaults::share(std::string_view name, double value) {
  return value >= 0 && value < 1 ? *this : add(name, value, "it lies in [0, 1)");
}

SettingFaults& SettingFaults::at_least_nought(std::string_view name, double value) {
  if (std::isfinite(value) && value >= 0) return *this;
  return add(name, value, "it is finite and at least 0");
}

SettingFaults& SettingFaults::say(std::string what) {
  faults_.push_back({where_, std::move(what)});
  return *this;
}

SettingFaults& SettingFaults::add(std::string_view name, double value, std::string_view rule) {
  return say("'" + std::string(name) + "' is " + text_of(value) + ", and " + std::string(rule) + ".");
}

Value lerp(Value from, Value to, double weight) {
  const auto share = static_cast<float>(weight);
  const Value difference = ops::sub(to, from);
  if (share < 0.5f) return ops::fma(difference, ops::number_like(to, share), from);
  return ops::fma(ops::neg(difference), ops::number_like(to, 1 - share), to);
}

Value gathered_squares(Value old, Value gradient, double share) {
  return ops::fma(ops::scale(gradient, 1 - share), gradient, ops::scale(old, share));
}

Value keras_average(Value old, Value now, double share) {
  return ops::add(old, ops::scale(ops::sub(now, old), 1 - share));
}

Decayed decayed_in_gradient(const SlotStep& slot) {
  if (slot.decay == 0) return {slot.weight, slot.gradient};
  return {slot.weight, ops::fma(slot.weight, slot.scalar("decay"), slot.gradient)};
}

Decayed decayed_apart(const SlotStep& slot) {
  if (slot.decay == 0) return {slot.weight, slot.gradient};
  return {ops::mul(slot.weight, slot.scalar("kept")), slot.gradient};
}

Decayed decayed_as_keras(const SlotStep& slot) {
  if (slot.decay == 0) return {slot.weight, slot.gradient};
  const Value taken = ops::mul(ops::mul(slot.weight, slot.scalar("decay")), slot.scalar("rate"));
  return {ops::sub(slot.weight, taken), slot.gradient};
}

Decayed decayed(const SlotStep& slot, OptimizerForm form) {
  return form == OptimizerForm::Keras ? decayed_as_keras(slot) : decayed_in_gradient(slot);
}

}  // namespace causeway::train
