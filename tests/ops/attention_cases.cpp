#include "causeway/ops/attention.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

constexpr Bound kAttention = {.relative = 1e-5, .absolute = 2e-6};
/// The shares of these cases are drawn and do not add up to 1, so what cancels is large.
constexpr Bound kGradient = {.relative = 1e-5, .absolute = 4e-5};

struct Sizes {
  const char* name;
  int64_t batch, queries, keys, heads, kv_heads, width, value_width;
};

constexpr Sizes kSizes[] = {
    {"one of each", 1, 1, 1, 1, 1, 1, 1},
    {"one head", 2, 3, 3, 1, 1, 4, 4},
    {"two heads", 2, 5, 5, 2, 2, 3, 3},
    {"more keys than queries", 2, 2, 7, 2, 2, 4, 4},
    {"more queries than keys", 1, 7, 3, 2, 2, 4, 4},
    {"values of another width", 2, 3, 4, 2, 2, 3, 5},
    {"grouped heads", 2, 3, 5, 6, 2, 2, 3},
    {"one head for all", 1, 4, 3, 4, 1, 3, 2},
    {"just off a vector", 1, 3, 17, 1, 1, 9, 7},
    {"a vector and one", 1, 17, 33, 2, 2, 17, 15},
    {"no rows", 0, 3, 2, 2, 2, 2, 2},
    {"no queries", 2, 0, 3, 2, 2, 2, 2},
    {"no keys", 2, 3, 0, 2, 2, 2, 2},
    {"heads of no width", 2, 3, 4, 2, 2, 0, 2},
    {"values of no width", 2, 3, 4, 2, 2, 2, 0},
};

ops::Attention attention_of(const Sizes& of) { return {.heads = of.heads, .kv_heads = of.kv_heads, .scale = 0.6f}; }

/// q, k, v, mask, attention_mask and kept.
std::vector<InputCase> inputs_of(const Sizes& of) {
  return {floats({of.batch, of.queries, of.heads * of.width}), floats({of.batch, of.keys, of.kv_heads * of.width}),
          floats({of.batch, of.keys, of.kv_heads * of.value_width})};
}

void over_sizes(OpCases& cases) {
  for (const Sizes& of : kSizes) {
    const std::string name = std::string(" ") + of.name;
    const InputCase mask = drawn(DType::Bool, {of.batch, of.keys}, 0, 2);
    const InputCase by_query = drawn(DType::Bool, {of.batch, of.queries, of.keys}, 0, 2);
    const InputCase for_all = drawn(DType::Bool, {of.queries, of.keys}, 0, 2);
    const InputCase kept = floats({of.batch, of.heads, of.queries, of.keys}, 0, 2);
    const auto add = [&](const std::string& how, const ops::Attention& op, std::vector<InputCase> more) {
      std::vector<InputCase> inputs = inputs_of(of);
      inputs.insert(inputs.end(), more.begin(), more.end());
      cases.push_back({.name = "attention" + how + name,
                       .op = op,
                       .inputs = std::move(inputs),
                       .bound = kAttention,
                       .no_gradient_to = {5},
                       .gradient_from = {0}});
    };
    ops::Attention causal = attention_of(of), averaging = attention_of(of), both = attention_of(of);
    causal.causal = both.causal = true;
    averaging.no_key = both.no_key = ops::NoKey::Average;
    add("", attention_of(of), {});
    add(" causal", causal, {});
    add(" masked", attention_of(of), {mask});
    add(" masked by query", attention_of(of), {absent(), by_query});
    add(" masked for all rows", attention_of(of), {absent(), for_all});
    add(" with shares dropped", attention_of(of), {absent(), absent(), kept});
    add(" with no key averaged", averaging, {mask, by_query});
    add(" with everything", both, {mask, for_all, kept});

    std::vector<InputCase> to_gradient = inputs_of(of);
    to_gradient.insert(to_gradient.begin(), floats({of.batch, of.queries, of.heads * of.value_width}));
    to_gradient.push_back(floats({of.batch, of.heads, of.queries, of.keys}, 0, 1));
    const ops::AttentionGradient gradient{.heads = of.heads, .kv_heads = of.kv_heads, .scale = 0.6f};
    cases.push_back({.name = "attention_gradient" + name, .op = gradient, .inputs = to_gradient, .bound = kGradient});
    to_gradient.push_back(kept);
    cases.push_back({.name = "attention_gradient with shares dropped" + name,
                     .op = gradient,
                     .inputs = to_gradient,
                     .bound = kGradient});
  }
}

/// Three steps of two channels that attend to themselves in one head, as the specification states it; the bias that is
/// added to the context there is taken away.
OpCase stated(const std::string& name, ops::Attention op, std::vector<double> mask, std::vector<double> context) {
  op.scale = 0.70710678f;
  const InputCase x = floats_of({1, 3, 2}, {1, 0, 0, 2, 1, 1});
  OpCase one{.name = "attention stated" + name,
             .op = op,
             .inputs = {x, x, x},
             .bound = kAttention,
             .expected = {std::move(context)},
             .gradient_from = {0}};
  if (!mask.empty()) one.inputs.push_back(given(DType::Bool, {1, 3}, std::move(mask)));
  return one;
}

}  // namespace

OpCases attention_cases() {
  constexpr float kHalf = 0.5f;
  OpCases cases = {
      stated("", {}, {}, {0.802224, 0.796664, 0.232082, 1.72253, 0.598888, 1.20334}),
      stated(", the last key masked", {}, {1, 1, 0}, {0.669762, 0.660477, 0.0558072, 1.88839, 0.330238, 1.33952}),
      stated(", every key masked", {}, {0, 0, 0}, {0, 0, 0, 0, 0, 0}),
      stated(", every key masked and averaged", {.no_key = ops::NoKey::Average}, {0, 0, 0},
             {0.666667, 1, 0.666667, 1, 0.666667, 1}),
      {.name = "attention of one key is its value",
       .op = ops::Attention{.heads = 2, .kv_heads = 2, .scale = 100},
       .inputs = {floats({1, 2, 4}), floats({1, 1, 4}), floats_of({1, 1, 4}, {1, 2, 3, 4})},
       .bound = kAttention,
       .expected = {{1, 2, 3, 4, 1, 2, 3, 4}, {1, 1, 1, 1}},
       .gradient_from = {0},
       .check_gradient = false},
      // Query 0 sees key 0 alone though there are more keys than queries.
      {.name = "attention causal from the first key",
       .op = ops::Attention{.causal = true},
       .inputs = {floats_of({1, 2, 1}, {0, 0}), floats({1, 3, 1}), floats_of({1, 3, 1}, {1, 3, 100})},
       .bound = kAttention,
       .expected = {{1, 2}, {1, 0, 0, 0.5, 0.5, 0}},
       .gradient_from = {0}},
      // Scores past what e^x holds.
      {.name = "attention of large scores",
       .op = ops::Attention{.scale = kHalf},
       .inputs = {floats_of({1, 1, 1}, {1000}), floats_of({1, 3, 1}, {1000, 1000, -1000}),
                  floats_of({1, 3, 1}, {1, 3, 100})},
       .bound = kAttention,
       .expected = {{2}, {0.5, 0.5, 0}},
       .gradient_from = {0},
       .check_gradient = false},
      // The key that is masked has by far the largest score: the shares of the others do not vanish beside it.
      {.name = "attention beside a masked giant",
       .op = ops::Attention{},
       .inputs = {floats_of({1, 1, 1}, {1}), floats_of({1, 3, 1}, {1, 1, 1e30}), floats_of({1, 3, 1}, {1, 3, 100}),
                  given(DType::Bool, {1, 3}, {1, 1, 0})},
       .bound = kAttention,
       .expected = {{2}, {0.5, 0.5, 0}},
       .gradient_from = {0},
       .check_gradient = false},
      // No key: an even part of dy to every value, and nothing to the scores.
      {.name = "attention_gradient of no key averaged",
       .op = ops::AttentionGradient{.no_key = ops::NoKey::Average},
       .inputs = {floats_of({1, 1, 1}, {6}), floats({1, 1, 2}), floats({1, 3, 2}), floats({1, 3, 1}),
                  floats_of({1, 1, 1, 3}, {0, 0, 0})},
       .bound = kGradient,
       .expected = {{0, 0}, {0, 0, 0, 0, 0, 0}, {2, 2, 2}}},
  };
  over_sizes(cases);
  return cases;
}

}  // namespace causeway::tests
