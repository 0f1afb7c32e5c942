#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/engine/cpu/softmax_rows.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// x is [outer, count, inner]: rows where nothing is inner, else columns.
class SoftmaxKernel final : public PiecedKernel {
 public:
  SoftmaxKernel(const Draft& draft, const Task& task, size_t axis, bool logarithm)
      : from_(draft.root(task.inputs[0])), to_(draft.root(task.outputs[0])), logarithm_(logarithm) {
    const DraftValue& x = draft[task.inputs[0]];
    count_ = static_cast<size_t>(x.lengths[axis]);
    for (size_t i = axis + 1; i < x.lengths.size(); ++i) inner_ *= static_cast<size_t>(x.lengths[i]);
    blocks_ = (inner_ + kColumns - 1) / kColumns;
    const size_t outer = static_cast<size_t>(x.size()) / (count_ * inner_);
    pieces_ = Pieces(outer * blocks_, count_ * (inner_ == 1 ? 1 : kColumns));
  }
  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    const float* from = frame.of<float>(from_);
    float* to = frame.to<float>(to_);
    const size_t begin = pieces_.begin(piece), end = pieces_.end(piece);
    if (inner_ == 1) {
      return softmax_rows(from + begin * count_, end - begin, count_, logarithm_, to + begin * count_);
    }
    for (size_t part = begin; part < end; ++part) {
      const size_t column = part % blocks_ * kColumns, at = part / blocks_ * count_ * inner_ + column;
      softmax_columns(from + at, count_, inner_, std::min(kColumns, inner_ - column), logarithm_, to + at);
    }
  }

 private:
  static constexpr size_t kColumns = 64;
  ValueId from_, to_;
  bool logarithm_;
  size_t count_ = 0, inner_ = 1, blocks_ = 1;
  Pieces pieces_;
};

std::unique_ptr<Kernel> made(const Draft& draft, const Task& task, int64_t axis, bool logarithm) {
  const DraftValue& x = draft[task.inputs[0]];
  if (x.dtype != DType::Float32 || x.size() == 0 || x.lengths.empty()) return nullptr;
  return std::make_unique<SoftmaxKernel>(draft, task, axis_in(axis, x.lengths.size()), logarithm);
}

}  // namespace

std::unique_ptr<Kernel> softmax(const Draft& draft, const Task& task, const ops::Softmax& op) {
  return made(draft, task, op.axis, false);
}
std::unique_ptr<Kernel> log_softmax(const Draft& draft, const Task& task, const ops::LogSoftmax& op) {
  return made(draft, task, op.axis, true);
}

}  // namespace causeway::engine::cpu
