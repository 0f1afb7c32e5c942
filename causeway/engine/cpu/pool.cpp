#include "causeway/engine/cpu/pool.h"

#include <algorithm>
#include <optional>

#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/engine/cpu/pooling.h"

namespace causeway::engine::cpu {
namespace {

template <class Settings>
std::optional<Pooling> pooling(const Settings& op, const DraftValue& x, const DraftValue& y) {
  if (op.layout != ops::Layout::ChannelsLast || x.dtype != DType::Float32 || x.lengths.size() > 5) return std::nullopt;
  const size_t places = x.lengths.size() - 2, first = 3 - places;
  const std::vector<int64_t> lengths(x.lengths.begin() + 1, x.lengths.end() - 1);
  const ops::Window window = op.window.stated(lengths);
  Pooling p;
  p.rows = x.lengths[0];
  p.channels = x.lengths.back();
  for (size_t i = 0; i < places; ++i) {
    p.in[first + i] = lengths[i];
    p.out[first + i] = y.lengths[1 + i];
    p.size[first + i] = window.size[i];
    p.stride[first + i] = window.stride[i];
    p.dilation[first + i] = window.dilation[i];
    p.before[first + i] = window.before[i];
    p.counted_after[first + i] = window.after[i];
  }
  return p;
}

// Some images a piece.
class PoolingKernel : public PiecedKernel {
 public:
  explicit PoolingKernel(const Pooling& pooling)
      : pooling_(pooling),
        pieces_(static_cast<size_t>(pooling.rows),
                static_cast<size_t>(std::max(pooling.in_size(), pooling.out_size()))) {}
  size_t pieces() const override { return pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    Pooling some = pooling_;
    const auto first = static_cast<int64_t>(pieces_.begin(piece));
    some.rows = static_cast<int64_t>(pieces_.end(piece)) - first;
    work(frame, some, first * some.in_size(), first * some.out_size());
  }

 protected:
  // Some images, whose numbers start there before and after pooling.
  virtual void work(const Frame& frame, const Pooling& some, int64_t in, int64_t out) const = 0;

 private:
  Pooling pooling_;
  Pieces pieces_;
};

class PoolKernel final : public PoolingKernel {
 public:
  using Work = void (*)(const Pooling&, const float*, float*);
  PoolKernel(const Draft& draft, const Task& task, const Pooling& pooling, Work work)
      : PoolingKernel(pooling), work_(work), x_(draft.root(task.inputs[0])), y_(draft.root(task.outputs[0])) {}

 private:
  void work(const Frame& frame, const Pooling& some, int64_t in, int64_t out) const override {
    work_(some, frame.of<float>(x_) + in, frame.to<float>(y_) + out);
  }

  Work work_;
  ValueId x_, y_;
};

class MaxPoolGradientKernel final : public PoolingKernel {
 public:
  MaxPoolGradientKernel(const Draft& draft, const Task& task, const Pooling& pooling)
      : PoolingKernel(pooling),
        dy_(draft.root(task.inputs[0])),
        x_(draft.root(task.inputs[1])),
        dx_(draft.root(task.outputs[0])) {}

 private:
  void work(const Frame& frame, const Pooling& some, int64_t in, int64_t out) const override {
    max_pooled_gradient(some, frame.of<float>(dy_) + out, frame.of<float>(x_) + in, frame.to<float>(dx_) + in);
  }

  ValueId dy_, x_, dx_;
};

class AveragePoolGradientKernel final : public PoolingKernel {
 public:
  AveragePoolGradientKernel(const Draft& draft, const Task& task, const Pooling& pooling)
      : PoolingKernel(pooling), dy_(draft.root(task.inputs[0])), dx_(draft.root(task.outputs[0])) {}

 private:
  void work(const Frame& frame, const Pooling& some, int64_t in, int64_t out) const override {
    average_pooled_gradient(some, frame.of<float>(dy_) + out, frame.to<float>(dx_) + in);
  }

  ValueId dy_, dx_;
};

}  // namespace

std::optional<Pooling> pooling_of(const Draft& draft, const Task& task) {
  const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  if (const auto* largest = task.op.as<ops::MaxPool>()) return pooling(*largest, x, y);
  const auto* average = task.op.as<ops::AveragePool>();
  if (!average) return std::nullopt;
  std::optional<Pooling> p = pooling(*average, x, y);
  if (p) p->counts_border = average->count_include_pad;
  return p;
}

std::unique_ptr<Kernel> max_pool(const Draft& draft, const Task& task, const ops::MaxPool&) {
  const std::optional<Pooling> p = pooling_of(draft, task);
  return p ? std::make_unique<PoolKernel>(draft, task, *p, max_pooled) : nullptr;
}

std::unique_ptr<Kernel> max_pool_gradient(const Draft& draft, const Task& task, const ops::MaxPoolGradient& op) {
  const std::optional<Pooling> p = pooling(op, draft[task.inputs[1]], draft[task.inputs[0]]);
  return p ? std::make_unique<MaxPoolGradientKernel>(draft, task, *p) : nullptr;
}

std::unique_ptr<Kernel> average_pool(const Draft& draft, const Task& task, const ops::AveragePool&) {
  const std::optional<Pooling> p = pooling_of(draft, task);
  return p ? std::make_unique<PoolKernel>(draft, task, *p, average_pooled) : nullptr;
}

std::unique_ptr<Kernel> average_pool_gradient(const Draft& draft, const Task& task,
                                              const ops::AveragePoolGradient& op) {
  std::optional<Pooling> p = pooling(op, draft[task.outputs[0]], draft[task.inputs[0]]);
  if (!p) return nullptr;
  p->counts_border = op.count_include_pad;
  return std::make_unique<AveragePoolGradientKernel>(draft, task, *p);
}

}  // namespace causeway::engine::cpu
