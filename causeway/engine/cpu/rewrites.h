#pragma once

#include <vector>

#include "causeway/engine/cpu/draft.h"

namespace causeway::engine::cpu {

// What turns a draft into fewer and faster tasks, in this order; each keeps every number but for the rounding that
// network.md allows. A file each.

/// Draws what stands for a task under another form: a comparison of what a relu read becomes one of what it gives, a
/// total over one number is that number.
void simplify(Draft& draft);
/// Bias and bounds into the product before them; constant matrices packed.
void fuse_products(Draft& draft);
/// Element-wise ops into groups that are worked block by block.
void fuse_elementwise(Draft& draft);
/// Has tasks that only work out assigned values write them into the slots themselves, after the guards.
void place_assignments(Draft& draft);

/// Who reads each value, by root: tasks, and whether the graph does (an output, a guard, an assignment).
struct Readers {
  explicit Readers(const Draft& draft);

  /// The only task that reads a value; SIZE_MAX where there are others, or none, or the graph does.
  size_t only_task(const Draft& draft, ValueId id) const;

  std::vector<std::vector<size_t>> tasks;
  std::vector<bool> by_graph;
};
/// The task that makes each value; SIZE_MAX for inputs, slots and other names of a value.
std::vector<size_t> makers(const Draft& draft);

/// Puts tasks below what they read again, else in the order they have.
void sort_tasks(Draft& draft);
/// Takes out the tasks whose outputs nothing reads.
void drop_unread(Draft& draft);

}  // namespace causeway::engine::cpu
