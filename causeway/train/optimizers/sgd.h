#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Gradient descent, with or without momentum. Memory: momentum_buffer.
///
/// Settings   learning_rate: normal float32 > 0; 1e-3, in Keras's form 1e-2. momentum, dampening: 0. nesterov: needs a
///            momentum and no dampening. weight_decay: at least 0.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html
///            Keras's form gathers the steps themselves, rate included, so it differs where the rate changes.
struct Sgd {
  static constexpr std::string_view kName = "sgd";
  ByForm learning_rate{1e-3, 1e-2};
  double momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &Sgd::learning_rate);
    each("momentum", &Sgd::momentum);
    each("dampening", &Sgd::dampening);
    each("weight_decay", &Sgd::weight_decay);
    each("nesterov", &Sgd::nesterov);
    each("form", &Sgd::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
