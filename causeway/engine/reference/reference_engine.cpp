#include "causeway/engine/reference/reference_engine.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "causeway/base/check.h"
#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/passes/bind.h"
#include "causeway/reference/reference.h"

namespace causeway::engine::reference {
namespace {

namespace kernels = ::causeway::reference;

/// The type of a bound value, its numbers left out.
Type bare(const Type& type) { return {type.dtype, type.shape}; }

size_t bytes_of(const Type& type) {
  const std::optional<int64_t> count = checked_product(type.shape.lengths());
  const std::optional<int64_t> bytes =
      count ? checked_multiply(*count, static_cast<int64_t>(size_of(type.dtype))) : std::nullopt;
  return bytes ? static_cast<size_t>(*bytes) : SIZE_MAX;
}

class Plan final : public Executable, public std::enable_shared_from_this<Plan> {
 public:
  Plan(passes::BoundGraph bound, const CompileOptions& options) : bound_(std::move(bound)) {
    for (const Door& door : bound_.graph.inputs()) {
      input_types_.push_back(bare(door.value.type()));
      input_lengths_.push_back(door.value.shape().lengths());
    }
    for (const Door& door : bound_.graph.outputs()) output_types_.push_back(bare(door.value.type()));
    std::vector<Fault> faults;
    for (const Node* node : bound_.graph.nodes()) {
      kernels_.push_back(kernels::kernel_of(node->op));
      if (!kernels_.back()) {
        faults.push_back(
            {passes::place_of(*node), "the reference engine has no kernel for " + std::string(node->op.name()) + "."});
      }
    }
    refuse_if_any(std::move(faults));
    check_memory(options);
    for (const Assignment& assigned : bound_.graph.assignments()) {
      const Tensor& numbers = bound_.slots.at(assigned.path).numbers;
      CAUSEWAY_CHECK(assigned.value.shape().lengths() == numbers.lengths(), "a slot is assigned what has its lengths");
    }
  }

  std::unique_ptr<Context> context() const override;
  std::span<const Type> input_types() const override { return input_types_; }
  std::span<const Type> output_types() const override { return output_types_; }

  const Graph& graph() const { return bound_.graph; }
  std::span<const std::vector<int64_t>> input_lengths() const { return input_lengths_; }
  std::span<const kernels::Kernel> kernels() const { return kernels_; }
  /// A slot's numbers change, and the executable does not.
  Slot& slot(std::string_view path) const { return *bound_.slots.find_shared(path); }

 private:
  void check_memory(const CompileOptions& options) const {
    const size_t limit = options.max_bytes.value_or(static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                                                    static_cast<size_t>(sysconf(_SC_PAGE_SIZE)));
    size_t total = 0, most = 0;
    const Node* largest = nullptr;
    for (const Node* node : bound_.graph.nodes()) {
      size_t bytes = 0;
      for (const Value& output : node->outputs) {
        const size_t one = bytes_of(output.type());
        bytes = one > SIZE_MAX - bytes ? SIZE_MAX : bytes + one;
      }
      total = bytes > SIZE_MAX - total ? SIZE_MAX : total + bytes;
      if (bytes > most) most = bytes, largest = node;
    }
    if (total <= limit) return;
    throw Refused(passes::place_of(*largest), "the plan takes " + std::to_string(total) + " bytes, " +
                                                  std::to_string(most) + " of them here, and it may take " +
                                                  std::to_string(limit) + ". Hand in fewer rows at a time.");
  }

  passes::BoundGraph bound_;
  Types input_types_, output_types_;
  std::vector<std::vector<int64_t>> input_lengths_;
  std::vector<kernels::Kernel> kernels_;
};

bool is_finite(const TensorView& view) {
  for (int64_t i = 0, count = view.size(); i < count; ++i) {
    const double number = view.dtype == DType::Float64 ? static_cast<const double*>(view.data)[i]
                                                       : static_cast<const float*>(view.data)[i];
    if (!std::isfinite(number)) return false;
  }
  return true;
}

void copy_bytes(const TensorView& from, void* to) {
  const size_t size_bytes = static_cast<size_t>(from.size()) * size_of(from.dtype);
  if (size_bytes > 0) std::memcpy(to, from.data, size_bytes);
}

class Walker final : public Context {
 public:
  explicit Walker(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)), values_(plan_->graph().value_count()) {
    for (const Node* node : plan_->graph().nodes()) {
      steps_.push_back({std::vector<TensorView>(node->inputs.size()), {}});
      for (const Value& output : node->outputs) steps_.back().outputs.push_back(memory_for(output.type()));
      for (size_t i = 0; i < node->outputs.size(); ++i) {
        values_[node->outputs[i].index()] = steps_.back().outputs[i];
      }
    }
    for (const Door& door : plan_->graph().outputs()) results_.push_back(kept(door.value));
    for (const Assignment& assigned : plan_->graph().assignments()) assigned_values_.push_back(kept(assigned.value));
    outputs_.resize(results_.size());
  }

  std::span<const TensorView> run(std::span<const TensorView> inputs) override {
    const Graph& graph = plan_->graph();
    set_inputs(inputs);
    for (const SlotUse& use : graph.slots()) values_[use.value.index()] = view_of(plan_->slot(use.path).numbers);
    for (size_t i = 0; i < steps_.size(); ++i) work(*graph.nodes()[i], plan_->kernels()[i], steps_[i]);
    for (const Kept& kept : results_) keep(kept);
    for (const Kept& kept : assigned_values_) keep(kept);
    for (size_t i = 0; i < results_.size(); ++i) outputs_[i] = view(results_[i]);
    assigned_ = true;
    for (const Value& guard : graph.guards()) assigned_ = assigned_ && is_finite(values_[guard.index()]);
    if (assigned_) assign();
    return outputs_;
  }

  bool assigned() const override { return assigned_; }

 private:
  struct Step {
    std::vector<TensorView> inputs, outputs;
  };
  /// A value that outlives the run. One that no node makes, an input or a slot, is copied: the caller may free its
  /// input, and an assignment of one slot must not change what is assigned to another.
  struct Kept {
    Value value;
    std::optional<TensorView> copy;
  };

  TensorView memory_for(const Type& type) {
    memory_.push_back(std::make_unique<Tensor>(type.dtype, type.shape.lengths()));
    memory_.back()->mutable_data();
    return view_of(*memory_.back());
  }

  Kept kept(const Value& value) {
    if (value.kind() == Value::Kind::Output) return {value, std::nullopt};
    return {value, memory_for(value.type())};
  }
  void keep(const Kept& kept) const {
    if (kept.copy) copy_bytes(values_[kept.value.index()], kept.copy->data);
  }
  TensorView view(const Kept& kept) const { return kept.copy ? *kept.copy : values_[kept.value.index()]; }

  void set_inputs(std::span<const TensorView> inputs) {
    const std::span<const Door> doors = plan_->graph().inputs();
    CAUSEWAY_CHECK(inputs.size() == doors.size(), "as many inputs as the graph has");
    for (size_t i = 0; i < doors.size(); ++i) {
      const std::vector<int64_t>& lengths = plan_->input_lengths()[i];
      CAUSEWAY_CHECK(inputs[i].dtype == plan_->input_types()[i].dtype &&
                         std::equal(lengths.begin(), lengths.end(), inputs[i].lengths.begin(), inputs[i].lengths.end()),
                     "an input has the dtype and lengths it was bound to");
      values_[doors[i].value.index()] = inputs[i];
    }
  }

  void work(const Node& node, kernels::Kernel kernel, Step& step) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i]) step.inputs[i] = values_[node.inputs[i].index()];
    }
    try {
      kernel(node.op, step.inputs, step.outputs);
    } catch (const Unfit& unfit) {
      throw Refused(passes::place_of(node), unfit.what());
    }
  }

  void assign() {
    const std::span<const Assignment> assignments = plan_->graph().assignments();
    for (size_t i = 0; i < assignments.size(); ++i) {
      Slot& slot = plan_->slot(assignments[i].path);
      copy_bytes(view(assigned_values_[i]), slot.numbers.mutable_data());
      ++slot.version;
    }
  }

  std::shared_ptr<const Plan> plan_;
  std::vector<std::unique_ptr<Tensor>> memory_;
  /// Where each value of the graph lies, by its index.
  std::vector<TensorView> values_;
  std::vector<Step> steps_;
  std::vector<Kept> results_, assigned_values_;
  std::vector<TensorView> outputs_;
  bool assigned_ = false;
};

std::unique_ptr<Context> Plan::context() const { return std::make_unique<Walker>(shared_from_this()); }

}  // namespace

std::shared_ptr<const Executable> ReferenceEngine::compile(const Graph& graph, Slots& slots, const Binding& binding,
                                                           const CompileOptions& options) const {
  return std::make_shared<Plan>(passes::bound(graph, slots, {binding.lengths, binding.values}), options);
}

}  // namespace causeway::engine::reference
