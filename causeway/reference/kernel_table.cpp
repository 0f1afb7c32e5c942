#include "causeway/reference/kernel_table.h"

#include <map>

#include "causeway/reference/kernels.h"

namespace causeway::reference {
namespace {

template <class S>
constexpr KernelRow copies() {
  return {S::kName, [](const Op&, Views inputs, Views outputs) { copy_elements(inputs, outputs); }};
}

constexpr KernelRow kRows[] = {
    row<mat_mul>(),

    row<reduce>(),
    row<sum_to>(),
    row<sum_squares>(),
    row<arg_max>(),
    row<top_k>(),
    row<softmax>(),
    row<log_softmax>(),
    row<sparsemax>(),

    row<attention>(),
    row<attention_gradient>(),

    row<conv>(),
    row<conv_input_gradient>(),
    row<conv_weight_gradient>(),
    row<max_pool>(),
    row<max_pool_gradient>(),
    row<average_pool>(),
    row<average_pool_gradient>(),

    row<batch_norm>(),
    row<batch_norm_training>(),
    row<batch_norm_gradient>(),
    row<layer_norm>(),
    row<layer_norm_gradient>(),

    row<recurrent>(),
    row<recurrent_gradient>(),

    row<concat>(),
    row<split>(),
    row<slice>(),
    row<slice_gradient>(),
    row<pad>(),
    row<pad_gradient>(),
    row<row_numbers>(),
    row<step_counts>(),
    row<gather>(),
    row<put>(),
    row<scatter_add>(),
    row<transpose>(),
    row<expand>(),
    row<tile>(),

    copies<ops::Identity>(),
    copies<ops::Reshape>(),
    copies<ops::Flatten>(),
    copies<ops::Squeeze>(),
    copies<ops::Unsqueeze>(),
    copies<ops::Dropout>(),
    copies<ops::GaussianNoise>(),
    copies<ops::GaussianDropout>(),
    copies<ops::AlphaDropout>(),
    row<shape_of>(),
    row<range>(),
    row<constant_of_shape>(),
    row<random_normal>(),
    row<random_uniform>(),
};

std::map<std::string_view, Kernel> all_by_name() {
  std::map<std::string_view, Kernel> all;
  for (const KernelRow& row : elementwise_kernels()) all[row.name] = row.kernel;
  for (const KernelRow& row : kRows) all[row.name] = row.kernel;
  return all;
}

}  // namespace

Kernel kernel_of(const Op& op) {
  static const std::map<std::string_view, Kernel> kByName = all_by_name();
  const auto at = kByName.find(op.name());
  return at == kByName.end() ? nullptr : at->second;
}

}  // namespace causeway::reference
