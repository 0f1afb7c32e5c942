#pragma once

#include "causeway/engine/cpu/plan.h"

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
  void work(std::span<const std::unique_ptr<Kernel>> kernels, std::span<const std::unique_ptr<KernelState>> states);

  std::shared_ptr<const Plan> plan_;
  Memory arena_, scratch_;
  std::vector<void*> at_;
  std::vector<std::unique_ptr<KernelState>> running_states_, assigning_states_;
  std::vector<TensorView> outputs_;
  bool assigned_ = false;
};

}  // namespace causeway::engine::cpu
