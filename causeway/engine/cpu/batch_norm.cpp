#include <algorithm>

#include "causeway/engine/cpu/channel_norms.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

ValueId operand(const Draft& draft, const Task& task, size_t i) {
  return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
}

ChannelNorms norms_of(const DraftValue& x, int64_t stated_axis, float epsilon) {
  ChannelNorms norms{.outer = 1, .channels = 1, .inner = 1, .epsilon = epsilon};
  const size_t axis = axis_in(stated_axis, x.lengths.size());
  for (size_t i = 0; i < x.lengths.size(); ++i) {
    const auto length = static_cast<size_t>(x.lengths[i]);
    (i < axis ? norms.outer : i == axis ? norms.channels : norms.inner) *= length;
  }
  return norms;
}

// Some channels a piece.
class ChannelsKernel : public PiecedKernel {
 public:
  explicit ChannelsKernel(const ChannelNorms& norms) : norms_(norms) {}
  size_t pieces() const override { return (norms_.channels + kChannelsTogether - 1) / kChannelsTogether; }
  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = piece * kChannelsTogether;
    work(frame, first, std::min(kChannelsTogether, norms_.channels - first));
  }

 protected:
  virtual void work(const Frame& frame, size_t first, size_t count) const = 0;
  ChannelNorms norms_;
};

class TrainingKernel final : public ChannelsKernel {
 public:
  TrainingKernel(const Draft& draft, const Task& task, const ChannelNorms& norms) : ChannelsKernel(norms) {
    for (size_t i = 0; i < 3; ++i) in_[i] = operand(draft, task, i), out_[i] = draft.root(task.outputs[i]);
  }

 private:
  void work(const Frame& frame, size_t first, size_t count) const override {
    ChannelNorms norms = norms_;
    norms.x = frame.of<float>(in_[0]), norms.weight = frame.of<float>(in_[1]), norms.bias = frame.of<float>(in_[2]);
    normalize_channels(norms, first, count, frame.to<float>(out_[0]), frame.to<float>(out_[1]),
                       frame.to<float>(out_[2]));
  }

  ValueId in_[3], out_[3];
};

class GradientKernel final : public ChannelsKernel {
 public:
  GradientKernel(const Draft& draft, const Task& task, const ChannelNorms& norms) : ChannelsKernel(norms) {
    for (size_t i = 0; i < 5; ++i) in_[i] = operand(draft, task, i);
    for (size_t i = 0; i < 3; ++i) out_[i] = draft.root(task.outputs[i]);
    has_dx_ = Readers(draft).is_read(draft, task.outputs[0]);
  }

 private:
  void work(const Frame& frame, size_t first, size_t count) const override {
    ChannelNorms norms = norms_;
    norms.x = frame.of<float>(in_[1]), norms.weight = frame.of<float>(in_[2]);
    channel_norms_gradient(norms, first, count, frame.of<float>(in_[0]), frame.of<float>(in_[3]),
                           frame.of<float>(in_[4]), has_dx_ ? frame.to<float>(out_[0]) : nullptr,
                           frame.to<float>(out_[1]), frame.to<float>(out_[2]));
  }

  ValueId in_[5], out_[3];
  bool has_dx_ = true;
};

}  // namespace

std::unique_ptr<Kernel> batch_norm_training(const Draft& draft, const Task& task, const ops::BatchNormTraining& op) {
  const DraftValue& x = draft[task.inputs[0]];
  if (x.dtype != DType::Float32 || x.size() == 0) return nullptr;
  return std::make_unique<TrainingKernel>(draft, task, norms_of(x, op.axis, op.epsilon));
}
std::unique_ptr<Kernel> batch_norm_gradient(const Draft& draft, const Task& task, const ops::BatchNormGradient& op) {
  const DraftValue& x = draft[task.inputs[1]];
  if (x.dtype != DType::Float32 || x.size() == 0) return nullptr;
  return std::make_unique<GradientKernel>(draft, task, norms_of(x, op.axis, op.epsilon));
}

}  // namespace causeway::engine::cpu
