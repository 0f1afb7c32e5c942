#include <map>

#include "causeway/base/fault.h"
#include "causeway/engine/cpu/kernels.h"

namespace causeway::engine::cpu {
namespace {

using Make = std::unique_ptr<Kernel> (*)(const Draft&, const Task&);
struct Row {
  std::string_view name;
  Make make = nullptr;
};

// A row from a function `std::unique_ptr<Kernel> conv(const Draft&, const Task&, const ops::Conv&)`.
template <auto kFunction>
struct RowOf;
template <class S, std::unique_ptr<Kernel> (*kFunction)(const Draft&, const Task&, const S&)>
struct RowOf<kFunction> {
  static constexpr Row kRow = {
      S::kName, [](const Draft& draft, const Task& task) { return kFunction(draft, task, *task.op.as<S>()); }};
};
template <auto kFunction>
constexpr Row row() {
  return RowOf<kFunction>::kRow;
}

constexpr Row kRows[] = {
    row<fused_elementwise>(),
    row<fused_mat_mul>(),
    row<pack_matrix>(),
    row<reduce>(),
    row<sum_to>(),
    row<sum_squares>(),
    row<softmax>(),
    row<log_softmax>(),
    row<attention>(),
    row<attention_gradient>(),
    row<attention_in_place>(),
    row<attention_gradient_in_place>(),
    row<walked_recurrent>(),
    row<walked_back>(),
    row<walked_weight_gradient>(),
    row<pack_gates>(),
    row<batch_norm_training>(),
    row<batch_norm_gradient>(),
    row<layer_norm>(),
    row<row_norms_gradient>(),
    row<blocked_conv>(),
    row<blocked_conv_gradient>(),
    row<pack_conv_weight>(),
    row<to_blocked>(),
    row<from_blocked>(),
    row<norm_scale>(),
    row<transpose>(),
    row<tile>(),
    row<slice>(),
    row<slice_gradient>(),
    row<pad>(),
    row<pad_gradient>(),
    row<concat>(),
    row<split>(),
    row<gather>(),
    row<scatter_add>(),
    row<random_uniform>(),
    row<max_pool>(),
    row<max_pool_gradient>(),
    row<average_pool>(),
    row<average_pool_gradient>(),
};

Make make_of(const Op& op) {
  static const std::map<std::string_view, Make> kByName = [] {
    std::map<std::string_view, Make> all;
    for (const Row& row : kRows) all[row.name] = row.make;
    return all;
  }();
  const auto at = kByName.find(op.name());
  return at == kByName.end() ? nullptr : at->second;
}

}  // namespace

std::unique_ptr<Kernel> own_kernel(const Draft& draft, const Task& task) {
  const Make make = make_of(task.op);
  return make ? make(draft, task) : nullptr;
}

std::unique_ptr<Kernel> kernel_for(const Draft& draft, const Task& task) {
  if (std::unique_ptr<Kernel> kernel = own_kernel(draft, task)) return kernel;
  if (std::unique_ptr<Kernel> kernel = reference_kernel(draft, task)) return kernel;
  throw Refused(task.origin ? passes::place_of(*task.origin) : "engine",
                "the cpu engine has no kernel for " + std::string(task.op.name()) + ".");
}

}  // namespace causeway::engine::cpu
