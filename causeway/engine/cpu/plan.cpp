#include "causeway/engine/cpu/plan.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"
#include "causeway/engine/cpu/memory_plan.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/cpu/runner.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

Type type_of(const DraftValue& value) { return {value.dtype, Shape::of(value.lengths)}; }

// Copies what an output shows, or a slot is assigned, where the original may be gone or changed by then: an input is the
// caller's, a slot is assigned to, and what is prepared is shared.
class Stager {
 public:
  explicit Stager(Draft& draft) : draft_(draft), is_made_in_run_(draft.values.size(), false) {
    for (const Task& task : draft_.tasks) {
      if (task.is_prepared) continue;
      for (const ValueId id : task.outputs) is_made_in_run_[id] = true;
    }
  }

  void run() {
    for (ValueId& id : draft_.outputs) {
      if (!is_made_in_run_[draft_.root(id)]) id = copied(id);
    }
    for (DraftAssignment& assigned : draft_.assigned) {
      if (draft_.is_variable(draft_.root(assigned.value))) assigned.value = copied(assigned.value);
    }
  }

 private:
  ValueId copied(ValueId id) {
    const ValueId copy = draft_.add(draft_[id].dtype, draft_[id].lengths);
    draft_.tasks.push_back({ops::Identity{}, {id}, {copy}});
    is_made_in_run_.push_back(true);
    return copy;
  }

  Draft& draft_;
  std::vector<bool> is_made_in_run_;
};

size_t memory_of_machine() {
  return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
}

// When each value is made and last read, counted in tasks of one kind (prepared, or of each run).
class Stays {
 public:
  Stays(const Draft& draft, bool prepared) : draft_(draft), stay_of_(draft.values.size(), kNone) {
    for (const Task& task : draft.tasks) {
      if (task.is_prepared != prepared) continue;
      for (const ValueId id : task.outputs) {
        if (draft.root(id) == id) made(id);
      }
      for (const ValueId id : task.inputs) read(id, step_);
      ++step_;
    }
  }

  void read_at_end(ValueId id) { read(id, step_); }

  // The offset of each value; SIZE_MAX for those that are none of this arena's.
  std::vector<size_t> offsets(size_t& total_bytes) {
    total_bytes = laid_out(stays_);
    std::vector<size_t> offsets(draft_.values.size(), SIZE_MAX);
    for (size_t id = 0; id < offsets.size(); ++id) {
      if (stay_of_[id] != kNone) offsets[id] = stays_[stay_of_[id]].offset;
    }
    return offsets;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  void made(ValueId id) {
    stay_of_[id] = stays_.size();
    stays_.push_back({draft_[id].size_bytes(), step_, step_});
  }
  void read(ValueId id, size_t step) {
    if (id == kAbsent) return;
    const size_t stay = stay_of_[draft_.root(id)];
    if (stay != kNone) stays_[stay].to = std::max(stays_[stay].to, step);
  }

  const Draft& draft_;
  size_t step_ = 0;
  std::vector<size_t> stay_of_;
  std::vector<Stay> stays_;
};

}  // namespace

void rewrite(Draft& draft) {
  simplify(draft);
  name_activations(draft);
  attend_in_place(draft);
  fold_norms(draft);
  Stager(draft).run();
  piece_totals(draft);
  plan_recurrent(draft);
  choose_layouts(draft);
  fuse_convolutions(draft);
  fuse_products(draft);
  fuse_elementwise(draft);
  drop_unread(draft);
  drop_unread_shares(draft);
  place_assignments(draft);
  // What waits for the guards comes last.
  std::stable_partition(draft.tasks.begin(), draft.tasks.end(), [](const Task& task) { return !task.after_guards; });
  share_memory(draft);
}

void FreeMemory::operator()(std::byte* memory) const { std::free(memory); }

Memory allocated(size_t bytes) {
  // Pages of the larger size, where the machine has them: hundreds of times fewer are asked of the system.
  constexpr size_t kLine = 64, kLargePage = size_t{2} << 20;
  const size_t alignment = bytes >= kLargePage / 2 ? kLargePage : kLine;
  const size_t rounded = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
  if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == kLargePage) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return Memory(memory);
}

Plan::Plan(Draft draft, const CompileOptions& options) : draft_(std::move(draft)) {
  for (const ValueId id : draft_.inputs) input_types_.push_back(type_of(draft_[id]));
  for (const ValueId id : draft_.outputs) output_types_.push_back(type_of(draft_[id]));
  for (const std::string& path : draft_.slot_paths) slots_.push_back(draft_.bound.slots.find_shared(path));
  for (const DraftAssignment& assigned : draft_.assigned) {
    CAUSEWAY_CHECK(draft_[assigned.value].lengths == slot(assigned.slot).numbers.lengths(),
                   "a slot is assigned what has its lengths");
  }
  threads_ = static_cast<size_t>(std::max(options.threads, 1));
  rewrite(draft_);
  lay_out(options);
  make_kernels();
  prepare();
}

void Plan::lay_out(const CompileOptions& options) {
  Stays prepared(draft_, true), running(draft_, false);
  for (const Task& task : draft_.tasks) {
    if (task.is_prepared) continue;
    for (const ValueId id : task.inputs) prepared.read_at_end(id);
  }
  for (const ValueId id : draft_.outputs) running.read_at_end(id);
  for (const ValueId id : draft_.guards) running.read_at_end(id);
  for (const DraftAssignment& assigned : draft_.assigned) {
    running.read_at_end(assigned.value);
    prepared.read_at_end(assigned.value);
  }
  for (const ValueId id : draft_.guards) prepared.read_at_end(id);
  size_t prepared_bytes = 0;
  prepared_offsets_ = prepared.offsets(prepared_bytes);
  arena_offsets_ = running.offsets(arena_bytes_);
  const size_t limit = options.max_bytes.value_or(memory_of_machine());
  if (arena_bytes_ > limit || prepared_bytes > limit - arena_bytes_) {
    const size_t bytes = arena_bytes_ > SIZE_MAX - prepared_bytes ? SIZE_MAX : arena_bytes_ + prepared_bytes;
    throw Refused("plan", "it takes " + std::to_string(bytes) + " bytes, and it may take " + std::to_string(limit) +
                              ". Hand in fewer rows at a time.");
  }
  prepared_ = allocated(prepared_bytes);
}

void Plan::make_kernels() {
  std::vector<Fault> faults;
  std::vector<bool> in_prepare(slots_.size()), in_run(slots_.size());
  for (const DraftAssignment& assigned : draft_.assigned) {
    in_run[assigned.slot] = true;
    if (const DraftValue& value = draft_[draft_.root(assigned.value)]; value.home == DraftValue::Home::Slot) {
      in_run[value.index] = true;
    }
  }
  for (const ValueId id : draft_.guards) {
    if (const DraftValue& value = draft_[draft_.root(id)]; value.home == DraftValue::Home::Slot)
      in_run[value.index] = true;
  }
  for (const Task& task : draft_.tasks) {
    try {
      std::unique_ptr<Kernel> kernel = kernel_for(draft_, task);
      scratch_bytes_ = std::max(scratch_bytes_, kernel->scratch_bytes());
      (task.is_prepared ? preparing_ : task.after_guards ? assigning_ : running_).push_back(std::move(kernel));
    } catch (const Refused& refused) {
      faults.insert(faults.end(), refused.faults().begin(), refused.faults().end());
    }
    for (const ValueId id : task.inputs) {
      if (id == kAbsent) continue;
      const DraftValue& value = draft_[draft_.root(id)];
      if (value.home == DraftValue::Home::Slot) (task.is_prepared ? in_prepare : in_run)[value.index] = true;
    }
  }
  refuse_if_any(std::move(faults));
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (in_prepare[i]) prepared_from_.push_back(i);
    if (in_run[i]) read_in_run_.push_back(i);
  }
}

uint64_t Plan::versions() const {
  uint64_t sum = 0;  // versions only rise, so their sum tells whether one has
  for (const size_t i : prepared_from_) sum += slots_[i]->version;
  return sum;
}

void Plan::prepare() const {
  if (preparing_.empty()) return;
  const uint64_t now = versions();
  if (prepared_versions_.load(std::memory_order_acquire) == now) return;
  const std::lock_guard<std::mutex> lock(preparing_now_);
  if (prepared_versions_.load(std::memory_order_acquire) == now) return;
  std::vector<void*> at(draft_.values.size(), nullptr);
  for (size_t id = 0; id < at.size(); ++id) {
    if (prepared_offsets_[id] != SIZE_MAX) at[id] = prepared_.get() + prepared_offsets_[id];
  }
  for (const size_t i : prepared_from_) at[draft_.slots[i]] = const_cast<void*>(slots_[i]->numbers.data());
  const Memory scratch = allocated(scratch_bytes_);
  for (const std::unique_ptr<Kernel>& kernel : preparing_) {
    const std::unique_ptr<KernelState> state = kernel->state();
    kernel->run({at.data(), scratch.get(), state.get()});
  }
  prepared_versions_.store(now, std::memory_order_release);
}

std::unique_ptr<Context> Plan::context() const { return std::make_unique<Runner>(shared_from_this()); }

std::shared_ptr<const Executable> planned(Draft draft, const CompileOptions& options) {
  return std::make_shared<Plan>(std::move(draft), options);
}

}  // namespace causeway::engine::cpu
