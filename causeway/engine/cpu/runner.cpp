#include "causeway/engine/cpu/runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "causeway/base/check.h"

namespace causeway::engine::cpu {
namespace {

template <class T>
bool all_finite(const void* numbers, int64_t count) {
  const T* from = static_cast<const T*>(numbers);
  return std::all_of(from, from + count, [](T number) { return std::isfinite(number); });
}

bool fits(const TensorView& view, const DraftValue& value) {
  return view.dtype == value.dtype &&
         std::equal(view.lengths.begin(), view.lengths.end(), value.lengths.begin(), value.lengths.end());
}

// Where an input without elements lies.
alignas(64) std::byte nowhere[64];

}  // namespace

Runner::Runner(std::shared_ptr<const Plan> plan)
    : plan_(std::move(plan)), arena_(allocated(plan_->arena_bytes_)), at_(plan_->draft_.values.size(), nullptr) {
  for (size_t id = 0; id < at_.size(); ++id) {
    if (plan_->prepared_offsets_[id] != SIZE_MAX) at_[id] = plan_->prepared_.get() + plan_->prepared_offsets_[id];
    if (plan_->arena_offsets_[id] != SIZE_MAX) at_[id] = arena_.get() + plan_->arena_offsets_[id];
  }
  for (size_t worker = 0; worker < plan_->threads_; ++worker) scratch_.push_back(allocated(plan_->scratch_bytes_));
  running_states_ = states_of(plan_->running_);
  assigning_states_ = states_of(plan_->assigning_);
  for (const ValueId id : plan_->draft_.outputs) {
    const DraftValue& value = plan_->draft_[id];
    outputs_.push_back({value.dtype, value.lengths, at_[plan_->draft_.root(id)]});
  }
  const auto has_pieces = [](const std::unique_ptr<Kernel>& kernel) { return kernel->pieces() > 1; };
  if (plan_->threads_ > 1 && (std::any_of(plan_->running_.begin(), plan_->running_.end(), has_pieces) ||
                              std::any_of(plan_->assigning_.begin(), plan_->assigning_.end(), has_pieces))) {
    workers_ = std::make_unique<Workers>(plan_->threads_);
  }
}

Runner::States Runner::states_of(std::span<const std::unique_ptr<Kernel>> kernels) const {
  States states(plan_->threads_);
  for (size_t worker = 0; worker < states.size(); ++worker) {
    for (const std::unique_ptr<Kernel>& kernel : kernels) {
      // A kernel of one piece runs on the thread that asks.
      states[worker].push_back(worker == 0 || kernel->pieces() > 1 ? kernel->state() : nullptr);
    }
  }
  return states;
}

std::span<const TensorView> Runner::run(std::span<const TensorView> inputs) {
  assigned_ = false;
  set_inputs(inputs);
  set_slots();
  plan_->prepare();
  work(plan_->running_, running_states_);
  assigned_ = guards_are_finite();
  if (assigned_) assign();
  return outputs_;
}

void Runner::work(std::span<const std::unique_ptr<Kernel>> kernels, const States& states) {
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Kernel& kernel = *kernels[i];
    const size_t pieces = workers_ ? kernel.pieces() : 1;
    if (pieces == 1) {
      kernel.run({at_.data(), scratch_[0].get(), states[0][i].get()});
      continue;
    }
    kernel.begin({at_.data(), scratch_[0].get(), states[0][i].get()});
    const auto piece = [&](size_t worker, size_t at) {
      kernel.run_piece({at_.data(), scratch_[worker].get(), states[worker][i].get()}, at);
    };
    using Work = decltype(piece);
    workers_->run(
        pieces, [](const void* job, size_t worker, size_t at) { (*static_cast<const Work*>(job))(worker, at); },
        &piece);
  }
}

void Runner::set_inputs(std::span<const TensorView> inputs) {
  const Draft& draft = plan_->draft_;
  CAUSEWAY_CHECK(inputs.size() == draft.inputs.size(), "as many inputs as the graph has");
  for (size_t i = 0; i < inputs.size(); ++i) {
    CAUSEWAY_CHECK(fits(inputs[i], draft[draft.inputs[i]]), "an input has the dtype and lengths it was bound to");
    at_[draft.inputs[i]] = inputs[i].data ? inputs[i].data : nowhere;
  }
}

// A slot that is assigned gets numbers of its own before the first run.
void Runner::set_slots() {
  for (const size_t i : plan_->read_in_run_) {
    at_[plan_->draft_.slots[i]] = const_cast<void*>(plan_->slots_[i]->numbers.data());
  }
  for (const DraftAssignment& assigned : plan_->draft_.assigned) {
    at_[plan_->draft_.slots[assigned.slot]] = plan_->slots_[assigned.slot]->numbers.mutable_data();
  }
}

bool Runner::guards_are_finite() const {
  const Draft& draft = plan_->draft_;
  return std::all_of(draft.guards.begin(), draft.guards.end(), [&](ValueId id) {
    const void* numbers = at_[draft.root(id)];
    return draft[id].dtype == DType::Float64 ? all_finite<double>(numbers, draft[id].size())
                                             : all_finite<float>(numbers, draft[id].size());
  });
}

void Runner::assign() {
  const Draft& draft = plan_->draft_;
  work(plan_->assigning_, assigning_states_);
  for (const DraftAssignment& assigned : draft.assigned) {
    const size_t size_bytes = draft[assigned.value].size_bytes();
    void* to = at_[draft.slots[assigned.slot]];
    const void* from = at_[draft.root(assigned.value)];
    if (size_bytes > 0 && to != from) std::memcpy(to, from, size_bytes);
  }
  for (const DraftAssignment& assigned : draft.assigned) ++plan_->slots_[assigned.slot]->version;
}

}  // namespace causeway::engine::cpu
