#include <algorithm>
#include <cmath>
#include <limits>

#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"

namespace causeway::reference {
namespace {

/// Lengths and places of an attention: q, k and v [N, L, heads * width], shares [N, heads, Lq, Lk].
struct Places {
  int64_t batch, queries, keys, heads, kv_heads, width, value_width;

  template <class S>
  Places(const S& op, const TensorView& q, const TensorView& k, const TensorView& v)
      : batch(q.lengths[0]),
        queries(q.lengths[1]),
        keys(k.lengths[1]),
        heads(op.heads),
        kv_heads(op.kv_heads),
        width(q.lengths[2] / heads),
        value_width(v.lengths[2] / kv_heads) {}

  int64_t kv_head(int64_t head) const { return head / (heads / kv_heads); }
  /// Where a head's channels start.
  int64_t q(int64_t row, int64_t query, int64_t head) const { return ((row * queries + query) * heads + head) * width; }
  int64_t k(int64_t row, int64_t key, int64_t head) const {
    return ((row * keys + key) * kv_heads + kv_head(head)) * width;
  }
  int64_t v(int64_t row, int64_t key, int64_t head) const {
    return ((row * keys + key) * kv_heads + kv_head(head)) * value_width;
  }
  int64_t context(int64_t row, int64_t query, int64_t head) const {
    return ((row * queries + query) * heads + head) * value_width;
  }
  int64_t shares(int64_t row, int64_t head, int64_t query) const {
    return ((row * heads + head) * queries + query) * keys;
  }

  /// Calls f(row, head, query).
  template <class F>
  void each_query(F f) const {
    for (int64_t row = 0; row < batch; ++row) {
      for (int64_t head = 0; head < heads; ++head) {
        for (int64_t query = 0; query < queries; ++query) f(row, head, query);
      }
    }
  }
};

/// Which keys a query may use.
class Masks {
 public:
  Masks(const ops::Attention& op, const Places& at, Views inputs)
      : causal_(op.causal),
        at_(at),
        by_key_(inputs.size() > 3 ? read<bool>(inputs[3]) : nullptr),
        by_query_(inputs.size() > 4 ? read<bool>(inputs[4]) : nullptr),
        one_for_all_(by_query_ != nullptr && inputs[4].lengths.size() == 2) {}

  bool allow(int64_t row, int64_t query, int64_t key) const {
    if (causal_ && key > query) return false;
    if (by_key_ != nullptr && !by_key_[row * at_.keys + key]) return false;
    const int64_t first = one_for_all_ ? query : row * at_.queries + query;
    return by_query_ == nullptr || by_query_[first * at_.keys + key];
  }

 private:
  bool causal_;
  const Places& at_;
  const bool *by_key_, *by_query_;
  bool one_for_all_;
};

template <class T>
const T* operand(Views inputs, size_t i) {
  return i < inputs.size() ? read<T>(inputs[i]) : nullptr;
}

template <class T>
double dot(const T* a, const T* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += wide(a[i]) * wide(b[i]);
  return sum;
}

}  // namespace

void attention(const ops::Attention& op, Views inputs, Views outputs) {
  const Places at(op, inputs[0], inputs[1], inputs[2]);
  const Masks masks(op, at, inputs);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *q = operand<T>(inputs, 0), *k = operand<T>(inputs, 1), *v = operand<T>(inputs, 2);
    const T* kept = operand<T>(inputs, 5);
    T* context = write<T>(outputs[0]);
    T* shares =
        outputs[1].size() > 0 ? write<T>(outputs[1]) : nullptr;  // none where an engine keeps no memory for them
    Totals<double> row_shares(at.keys);
    at.each_query([&](int64_t row, int64_t head, int64_t query) {
      const int64_t first = at.shares(row, head, query);
      double largest = -std::numeric_limits<double>::infinity(), total = 0;
      bool any = false;
      for (int64_t key = 0; key < at.keys; ++key) {
        if (!masks.allow(row, query, key)) continue;
        any = true;
        const double score = op.scale * dot(q + at.q(row, query, head), k + at.k(row, key, head), at.width);
        row_shares[key] = score;
        if (!(score <= largest)) largest = score;
      }
      for (int64_t key = 0; key < at.keys; ++key) {
        row_shares[key] = masks.allow(row, query, key) ? std::exp(row_shares[key] - largest) : 0;
        total += row_shares[key];
      }
      for (int64_t key = 0; key < at.keys; ++key) {
        if (any) row_shares[key] /= total;
        if (shares) shares[first + key] = narrow<T>(row_shares[key]);
        if (!any && op.no_key == ops::NoKey::Average) row_shares[key] = 1.0 / static_cast<double>(at.keys);
        if (kept) row_shares[key] *= wide(kept[first + key]);
      }
      for (int64_t c = 0; c < at.value_width; ++c) {
        double sum = 0;
        for (int64_t key = 0; key < at.keys; ++key) sum += row_shares[key] * wide(v[at.v(row, key, head) + c]);
        context[at.context(row, query, head) + c] = narrow<T>(sum);
      }
    });
  });
}

void attention_gradient(const ops::AttentionGradient& op, Views inputs, Views outputs) {
  const Places at(op, inputs[1], inputs[2], inputs[3]);
  with_floating(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    const T *dy = operand<T>(inputs, 0), *q = operand<T>(inputs, 1), *k = operand<T>(inputs, 2);
    const T *v = operand<T>(inputs, 3), *shares = operand<T>(inputs, 4), *kept = operand<T>(inputs, 5);
    const int64_t of_q = outputs[0].size(), of_k = outputs[1].size(), of_v = outputs[2].size();
    Totals<double> totals(of_q + of_k + of_v + at.keys);
    const int64_t dk = of_q, dv = dk + of_k, row_slopes = dv + of_v;
    at.each_query([&](int64_t row, int64_t head, int64_t query) {
      const T *share = shares + at.shares(row, head, query), *to_context = dy + at.context(row, query, head);
      const T* factor = kept ? kept + at.shares(row, head, query) : nullptr;
      const bool any = std::any_of(share, share + at.keys, [](T one) { return wide(one) != 0; });
      const bool averages = !any && op.no_key == ops::NoKey::Average;
      double mean = 0;
      for (int64_t key = 0; key < at.keys; ++key) {
        const double stays = factor ? wide(factor[key]) : 1;
        const double of_value = stays * (averages ? 1.0 / static_cast<double>(at.keys) : wide(share[key]));
        for (int64_t c = 0; c < at.value_width; ++c) {
          totals.add(dv + at.v(row, key, head) + c, of_value * wide(to_context[c]));
        }
        totals[row_slopes + key] = stays * dot(to_context, v + at.v(row, key, head), at.value_width);
        mean += totals[row_slopes + key] * wide(share[key]);
      }
      for (int64_t key = 0; key < at.keys; ++key) {
        const double slope = op.scale * wide(share[key]) * (totals[row_slopes + key] - mean);
        for (int64_t c = 0; c < at.width; ++c) {
          totals.add(at.q(row, query, head) + c, slope * wide(k[at.k(row, key, head) + c]));
          totals.add(dk + at.k(row, key, head) + c, slope * wide(q[at.q(row, query, head) + c]));
        }
      }
    });
    for (int64_t start = 0; const TensorView& output : outputs) {
      for (int64_t i = 0; i < output.size(); ++i) write<T>(output)[i] = narrow<T>(totals[start + i]);
      start += output.size();
    }
  });
}

}  // namespace causeway::reference
