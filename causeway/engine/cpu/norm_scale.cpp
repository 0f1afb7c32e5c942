#include <cmath>

#include "causeway/engine/cpu/kernels.h"

namespace causeway::engine::cpu {
namespace {

class NormScaleKernel final : public Kernel {
 public:
  NormScaleKernel(const Draft& draft, const Task& task, float epsilon) : epsilon_(epsilon) {
    for (size_t i = 0; i < 4; ++i) from_[i] = task.inputs[i] == kAbsent ? kAbsent : draft.root(task.inputs[i]);
    scale_ = draft.root(task.outputs[0]);
    shift_ = draft.root(task.outputs[1]);
    channels_ = draft[task.outputs[0]].size();
  }
  void run(const Frame& frame) const override {
    const auto *weight = frame.of<float>(from_[0]), *bias = frame.of<float>(from_[1]);
    const auto *mean = frame.of<float>(from_[2]), *variance = frame.of<float>(from_[3]);
    auto *scale = frame.to<float>(scale_), *shift = frame.to<float>(shift_);
    for (int64_t c = 0; c < channels_; ++c) {
      const double factor = (weight ? weight[c] : 1.0) / std::sqrt(static_cast<double>(variance[c]) + epsilon_);
      scale[c] = static_cast<float>(factor);
      shift[c] = static_cast<float>((bias ? bias[c] : 0.0) - mean[c] * factor);
    }
  }

 private:
  ValueId from_[4] = {}, scale_ = 0, shift_ = 0;
  int64_t channels_ = 0;
  float epsilon_;
};

}  // namespace

std::unique_ptr<Kernel> norm_scale(const Draft& draft, const Task& task, const NormScale& op) {
  return std::make_unique<NormScaleKernel>(draft, task, op.epsilon);
}

}  // namespace causeway::engine::cpu
