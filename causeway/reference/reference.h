#pragma once

// reference/ says what each op computes: plain loops on dense tensors, sums in double and rounded once, no cleverness.
// The judge engine walks graphs through these kernels, and whatever folds constants calls them. Nothing here plans,
// fuses or knows a graph beyond one op.

#include <optional>
#include <span>
#include <vector>

#include "causeway/graph/graph.h"
#include "causeway/graph/op.h"
#include "causeway/tensor/tensor.h"

namespace causeway::reference {

using Views = std::span<const TensorView>;

/// Computes one op. A view with null data stands for an absent input. The caller allocates the outputs, with the dtypes
/// and lengths that infer() gives; they do not overlap the inputs. Calls unfit() for what only data can cause.
using Kernel = void (*)(const Op& op, Views inputs, Views outputs);

/// The kernel of an op; null where it has none.
Kernel kernel_of(const Op& op);

/// What an op gives for these numbers: its shape rule, memory, its kernel. unfit() comes through from the shape rule and
/// the kernel, and where the op has no kernel.
std::vector<Tensor> compute(const Op& op, const std::vector<Tensor>& inputs);
/// The same where an input may be absent.
std::vector<Tensor> compute_some(const Op& op, const std::vector<std::optional<Tensor>>& inputs);

/// For GraphBuilder::fold_with: works out nodes whose inputs are known, while their outputs stay at most
/// Type::kKnownNumbers each. A node that cannot be worked out stays a node, and says why when it is compiled.
GraphBuilder::Folder folder();

}  // namespace causeway::reference
