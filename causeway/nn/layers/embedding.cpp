#include "causeway/nn/layers/embedding.h"

#include <cmath>
#include <limits>
#include <tuple>

#include "causeway/base/quoted.h"
#include "causeway/nn/setting_ranges.h"
#include "causeway/ops/build.h"
#include "causeway/ops/gather.h"
#include "causeway/ops/row_numbers.h"

namespace causeway::nn {
namespace {

void expect_table(int64_t input_dim, int64_t output_dim, const std::optional<int64_t>& padding) {
  if (input_dim < 1) unfit("'input_dim' is " + std::to_string(input_dim) + ", and a table has at least 1 row.");
  if (output_dim < 1) unfit("'output_dim' is " + std::to_string(output_dim) + ", and at least 1 is made.");
  if (padding && (*padding < 0 || *padding >= input_dim)) {
    unfit("'padding_idx' is " + std::to_string(*padding) + ", and the rows are 0 to " + std::to_string(input_dim - 1) +
          ".");
  }
}

// The numbers as int64, each one checked.
Value row_numbers(LayerBuild& build, const Value& x, int64_t count) {
  return build.graph.add1(ops::RowNumbers{.count = count}, {x});
}

template <class S>
SlotSpec table(const S& settings) {
  const auto& [rows, width, padding] = std::tie(settings.input_dim, settings.output_dim, settings.padding_idx);
  SlotSpec spec{.lengths = {rows, width},
                .initializer = settings.embeddings_initializer,
                .penalty = settings.embeddings_regularizer,
                .max_norm = settings.embeddings_constraint};
  spec.bound_axes = std::vector<size_t>{1};  // each row by itself
  if (padding) {
    const int64_t end = times(*padding + 1, width, "output_dim");
    spec.block = {end - width, end, 0};
  }
  return spec;
}

}  // namespace

Value Embedding::weight(LayerBuild& build) const {
  expect_table(input_dim, output_dim, padding_idx);
  return build.slot("weight", table(*this));
}

Flow Embedding::build(LayerBuild& build, const Flow& x) const {
  const Value rows = weight(build);
  if (one_hot) {
    if (mask_zero || padding_idx)
      unfit("'one_hot' takes shares of all rows, and 'mask_zero' and 'padding_idx' speak of row numbers.");
    const int64_t length = slot_length(x.value, -1);
    if (length != input_dim) {
      unfit("it is handed " + x.value.shape().text() + ", and 'input_dim' is " + std::to_string(input_dim) + ".");
    }
    return {ops::matmul(x.value, rows)};
  }
  const Value numbers = row_numbers(build, x.value, input_dim);
  const Value mask = mask_zero ? ops::logical_not(ops::equal(numbers, 0.0)) : Value();
  return {build.graph.add1(ops::Gather{.axis = 0, .held_row = padding_idx}, {rows, numbers}), mask};
}

Flow EmbeddingBag::build(LayerBuild& build, const Flow& x) const {
  expect_table(input_dim, output_dim, padding_idx);
  if (mode != "mean" && mode != "sum" && mode != "max") {
    unfit("'mode' is " + quoted(mode) + ", and \"mean\", \"sum\" or \"max\" is read.");
  }
  if (x.value.shape().has_rank() && x.value.shape().rank() != 2) {
    unfit("it is handed " + x.value.shape().text() + ", and takes row numbers [N, L].");
  }
  const Value weight = build.slot("weight", table(*this));
  const Value numbers = row_numbers(build, x.value, input_dim);
  const Value rows = build.graph.add1(ops::Gather{.axis = 0, .held_row = padding_idx}, {weight, numbers});
  Value counted = build.named_value("mask", mask);
  if (!counted) counted = x.mask;
  if (padding_idx) {
    const Value real = ops::logical_not(ops::equal(numbers, static_cast<double>(*padding_idx)));
    counted = counted ? ops::logical_and(counted, real) : real;
  }
  if (!counted) {
    if (mode == "max") return {ops::reduce_max(rows, {1})};
    return {mode == "sum" ? ops::reduce_sum(rows, {1}) : ops::reduce_mean(rows, {1})};
  }
  const Value each = ops::unsqueeze(counted, {-1});
  const Value count = ops::reduce_sum(ops::cast(each, DType::Float32), {1});  // [N, 1]
  if (mode == "max") {
    const Value largest = ops::reduce_max(ops::where(each, rows, -std::numeric_limits<double>::infinity()), {1});
    return {ops::where(ops::greater(count, 0.0), largest, 0.0)};
  }
  const Value sum = ops::reduce_sum(ops::where(each, rows, 0.0), {1});
  return {mode == "sum" ? sum : ops::div(sum, ops::max(count, 1.0))};
}

Flow PeriodicEmbedding::build(LayerBuild& build, const Flow& x) const {
  if (d_embedding < 1) unfit("'d_embedding' is " + std::to_string(d_embedding) + ", and at least 1 is made.");
  if (n_frequencies < 1) unfit("'n_frequencies' is " + std::to_string(n_frequencies) + ", and at least 1 is made.");
  if (!(frequency_init_scale > 0)) {
    unfit("'frequency_init_scale' is " + text_of(frequency_init_scale) + ", and it is above 0.");
  }
  if (lite && !activation) unfit("'lite' is true and 'activation' false, and a lite embedding ends in its relu.");
  if (x.value.shape().has_rank() && x.value.shape().rank() != 2) {
    unfit("it is handed " + x.value.shape().text() + ", and takes rows [N, F].");
  }
  const int64_t features = slot_length(x.value, -1), both = times(2, n_frequencies, "n_frequencies");
  const double bound = 1 / std::sqrt(static_cast<double>(both));
  const Initializer even{.word = "random_uniform", .minval = -bound, .maxval = bound};

  LayerBuild periodic = build.part("periodic"), linear = build.part("linear");
  const Value frequencies =
      periodic.slot("weight", {.lengths = {features, n_frequencies},
                               .initializer = {.word = "truncated_normal", .stddev = frequency_init_scale, .cut = 3}});
  constexpr double kTurn = 6.283185307179586;
  const Value v = ops::mul(ops::scale(frequencies, kTurn), ops::unsqueeze(x.value, {-1}));  // [N, F, k]
  const Value waves = ops::concat({ops::cos(v), ops::sin(v)}, -1);
  if (lite) {
    const Value y = ops::matmul(waves, linear.slot("weight", {.lengths = {both, d_embedding}, .initializer = even}));
    return {ops::relu(ops::add(y, linear.slot("bias", {.lengths = {d_embedding}, .initializer = even})))};
  }
  // A product a feature, over all rows at once.
  const Value by_feature = ops::transpose(waves, {1, 0, 2});
  const Value products =
      ops::matmul(by_feature, linear.slot("weight", {.lengths = {features, both, d_embedding}, .initializer = even}));
  const Value y = ops::add(ops::transpose(products, {1, 0, 2}),
                           linear.slot("bias", {.lengths = {features, d_embedding}, .initializer = even}));
  return {activation ? ops::relu(y) : y};
}

Flow Masking::build(LayerBuild&, const Flow& x) const {
  if (x.value.shape().has_rank() && x.value.shape().rank() < 3) {
    unfit("it is handed " + x.value.shape().text() + ", and takes a series, [N, L, C] or longer.");
  }
  const Value other = ops::logical_not(ops::equal(x.value, static_cast<double>(mask_value)));
  const Value any = ops::reduce_max(ops::cast(other, DType::Float32), {-1}, true);
  const Value real = ops::greater(any, 0.0);
  return {ops::where(real, x.value, 0.0), ops::squeeze(real, {-1})};
}

}  // namespace causeway::nn
