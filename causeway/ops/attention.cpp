#include "causeway/ops/attention.h"

#include <cmath>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/ops/build.h"
#include "causeway/ops/random_uniform.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// Heads of no width take no memory that would bound their number.
constexpr int64_t kMostHeads = 65536;

void expect_heads(int64_t heads, int64_t kv_heads) {
  if (heads < 1 || heads > kMostHeads || kv_heads < 1 || heads % kv_heads != 0) {
    unfit("'heads' is " + std::to_string(heads) + " and 'kv_heads' is " + std::to_string(kv_heads) +
          ", and 1 to 65536 heads, a multiple of kv_heads, are expected.");
  }
}

/// How many channels a head has of some that lie side by side; the channels are to be named by `what`.
Dim a_head(const Dim& channels, int64_t heads, std::string_view what) {
  if (channels.is_number() && channels.number() % heads != 0) {
    unfit(std::string(what) + " has " + channels.text() + " channels, which do not fall into " + std::to_string(heads) +
          (heads == 1 ? " head." : " heads."));
  }
  return channels / heads;
}

/// The lengths of what is attended: of q, k and v, each wherever one of the inputs tells it.
struct Lengths {
  Dim batch, queries, keys, width, value_width;

  Lengths(const Type& q_type, const Type& k_type, const Type& v_type, int64_t heads, int64_t kv_heads) {
    expect_heads(heads, kv_heads);
    const Shape q = with_rank(q_type, 3, "q"), k = with_rank(k_type, 3, "k"), v = with_rank(v_type, 3, "v");
    batch = same_length(same_length(q[0], k[0], "the batch of q", "the batch of k"), v[0], "the batch of q and k",
                        "the batch of v");
    queries = q[1];
    keys = same_length(k[1], v[1], "the number of keys", "the number of values");
    width = same_length(a_head(q[2], heads, "q"), a_head(k[2], kv_heads, "k"), "the width of a head of q",
                        "the width of a head of k");
    value_width = a_head(v[2], kv_heads, "v");
  }

  Shape of_q(int64_t heads) const { return {batch, queries, width * heads}; }
  Shape of_k(int64_t kv_heads) const { return {batch, keys, width * kv_heads}; }
  Shape of_v(int64_t kv_heads) const { return {batch, keys, value_width * kv_heads}; }
  Shape of_context(int64_t heads) const { return {batch, queries, value_width * heads}; }
  Shape of_shares(int64_t heads) const { return {batch, heads, queries, keys}; }
};

/// `what`, which may be absent, must have that shape.
void expect_shape(const Type& of, const Shape& expected, std::string_view what) {
  const Shape shape = with_rank(of, expected.rank(), what);
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis].equals(expected[axis]) != std::optional(false)) continue;
    unfit(std::string(what) + " is " + shape.text() + ", and " + expected.text() + " is expected.");
  }
}

}  // namespace

Types Attention::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 3, 6);
  if (!(dropout_rate >= 0 && dropout_rate <= 1)) {
    unfit("'dropout_rate' is " + text_of(dropout_rate) + ", and 0 to 1 is expected.");
  }
  if (!std::isfinite(scale)) unfit("'scale' is " + text_of(scale) + ", and a finite number is expected.");
  const Type mask = truth(input_or_unknown(inputs, 3), "mask");
  const Type by_query = truth(input_or_unknown(inputs, 4), "attention_mask"), kept = input_or_unknown(inputs, 5);
  const Type numbers[] = {inputs[0], inputs[1], inputs[2], kept};
  const DType dtype = floating({common_dtype(numbers), {}}, "q").dtype;
  const Lengths lengths(inputs[0], inputs[1], inputs[2], heads, kv_heads);
  expect_shape(mask, {lengths.batch, lengths.keys}, "mask");
  Shape by_query_expected = {lengths.batch, lengths.queries, lengths.keys};
  if (by_query.shape.has_rank() && by_query.shape.rank() == 2) by_query_expected = {lengths.queries, lengths.keys};
  expect_shape(by_query, by_query_expected, "attention_mask");
  expect_shape(kept, lengths.of_shares(heads), "kept");
  return {{dtype, lengths.of_context(heads)}, {dtype, lengths.of_shares(heads)}};
}

Values Attention::gradient(GraphBuilder& graph, const Node& node, const Values& dy) const {
  if (dy[1]) unfit("a gradient is asked for from the shares of an attention, and it flows from the context alone.");
  const AttentionGradient gradient{.heads = heads, .kv_heads = kv_heads, .scale = scale, .no_key = no_key};
  return graph.add(gradient, {dy[0], node.input(0), node.input(1), node.input(2), node.output(1), node.input(5)});
}

std::optional<Values> Attention::training(GraphBuilder& graph, const Node& node) const {
  if (dropout_rate == 0 || node.input(5)) return std::nullopt;
  const Value q = node.input(0), k = node.input(1);
  const Type whole{DType::Int64, Shape(std::vector<Dim>())};
  const auto length = [&](Value x, int64_t axis) { return gather(shape_of(x), integers(graph, {axis})); };
  const Value lengths = concat({length(q, 0), integers(graph, {heads}), length(q, 1), length(k, 1)}, 0);
  const RandomUniform draw{.purpose = "dropout:" + node.scope->path};
  const Value draws =
      graph.add1(draw, {graph.shared_input("@seed", whole), graph.shared_input("@batch", whole), lengths});
  const auto factor = static_cast<float>(1.0 / (1.0 - static_cast<double>(dropout_rate)));
  Attention dropped = *this;
  dropped.dropout_rate = 0;
  const Value kept =
      where(greater_or_equal(draws, dropout_rate), number_like(q, dropout_rate < 1 ? factor : 0.0f), 0.0);
  return graph.add(dropped, {q, k, node.input(2), node.input(3), node.input(4), kept});
}

Types AttentionGradient::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 5, 6);
  const DType dtype = floating({common_dtype(inputs), {}}, "dy").dtype;
  const Lengths lengths(inputs[1], inputs[2], inputs[3], heads, kv_heads);
  expect_shape(inputs[0], lengths.of_context(heads), "dy");
  expect_shape(inputs[4], lengths.of_shares(heads), "shares");
  expect_shape(input_or_unknown(inputs, 5), lengths.of_shares(heads), "kept");
  return {{dtype, lengths.of_q(heads)}, {dtype, lengths.of_k(kv_heads)}, {dtype, lengths.of_v(kv_heads)}};
}

}  // namespace causeway::ops
