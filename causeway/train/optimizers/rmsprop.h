#pragma once

#include "causeway/train/optimizer.h"

namespace causeway {

/// Tieleman and Hinton 2012, https://www.cs.toronto.edu/~tijmen/csc321/slides/lecture_slides_lec6.pdf, centered as in
/// Graves 2013, https://arxiv.org/abs/1308.0850. Memory: square_avg, grad_avg where centered, momentum_buffer.
///
/// Settings   learning_rate: normal float32 > 0; 1e-2, in Keras's form 1e-3. rho (PyTorch's alpha): in [0, 1); 0.99, in
///            Keras's form 0.9. epsilon: at least 0; 1e-8, in Keras's form 1e-7 and under the root. momentum: 0.
///            centered: divides by an estimate of the variance, which never goes below 0 here. weight_decay: at least 0.
/// Source     https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html
struct RmsProp {
  static constexpr std::string_view kName = "rmsprop";
  ByForm learning_rate{1e-2, 1e-3}, rho{0.99, 0.9}, epsilon{1e-8, 1e-7};
  double momentum = 0, weight_decay = 0;
  bool centered = false;
  OptimizerForm form = OptimizerForm::PyTorch;

  static void settings(auto&& each) {
    each("learning_rate", &RmsProp::learning_rate);
    each("rho", &RmsProp::rho);
    each("epsilon", &RmsProp::epsilon);
    each("momentum", &RmsProp::momentum);
    each("weight_decay", &RmsProp::weight_decay);
    each("centered", &RmsProp::centered);
    each("form", &RmsProp::form);
  }
  std::vector<Fault> check() const;
  std::vector<train::Memory> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
