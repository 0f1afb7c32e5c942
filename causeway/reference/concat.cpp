#include <cstring>

#include "causeway/reference/kernels.h"
#include "causeway/reference/number.h"

// Concat and Split: blocks along one axis, put side by side or taken apart.

namespace causeway::reference {
namespace {

/// Calls f(bytes of the whole, bytes of the block, how many) for each run of a block that lies in one piece in the
/// whole, from `start` along the axis.
template <class F>
void each_run(const TensorView& whole, const TensorView& block, size_t axis, int64_t start, F f) {
  size_t outer = 1, inner = size_of(whole.dtype);
  for (size_t i = 0; i < axis; ++i) outer *= static_cast<size_t>(whole.lengths[i]);
  for (size_t i = axis + 1; i < whole.lengths.size(); ++i) inner *= static_cast<size_t>(whole.lengths[i]);
  const size_t whole_run = inner * static_cast<size_t>(whole.lengths[axis]);
  const size_t block_run = inner * static_cast<size_t>(block.lengths[axis]);
  if (block_run == 0) return;
  std::byte* whole_bytes = write<std::byte>(whole) + inner * static_cast<size_t>(start);
  std::byte* block_bytes = write<std::byte>(block);
  for (size_t i = 0; i < outer; ++i) f(whole_bytes + i * whole_run, block_bytes + i * block_run, block_run);
}

}  // namespace

void concat(const ops::Concat& op, Views inputs, Views outputs) {
  const size_t axis = axis_in(op.axis, outputs[0].lengths.size());
  int64_t start = 0;
  for (const TensorView& x : inputs) {
    each_run(outputs[0], x, axis, start, [](void* y, const void* block, size_t size) { std::memcpy(y, block, size); });
    start += x.lengths[axis];
  }
}

void split(const ops::Split& op, Views inputs, Views outputs) {
  const size_t axis = axis_in(op.axis, inputs[0].lengths.size());
  int64_t start = 0;
  for (const TensorView& y : outputs) {
    each_run(inputs[0], y, axis, start, [](const void* x, void* block, size_t size) { std::memcpy(block, x, size); });
    start += y.lengths[axis];
  }
}

}  // namespace causeway::reference
