#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Steps of one size, by the sign of an average: Chen and others 2023, https://arxiv.org/abs/2302.06675. Memory: exp_avg.
///
/// Settings   learning_rate: normal float32 > 0. beta_1, beta_2: in [0, 1). weight_decay: at least 0, and taken from the
///            weight itself. form: both are Keras's, since PyTorch has no such optimizer.
/// Source     https://keras.io/api/optimizers/lion/
struct Lion {
  static constexpr std::string_view kName = "lion";
  double learning_rate = 1e-3, beta_1 = 0.9, beta_2 = 0.99, weight_decay = 0;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &Lion::learning_rate);
    each("beta_1", &Lion::beta_1);
    each("beta_2", &Lion::beta_2);
    each("weight_decay", &Lion::weight_decay);
    each("form", &Lion::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
