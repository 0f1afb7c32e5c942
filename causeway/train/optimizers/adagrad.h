#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Duchi, Hazan and Singer 2011, https://jmlr.org/papers/v12/duchi11a.html. Memory: sum.
///
/// Settings   learning_rate: normal float32 > 0; 1e-2, in Keras's form 1e-3. lr_decay: at least 0.
///            initial_accumulator_value: what the sum starts from, at least 0; 0, in Keras's form 0.1. epsilon: at least
///            0; 1e-10, in Keras's form 1e-7 and under the root. weight_decay: at least 0.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.Adagrad.html
struct Adagrad {
  static constexpr std::string_view kName = "adagrad";
  ByForm learning_rate{1e-2, 1e-3};
  double lr_decay = 0;
  ByForm initial_accumulator_value{0, 0.1}, epsilon{1e-10, 1e-7};
  double weight_decay = 0;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &Adagrad::learning_rate);
    each("lr_decay", &Adagrad::lr_decay);
    each("initial_accumulator_value", &Adagrad::initial_accumulator_value);
    each("epsilon", &Adagrad::epsilon);
    each("weight_decay", &Adagrad::weight_decay);
    each("form", &Adagrad::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
