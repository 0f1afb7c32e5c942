#include <algorithm>
#include <optional>

#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/totals.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

// A run of axes that are all totalled, or all kept.
struct Run {
  size_t length = 1;
  bool totalled = false;
};

std::vector<Run> runs_of(const std::vector<int64_t>& lengths, const std::vector<bool>& totalled) {
  std::vector<Run> runs;
  for (size_t axis = 0; axis < lengths.size(); ++axis) {
    if (lengths[axis] == 1) continue;
    if (runs.empty() || runs.back().totalled != totalled[axis]) runs.push_back({1, totalled[axis]});
    runs.back().length *= static_cast<size_t>(lengths[axis]);
  }
  return runs;
}

// Totals run by run, the innermost first; what stands between two goes through scratch memory.
class TotalKernel final : public Kernel {
 public:
  TotalKernel(const Draft& draft, const Task& task, Total total, const std::vector<Run>& runs, float divisor)
      : from_(draft.root(task.inputs[0])), to_(draft.root(task.outputs[0])), total_(total), divisor_(divisor) {
    size_ = static_cast<size_t>(draft[task.outputs[0]].size());
    for (size_t i = runs.size(); i-- > 0;) {
      if (!runs[i].totalled) continue;
      Stage stage{1, runs[i].length, 1};
      for (size_t j = 0; j < i; ++j) stage.outer *= runs[j].length;
      for (size_t j = i + 1; j < runs.size(); ++j) {
        if (!runs[j].totalled) stage.inner *= runs[j].length;
      }
      stages_.push_back(stage);
    }
    for (size_t i = 0; i + 1 < stages_.size(); ++i) between_ += stages_[i].outer * stages_[i].inner;
  }

  size_t scratch_bytes() const override { return between_ * sizeof(float); }

  void run(const Frame& frame) const override {
    const float* from = frame.of<float>(from_);
    auto* scratch = reinterpret_cast<float*>(frame.scratch);
    for (size_t i = 0; i < stages_.size(); ++i) {
      const Stage& stage = stages_[i];
      float* to = i + 1 == stages_.size() ? frame.to<float>(to_) : scratch;
      if (stage.inner == 1) {
        row_totals(total_, from, stage.outer, stage.length, to);
      } else {
        for (size_t j = 0; j < stage.outer; ++j) {
          column_totals(total_, from + j * stage.length * stage.inner, stage.length, stage.inner, to + j * stage.inner);
        }
      }
      from = to;
      scratch += stage.outer * stage.inner;
    }
    if (divisor_ == 1) return;
    float* to = frame.to<float>(to_);
    for (size_t i = 0; i < size_; ++i) to[i] /= divisor_;
  }

 private:
  struct Stage {
    size_t outer = 1, length = 1, inner = 1;
  };
  ValueId from_, to_;
  Total total_;
  float divisor_;
  size_t size_ = 0, between_ = 0;
  std::vector<Stage> stages_;
};

std::unique_ptr<Kernel> made(const Draft& draft, const Task& task, Total total, const std::vector<bool>& totalled,
                             bool mean) {
  const DraftValue &x = draft[task.inputs[0]], &y = draft[task.outputs[0]];
  if (x.dtype != DType::Float32 || x.size() == 0) return nullptr;
  const std::vector<Run> runs = runs_of(x.lengths, totalled);
  if (std::none_of(runs.begin(), runs.end(), [](const Run& run) { return run.totalled; })) return nullptr;
  const float divisor = mean ? static_cast<float>(x.size() / y.size()) : 1.0f;
  return std::make_unique<TotalKernel>(draft, task, total, runs, divisor);
}

class SquaresKernel final : public Kernel {
 public:
  SquaresKernel(const Draft& draft, const Task& task)
      : from_(draft.root(task.inputs[0])),
        to_(draft.root(task.outputs[0])),
        count_(static_cast<size_t>(draft[task.inputs[0]].size())) {}
  void run(const Frame& frame) const override {
    *frame.to<double>(to_) = sum_of_squares(frame.of<float>(from_), count_);
  }

 private:
  ValueId from_, to_;
  size_t count_;
};

}  // namespace

std::unique_ptr<Kernel> reduce(const Draft& draft, const Task& task, const ops::Reduce& op) {
  using Kind = ops::ReduceKind;
  const std::vector<int64_t>& lengths = draft[task.inputs[0]].lengths;
  std::vector<bool> totalled(lengths.size(), op.axes.empty());
  for (const int64_t axis : op.axes) totalled[axis_in(axis, lengths.size())] = true;
  switch (op.kind) {
    case Kind::Sum:
      return made(draft, task, Total::Sum, totalled, false);
    case Kind::Mean:
      return made(draft, task, Total::Sum, totalled, true);
    case Kind::Max:
      return made(draft, task, Total::Max, totalled, false);
    case Kind::Min:
      return made(draft, task, Total::Min, totalled, false);
    case Kind::Prod:
    case Kind::LogSumExp:
      return nullptr;
  }
  return nullptr;
}

std::unique_ptr<Kernel> sum_to(const Draft& draft, const Task& task, const ops::SumTo&) {
  const std::vector<int64_t>&from = draft[task.inputs[0]].lengths, &to = draft[task.outputs[0]].lengths;
  std::vector<bool> totalled(from.size(), true);
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[to.size() - 1 - i] != 1) totalled[from.size() - 1 - i] = false;
  }
  return made(draft, task, Total::Sum, totalled, false);
}

std::unique_ptr<Kernel> sum_squares(const Draft& draft, const Task& task, const ops::SumSquares&) {
  if (draft[task.inputs[0]].dtype != DType::Float32) return nullptr;
  return std::make_unique<SquaresKernel>(draft, task);
}

}  // namespace causeway::engine::cpu
