#include <cstring>

#include "causeway/engine/cpu/depthwise.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/layout.h"

namespace causeway::engine::cpu {
namespace {

struct ConvState final : KernelState {
  std::unique_ptr<ConvPrimitive::Call> call;
};

size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

// What all three passes share: a primitive, its call, and scratch memory for it and for a weight of each run.
class PrimitiveKernel : public PiecedKernel {
 public:
  explicit PrimitiveKernel(std::shared_ptr<const ConvPrimitive> primitive, bool packed)
      : primitive_(std::move(primitive)), packed_(packed) {}

  size_t scratch_bytes() const override {
    return rounded(primitive_->scratch_bytes()) + (packed_ ? 0 : primitive_->weight_bytes());
  }
  // A weight that is packed in each run is packed once for all rows.
  size_t pieces() const override { return packed_ ? primitive_->runs() : 1; }
  std::unique_ptr<KernelState> state() const override {
    auto made = std::make_unique<ConvState>();
    made->call = primitive_->call();
    return made;
  }

 protected:
  float* own_weight(const Frame& frame) const {
    return reinterpret_cast<float*>(frame.scratch + rounded(primitive_->scratch_bytes()));
  }
  float* weight(const Frame& frame, ValueId id) const {
    if (packed_) return frame.to<float>(id);
    primitive_->pack_weight(frame.of<float>(id), own_weight(frame));
    return own_weight(frame);
  }
  void call(const Frame& frame, size_t at, float* in, float* weight, const float* bias, float* out) const {
    primitive_->run(*static_cast<ConvState*>(frame.state)->call, at, in, weight, bias, out, frame.scratch);
  }
  // Of this piece, or of all rows where the weight is packed first.
  void call_rows(const Frame& frame, size_t piece, float* in, float* weight, const float* bias, float* out) const {
    if (packed_) return call(frame, piece, in, weight, bias, out);
    for (size_t at = 0; at < primitive_->runs(); ++at) call(frame, at, in, weight, bias, out);
  }

  bool is_packed() const { return packed_; }

  std::shared_ptr<const ConvPrimitive> primitive_;

 private:
  bool packed_;
};

class ForwardKernel final : public PrimitiveKernel {
 public:
  ForwardKernel(const Draft& draft, const Task& task, const BlockedConv& op)
      : PrimitiveKernel(op.primitive, op.packed),
        x_(draft.root(task.inputs[0])),
        weight_(draft.root(task.inputs[1])),
        y_(draft.root(task.outputs[0])),
        bytes_(draft[task.outputs[0]].size_bytes()) {
    if (op.problem.has_bias) bias_ = draft.root(task.inputs[2]);
    if (op.problem.adds) added_ = draft.root(task.inputs[3]);
  }
  void run_piece(const Frame& frame, size_t piece) const override {
    float* y = frame.to<float>(y_);
    if (added_ != kAbsent && frame.of<float>(added_) != y) {
      const size_t bytes = bytes_ / pieces();
      std::memcpy(frame.to<std::byte>(y_) + piece * bytes, frame.of<std::byte>(added_) + piece * bytes, bytes);
    }
    call_rows(frame, piece, frame.to<float>(x_), weight(frame, weight_), frame.of<float>(bias_), y);
  }

 private:
  ValueId x_, weight_, bias_ = kAbsent, added_ = kAbsent, y_;
  size_t bytes_;
};

// Row by row, each pooled from scratch memory.
class PooledKernel final : public PrimitiveKernel {
 public:
  PooledKernel(const Draft& draft, const Task& task, const BlockedConv& op)
      : PrimitiveKernel(op.primitive, op.packed),
        pooling_(*op.pooling),
        pool_(op.pools_largest ? max_pooled : average_pooled),
        rows_(static_cast<size_t>(op.rows)),
        x_(draft.root(task.inputs[0])),
        weight_(draft.root(task.inputs[1])),
        y_(draft.root(task.outputs[0])) {
    if (op.problem.has_bias) bias_ = draft.root(task.inputs[2]);
    x_step_ = static_cast<size_t>(draft[task.inputs[0]].size()) / rows_;
    y_step_ = static_cast<size_t>(draft[task.outputs[0]].size()) / rows_;
    between_ =
        static_cast<size_t>(pooling_.rows * pooling_.channels * pooling_.in[0] * pooling_.in[1] * pooling_.in[2]);
  }

  size_t scratch_bytes() const override { return rounded(PrimitiveKernel::scratch_bytes()) + between_ * sizeof(float); }

  size_t pieces() const override { return is_packed() ? rows_ : 1; }

  void run_piece(const Frame& frame, size_t piece) const override {
    auto* between = reinterpret_cast<float*>(frame.scratch + rounded(PrimitiveKernel::scratch_bytes()));
    float* packed = weight(frame, weight_);
    for (size_t row = piece; row < (is_packed() ? piece + 1 : rows_); ++row) {
      call(frame, 0, frame.to<float>(x_) + row * x_step_, packed, frame.of<float>(bias_), between);
      pool_(pooling_, between, frame.to<float>(y_) + row * y_step_);
    }
  }

 private:
  Pooling pooling_;
  void (*pool_)(const Pooling&, const float*, float*);
  size_t rows_, x_step_ = 0, y_step_ = 0, between_ = 0;
  ValueId x_, weight_, bias_ = kAbsent, y_;
};

class DepthwiseKernel final : public PiecedKernel {
 public:
  DepthwiseKernel(const Draft& draft, const Task& task, const BlockedConv& op)
      : problem_(op.problem),
        packed_(op.packed),
        x_(draft.root(task.inputs[0])),
        weight_(draft.root(task.inputs[1])),
        y_(draft.root(task.outputs[0])) {
    if (op.problem.has_bias) bias_ = draft.root(task.inputs[2]);
    if (op.problem.adds) added_ = draft.root(task.inputs[3]);
    in_row_ = static_cast<size_t>(draft[task.inputs[0]].size() / problem_.rows);
    out_row_ = static_cast<size_t>(draft[task.outputs[0]].size() / problem_.rows);
  }
  size_t scratch_bytes() const override {
    return packed_ ? 0 : static_cast<size_t>(depthwise_weight_size(problem_)) * sizeof(float);
  }
  size_t pieces() const override { return packed_ && problem_.rows > 1 ? static_cast<size_t>(problem_.rows) : 1; }
  void run_piece(const Frame& frame, size_t piece) const override {
    const float* weight = frame.of<float>(weight_);
    if (!packed_) {
      auto* own = reinterpret_cast<float*>(frame.scratch);
      pack_depthwise_weight(problem_, weight, own);
      weight = own;
    }
    ConvProblem rows = problem_;
    rows.rows /= static_cast<int64_t>(pieces());
    const size_t x = piece * in_row_, y = piece * out_row_;
    const float* added = frame.of<float>(added_);
    depthwise(rows, frame.of<float>(x_) + x, weight, frame.of<float>(bias_), added ? added + y : nullptr,
              frame.to<float>(y_) + y);
  }

 private:
  ConvProblem problem_;
  bool packed_;
  size_t in_row_ = 0, out_row_ = 0;
  ValueId x_, weight_, bias_ = kAbsent, added_ = kAbsent, y_;
};

class InputGradientKernel final : public PrimitiveKernel {
 public:
  InputGradientKernel(const Draft& draft, const Task& task, const BlockedConvGradient& op)
      : PrimitiveKernel(op.primitive, op.packed),
        dy_(draft.root(task.inputs[0])),
        weight_(draft.root(task.inputs[1])),
        dx_(draft.root(task.outputs[0])) {}
  void run_piece(const Frame& frame, size_t piece) const override {
    call_rows(frame, piece, frame.to<float>(dx_), weight(frame, weight_), nullptr, frame.to<float>(dy_));
  }

 private:
  ValueId dy_, weight_, dx_;
};

class WeightGradientKernel final : public PrimitiveKernel {
 public:
  WeightGradientKernel(const Draft& draft, const Task& task, const BlockedConvGradient& op)
      : PrimitiveKernel(op.primitive, false),
        x_(draft.root(task.inputs[0])),
        dy_(draft.root(task.inputs[1])),
        dweight_(draft.root(task.outputs[0])) {}
  void run_piece(const Frame& frame, size_t) const override {
    float* blocked = own_weight(frame);
    call(frame, 0, frame.to<float>(x_), blocked, nullptr, frame.to<float>(dy_));
    primitive_->unpack_weight(blocked, frame.to<float>(dweight_));
  }

 private:
  ValueId x_, dy_, dweight_;
};

class PackKernel final : public Kernel {
 public:
  PackKernel(const Draft& draft, const Task& task, const PackConvWeight& op)
      : problem_(op.problem),
        primitive_(op.primitive),
        from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])) {}
  void run(const Frame& frame) const override {
    if (primitive_) return primitive_->pack_weight(frame.of<float>(from_), frame.to<float>(to_));
    pack_depthwise_weight(problem_, frame.of<float>(from_), frame.to<float>(to_));
  }

 private:
  ConvProblem problem_;
  std::shared_ptr<const ConvPrimitive> primitive_;
  ValueId from_, to_;
};

class BlockKernel final : public Kernel {
 public:
  BlockKernel(const Draft& draft, const Task& task, ops::Layout layout, bool into)
      : from_(draft.root(task.inputs[0])), to_(draft.root(task.outputs[0])), into_(into) {
    const DraftValue& plain = draft[into ? task.inputs[0] : task.outputs[0]];
    move_ = BlockMove::of(plain.lengths, layout, size_of(plain.dtype));
  }
  void run(const Frame& frame) const override {
    if (into_) {
      move_.to_blocked(frame.at[from_], frame.at[to_]);
    } else {
      move_.from_blocked(frame.at[from_], frame.at[to_]);
    }
  }

 private:
  ValueId from_, to_;
  bool into_;
  BlockMove move_;
};

}  // namespace

std::unique_ptr<Kernel> blocked_conv(const Draft& draft, const Task& task, const BlockedConv& op) {
  if (!op.primitive) return std::make_unique<DepthwiseKernel>(draft, task, op);
  if (op.pooling) return std::make_unique<PooledKernel>(draft, task, op);
  return std::make_unique<ForwardKernel>(draft, task, op);
}
std::unique_ptr<Kernel> blocked_conv_gradient(const Draft& draft, const Task& task, const BlockedConvGradient& op) {
  if (op.problem.pass == ConvProblem::Pass::InputGradient)
    return std::make_unique<InputGradientKernel>(draft, task, op);
  return std::make_unique<WeightGradientKernel>(draft, task, op);
}
std::unique_ptr<Kernel> pack_conv_weight(const Draft& draft, const Task& task, const PackConvWeight& op) {
  return std::make_unique<PackKernel>(draft, task, op);
}
std::unique_ptr<Kernel> to_blocked(const Draft& draft, const Task& task, const ToBlocked& op) {
  return std::make_unique<BlockKernel>(draft, task, op.layout, true);
}
std::unique_ptr<Kernel> from_blocked(const Draft& draft, const Task& task, const FromBlocked& op) {
  return std::make_unique<BlockKernel>(draft, task, op.layout, false);
}

}  // namespace causeway::engine::cpu
