#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Adam with Nesterov's momentum: Dozat 2016, https://openreview.net/forum?id=OM0jvwB8jIp57ZJjtNEZ. Memory: exp_avg,
/// exp_avg_sq.
///
/// Settings   learning_rate: normal float32 > 0; 2e-3, in Keras's form 1e-3. beta_1, beta_2: in [0, 1). epsilon: at least
///            0; 1e-8, in Keras's form 1e-7. momentum_decay: at least 0; 0.004, in Keras's form 1. weight_decay: at least
///            0. decoupled_weight_decay: takes it from the weight itself, as Keras's form always does.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.NAdam.html
struct NAdam {
  static constexpr std::string_view kName = "nadam";
  ByForm learning_rate{2e-3, 1e-3};
  double beta_1 = 0.9, beta_2 = 0.999;
  ByForm epsilon{1e-8, 1e-7}, momentum_decay{0.004, 1};
  double weight_decay = 0;
  bool decoupled_weight_decay = false;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &NAdam::learning_rate);
    each("beta_1", &NAdam::beta_1);
    each("beta_2", &NAdam::beta_2);
    each("epsilon", &NAdam::epsilon);
    each("momentum_decay", &NAdam::momentum_decay);
    each("weight_decay", &NAdam::weight_decay);
    each("decoupled_weight_decay", &NAdam::decoupled_weight_decay);
    each("form", &NAdam::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
  /// PyTorch's mu_product: the product of the momenta so far, in float32.
  double carry(double before, int64_t step) const;
};

}  // namespace causeway
