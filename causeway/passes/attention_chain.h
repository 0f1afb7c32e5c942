#pragma once

#include <optional>

#include "causeway/graph/graph.h"
#include "causeway/ops/attention.h"

namespace causeway::passes {

/// Which keys the queries may use, told by a value of truths.
struct SpelledMask {
  Value truths;
  bool is_hidden = false;  ///< True where a key may not be used.
};

/// What stands between two products that is an attention: scale, mask and softmax.
struct AttentionChain {
  Value queries, keys;         ///< What is multiplied, without the numbers that scale it.
  bool keys_are_rows = false;  ///< keys is [.., Lk, width], and not [.., width, Lk].
  double scale = 1;
  std::optional<SpelledMask> mask = std::nullopt;
  std::optional<Tensor> allowed = std::nullopt;  ///< A mask that is added as constant numbers, as truths.
  ops::NoKey no_key = ops::NoKey::Zeros;
};

/// The chain that makes some shares, which one product with values reads; none where they are not an attention's, or a
/// value of the chain is read elsewhere.
std::optional<AttentionChain> attention_chain(const Graph& graph, const Slots& slots, const Value& shares);

/// The lengths of a value, where all are numbers.
std::optional<std::vector<int64_t>> bound_lengths(const Value& value);

/// Truths the other way round.
Tensor inverted(Tensor truths);

}  // namespace causeway::passes
