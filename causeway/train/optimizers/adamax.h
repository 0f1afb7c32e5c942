#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Adam by the largest gradient instead of their squares: Kingma and Ba 2014, section 7,
/// https://arxiv.org/abs/1412.6980. Memory: exp_avg, exp_inf.
///
/// Settings   learning_rate: normal float32 > 0; 2e-3, in Keras's form 1e-3. beta_1, beta_2: in [0, 1). epsilon: at least
///            0; 1e-8 and within the largest, in Keras's form 1e-7 and beside it. weight_decay: at least 0.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.Adamax.html
struct Adamax {
  static constexpr std::string_view kName = "adamax";
  ByForm learning_rate{2e-3, 1e-3};
  double beta_1 = 0.9, beta_2 = 0.999;
  ByForm epsilon{1e-8, 1e-7};
  double weight_decay = 0;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &Adamax::learning_rate);
    each("beta_1", &Adamax::beta_1);
    each("beta_2", &Adamax::beta_2);
    each("epsilon", &Adamax::epsilon);
    each("weight_decay", &Adamax::weight_decay);
    each("form", &Adamax::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
