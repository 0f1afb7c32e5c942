#include "causeway/passes/attention_chain.h"

#include <cmath>

#include "causeway/ops/op_list.h"
#include "causeway/passes/strided_view.h"

namespace causeway::passes {
namespace {

/// So low that beside any other score no share is left of it, in float32.
constexpr double kLow = -1e30;

bool has_a_true_in_every_row(const Tensor& truths) {
  const int64_t columns = truths.rank() == 0 ? 1 : truths.lengths().back();
  for (int64_t row = 0; columns > 0 && row < truths.size() / columns; ++row) {
    bool any = false;
    for (int64_t i = 0; i < columns; ++i) any = any || truths.integer_at(row * columns + i) != 0;
    if (!any) return false;
  }
  return columns > 0;
}

/// Added numbers as truths; none where some are neither 0 nor low, or a query has no key.
std::optional<Tensor> allowed_by(const Tensor& added, int64_t keys) {
  if (added.dtype() != DType::Float32 || added.rank() == 0 || added.lengths().back() != keys) return std::nullopt;
  Tensor allowed(DType::Bool, added.lengths());
  const std::span<bool> truths = allowed.mutable_values<bool>();
  for (int64_t i = 0; i < added.size(); ++i) {
    const double number = added.number_at(i);
    if (number != 0 && !(number <= kLow)) return std::nullopt;
    truths[static_cast<size_t>(i)] = number == 0;
  }
  return has_a_true_in_every_row(allowed) ? std::optional(std::move(allowed)) : std::nullopt;
}

class ChainWalk {
 public:
  ChainWalk(const Graph& graph, const Slots& slots) : graph_(graph), slots_(slots) {}

  /// From the shares up to the product of queries and keys.
  std::optional<AttentionChain> run(const Value& shares) {
    if (!is_read_once(shares)) return std::nullopt;
    Value at = picked(shares);
    const Value guard = taken_off_guard(at);
    const auto* softmax = at.node() ? at.node()->op.as<ops::Softmax>() : nullptr;
    const auto lengths = bound_lengths(at);
    if (!softmax || !lengths || lengths->size() < 3 || lengths->size() > 4) return std::nullopt;
    if (axis_in(softmax->axis, lengths->size()) + 1 != lengths->size()) return std::nullopt;
    if (at.dtype() != DType::Float32 || !is_read_once(at)) return std::nullopt;

    at = picked(at.node()->input(0));
    if (!is_read_once(at)) return std::nullopt;
    at = unmasked(at, lengths->back());
    if (!at || !is_read_once(at)) return std::nullopt;
    if (guard) {
      if (!chain_.mask || chain_.mask->is_hidden || !(chain_.mask->truths == guard)) return std::nullopt;
      chain_.no_key = ops::NoKey::Zeros;
    }

    at = unscaled(at);
    const auto* product = at.node() ? at.node()->op.as<ops::MatMul>() : nullptr;
    if (!product || product->transpose_a || !is_read_once(at)) return std::nullopt;
    chain_.keys_are_rows = product->transpose_b;
    chain_.queries = unscaled(at.node()->input(0));
    chain_.keys = unscaled(at.node()->input(1));
    return std::isfinite(static_cast<float>(chain_.scale)) ? std::optional(chain_) : std::nullopt;
  }

 private:
  bool is_read_once(const Value& value) const { return graph_.uses(value) == 1; }

  std::optional<double> scalar(const Value& value) const {
    const Tensor* numbers = value ? constant_numbers(value, slots_) : nullptr;
    if (!numbers || numbers->size() != 1 || !is_floating(numbers->dtype())) return std::nullopt;
    return numbers->number_at(0);
  }

  /// What a choice by constant truths that are all the same picks; the value itself otherwise.
  Value picked(const Value& value) const {
    const Node* node = value.node();
    if (!node || !node->op.is<ops::Where>() || !is_read_once(value)) return value;
    const Tensor* truths = constant_numbers(node->input(0), slots_);
    if (!truths || truths->size() == 0) return value;
    for (int64_t i = 1; i < truths->size(); ++i) {
      if (truths->integer_at(i) != truths->integer_at(0)) return value;
    }
    const Value branch = node->input(truths->integer_at(0) ? 1 : 2);
    return branch.shape() == value.shape() ? branch : value;
  }

  /// The truths of `where(truths, shares, 0)`, which leaves none to a query without a key; `at` becomes those shares.
  Value taken_off_guard(Value& at) const {
    const Node* node = at.node();
    if (!node || !node->op.is<ops::Where>() || scalar(node->input(2)) != 0.0) return {};
    at = node->input(1);
    return node->input(0);
  }

  /// Takes products and quotients with a number off a value, and onto the scale.
  Value unscaled(Value value) {
    for (int i = 0; i < 4; ++i) {
      const Node* node = value.node();
      if (!node) return value;
      const bool is_product = node->op.is<ops::Mul>(), is_quotient = node->op.is<ops::Div>();
      if (!is_product && !is_quotient) return value;
      const auto right = scalar(node->input(1)), left = is_product ? scalar(node->input(0)) : std::nullopt;
      if (!right && !left) return value;
      if (is_quotient && *right == 0) return value;
      chain_.scale *= is_quotient ? 1 / *right : right ? *right : *left;
      value = node->input(right ? 0 : 1);
    }
    return value;
  }

  /// The scores behind a mask, if there is one; empty where it is one that is not read.
  Value unmasked(const Value& scores, int64_t keys) {
    const Node* node = scores.node();
    if (node && node->op.is<ops::Where>()) return unmasked_by_truths(scores, *node);
    if (!node || !node->op.is<ops::Add>()) return scores;
    for (const size_t i : {size_t{1}, size_t{0}}) {
      const Tensor* numbers = node->input(i) ? constant_numbers(node->input(i), slots_) : nullptr;
      if (!numbers || numbers->size() <= 1) continue;
      chain_.allowed = allowed_by(*numbers, keys);
      return chain_.allowed ? node->input(1 - i) : Value();
    }
    return scores;
  }

  Value unmasked_by_truths(const Value& scores, const Node& node) {
    const auto otherwise = scalar(node.input(2)), low = otherwise ? otherwise : scalar(node.input(1));
    if (!low || !(*low <= kLow)) return scores;
    chain_.mask = SpelledMask{node.input(0), !otherwise};
    // Scores that are all one number have even shares; scores that are all minus infinity have none that are numbers.
    chain_.no_key = ops::NoKey::Average;
    if (std::isinf(*low) && !every_query_has_a_key(*chain_.mask)) return {};
    return node.input(otherwise ? 1 : 2);
  }

  bool every_query_has_a_key(const SpelledMask& mask) const {
    const Tensor* numbers = constant_numbers(mask.truths, slots_);
    return numbers && has_a_true_in_every_row(mask.is_hidden ? inverted(*numbers) : *numbers);
  }

  const Graph& graph_;
  const Slots& slots_;
  AttentionChain chain_;
};

}  // namespace

std::optional<AttentionChain> attention_chain(const Graph& graph, const Slots& slots, const Value& shares) {
  return ChainWalk(graph, slots).run(shares);
}

std::optional<std::vector<int64_t>> bound_lengths(const Value& value) {
  if (!value || !value.shape().has_rank() || !value.shape().is_bound()) return std::nullopt;
  return value.shape().lengths();
}

Tensor inverted(Tensor truths) {
  for (bool& truth : truths.mutable_values<bool>()) truth = !truth;
  return truths;
}

}  // namespace causeway::passes
