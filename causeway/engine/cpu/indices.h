#pragma once

#include <memory>

#include "causeway/engine/cpu/draft.h"
#include "causeway/engine/cpu/kernel.h"

namespace causeway::engine::cpu {

/// What a task's indices name along an axis of some length, those below 0 from its end.
class Indices {
 public:
  Indices(const Draft& draft, const Task& task, ValueId id, int64_t length)
      : id_(draft.root(id)),
        is_wide_(draft[id].dtype == DType::Int64),
        count_(static_cast<size_t>(draft[id].size())),
        length_(length),
        reference_(reference_kernel(draft, task)) {}

  size_t count() const { return count_; }
  /// For expect_inside().
  size_t scratch_bytes() const { return reference_->scratch_bytes(); }

  /// Refused: an index outside the axis, in the words of the reference.
  void expect_inside(const Frame& frame) const {
    if (!(is_wide_ ? all_inside(frame.of<int64_t>(id_)) : all_inside(frame.of<int32_t>(id_)))) reference_->run(frame);
  }

  /// Calls f with a function that gives the place of index i.
  template <class F>
  void with(const Frame& frame, F f) const {
    const auto places_of = [&](const auto* indices) {
      f([this, indices](size_t i) {
        const auto index = static_cast<int64_t>(indices[i]);
        return static_cast<size_t>(index < 0 ? index + length_ : index);
      });
    };
    if (is_wide_) {
      places_of(frame.of<int64_t>(id_));
    } else {
      places_of(frame.of<int32_t>(id_));
    }
  }

 private:
  template <class Index>
  bool all_inside(const Index* indices) const {
    for (size_t i = 0; i < count_; ++i) {
      if (indices[i] < -length_ || indices[i] >= length_) return false;
    }
    return true;
  }

  ValueId id_;
  bool is_wide_;
  size_t count_;
  int64_t length_;
  std::unique_ptr<Kernel> reference_;
};

}  // namespace causeway::engine::cpu
