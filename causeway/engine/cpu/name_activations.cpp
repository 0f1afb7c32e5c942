#include <algorithm>
#include <cmath>
#include <optional>

#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

/// A product taken apart: its constants multiplied, and its other factors.
struct Factors {
  double number = 1;
  std::vector<ValueId> others;
};

class ActivationNamer {
 public:
  explicit ActivationNamer(Draft& draft) : draft_(draft), readers_(draft), made_by_(makers(draft)) {}

  void run() {
    for (Task& task : draft_.tasks) {
      if (!task.op.is<ops::Mul>() && !task.op.is<ops::Div>()) continue;
      const ValueId y = task.outputs[0];
      if (draft_[y].dtype != DType::Float32 || draft_[y].size() == 0) continue;
      const Factors all = factors_of(y, kDepth);
      if (all.others.size() != 2) continue;
      for (const size_t at : {size_t{0}, size_t{1}}) {
        const ValueId x = all.others[at];
        if (draft_[x].lengths != draft_[y].lengths) continue;
        const std::optional<Op> op = named(x, all.others[1 - at], all.number);
        if (!op) continue;
        task.op = *op;
        task.inputs = {x};
        break;
      }
    }
    drop_unread(draft_);
  }

 private:
  static constexpr int kDepth = 4;

  static bool is_near(double number, double other) { return std::abs(number - other) <= 1e-6 * std::abs(other); }

  // The task that makes a value that one other task alone reads, element by element of its own lengths.
  const Task* inner(ValueId id) const {
    const ValueId root = draft_.root(id);
    const size_t maker = made_by_[root];
    return maker != SIZE_MAX && root == id && readers_.only_task(draft_, id) != SIZE_MAX ? &draft_.tasks[maker]
                                                                                         : nullptr;
  }

  Factors factors_of(ValueId id, int depth) const {
    const size_t maker = made_by_[draft_.root(id)];
    Factors all;
    add_factors(draft_.tasks[maker], depth, all);
    return all;
  }
  void add_factors(const Task& task, int depth, Factors& to) const {
    const bool divides = task.op.is<ops::Div>();
    for (size_t i = 0; i < 2; ++i) {
      const ValueId id = task.inputs[i];
      const std::optional<float> number = constant_number(draft_, id);
      if (number && !(divides && i == 0)) {
        to.number *= divides ? 1 / static_cast<double>(*number) : static_cast<double>(*number);
      } else if (const Task* more = divides && i == 1 ? nullptr : inner(id);
                 more && depth > 0 && is_product(*more) && draft_[id].lengths == draft_[task.outputs[0]].lengths) {
        add_factors(*more, depth - 1, to);
      } else if (divides && i == 1) {
        // A quotient by what is no constant: no activation here has one.
        to.others.insert(to.others.end(), kTooMany, id);
      } else {
        to.others.push_back(id);
      }
    }
  }
  bool is_product(const Task& task) const {
    return task.op.is<ops::Mul>() || (task.op.is<ops::Div>() && constant_number(draft_, task.inputs[1]));
  }
  static constexpr size_t kTooMany = 8;

  // x times a number: which; none for anything else.
  std::optional<double> times(ValueId id, ValueId x) const {
    if (id == x) return 1;
    const Task* task = inner(id);
    if (!task || !is_product(*task)) return std::nullopt;
    const Factors all = factors_of(id, kDepth);
    return all.others == std::vector<ValueId>{x} ? std::optional(all.number) : std::nullopt;
  }

  // x * share * number.
  std::optional<Op> named(ValueId x, ValueId share, double number) const {
    const Task* task = inner(share);
    if (!task) return std::nullopt;
    if (task->op.is<ops::Sigmoid>() && is_near(number, 1)) {
      const std::optional<double> alpha = times(task->inputs[0], x);
      return alpha ? std::optional<Op>(ops::Swish{.alpha = static_cast<float>(*alpha)}) : std::nullopt;
    }
    if (!task->op.is<ops::Add>() || !is_near(number, 0.5)) return std::nullopt;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      if (constant_number(draft_, task->inputs[1 - at]) != 1.0f) continue;
      const Task* function = inner(task->inputs[at]);
      if (!function) continue;
      if (function->op.is<ops::Erf>()) {
        const std::optional<double> of = times(function->inputs[0], x);
        if (of && is_near(*of, std::sqrt(0.5))) return ops::Gelu{};
      }
      if (function->op.is<ops::Tanh>() && is_gelu_cubic(function->inputs[0], x)) return ops::Gelu{.tanh_form = true};
    }
    return std::nullopt;
  }

  // sqrt(2 / pi) * (x + 0.044715 * x^3)
  bool is_gelu_cubic(ValueId id, ValueId x) const {
    constexpr double kPi = 3.14159265358979323846;
    const Task* task = inner(id);
    if (!task || !is_product(*task)) return false;
    const Factors all = factors_of(id, kDepth);
    if (all.others.size() != 1 || !is_near(all.number, std::sqrt(2 / kPi))) return false;
    const Task* sum = inner(all.others[0]);
    if (!sum || !sum->op.is<ops::Add>()) return false;
    for (const size_t at : {size_t{0}, size_t{1}}) {
      if (sum->inputs[at] != x) continue;
      const Task* term = inner(sum->inputs[1 - at]);
      if (!term || !is_product(*term)) continue;
      const Factors of = factors_of(sum->inputs[1 - at], kDepth);
      if (!is_near(of.number, 0.044715)) continue;
      if (of.others == std::vector<ValueId>{x, x, x}) return true;
      const Task* power = of.others.size() == 1 ? inner(of.others[0]) : nullptr;
      if (power && power->op.is<ops::Pow>() && power->inputs[0] == x &&
          constant_number(draft_, power->inputs[1]) == 3.0f) {
        return true;
      }
    }
    return false;
  }

  Draft& draft_;
  Readers readers_;
  std::vector<size_t> made_by_;
};

}  // namespace

void name_activations(Draft& draft) {
  const bool any = std::any_of(draft.tasks.begin(), draft.tasks.end(), [](const Task& task) {
    return task.op.is<ops::Erf>() || task.op.is<ops::Tanh>() || task.op.is<ops::Sigmoid>();
  });
  if (any) ActivationNamer(draft).run();
}

}  // namespace causeway::engine::cpu
