#include "causeway/nn/layers/attention.h"

#include <cmath>
#include <limits>

#include "causeway/ops/attention.h"
#include "causeway/ops/build.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/range.h"

namespace causeway::nn {
namespace {

void expect_series(const Value& x, std::string_view what) {
  if (!x.shape().has_rank() || x.shape().rank() == 3) return;
  unfit(std::string(what) + " is " + x.shape().text() + ", and attention takes a series, [N, steps, channels].");
}

void expect_fit(const Attended& of, float dropout) {
  if (!(dropout >= 0 && dropout < 1)) unfit("'dropout' is " + text_of(dropout) + ", and 0 to below 1 is expected.");
  expect_series(of.query, "the query");
  expect_series(of.key, "the key");
  expect_series(of.value, "the value");
}

/// What is multiplied to the lengths of slots stays far within their range.
constexpr int64_t kMostHeads = 65536, kMostWidth = int64_t{1} << 31;

void expect_count(int64_t number, int64_t most, std::string_view setting) {
  if (number >= 1 && number <= most) return;
  unfit("'" + std::string(setting) + "' is " + std::to_string(number) + ", and 1 to " + std::to_string(most) +
        " is expected.");
}

ops::NoKey no_key_of(const std::string& word) {
  if (word == "zeros") return ops::NoKey::Zeros;
  if (word == "average") return ops::NoKey::Average;
  unfit("'no_key' is '" + word + "', and zeros or average is read here.");
}

/// Columns of the three projections of an attention, and its heads.
struct Heads {
  int64_t query = 1, key = 1;
  int64_t width = 0, value_width = 0;

  std::vector<int64_t> columns() const { return {query * width, key * width, key * value_width}; }
  int64_t of_context() const { return query * value_width; }
};

/// The query, key and value projected; the slots are those of multi_head_attention or group_query_attention.
template <class S>
class Projections {
 public:
  Projections(LayerBuild& build, const S& settings, const Heads& heads, bool is_torch)
      : build_(build), settings_(settings), heads_(heads), is_torch_(is_torch) {}

  /// All three by one product where they are of one value.
  Values packed(const Attended& of, int64_t width) const {
    const std::vector<int64_t> columns = heads_.columns();
    const int64_t all = columns[0] + columns[1] + columns[2];
    // Each of the three counts as a matrix of its own; PyTorch's as one.
    const Fans fans = fans_of({width, is_torch_ ? all : columns[0]});
    const Value weight = kernel("in_proj_weight", {width, all}, fans);
    const Value bias = settings_.use_bias ? bias_slot("in_proj_bias", all, fans) : Value();
    if (of.query == of.key && of.key == of.value) {
      const Value joint = ops::matmul(of.query, weight);
      return ops::split(bias ? ops::add(joint, bias) : joint, columns, -1);
    }
    return apart(of, ops::split(weight, columns, 1), bias);
  }

  Values apart(const Attended& of) const {
    const std::vector<int64_t> columns = heads_.columns();
    const auto weight = [&](std::string_view name, const Value& x, int64_t made) {
      const int64_t in = slot_length(x, -1);
      return kernel(name, {in, made}, fans_of({in, made}));
    };
    const Values weights{weight("q_proj_weight", of.query, columns[0]), weight("k_proj_weight", of.key, columns[1]),
                         weight("v_proj_weight", of.value, columns[2])};
    const int64_t all = columns[0] + columns[1] + columns[2];
    const Fans fans = fans_of({slot_length(of.query, -1), columns[0]});
    return apart(of, weights, settings_.use_bias ? bias_slot("in_proj_bias", all, fans) : Value());
  }

  Value out(const Value& context, int64_t width) const {
    const int64_t in = heads_.of_context();
    const Initializer start = is_torch_ ? Initializer{.word = "torch_uniform"} : settings_.kernel_initializer;
    Value y = ops::matmul(context, build_.slot("out_proj.weight", {.lengths = {in, width},
                                                                   .initializer = start,
                                                                   .penalty = settings_.kernel_regularizer,
                                                                   .max_norm = settings_.kernel_constraint}));
    if (settings_.use_bias) y = ops::add(y, bias_slot("out_proj.bias", width, fans_of({in, width})));
    return y;
  }

 private:
  Values apart(const Attended& of, const Values& weights, const Value& bias) const {
    Values made{ops::matmul(of.query, weights[0]), ops::matmul(of.key, weights[1]), ops::matmul(of.value, weights[2])};
    if (!bias) return made;
    const Values parts = ops::split(bias, heads_.columns(), 0);
    for (size_t i = 0; i < made.size(); ++i) made[i] = ops::add(made[i], parts[i]);
    return made;
  }

  Value kernel(std::string_view name, const std::vector<int64_t>& lengths, Fans fans) const {
    return build_.slot(name, {.lengths = lengths,
                              .initializer = settings_.kernel_initializer,
                              .penalty = settings_.kernel_regularizer,
                              .max_norm = settings_.kernel_constraint,
                              .fans = fans});
  }
  Value bias_slot(std::string_view name, int64_t length, Fans fans) const {
    return build_.slot(name, {.lengths = {length},
                              .initializer = settings_.bias_initializer,
                              .penalty = settings_.bias_regularizer,
                              .max_norm = settings_.bias_constraint,
                              .fans = fans});
  }

  LayerBuild& build_;
  const S& settings_;
  Heads heads_;
  bool is_torch_;
};

/// The context of projections: the attention itself.
template <class S>
Value context_of(LayerBuild& build, const S& settings, const Heads& heads, const Values& projected,
                 const Attended& of) {
  const ops::Attention attention{.heads = heads.query,
                                 .kv_heads = heads.key,
                                 .scale = static_cast<float>(1 / std::sqrt(static_cast<double>(heads.width))),
                                 .causal = settings.use_causal_mask,
                                 .no_key = no_key_of(settings.no_key),
                                 .dropout_rate = settings.dropout};
  return build.graph.add(attention, {projected[0], projected[1], projected[2], of.key_mask, of.attention_mask})[0];
}

/// A layer over what its names lead to.
template <class S>
Flow built(const S& settings, LayerBuild& build, std::span<const Flow> from) {
  return {settings.attend(build, Attended::of(build, from, settings.mask, settings.attention_mask))};
}

}  // namespace

Attended Attended::of(const LayerBuild& build, std::span<const Flow> from, const ValueNames& mask,
                      const ValueNames& attention_mask) {
  if (from.empty() || from.size() > 3) {
    unfit("it takes one value, [query, value] or [query, value, key], and " + std::to_string(from.size()) +
          " are handed to it.");
  }
  const Flow &query = from[0], &value = from.size() > 1 ? from[1] : query, &key = from.size() > 2 ? from[2] : value;
  const Value stated = build.named_value("mask", mask);
  return {query.value, key.value, value.value, stated ? stated : key.mask,
          build.named_value("attention_mask", attention_mask)};
}

Flow MultiHeadAttention::build(LayerBuild& build, std::span<const Flow> from) const {
  return built(*this, build, from);
}

Value MultiHeadAttention::attend(LayerBuild& build, const Attended& of) const {
  expect_count(num_heads, kMostHeads, "num_heads");
  expect_count(key_dim, kMostWidth, "key_dim");
  const Heads heads{num_heads, num_heads, key_dim, value_dim.value_or(key_dim)};
  expect_count(heads.value_width, kMostWidth, "value_dim");
  expect_fit(of, dropout);
  const int64_t width = slot_length(of.query, -1), out = output_shape.value_or(width);
  expect_count(out, kMostWidth, "output_shape");
  const bool has_one_width = slot_length(of.key, -1) == width && slot_length(of.value, -1) == width;
  const bool may_be_packed = has_one_width && heads.value_width == key_dim;
  const bool is_packed = packed_projection.value_or(may_be_packed && width == num_heads * key_dim);
  if (is_packed && !may_be_packed) {
    unfit(
        "'packed_projection' is true, and one weight is packed where query, key and value have one width and "
        "'value_dim' is 'key_dim'.");
  }
  const Projections projections(build, *this, heads, starts_as_torch);
  const Values projected = is_packed ? projections.packed(of, width) : projections.apart(of);
  return projections.out(context_of(build, *this, heads, projected, of), out);
}

Flow GroupQueryAttention::build(LayerBuild& build, std::span<const Flow> from) const {
  return built(*this, build, from);
}

Value GroupQueryAttention::attend(LayerBuild& build, const Attended& of) const {
  expect_count(head_dim, kMostWidth, "head_dim");
  expect_count(num_query_heads, kMostHeads, "num_query_heads");
  expect_count(num_key_value_heads, kMostHeads, "num_key_value_heads");
  if (num_query_heads % num_key_value_heads != 0) {
    unfit("'num_query_heads' is " + std::to_string(num_query_heads) + " and 'num_key_value_heads' is " +
          std::to_string(num_key_value_heads) + ", and each of those serves as many of the first.");
  }
  expect_fit(of, dropout);
  const Heads heads{num_query_heads, num_key_value_heads, head_dim, head_dim};
  const Projections projections(build, *this, heads, false);
  const Value context = context_of(build, *this, heads, projections.apart(of), of);
  return projections.out(context, slot_length(of.query, -1));
}

namespace {

/// Which keys each query may use, [N or 1, queries or 1, keys]; empty where it may use all.
Value allowed_keys(const Attended& of, bool causal) {
  Value allowed = of.key_mask ? ops::unsqueeze(of.key_mask, {1}) : Value();
  const auto narrow = [&](const Value& more) { allowed = allowed ? ops::logical_and(allowed, more) : more; };
  if (of.attention_mask) narrow(of.attention_mask);
  if (causal) {
    GraphBuilder& graph = of.query.graph();
    const auto places = [&](const Value& x) {
      const Value count = ops::squeeze(ops::slice(ops::shape_of(x), 0, 1, 2), {0});
      return graph.add1(ops::Range{}, {graph.scalar(int64_t{0}), count, graph.scalar(int64_t{1})});
    };
    narrow(ops::less_or_equal(places(of.key), ops::unsqueeze(places(of.query), {1})));
  }
  return allowed;
}

/// softmax(scores) · v for scores that are no product: [N, queries, keys].
template <class S>
Value context_by_scores(LayerBuild& build, const S& settings, Value scores, const Attended& of) {
  const Value allowed = allowed_keys(of, settings.use_causal_mask);
  const bool averages = no_key_of(settings.no_key) == ops::NoKey::Average;
  if (allowed) scores = ops::where(allowed, scores, -std::numeric_limits<float>::max());
  Value shares = ops::softmax(scores);
  // Scores that are all masked are all the same, so their shares are even.
  if (allowed && !averages) shares = ops::where(allowed, shares, 0.0);
  if (settings.dropout > 0) shares = build.graph.add1(ops::Dropout{.rate = settings.dropout}, {shares});
  return ops::matmul(shares, of.value);
}

/// tanh(scale · (q + k)) for every pair of steps, [N, queries, keys, channels].
Value paired(const Attended& of, const Value& scale) {
  const Value sum = ops::add(ops::unsqueeze(of.query, {2}), ops::unsqueeze(of.key, {1}));
  return ops::tanh(scale ? ops::mul(sum, scale) : sum);
}

void expect_attended(const Attended& of, float dropout) {
  expect_fit(of, dropout);
  const Shape &query = of.query.shape(), &key = of.key.shape();
  if (query.has_rank() && key.has_rank() && query[2].equals(key[2]) == std::optional(false)) {
    unfit("the query is " + query.text() + " and the key is " + key.text() + ", which differ in channels.");
  }
}

/// A layer that takes [query, value] or [query, value, key], and answers 0 where a query is masked.
template <class S>
Flow built_of_several(const S& settings, LayerBuild& build, std::span<const Flow> from) {
  if (from.size() < 2) unfit("it takes [query, value] or [query, value, key], and one value is handed to it.");
  Flow made = built(settings, build, from);
  const Value& real = from[0].mask;
  if (real) made.value = ops::where(ops::unsqueeze(real, {2}), made.value, 0.0);
  return made;
}

}  // namespace

Flow DotAttention::build(LayerBuild& build, std::span<const Flow> from) const {
  return built_of_several(*this, build, from);
}

Value DotAttention::attend(LayerBuild& build, const Attended& of) const {
  expect_attended(of, dropout);
  if (score_mode != "dot" && score_mode != "concat") {
    unfit("'score_mode' is '" + score_mode + "', and dot or concat is read here.");
  }
  const SlotSpec one{.lengths = {}, .initializer = {.word = "ones"}};
  const Value scale = use_scale ? build.slot("scale", one) : Value();
  if (score_mode == "concat") {
    const Value sums = ops::reduce_sum(paired(of, scale), {-1});
    return context_by_scores(build, *this, ops::mul(sums, build.slot("concat_score_weight", one)), of);
  }
  const ops::Attention attention{
      .scale = 1, .causal = use_causal_mask, .no_key = no_key_of(no_key), .dropout_rate = dropout};
  const Value query = scale ? ops::mul(of.query, scale) : of.query;
  return build.graph.add(attention, {query, of.key, of.value, of.key_mask, of.attention_mask})[0];
}

Flow AdditiveAttention::build(LayerBuild& build, std::span<const Flow> from) const {
  return built_of_several(*this, build, from);
}

Value AdditiveAttention::attend(LayerBuild& build, const Attended& of) const {
  expect_attended(of, dropout);
  Value pairs = paired(of, {});
  if (use_scale) {
    const SlotSpec channels{.lengths = {slot_length(of.query, -1)}, .initializer = {.word = "glorot_uniform"}};
    pairs = ops::mul(pairs, build.slot("scale", channels));
  }
  return context_by_scores(build, *this, ops::reduce_sum(pairs, {-1}), of);
}

}  // namespace causeway::nn
