#include "causeway/reference/reference.h"

#include "causeway/base/fault.h"

namespace causeway::reference {
namespace {

/// The outputs' types, each with a dtype and lengths that are numbers.
Types bound_outputs(const Op& op, const std::vector<std::optional<Tensor>>& inputs) {
  Types types;
  types.reserve(inputs.size());
  for (const std::optional<Tensor>& input : inputs) {
    Type type;
    // The whole of a tensor is handed in as known, large ones too: a shape rule may read any of them.
    if (input) type = {.dtype = input->dtype(), .shape = input->shape(), .known = *input};
    types.push_back(std::move(type));
  }
  Types outputs = op.infer(types);
  for (const Type& output : outputs) {
    if (output.dtype == DType::Unknown || !output.shape.has_rank() || !output.shape.is_bound()) {
      unfit("its result is " + output.text() + ", and its length is not known from what it is given.");
    }
  }
  return outputs;
}

std::vector<Tensor> run(const Op& op, const std::vector<std::optional<Tensor>>& inputs, const Types& types) {
  const Kernel kernel = kernel_of(op);
  if (!kernel) unfit("no kernel computes " + std::string(op.name()) + ".");
  std::vector<TensorView> in, out;
  for (const std::optional<Tensor>& input : inputs) in.push_back(input ? view_of(*input) : TensorView{});
  std::vector<Tensor> outputs;
  outputs.reserve(types.size());
  for (const Type& type : types) {
    outputs.push_back(Tensor::uninitialized(type.dtype, type.shape.lengths()));
    outputs.back().mutable_data();
    out.push_back(view_of(outputs.back()));
  }
  kernel(op, in, out);
  return outputs;
}

}  // namespace

std::vector<Tensor> compute_some(const Op& op, const std::vector<std::optional<Tensor>>& inputs) {
  return run(op, inputs, bound_outputs(op, inputs));
}

std::vector<Tensor> compute(const Op& op, const std::vector<Tensor>& inputs) {
  return compute_some(op, std::vector<std::optional<Tensor>>(inputs.begin(), inputs.end()));
}

GraphBuilder::Folder folder() {
  return [](const Op& op, const std::vector<Tensor>& known) -> std::optional<std::vector<Tensor>> {
    const std::vector<std::optional<Tensor>> inputs(known.begin(), known.end());
    if (!kernel_of(op)) return std::nullopt;
    try {
      const Types types = bound_outputs(op, inputs);
      for (const Type& type : types) {
        const std::optional<int64_t> count = type.shape.count().if_number();
        if (!count || *count > Type::kKnownNumbers) return std::nullopt;
      }
      return run(op, inputs, types);
    } catch (const Unfit&) {
      return std::nullopt;
    }
  };
}

}  // namespace causeway::reference
