#include "causeway/base/fault.h"
#include "causeway/engine/cpu/kernel.h"
#include "causeway/reference/reference.h"

namespace causeway::engine::cpu {
namespace {

class ReferenceKernel final : public Kernel {
 public:
  ReferenceKernel(const Draft& draft, const Task& task, reference::Kernel kernel)
      : op_(task.op),
        place_(task.origin ? passes::place_of(*task.origin) : std::string(task.op.name())),
        kernel_(kernel) {
    for (const ValueId id : task.inputs) operands_.push_back(operand(draft, id));
    inputs_ = operands_.size();
    for (const ValueId id : task.outputs) operands_.push_back(operand(draft, id));
  }

  size_t scratch_bytes() const override { return operands_.size() * sizeof(TensorView); }

  void run(const Frame& frame) const override {
    auto* views = reinterpret_cast<TensorView*>(frame.scratch);
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Operand& operand = operands_[i];
      new (views + i)
          TensorView{operand.dtype, operand.lengths, operand.id == kAbsent ? nullptr : frame.at[operand.id]};
    }
    try {
      kernel_(op_, {views, inputs_}, {views + inputs_, operands_.size() - inputs_});
    } catch (const Unfit& unfit) {
      throw Refused(place_, unfit.what());
    }
  }

 private:
  struct Operand {
    ValueId id = kAbsent;
    DType dtype = DType::Unknown;
    std::vector<int64_t> lengths;
  };
  static Operand operand(const Draft& draft, ValueId id) {
    if (id == kAbsent) return {};
    return {draft.root(id), draft[id].dtype, draft[id].lengths};
  }

  Op op_;
  std::string place_;
  reference::Kernel kernel_;
  std::vector<Operand> operands_;
  size_t inputs_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> reference_kernel(const Draft& draft, const Task& task) {
  const reference::Kernel kernel = reference::kernel_of(task.op);
  if (!kernel) return nullptr;
  return std::make_unique<ReferenceKernel>(draft, task, kernel);
}

}  // namespace causeway::engine::cpu
