#include <utility>

#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

class NormFolder {
 public:
  explicit NormFolder(Draft& draft) : draft_(draft), readers_(draft), made_by_(makers(draft)) {}

  void run() {
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      const auto* norm = draft_.tasks[i].op.as<ops::BatchNorm>();
      if (norm && draft_[draft_.tasks[i].outputs[0]].dtype == DType::Float32) replace(i, *norm);
    }
    if (added_.empty()) return;
    for (Task& task : added_) draft_.tasks.push_back(std::move(task));
    sort_tasks(draft_);
    drop_unread(draft_);
  }

 private:
  void replace(size_t i, const ops::BatchNorm& norm) {
    Task& task = draft_.tasks[i];
    NormScale op;
    op.epsilon = norm.epsilon;
    const std::vector<int64_t> channels = draft_[task.inputs[3]].lengths;
    bool constant = true;
    for (size_t in = 1; in < task.inputs.size(); ++in) {
      constant = constant && (task.inputs[in] == kAbsent || is_constant(draft_, task.inputs[in]));
    }
    const ValueId scale = draft_.add(DType::Float32, channels), shift = draft_.add(DType::Float32, channels);
    added_.push_back({op, {task.inputs.begin() + 1, task.inputs.end()}, {scale, shift}, task.origin, constant});
    const size_t maker = made_by_[draft_.root(task.inputs[0])];
    const size_t rank = draft_[task.inputs[0]].lengths.size();
    const size_t axis = axis_in(norm.axis, rank);
    if (constant && maker != SIZE_MAX && readers_.only_step(draft_, task.inputs[0]) == i &&
        fold(draft_.tasks[maker], axis, rank, scale, shift)) {
      draft_.values[task.outputs[0]].same_as = task.inputs[0];
      task.op = ops::Identity{};
      task.outputs = {draft_.add(DType::Float32, draft_[task.inputs[0]].lengths)};  // read by nobody
      return;
    }
    std::vector<int64_t> lengths(rank, 1);
    lengths[axis] = channels[0];
    task.op = ops::Fma{};
    task.inputs = {task.inputs[0], renamed(draft_, scale, lengths), renamed(draft_, shift, lengths)};
  }

  // (w * x + b) * scale + shift = (w * scale) * x + (b * scale + shift).
  bool fold(Task& conv, size_t axis, size_t rank, ValueId scale, ValueId shift) {
    const auto* op = conv.op.as<ops::Conv>();
    if (!op || conv.is_prepared || axis != ops::channel_axis(op->layout, rank) ||
        !is_constant(draft_, conv.inputs[1])) {
      return false;
    }
    const ValueId bias = conv.inputs.size() > 2 ? conv.inputs[2] : kAbsent;
    if (bias != kAbsent && !is_constant(draft_, bias)) return false;
    const std::vector<int64_t> weight = draft_[conv.inputs[1]].lengths;
    std::vector<int64_t> outputs(weight.size(), 1);
    outputs[op->layout == ops::Layout::ChannelsFirst ? 0 : weight.size() - 1] = draft_[scale].size();
    const ValueId scaled = draft_.add(DType::Float32, weight);
    added_.push_back({ops::Mul{}, {conv.inputs[1], renamed(draft_, scale, outputs)}, {scaled}, conv.origin, true});
    ValueId moved = shift;
    if (bias != kAbsent) {
      moved = draft_.add(DType::Float32, draft_[bias].lengths);
      added_.push_back({ops::Fma{}, {bias, scale, shift}, {moved}, conv.origin, true});
    }
    conv.inputs = {conv.inputs[0], scaled, moved};
    return true;
  }

  Draft& draft_;
  Readers readers_;
  std::vector<size_t> made_by_;
  std::vector<Task> added_;
};

}  // namespace

void fold_norms(Draft& draft) { NormFolder(draft).run(); }

}  // namespace causeway::engine::cpu
