#pragma once

#include <span>
#include <string_view>

namespace causeway::engine::cpu {

/// What is left to the reference's kernels of an op, and why it may be.
struct ReferenceOnly {
  std::string_view op;
  /// Which of its uses on float32; empty: the op has no kernel of this engine's at all.
  std::string_view when;
  std::string_view why;
};

/// Every op, or use of one on float32, that has no kernel here, by the names of the ops. Other numbers than float32
/// (doubles, whole numbers, truths) are the reference's wherever nothing else is said in kernel_table.cpp: networks
/// compute in float32, and handle few others.
std::span<const ReferenceOnly> reference_only();

}  // namespace causeway::engine::cpu
