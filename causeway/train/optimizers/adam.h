#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Kingma and Ba 2014, https://arxiv.org/abs/1412.6980. Memory: exp_avg, exp_avg_sq, and max_exp_avg_sq with amsgrad.
///
/// Settings   learning_rate: normal float32 > 0. beta_1, beta_2: in [0, 1). epsilon: at least 0; 1e-8, in Keras's form
///            1e-7. weight_decay: at least 0. amsgrad: divides by the largest exp_avg_sq so far.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html
///            Keras's form adds epsilon before the correction of exp_avg_sq, so it weighs more in the first steps.
struct Adam {
  static constexpr std::string_view kName = "adam";
  double learning_rate = 1e-3, beta_1 = 0.9, beta_2 = 0.999;
  ByForm epsilon{1e-8, 1e-7};
  double weight_decay = 0;
  bool amsgrad = false;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &Adam::learning_rate);
    each("beta_1", &Adam::beta_1);
    each("beta_2", &Adam::beta_2);
    each("epsilon", &Adam::epsilon);
    each("weight_decay", &Adam::weight_decay);
    each("amsgrad", &Adam::amsgrad);
    each("form", &Adam::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

/// Adam with its decay taken from the weight itself: Loshchilov and Hutter 2017, https://arxiv.org/abs/1711.05101.
///
/// Settings   as Adam's; weight_decay 0.01, in Keras's form 0.004.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.AdamW.html
struct AdamW {
  static constexpr std::string_view kName = "adamw";
  double learning_rate = 1e-3, beta_1 = 0.9, beta_2 = 0.999;
  ByForm epsilon{1e-8, 1e-7}, weight_decay{0.01, 0.004};
  bool amsgrad = false;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &AdamW::learning_rate);
    each("beta_1", &AdamW::beta_1);
    each("beta_2", &AdamW::beta_2);
    each("epsilon", &AdamW::epsilon);
    each("weight_decay", &AdamW::weight_decay);
    each("amsgrad", &AdamW::amsgrad);
    each("form", &AdamW::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
