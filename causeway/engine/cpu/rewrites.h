#pragma once

#include <optional>
#include <vector>

#include "causeway/engine/cpu/draft.h"

namespace causeway::engine::cpu {

// What turns a draft into fewer and faster tasks; each keeps every number but for the rounding that docs/accuracy.md
// allows.

/// All of them, in the order they stand here: what a plan lays out. A file each.
void rewrite(Draft& draft);

/// Draws what stands for a task under another form: a comparison of what a relu read becomes one of what it gives, a
/// total over one number is that number.
void simplify(Draft& draft);
/// Activations that were written as formulas (gelu, silu) into the op of their name, where nothing else reads a part of
/// one.
void name_activations(Draft& draft);
/// Has attentions read queries, keys and values where they lie, columns of one value, without a copy.
void attend_in_place(Draft& draft);
/// Batch normalizations by running statistics into the convolution before them, or into a product and a sum.
void fold_norms(Draft& draft);
/// Gradients that are totals over rows into what each piece of rows gives, and a total of that.
void piece_totals(Draft& draft);
/// Recurrent layers into walks over packed weights, their gradients into walks back and a product over all steps.
void plan_recurrent(Draft& draft);
/// Convolutions into oneDNN's, on values in blocks of channels that stay so from one to the next.
void choose_layouts(Draft& draft);
/// Sums and bounds into the convolution before them; constant weights packed.
void fuse_convolutions(Draft& draft);
/// Bias and bounds into the product before them; constant matrices packed.
void fuse_products(Draft& draft);
/// Element-wise ops into groups that are worked block by block.
void fuse_elementwise(Draft& draft);
/// Has tasks that only work out assigned values write them into the slots themselves, after the guards.
void place_assignments(Draft& draft);

/// Has a convolution add onto what it adds, where nothing reads that later. The order of tasks is final then.
void share_memory(Draft& draft);

/// Whether fuse_elementwise() takes a task.
bool is_fusible(const Draft& draft, const Task& task);
/// Bounds that an op keeps its operand in: Relu's, Clip's.
struct Bounds {
  float low, high;
};
std::optional<Bounds> bounds_of(const Op& op);
/// Whether a value depends on slots alone that the graph does not assign.
bool is_constant(const Draft& draft, ValueId id);
/// A constant float32 of one number.
std::optional<float> constant_number(const Draft& draft, ValueId id);
bool is_zero(const Draft& draft, ValueId id);
/// The same numbers under other lengths.
ValueId renamed(Draft& draft, ValueId id, std::vector<int64_t> lengths);

/// Who reads each value, by root: tasks, and whether the graph does (an output, a guard, an assignment).
struct Readers {
  explicit Readers(const Draft& draft);

  /// The only task that reads a value; SIZE_MAX where there are others, or none, or the graph does.
  size_t only_task(const Draft& draft, ValueId id) const;

  /// The only task that reads a value, where it reads it under the lengths it is made under and gives one value of
  /// those lengths: what the task that makes the value may take over. A task that reads it under another name, flattened
  /// say, has other rows, columns and channels than its maker, and one that spreads it has more numbers.
  size_t only_step(const Draft& draft, ValueId id) const;

  bool is_read(const Draft& draft, ValueId id) const;

  std::vector<std::vector<size_t>> tasks;
  std::vector<bool> by_graph;
};
/// The task that makes each value; SIZE_MAX for inputs, slots and other names of a value.
std::vector<size_t> makers(const Draft& draft);

/// Puts tasks below what they read again, else in the order they have.
void sort_tasks(Draft& draft);
/// Takes out the tasks whose outputs nothing reads.
void drop_unread(Draft& draft);
/// Takes the memory from shares of an attention that nothing reads: its kernels write none then.
void drop_unread_shares(Draft& draft);

}  // namespace causeway::engine::cpu
