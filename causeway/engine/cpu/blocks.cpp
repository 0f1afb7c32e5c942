#include <cstring>

#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/pieces.h"
#include "causeway/tensor/shape.h"

// Concat and Split: blocks along one axis, put side by side or taken apart.

namespace causeway::engine::cpu {
namespace {

// The whole is [outer] rows, and each block has a run of every row.
class BlocksKernel final : public PiecedKernel {
 public:
  BlocksKernel(const Draft& draft, ValueId whole, const std::vector<ValueId>& blocks, size_t axis, bool takes_apart)
      : whole_(draft.root(whole)), takes_apart_(takes_apart) {
    const DraftValue& value = draft[whole];
    size_t inner = size_of(value.dtype);
    for (size_t i = axis + 1; i < value.lengths.size(); ++i) inner *= static_cast<size_t>(value.lengths[i]);
    row_ = inner * static_cast<size_t>(value.lengths[axis]);
    size_t offset = 0;
    for (const ValueId id : blocks) {
      const size_t run = inner * static_cast<size_t>(draft[id].lengths[axis]);
      if (run > 0) blocks_.push_back({draft.root(id), offset, run});
      offset += run;
    }
    const size_t outer = static_cast<size_t>(value.size()) * size_of(value.dtype) / row_;
    pieces_ = Pieces(outer, row_ / sizeof(float));
    // Of few rows, each block is a piece of its own.
    by_blocks_ = outer == 1;
  }

  size_t pieces() const override { return by_blocks_ ? blocks_.size() : pieces_.count(); }
  void run_piece(const Frame& frame, size_t piece) const override {
    if (by_blocks_) return copy(frame, blocks_[piece], 0, 1);
    for (const Block& block : blocks_) copy(frame, block, pieces_.begin(piece), pieces_.end(piece));
  }

 private:
  struct Block {
    ValueId id = 0;
    size_t offset = 0, run = 0;
  };
  void copy(const Frame& frame, const Block& block, size_t begin, size_t end) const {
    std::byte* whole = frame.to<std::byte>(whole_) + begin * row_ + block.offset;
    std::byte* part = frame.to<std::byte>(block.id) + begin * block.run;
    for (size_t i = begin; i < end; ++i, whole += row_, part += block.run) {
      if (takes_apart_) {
        std::memcpy(part, whole, block.run);
      } else {
        std::memcpy(whole, part, block.run);
      }
    }
  }

  ValueId whole_;
  bool takes_apart_, by_blocks_ = false;
  size_t row_ = 0;
  std::vector<Block> blocks_;
  Pieces pieces_;
};

}  // namespace

std::unique_ptr<Kernel> concat(const Draft& draft, const Task& task, const ops::Concat& op) {
  const DraftValue& y = draft[task.outputs[0]];
  if (y.size() == 0) return nullptr;
  return std::make_unique<BlocksKernel>(draft, task.outputs[0], task.inputs, axis_in(op.axis, y.lengths.size()), false);
}

std::unique_ptr<Kernel> split(const Draft& draft, const Task& task, const ops::Split& op) {
  const DraftValue& x = draft[task.inputs[0]];
  if (x.size() == 0) return nullptr;
  return std::make_unique<BlocksKernel>(draft, task.inputs[0], task.outputs, axis_in(op.axis, x.lengths.size()), true);
}

}  // namespace causeway::engine::cpu
