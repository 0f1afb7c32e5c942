#include <algorithm>
#include <limits>
#include <optional>

#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class ProductFuser {
 public:
  explicit ProductFuser(Draft& draft) : draft_(draft), readers_(draft), gone_(draft.tasks.size(), false) {}

  void run() {
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      if (!gone_[i] && draft_.tasks[i].op.is<ops::MatMul>()) fuse(i);
    }
    std::vector<Task> kept;
    for (size_t i = 0; i < draft_.tasks.size(); ++i) {
      if (!gone_[i]) kept.push_back(std::move(draft_.tasks[i]));
    }
    for (Task& task : packing_) kept.push_back(std::move(task));
    draft_.tasks = std::move(kept);
    sort_tasks(draft_);
  }

 private:
  void fuse(size_t i) {
    Task& task = draft_.tasks[i];
    const auto& product = *task.op.as<ops::MatMul>();
    const DraftValue &a = draft_[task.inputs[0]], &b = draft_[task.inputs[1]], &y = draft_[task.outputs[0]];
    if (y.dtype != DType::Float32 || a.lengths.size() < 2 || b.lengths.size() < 2 || y.size() == 0) return;
    FusedMatMul fused;
    fused.transpose_a = product.transpose_a;
    fused.transpose_b = product.transpose_b;
    fused.low = -kInfinity, fused.high = kInfinity;
    if (const size_t add = next(task); add != SIZE_MAX && draft_.tasks[add].op.is<ops::Add>()) {
      if (const ValueId bias = bias_of(draft_.tasks[add], task.outputs[0]); bias != kAbsent) {
        task.inputs.push_back(bias);
        take_over(task, add);
      }
    }
    if (const size_t add = next(task); add != SIZE_MAX && draft_.tasks[add].op.is<ops::Add>()) {
      if (const ValueId added = added_to(draft_.tasks[add], task.outputs[0]); added != kAbsent) {
        task.inputs.resize(3, kAbsent);
        task.inputs.push_back(added);
        take_over(task, add);
      }
    }
    if (const size_t bound = next(task); bound != SIZE_MAX) {
      if (const std::optional<Bounds> bounds = bounds_of(draft_.tasks[bound].op)) {
        fused.low = bounds->low;
        fused.high = bounds->high;
        take_over(task, bound);
      }
    }
    if (const size_t step = next(task); step != SIZE_MAX) {
      if (const std::optional<Coded> coded = activation(draft_.tasks[step])) {
        fused.after = coded;
        take_over(task, step);
      }
    }
    // A single column is read as it lies.
    const bool one_column = b.lengths.size() == 2 && b.lengths[fused.transpose_b ? 0 : 1] == 1;
    if (b.lengths.size() == 2 && !one_column && is_constant(draft_, task.inputs[1]) && !task.is_prepared) {
      fused.packed = true;
      task.inputs[1] = packed(task.inputs[1], fused.transpose_b);
    }
    task.op = fused;
  }

  // The step that alone reads what this one makes, unless another has taken it over.
  size_t next(const Task& task) const {
    const size_t reader = readers_.only_step(draft_, task.outputs[0]);
    return reader != SIZE_MAX && !gone_[reader] && draft_.tasks[reader].is_prepared == task.is_prepared ? reader
                                                                                                        : SIZE_MAX;
  }

  // The other operand of the sum, where it is one number a column.
  ValueId bias_of(const Task& add, ValueId product) const {
    const size_t at = draft_.root(add.inputs[0]) == draft_.root(product) ? 1 : 0;
    const ValueId bias = add.inputs[at];
    const DraftValue &value = draft_[bias], &y = draft_[product];
    const int64_t columns = y.lengths.back();
    const bool fits = draft_.root(bias) != draft_.root(product) && value.dtype == DType::Float32 &&
                      !value.lengths.empty() && value.lengths.back() == columns && value.size() == columns;
    return fits ? bias : kAbsent;
  }

  // The other operand of the sum, where it has a number for each of the product's: what a layer is added to. A slot that
  // is assigned stays beside its assignment.
  ValueId added_to(const Task& add, ValueId product) const {
    const size_t at = draft_.root(add.inputs[0]) == draft_.root(product) ? 1 : 0;
    const ValueId added = add.inputs[at];
    const DraftValue &value = draft_[added], &y = draft_[product];
    const bool fits = draft_.root(added) != draft_.root(product) && value.dtype == DType::Float32 &&
                      value.size() == y.size() && y.lengths.back() > 1 && !draft_.is_variable(draft_.root(added));
    return fits ? added : kAbsent;
  }

  // A step of one operand, from numbers to as many.
  std::optional<Coded> activation(const Task& task) const {
    const bool fits = task.inputs.size() == 1 && is_fusible(draft_, task) &&
                      draft_[task.inputs[0]].dtype == DType::Float32 && draft_[task.outputs[0]].dtype == DType::Float32;
    return fits ? coded(task.op) : std::nullopt;
  }

  void take_over(Task& task, size_t other) {
    task.outputs = draft_.tasks[other].outputs;
    gone_[other] = true;
  }

  ValueId packed(ValueId matrix, bool transposed) {
    for (const Task& task : packing_) {
      if (task.inputs[0] == matrix && task.op.as<PackMatrix>()->transposed == transposed) return task.outputs[0];
    }
    PackMatrix pack;
    pack.transposed = transposed;
    const DraftValue& value = draft_[matrix];
    // What is packed has its own size, told by its kernel's own rule.
    const ValueId made = draft_.add(DType::Float32, packed_lengths(value.lengths, transposed));
    packing_.push_back({pack, {matrix}, {made}, nullptr, true});
    return made;
  }

  Draft& draft_;
  Readers readers_;
  std::vector<bool> gone_;
  std::vector<Task> packing_;
};

}  // namespace

void fuse_products(Draft& draft) { ProductFuser(draft).run(); }

}  // namespace causeway::engine::cpu
