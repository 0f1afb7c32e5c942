#include <algorithm>

#include "causeway/base/philox.h"
#include "causeway/engine/cpu/draws.h"
#include "causeway/engine/cpu/kernels.h"

namespace causeway::engine::cpu {
namespace {

class DrawsKernel final : public PiecedKernel {
 public:
  DrawsKernel(const Draft& draft, const Task& task, const ops::RandomUniform& op)
      : seed_(draft.root(task.inputs[0])),
        step_(draft.root(task.inputs[1])),
        to_(draft.root(task.outputs[0])),
        purpose_(fnv1a(op.purpose)),
        count_(static_cast<size_t>(draft[task.outputs[0]].size())) {}

  size_t pieces() const override { return (count_ + kPiece - 1) / kPiece; }
  void run_piece(const Frame& frame, size_t piece) const override {
    const auto seed = static_cast<uint64_t>(*frame.of<int64_t>(seed_));
    const auto step = static_cast<uint64_t>(*frame.of<int64_t>(step_));
    const size_t first = piece * kPiece;
    uniform_draws(seed ^ purpose_, step, first, std::min(kPiece, count_ - first), frame.to<float>(to_) + first);
  }

 private:
  static constexpr size_t kPiece = 16384;

  ValueId seed_, step_, to_;
  uint64_t purpose_;
  size_t count_;
};

}  // namespace

std::unique_ptr<Kernel> random_uniform(const Draft& draft, const Task& task, const ops::RandomUniform& op) {
  const int64_t size = draft[task.outputs[0]].size();
  return size > 0 && size <= int64_t{1} << 34 ? std::make_unique<DrawsKernel>(draft, task, op) : nullptr;
}

}  // namespace causeway::engine::cpu
