#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/engine/cpu/draft.h"

namespace causeway::engine::cpu {

/// What a kernel keeps from run to run for one context.
struct KernelState {
  virtual ~KernelState() = default;
};

/// What a kernel works on: where each value lies, by ValueId, memory of its own until it returns, and its state.
struct Frame {
  void* const* at = nullptr;
  std::byte* scratch = nullptr;
  KernelState* state = nullptr;

  template <class T>
  T* to(ValueId id) const {
    return static_cast<T*>(at[id]);
  }
  template <class T>
  const T* of(ValueId id) const {
    return id == kAbsent ? nullptr : static_cast<const T*>(at[id]);
  }
};

/// One task, ready to run. It does not change, and threads share it.
class Kernel {
 public:
  virtual ~Kernel() = default;

  /// Refused: what only data can cause.
  virtual void run(const Frame& frame) const = 0;
  /// How many pieces the work falls into, told by the lengths alone and never by the number of threads. Pieces may be
  /// worked at once, each on a frame with scratch memory and state of its own, and none of several is refused.
  virtual size_t pieces() const { return 1; }
  virtual void run_piece(const Frame& frame, size_t) const { run(frame); }
  /// Worked before the pieces, on the thread that asks.
  /// Refused: what only data can cause.
  virtual void begin(const Frame&) const {}
  /// Memory it wants while it runs, aligned to 64 bytes.
  virtual size_t scratch_bytes() const { return 0; }
  /// Made once for each context; null where it keeps nothing.
  virtual std::unique_ptr<KernelState> state() const { return nullptr; }
};

/// A kernel that works in pieces.
class PiecedKernel : public Kernel {
 public:
  void run(const Frame& frame) const final {
    begin(frame);
    for (size_t piece = 0, all = pieces(); piece < all; ++piece) run_piece(frame, piece);
  }
  size_t pieces() const override = 0;
  void run_piece(const Frame& frame, size_t piece) const override = 0;
};

/// The kernel of a task: this engine's own where it has one that fits, else the reference's.
/// Refused: there is none at all.
std::unique_ptr<Kernel> kernel_for(const Draft& draft, const Task& task);

/// This engine's own kernel of a task; null where it has none that fits (reference_only.h says of which and why).
std::unique_ptr<Kernel> own_kernel(const Draft& draft, const Task& task);

/// The reference's kernel on the task's values; null where there is none.
std::unique_ptr<Kernel> reference_kernel(const Draft& draft, const Task& task);

}  // namespace causeway::engine::cpu
