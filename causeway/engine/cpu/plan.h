#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/kernel.h"
#include "causeway/engine/engine.h"

namespace causeway::engine::cpu {

struct FreeMemory {
  void operator()(std::byte* memory) const;
};
using Memory = std::unique_ptr<std::byte[], FreeMemory>;
/// Aligned to 64 bytes.
Memory allocated(size_t bytes);

/// A draft laid out: its kernels in order, where each value lies, and what is prepared.
///
/// Threads: shared. What is prepared is worked anew by the first run that sees a slot's version raised; the others wait.
class Plan final : public Executable, public std::enable_shared_from_this<Plan> {
 public:
  Plan(Draft draft, const CompileOptions& options);

  std::unique_ptr<Context> context() const override;
  std::span<const Type> input_types() const override { return input_types_; }
  std::span<const Type> output_types() const override { return output_types_; }

 private:
  friend class Runner;

  void lay_out(const CompileOptions& options);
  void make_kernels();
  /// Works what is prepared where a slot it depends on has a new version.
  void prepare() const;
  uint64_t versions() const;
  Slot& slot(size_t i) const { return *slots_[i]; }

  Draft draft_;
  Types input_types_, output_types_;
  std::vector<std::shared_ptr<Slot>> slots_;
  /// Slots that prepared tasks read, and those that kernels of each run read or assign.
  std::vector<size_t> prepared_from_, read_in_run_;
  std::vector<std::unique_ptr<Kernel>> preparing_, running_, assigning_;
  /// By ValueId; SIZE_MAX for what does not lie in the arena, or is not prepared.
  std::vector<size_t> arena_offsets_, prepared_offsets_;
  size_t arena_bytes_ = 0, scratch_bytes_ = 0, threads_ = 1;

  Memory prepared_;
  mutable std::mutex preparing_now_;
  mutable std::atomic<uint64_t> prepared_versions_ = UINT64_MAX;
};

/// The executable of a draft. Refused: an op without a kernel; a plan past max_bytes.
std::shared_ptr<const Executable> planned(Draft draft, const CompileOptions& options);

}  // namespace causeway::engine::cpu
