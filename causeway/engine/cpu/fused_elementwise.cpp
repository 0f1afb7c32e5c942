#include <algorithm>
#include <array>

#include "causeway/base/check.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/operand.h"

namespace causeway::engine::cpu {
namespace {

// Places a block: what one block's registers take stays in the first cache.
constexpr size_t kBlock = 256;
constexpr size_t kMostRegisters = 192;
constexpr size_t kPiece = 64 * kBlock;

void widen_truths(const uint8_t* from, size_t count, float* to) {
  for (size_t i = 0; i < count; ++i) to[i] = from[i] != 0 ? 1.0f : 0.0f;
}
void narrow_truths(const float* from, size_t count, uint8_t* to) {
  for (size_t i = 0; i < count; ++i) to[i] = from[i] != 0.0f ? 1 : 0;
}

// A block of registers at a time: inputs that lie whole are read where they lie, the others are spread or widened into
// scratch memory; steps write scratch memory, or an output where it lies.
class ElementwiseKernel final : public PiecedKernel {
 public:
  ElementwiseKernel(const Draft& draft, const Task& task, const FusedElementwise& op)
      : count_(static_cast<size_t>(op.count)),
        block_(std::min(kBlock, (static_cast<size_t>(op.count) + 15) / 16 * 16)) {
    const size_t inputs = task.inputs.size();
    CAUSEWAY_CHECK(inputs + op.steps.size() <= kMostRegisters, "a fused kernel has few registers");
    std::vector<size_t> last_read(inputs + op.steps.size(), 0);
    for (size_t s = 0; s < op.steps.size(); ++s) {
      for (const uint16_t from : op.steps[s].from) last_read[from] = s;
    }
    for (size_t i = 0; i < inputs; ++i) add_input(draft, task.inputs[i], op.operands[i]);
    add_outputs(draft, task, op, last_read);
    add_steps(op, last_read);
  }

  size_t scratch_bytes() const override { return cells_ * block_ * (sizeof(float) + 1); }

  size_t pieces() const override { return (count_ + kPiece - 1) / kPiece; }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t begin = piece * kPiece, end = std::min(count_, begin + kPiece);
    std::array<float*, kMostRegisters> at;
    auto* scratch = reinterpret_cast<float*>(frame.scratch);
    auto* truths = reinterpret_cast<uint8_t*>(scratch + cells_ * block_);
    const size_t first = std::min(block_, count_);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Input& input = inputs_[i];
      at[i] = input.cell == kInPlace ? frame.to<float>(input.id) + begin : scratch + input.cell * block_;
      if (input.operand.read == Operand::Read::One) fill(frame, input, 0, first, at[i], truths);
    }
    for (size_t s = 0; s < steps_.size(); ++s) {
      at[inputs_.size() + s] = steps_[s].cell == kInPlace ? nullptr : scratch + steps_[s].cell * block_;
    }
    for (const Output& output : outputs_) {
      if (output.is_direct) at[output.from] = frame.to<float>(output.id) + begin;
    }
    for (size_t start = begin; start < end; start += block_) {
      const size_t count = std::min(block_, end - start);
      for (size_t i = 0; i < inputs_.size(); ++i) {
        const Input& input = inputs_[i];
        if (input.cell == kInPlace || input.operand.read == Operand::Read::One) continue;
        fill(frame, input, start, count, at[i], truths);
      }
      for (size_t s = 0; s < steps_.size(); ++s) {
        const Step& step = steps_[s];
        step.work(at[inputs_.size() + s], at[step.a], at[step.b], at[step.c], step.settings, count);
      }
      for (const Output& output : outputs_) {
        if (output.is_direct) {
          at[output.from] += count;
        } else if (output.dtype == DType::Bool) {
          narrow_truths(at[output.from], count, frame.to<uint8_t>(output.id) + start);
        } else {
          std::copy_n(at[output.from], count, frame.to<float>(output.id) + start);
        }
      }
      for (const size_t i : in_place_) at[i] += count;
    }
  }

 private:
  static constexpr size_t kInPlace = SIZE_MAX;
  struct Input {
    ValueId id = 0;
    Operand operand;
    size_t cell = kInPlace;
  };
  struct Output {
    ValueId id = 0;
    size_t from = 0;
    DType dtype = DType::Float32;
    bool is_direct = false;
  };
  struct Step {
    Elementwise work = nullptr;
    uint16_t a = 0, b = 0, c = 0;
    StepSettings settings;
    size_t cell = kInPlace;
  };

  void add_input(const Draft& draft, ValueId id, const Operand& operand) {
    Input input{draft.root(id), operand};
    if (operand.read == Operand::Read::Whole && operand.dtype == DType::Float32) {
      in_place_.push_back(inputs_.size());
    } else {
      input.cell = cells_++;
    }
    inputs_.push_back(std::move(input));
  }

  // An output is written where it lies, unless it is a list of truths, has two places, or its memory is an input that a
  // later step still reads.
  void add_outputs(const Draft& draft, const Task& task, const FusedElementwise& op,
                   const std::vector<size_t>& last_read) {
    for (size_t i = 0; i < task.outputs.size(); ++i) {
      Output output{draft.root(task.outputs[i]), op.outputs[i], draft[task.outputs[i]].dtype};
      const size_t step = output.from - inputs_.size();
      output.is_direct = output.dtype == DType::Float32;
      for (const Output& other : outputs_) output.is_direct = output.is_direct && other.from != output.from;
      for (size_t in = 0; in < inputs_.size(); ++in) {
        if (inputs_[in].id == output.id && last_read[in] > step) output.is_direct = false;
      }
      outputs_.push_back(output);
    }
  }

  void add_steps(const FusedElementwise& op, const std::vector<size_t>& last_read) {
    std::vector<size_t> free_cells;
    std::vector<size_t> held(op.steps.size(), kInPlace);
    for (size_t s = 0; s < op.steps.size(); ++s) {
      const FusedStep& from = op.steps[s];
      const size_t self = inputs_.size() + s;
      Step step{elementwise(from.code), from.from[0], from.from[0], from.from[0], from.settings};
      if (from.from.size() > 1) step.b = from.from[1];
      if (from.from.size() > 2) step.c = from.from[2];
      const auto output =
          std::find_if(outputs_.begin(), outputs_.end(), [&](const Output& o) { return o.from == self; });
      if (output == outputs_.end() || !output->is_direct) {
        if (free_cells.empty()) free_cells.push_back(cells_++);
        step.cell = held[s] = free_cells.back();
        free_cells.pop_back();
      }
      steps_.push_back(step);
      // What is copied out at the block's end keeps its cell.
      for (size_t t = 0; t <= s; ++t) {
        const bool is_output = std::any_of(outputs_.begin(), outputs_.end(),
                                           [&](const Output& o) { return o.from == inputs_.size() + t; });
        if (held[t] == kInPlace || is_output || last_read[inputs_.size() + t] != s) continue;
        free_cells.push_back(held[t]);
        held[t] = kInPlace;
      }
    }
  }

  static void fill(const Frame& frame, const Input& input, size_t start, size_t count, float* to, uint8_t* truths) {
    const auto from = static_cast<int64_t>(start), places = static_cast<int64_t>(count);
    if (input.operand.dtype == DType::Float32) {
      return spread(input.operand, frame.of<float>(input.id), from, places, to);
    }
    if (input.operand.read == Operand::Read::Whole) {
      return widen_truths(frame.of<uint8_t>(input.id) + start, count, to);
    }
    spread(input.operand, frame.of<uint8_t>(input.id), from, places, truths);
    widen_truths(truths, count, to);
  }

  size_t count_, block_, cells_ = 0;
  std::vector<Input> inputs_;
  std::vector<size_t> in_place_;
  std::vector<Output> outputs_;
  std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<Kernel> fused_elementwise(const Draft& draft, const Task& task, const FusedElementwise& op) {
  return std::make_unique<ElementwiseKernel>(draft, task, op);
}

}  // namespace causeway::engine::cpu
