#include "causeway/ops/range.h"

#include <cmath>
#include <string>

#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// The count, as far as the three numbers are known.
Dim count_of(std::span<const Type> inputs) {
  if (inputs[0].known && inputs[1].known && inputs[2].known) {
    const double start = inputs[0].known->number_at(0), limit = inputs[1].known->number_at(0);
    const double delta = inputs[2].known->number_at(0);
    if (delta == 0) unfit("'delta' is 0, and a range of such steps does not end.");
    const double count = std::ceil((limit - start) / delta);
    if (!(count < 9e18)) unfit("the range has more numbers than can be counted.");
    return static_cast<int64_t>(std::max(0.0, count));
  }
  const std::optional<std::vector<Dim>> start = dims_of(inputs[0]), limit = dims_of(inputs[1]);
  if (!start || !limit || integers_of(inputs[2]) != std::vector<int64_t>{1}) return {};
  return limit->front() - start->front();
}

/// The numbers themselves, where they are few and whole.
std::optional<std::vector<Dim>> numbers_of(std::span<const Type> inputs, const Dim& count) {
  const std::optional<std::vector<Dim>> start = dims_of(inputs[0]);
  const std::optional<std::vector<int64_t>> delta = integers_of(inputs[2]);
  if (!start || !delta || !count.is_number() || count.number() > Type::kKnownNumbers) return std::nullopt;
  std::vector<Dim> numbers;
  for (int64_t i = 0; i < count.number(); ++i) numbers.push_back(start->front() + Dim(i) * delta->front());
  return numbers;
}

}  // namespace

Types Range::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3);
  constexpr std::string_view kNames[] = {"start", "limit", "delta"};
  for (size_t i = 0; i < 3; ++i) with_rank(numeric(inputs[i], kNames[i]), 0, kNames[i]);
  const DType dtype = common_dtype(inputs);
  const Dim count = count_of(inputs);
  return {integers_type(dtype, Shape{count}, numbers_of(inputs, count))};
}

}  // namespace causeway::ops
