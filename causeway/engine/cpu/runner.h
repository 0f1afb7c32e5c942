#pragma once

#include "causeway/engine/cpu/plan.h"
#include "causeway/engine/cpu/workers.h"

namespace causeway::engine::cpu {

/// One thread's run of a plan: its arena, and where each value lies.
class Runner final : public Context {
 public:
  explicit Runner(std::shared_ptr<const Plan> plan);

  std::span<const TensorView> run(std::span<const TensorView> inputs) override;
  bool assigned() const override { return assigned_; }

 private:
  void set_inputs(std::span<const TensorView> inputs);
  void set_slots();
  bool guards_are_finite() const;
  void assign();
  /// States by worker, then by kernel.
  using States = std::vector<std::vector<std::unique_ptr<KernelState>>>;
  States states_of(std::span<const std::unique_ptr<Kernel>> kernels) const;
  void work(std::span<const std::unique_ptr<Kernel>> kernels, const States& states);

  std::shared_ptr<const Plan> plan_;
  Memory arena_;
  /// By worker.
  std::vector<Memory> scratch_;
  std::vector<void*> at_;
  States running_states_, assigning_states_;
  std::vector<TensorView> outputs_;
  bool assigned_ = false;
  /// None where the thread that asks works alone.
  std::unique_ptr<Workers> workers_;
};

}  // namespace causeway::engine::cpu
