#pragma once

// What the optimizers of this folder share: refusals of settings, and pieces of their arithmetic.

#include <string>
#include <string_view>
#include <vector>

#include "causeway/train/optimizer.h"

namespace causeway::train {

/// Whether a number is one to multiply gradients by: below the least normal float32 a rate trains nothing.
bool is_rate(double value);
constexpr std::string_view kWhatARateIs = "a rate is a normal float32 above 0";

/// Gathers the settings an optimizer cannot have.
class SettingFaults {
 public:
  explicit SettingFaults(std::string_view owner) : where_("optimizer " + std::string(owner)) {}

  /// See is_rate().
  SettingFaults& rate(double value);
  /// In [0, 1).
  SettingFaults& share(std::string_view name, double value);
  /// Finite and at least 0.
  SettingFaults& at_least_nought(std::string_view name, double value);
  SettingFaults& say(std::string what);
  std::vector<Fault> take() { return std::move(faults_); }

 private:
  SettingFaults& add(std::string_view name, double value, std::string_view rule);
  std::string where_;
  std::vector<Fault> faults_;
};

/// PyTorch's: exact at both ends.
Value lerp(Value from, Value to, double weight);
/// old * share + g * (1 - share) of squares, as PyTorch fuses it: fma((1 - share) * g, g, old * share).
Value gathered_squares(Value old, Value gradient, double share);
/// old + (now - old) * (1 - share), as Keras works it.
Value keras_average(Value old, Value now, double share);

/// Weight and gradient of a slot after its decay.
struct Decayed {
  Value weight, gradient;
};
/// Decay as a part of the gradient: g <- fma(w, decay, g).
Decayed decayed_in_gradient(const SlotStep& slot);
/// Decay taken from the weight: w <- w * float(1 - rate * decay).
Decayed decayed_apart(const SlotStep& slot);
/// The same as Keras works it: w <- w - w * decay * rate.
Decayed decayed_as_keras(const SlotStep& slot);
/// decayed_as_keras() in Keras's form, decayed_in_gradient() otherwise.
Decayed decayed(const SlotStep& slot, OptimizerForm form);

}  // namespace causeway::train
