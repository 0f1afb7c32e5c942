#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/engine/cpu/softmax_rows.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// Along the last axis; the reference has the others.
class SoftmaxKernel final : public PiecedKernel {
 public:
  SoftmaxKernel(const Draft& draft, const Task& task, bool logarithm)
      : from_(draft.root(task.inputs[0])), to_(draft.root(task.outputs[0])), logarithm_(logarithm) {
    const DraftValue& x = draft[task.inputs[0]];
    count_ = static_cast<size_t>(x.lengths.back());
    pieces_ = Pieces(static_cast<size_t>(x.size()) / count_, count_);
  }
  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = pieces_.begin(piece) * count_;
    softmax_rows(frame.of<float>(from_) + first, pieces_.end(piece) - pieces_.begin(piece), count_, logarithm_,
                 frame.to<float>(to_) + first);
  }

 private:
  ValueId from_, to_;
  bool logarithm_;
  size_t count_ = 0;
  Pieces pieces_;
};

std::unique_ptr<Kernel> made(const Draft& draft, const Task& task, int64_t axis, bool logarithm) {
  const DraftValue& x = draft[task.inputs[0]];
  const size_t rank = x.lengths.size();
  if (x.dtype != DType::Float32 || x.size() == 0 || rank == 0 || axis_in(axis, rank) + 1 != rank) return nullptr;
  return std::make_unique<SoftmaxKernel>(draft, task, logarithm);
}

}  // namespace

std::unique_ptr<Kernel> softmax(const Draft& draft, const Task& task, const ops::Softmax& op) {
  return made(draft, task, op.axis, false);
}
std::unique_ptr<Kernel> log_softmax(const Draft& draft, const Task& task, const ops::LogSoftmax& op) {
  return made(draft, task, op.axis, true);
}

}  // namespace causeway::engine::cpu
