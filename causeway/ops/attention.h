#pragma once

#include <array>
#include <string_view>

#include "causeway/graph/op.h"

namespace causeway::ops {

/// What a query answers that has no key left: nothing, or the even mean of all values, masked ones too (Keras).
enum class NoKey { Zeros, Average };
constexpr std::array<std::string_view, 2> words_of(NoKey) { return {"zeros", "average"}; }

/// Attention of several heads: for each head, shares = softmax over keys of scale * q * k', context = shares * v. A
/// head of q reads the head of k and v at its own place times kv_heads over heads, rounded down. A masked key has the
/// share 0; a query without a key has shares 0 throughout, and the context that no_key says.
///
/// Shapes     q [N, Lq, heads*d], k [N, Lk, kv_heads*d], v [N, Lk, kv_heads*dv] of one floating dtype, heads side by
///            side; mask [N, Lk] bool, true where the key may be used; attention_mask [N, Lq, Lk] or [Lq, Lk] bool, the
///            same by query; kept [N, heads, Lq, Lk], a factor on each share, where training drops some. The last three
///            may be absent. Makes context [N, Lq, heads*dv] and the shares before `kept`, [N, heads, Lq, Lk].
/// Settings   heads: 1 to 65536, a multiple of kv_heads. scale: any finite number. causal: key j serves query i
///            only where j <= i. no_key. dropout_rate: in [0, 1]; in a training step each share stays, times
///            1 / (1 - rate), where a uniform draw is at least the rate, addressed as a Dropout's is by the path of the
///            layer, and numbered by the share's place in [N, heads, Lq, Lk].
/// Gradient   AttentionGradient, to q, k and v; from the context alone.
/// Source     Vaswani and others 2017, https://arxiv.org/abs/1706.03762;
///            Ainslie and others 2023 (grouped heads), https://arxiv.org/abs/2305.13245
struct Attention {
  static constexpr std::string_view kName = "Attention";
  int64_t heads = 1, kv_heads = 1;
  float scale = 1;
  bool causal = false;
  NoKey no_key = NoKey::Zeros;
  float dropout_rate = 0;

  static void fields(auto&& each) {
    each("heads", &Attention::heads);
    each("kv_heads", &Attention::kv_heads);
    each("scale", &Attention::scale);
    each("causal", &Attention::causal);
    each("no_key", &Attention::no_key);
    each("dropout_rate", &Attention::dropout_rate);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
};

/// The gradient of Attention. With P the shares and D = dy * v' by head, times `kept` where it is there:
/// dS = P * (D - sum over keys of D * P), dq = scale * dS * k, dk = scale * dS' * q and dv = (P * kept)' * dy. A query
/// whose shares are all 0 has no key: it gives dv its even part where no_key is the average, and nothing else.
///
/// Shapes     dy [N, Lq, heads*dv]; q, k, v, shares and kept (may be absent) as in Attention; dq, dk, dv as q, k, v.
/// Settings   as Attention's; the masks stand in the shares.
struct AttentionGradient {
  static constexpr std::string_view kName = "AttentionGradient";
  static constexpr std::string_view kNoGradient = "the gradient of an attention is not differentiated again.";
  int64_t heads = 1, kv_heads = 1;
  float scale = 1;
  NoKey no_key = NoKey::Zeros;

  static void fields(auto&& each) {
    each("heads", &AttentionGradient::heads);
    each("kv_heads", &AttentionGradient::kv_heads);
    each("scale", &AttentionGradient::scale);
    each("no_key", &AttentionGradient::no_key);
  }
  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
