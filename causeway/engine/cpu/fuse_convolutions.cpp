#include <algorithm>
#include <utility>

#include "causeway/base/check.h"
#include "causeway/engine/cpu/depthwise.h"
#include "causeway/engine/cpu/few_channels.h"
#include "causeway/engine/cpu/pool.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

class ConvFuser {
 public:
  explicit ConvFuser(Draft& draft) : draft_(draft), readers_(draft), gone_(draft.tasks.size(), false) {}

  void run() {
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      if (!gone_[i] && draft_.tasks[i].op.is<BlockedConv>()) fuse(draft_.tasks[i]);
    }
    std::vector<Task> kept;
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      if (!gone_[i]) kept.push_back(std::move(draft_.tasks[i]));
    }
    draft_.tasks = std::move(kept);
    sort_tasks(draft_);
    for (Task& task : draft_.tasks) {
      if (const auto* conv = task.op.as<BlockedConv>()) task.op = finished(*conv, task.inputs[1]);
      if (const auto* conv = task.op.as<BlockedConvGradient>()) task.op = finished(*conv, task.inputs[1]);
    }
    if (packing_.empty()) return;
    for (Task& task : packing_) draft_.tasks.push_back(std::move(task));
    sort_tasks(draft_);
  }

 private:
  void fuse(Task& task) {
    BlockedConv conv = *task.op.as<BlockedConv>();
    if (const size_t add = next_step(task); add != SIZE_MAX && draft_.tasks[add].op.is<ops::Add>()) {
      const Task& sum = draft_.tasks[add];
      const size_t at = draft_.root(sum.inputs[0]) == draft_.root(task.outputs[0]) ? 1 : 0;
      const bool fits = draft_.root(sum.inputs[at]) != draft_.root(task.outputs[0]) &&
                        draft_[sum.inputs[at]].lengths == draft_[task.outputs[0]].lengths;
      if (fits) {
        conv.problem.adds = true;
        if (!conv.problem.has_bias) task.inputs.push_back(kAbsent);
        task.inputs.push_back(sum.inputs[at]);
        take_over(task, add);
      }
    }
    if (const size_t bound = next_step(task); bound != SIZE_MAX) {
      if (const std::optional<Bounds> bounds = bounds_of(draft_.tasks[bound].op)) {
        conv.problem.has_bounds = true;
        conv.problem.low = bounds->low;
        conv.problem.high = bounds->high;
        take_over(task, bound);
      }
    }
    pool(task, conv);
    task.op = conv;
  }

  // A pooling behind rows that are not small: each row is pooled while it lies in the cache.
  void pool(Task& task, BlockedConv& conv) {
    constexpr int64_t kLeastPlaces = 64;
    const size_t reader = not_gone(readers_.only_task(draft_, task.outputs[0]));
    const auto& lengths = conv.problem.out_lengths;
    if (reader == SIZE_MAX || conv.problem.adds || conv.problem.rows < 2 || is_depthwise(conv.problem) ||
        lengths[0] * lengths[1] * lengths[2] < kLeastPlaces) {
      return;
    }
    conv.pooling = pooling_of(draft_, draft_.tasks[reader]);
    if (!conv.pooling) return;
    conv.pools_largest = draft_.tasks[reader].op.is<ops::MaxPool>();
    conv.rows = std::exchange(conv.problem.rows, 1);
    conv.pooling->rows /= conv.rows;
    take_over(task, reader);
  }

  // The step that alone reads what this one makes, unless another has taken it over.
  size_t next_step(const Task& task) const { return not_gone(readers_.only_step(draft_, task.outputs[0])); }
  size_t not_gone(size_t reader) const { return reader == SIZE_MAX || gone_[reader] ? SIZE_MAX : reader; }

  void take_over(Task& task, size_t other) {
    task.outputs = draft_.tasks[other].outputs;
    gone_[other] = true;
  }

  // With its primitive; a constant weight is packed once.
  template <class Conv>
  Conv finished(Conv conv, ValueId& weight) {
    const bool reads_weight = conv.problem.pass != ConvProblem::Pass::WeightGradient;
    conv.problem.weight_is_constant = reads_weight && is_constant(draft_, weight);
    const bool own = is_depthwise(conv.problem);
    if (!own) conv.primitive = primitive(conv.problem, rows_of(conv));
    if (!conv.problem.weight_is_constant) return conv;
    PackConvWeight pack;
    pack.problem = conv.problem;
    pack.primitive = conv.primitive;
    const int64_t numbers = own ? depthwise_weight_size(conv.problem)
                                : static_cast<int64_t>((conv.primitive->weight_bytes() + 3) / sizeof(float));
    const ValueId packed = draft_.add(DType::Float32, {numbers});
    packing_.push_back({pack, {weight}, {packed}, nullptr, true});
    weight = packed;
    conv.packed = true;
    return conv;
  }

  static int64_t rows_of(const BlockedConv& conv) { return conv.rows * conv.problem.rows; }
  static int64_t rows_of(const BlockedConvGradient& conv) { return conv.problem.rows; }

  // For a single row, making oneDNN's takes longer than many runs save.
  std::shared_ptr<const ConvPrimitive> primitive(const ConvProblem& problem, int64_t rows) {
    for (const auto& [made_for, made] : primitives_) {
      if (made_for == problem) return made;
    }
    std::shared_ptr<const ConvPrimitive> made = rows == 1 ? few_channels_conv(problem) : nullptr;
    primitives_.emplace_back(problem, made ? made : ConvPrimitive::make(problem));
    CAUSEWAY_CHECK(primitives_.back().second, "oneDNN has a primitive for every convolution");
    return primitives_.back().second;
  }

  Draft& draft_;
  Readers readers_;
  std::vector<bool> gone_;
  std::vector<Task> packing_;
  std::vector<std::pair<ConvProblem, std::shared_ptr<const ConvPrimitive>>> primitives_;
};

}  // namespace

void fuse_convolutions(Draft& draft) {
  const bool any = std::any_of(draft.tasks.begin(), draft.tasks.end(), [](const Task& task) {
    return task.op.is<BlockedConv>() || task.op.is<BlockedConvGradient>();
  });
  if (any) ConvFuser(draft).run();
}

}  // namespace causeway::engine::cpu
