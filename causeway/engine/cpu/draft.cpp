#include "causeway/engine/cpu/draft.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "causeway/base/check.h"
#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

bool keeps_numbers(const Op& op) {
  return op.is<ops::Reshape>() || op.is<ops::Flatten>() || op.is<ops::Squeeze>() || op.is<ops::Unsqueeze>() ||
         op.is<ops::Identity>() || ops::is_noise(op);
}

class Drafter {
 public:
  explicit Drafter(passes::BoundGraph bound) { made_.bound = std::move(bound); }

  Draft run() {
    const Graph& graph = made_.bound.graph;
    for (const Door& door : graph.inputs()) {
      made_.inputs.push_back(id(door.value, DraftValue::Home::Input, made_.inputs.size()));
    }
    for (const SlotUse& use : graph.slots()) {
      made_.slots.push_back(id(use.value, DraftValue::Home::Slot, made_.slots.size()));
      made_.slot_paths.push_back(use.path);
    }
    for (const Assignment& assigned : graph.assignments()) {
      made_.assigned.push_back({slot(assigned.path), kAbsent});
    }
    for (const Node* node : graph.nodes()) add(*node);
    for (const Door& door : graph.outputs()) made_.outputs.push_back(ids_.at(door.value));
    for (const Value& guard : graph.guards()) made_.guards.push_back(ids_.at(guard));
    for (size_t i = 0; i < made_.assigned.size(); ++i) {
      made_.assigned[i].value = ids_.at(graph.assignments()[i].value);
    }
    return std::move(made_);
  }

 private:
  ValueId id(const Value& value, DraftValue::Home home, size_t index) {
    const ValueId id = made_.add(value.dtype(), value.shape().lengths());
    made_.values[id].home = home;
    made_.values[id].index = index;
    ids_[value] = id;
    return id;
  }

  // An assigned slot that no node reads has its place too.
  size_t slot(const std::string& path) {
    for (size_t i = 0; i < made_.slot_paths.size(); ++i) {
      if (made_.slot_paths[i] == path) return i;
    }
    const Tensor& numbers = made_.bound.slots.at(path).numbers;
    const ValueId id = made_.add(numbers.dtype(), numbers.lengths());
    made_.values[id].home = DraftValue::Home::Slot;
    made_.values[id].index = made_.slots.size();
    made_.slots.push_back(id);
    made_.slot_paths.push_back(path);
    return made_.slots.size() - 1;
  }

  void add(const Node& node) {
    Task task{node.op, {}, {}, &node};
    task.is_prepared = !node.op.is<ops::RandomUniform>() && !node.op.is<ops::RandomNormal>();
    for (const Value& input : node.inputs) {
      task.inputs.push_back(input ? ids_.at(input) : kAbsent);
      if (input) task.is_prepared = task.is_prepared && prepared(task.inputs.back());
    }
    for (const Value& output : node.outputs) {
      expect_within_memory(node, output.shape().lengths());
      task.outputs.push_back(id(output, DraftValue::Home::Made, 0));
      if (task.is_prepared) prepared_.insert(prepared_.end(), task.outputs.back());
    }
    if (keeps_numbers(node.op)) {
      made_.values[task.outputs[0]].same_as = task.inputs[0];
    } else {
      made_.tasks.push_back(std::move(task));
    }
  }

  // So that no later product of lengths passes what counts them; what the machine has is asked when all is laid out.
  static void expect_within_memory(const Node& node, const std::vector<int64_t>& lengths) {
    constexpr int64_t kMost = int64_t{1} << 48;
    const std::optional<int64_t> count = checked_product(lengths);
    if (count && *count <= kMost) return;
    throw Refused(passes::place_of(node), "it makes " + text_of(lengths) + ", which no memory holds.");
  }

  // Whether a value depends on constants of the plan alone.
  bool prepared(ValueId id) const {
    const DraftValue& value = made_[made_.root(id)];
    if (value.home == DraftValue::Home::Slot) return !made_.is_assigned(value.index);
    return std::binary_search(prepared_.begin(), prepared_.end(), made_.root(id));
  }

  Draft made_;
  std::unordered_map<Value, ValueId> ids_;
  std::vector<ValueId> prepared_;  // in rising order
};

}  // namespace

int64_t DraftValue::size() const {
  int64_t count = 1;
  for (const int64_t length : lengths) count *= length;
  return count;
}

ValueId Draft::root(ValueId id) const {
  while (values[id].same_as != kAbsent) id = values[id].same_as;
  return id;
}

ValueId Draft::add(DType dtype, std::vector<int64_t> lengths) {
  values.push_back({dtype, std::move(lengths)});
  return static_cast<ValueId>(values.size() - 1);
}

bool Draft::is_assigned(size_t slot) const {
  return std::any_of(assigned.begin(), assigned.end(), [&](const DraftAssignment& each) { return each.slot == slot; });
}

bool Draft::is_variable(ValueId id) const {
  return values[id].home == DraftValue::Home::Slot && is_assigned(values[id].index);
}

Draft drafted(passes::BoundGraph bound) { return Drafter(std::move(bound)).run(); }

}  // namespace causeway::engine::cpu
