#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "causeway/engine/cpu/gemm.h"
#include "causeway/engine/cpu/kernels.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/engine/cpu/softmax_rows.h"

namespace causeway::engine::cpu {
namespace {

/// Lengths and places of an attention, in floats: heads lie side by side in columns of the rows of q, k and v.
struct Layout {
  size_t batch = 0, queries = 0, keys = 0, heads = 0, kv_heads = 0, width = 0, value_width = 0;

  Layout(const Draft& draft, ValueId q, ValueId k, ValueId v, int64_t of_heads, int64_t of_kv_heads,
         const AttentionColumns& in)
      : batch(length(draft, q, 0)),
        queries(length(draft, q, 1)),
        keys(length(draft, k, 1)),
        heads(static_cast<size_t>(of_heads)),
        kv_heads(static_cast<size_t>(of_kv_heads)),
        width(static_cast<size_t>(in.count[0]) / heads),
        value_width(static_cast<size_t>(in.count[2]) / kv_heads) {
    const ValueId ids[] = {q, k, v};
    for (size_t i = 0; i < 3; ++i) {
      rows_[i] = length(draft, ids[i], 2);
      firsts_[i] = static_cast<size_t>(in.first[i]);
    }
  }
  /// The same where q, k and v have no other columns.
  Layout dense() const {
    Layout other = *this;
    const size_t rows[] = {heads * width, kv_heads * width, kv_heads * value_width};
    for (size_t i = 0; i < 3; ++i) other.rows_[i] = rows[i], other.firsts_[i] = 0;
    return other;
  }

  static size_t length(const Draft& draft, ValueId id, size_t axis) {
    return static_cast<size_t>(draft[id].lengths[axis]);
  }
  size_t q_row() const { return rows_[0]; }
  size_t k_row() const { return rows_[1]; }
  size_t v_row() const { return rows_[2]; }
  size_t context_row() const { return heads * value_width; }
  size_t group() const { return heads / kv_heads; }
  size_t q(size_t row, size_t query, size_t head) const {
    return (row * queries + query) * q_row() + firsts_[0] + head * width;
  }
  size_t k(size_t row, size_t kv_head) const { return row * keys * k_row() + firsts_[1] + kv_head * width; }
  size_t v(size_t row, size_t kv_head) const { return row * keys * v_row() + firsts_[2] + kv_head * value_width; }
  size_t context(size_t row, size_t query, size_t head) const {
    return (row * queries + query) * context_row() + head * value_width;
  }
  size_t shares(size_t row, size_t head, size_t query) const { return ((row * heads + head) * queries + query) * keys; }

 private:
  size_t rows_[3] = {}, firsts_[3] = {};
};

bool are_floats(const Draft& draft, std::span<const ValueId> ids) {
  return std::all_of(ids.begin(), ids.end(), [&](ValueId id) {
    return id == kAbsent || (draft[id].dtype == DType::Float32 && draft[id].size() > 0);
  });
}

ValueId input(const Draft& draft, const Task& task, size_t i) {
  return i < task.inputs.size() && task.inputs[i] != kAbsent ? draft.root(task.inputs[i]) : kAbsent;
}

// Scores of some queries of one head at a time: a product, masks, softmax, a product.
class AttentionKernel final : public PiecedKernel {
 public:
  AttentionKernel(const Draft& draft, const Task& task, const ops::Attention& op, const AttentionColumns& in)
      : op_(op), at_(draft, task.inputs[0], task.inputs[1], task.inputs[2], op.heads, op.kv_heads, in) {
    for (size_t i = 0; i < 6; ++i) in_[i] = input(draft, task, i);
    one_mask_for_rows_ = in_[4] != kAbsent && draft[task.inputs[4]].lengths.size() == 2;
    context_ = draft.root(task.outputs[0]);
    if (Readers(draft).is_read(draft, task.outputs[1])) shares_ = draft.root(task.outputs[1]);
    packed_ = packed_size(at_.width, at_.keys);
    if (at_.keys <= 1024) together_ = 128;
  }

  size_t pieces() const override { return at_.batch * at_.heads * blocks(); }
  size_t scratch_bytes() const override {
    const size_t lines = together_ * at_.keys * ((shares_ == kAbsent) + (in_[5] != kAbsent));
    return (packed_ + lines + gemm_scratch(at_.keys)) * sizeof(float);
  }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t first = piece % blocks() * together_, head = piece / blocks() % at_.heads,
                 row = piece / blocks() / at_.heads, count = std::min(together_, at_.queries - first);
    const size_t kv_head = head / at_.group();
    auto* packed = reinterpret_cast<float*>(frame.scratch);
    float* next = packed + packed_;
    const auto lines = [&] { return std::exchange(next, next + together_ * at_.keys); };
    float* shares = shares_ == kAbsent ? lines() : frame.to<float>(shares_) + at_.shares(row, head, first);
    float* weights = in_[5] == kAbsent ? shares : lines();
    float* scratch = next;

    // Causal, no query of the block sees a key behind its last one.
    const size_t seen = op_.causal ? std::min(at_.keys, first + count) : at_.keys;
    pack(frame.of<float>(in_[1]) + at_.k(row, kv_head), 1, at_.k_row(), at_.width, seen, packed);
    Gemm scores{.rows = count, .inner = at_.width, .columns = seen};
    scores.a = frame.of<float>(in_[0]) + at_.q(row, first, head);
    scores.a_row = at_.q_row();
    scores.b = packed;
    scores.b_packed = true;
    scores.y = shares;
    scores.y_row = at_.keys;
    gemm(scores, scratch);
    for (size_t i = 0; i < count; ++i) share_out(frame, row, first + i, seen, shares + i * at_.keys);

    if (const float* kept = frame.of<float>(in_[5])) {
      kept += at_.shares(row, head, first);
      for (size_t i = 0; i < count * at_.keys; ++i) weights[i] = shares[i] * kept[i];
    }
    Gemm sums{.rows = count, .inner = seen, .columns = at_.value_width};
    sums.a = weights;
    sums.a_row = at_.keys;
    sums.b = frame.of<float>(in_[2]) + at_.v(row, kv_head);
    sums.b_row = at_.v_row();
    sums.y = frame.to<float>(context_) + at_.context(row, first, head);
    sums.y_row = at_.context_row();
    gemm(sums, scratch);
    if (op_.no_key == ops::NoKey::Average && may_lack_keys())
      average_where_none(frame, row, first, count, head, shares);
  }

 private:
  size_t blocks() const { return (at_.queries + together_ - 1) / together_; }
  bool may_lack_keys() const { return in_[3] != kAbsent || in_[4] != kAbsent; }

  // Scores of one query, `seen` of them worked, to its shares: noughts at the keys it may not use.
  void share_out(const Frame& frame, size_t row, size_t query, size_t seen, float* line) const {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    size_t end = op_.causal ? std::min(seen, query + 1) : seen;
    for (size_t key = 0; key < end; ++key) line[key] *= op_.scale;
    bool any = end > 0;
    if (may_lack_keys()) {
      const auto *by_key = frame.of<bool>(in_[3]), *by_query = frame.of<bool>(in_[4]);
      if (by_key != nullptr) by_key += row * at_.keys;
      if (by_query != nullptr) by_query += ((one_mask_for_rows_ ? 0 : row * at_.queries) + query) * at_.keys;
      any = false;
      for (size_t key = 0; key < end; ++key) {
        const bool may = (by_key == nullptr || by_key[key]) && (by_query == nullptr || by_query[key]);
        any = any || may;
        if (!may) line[key] = kNone;
      }
    }
    if (any) softmax_rows(line, 1, end, false, line);
    std::fill(line + (any ? end : 0), line + at_.keys, 0.0f);
  }

  // A query none of whose shares is left has none at all: some share of others is at least one over their number.
  void average_where_none(const Frame& frame, size_t row, size_t first, size_t count, size_t head,
                          const float* shares) const {
    const float *v = frame.of<float>(in_[2]) + at_.v(row, head / at_.group()), *kept = frame.of<float>(in_[5]);
    for (size_t i = 0; i < count; ++i) {
      const float* line = shares + i * at_.keys;
      if (std::any_of(line, line + at_.keys, [](float share) { return share != 0; })) continue;
      float* to = frame.to<float>(context_) + at_.context(row, first + i, head);
      for (size_t c = 0; c < at_.value_width; ++c) {
        double sum = 0;
        for (size_t key = 0; key < at_.keys; ++key) {
          const double stays = kept ? kept[at_.shares(row, head, first + i) + key] : 1;
          sum += stays * v[key * at_.v_row() + c];
        }
        to[c] = static_cast<float>(sum / static_cast<double>(at_.keys));
      }
    }
  }

  ops::Attention op_;
  Layout at_;
  ValueId in_[6], context_ = kAbsent, shares_ = kAbsent;
  bool one_mask_for_rows_ = false;
  // Keys and values are packed once for so many queries, whose scores stay in the second cache.
  size_t together_ = 64;
  size_t packed_ = 0;
};

// The heads that share one key head at a time: what several give to its keys and values adds up in their order.
class AttentionGradientKernel final : public PiecedKernel {
 public:
  AttentionGradientKernel(const Draft& draft, const Task& task, const ops::AttentionGradient& op,
                          const AttentionColumns& in)
      : op_(op),
        at_(draft, task.inputs[1], task.inputs[2], task.inputs[3], op.heads, op.kv_heads, in),
        to_(at_.dense()) {
    for (size_t i = 0; i < 6; ++i) in_[i] = input(draft, task, i);
    for (size_t i = 0; i < 3; ++i) out_[i] = draft.root(task.outputs[i]);
    packed_ = packed_size(at_.value_width, at_.keys);
    matrix_ = at_.queries * at_.keys;
  }

  size_t pieces() const override { return at_.batch * at_.kv_heads; }
  size_t scratch_bytes() const override {
    return (packed_ + 2 * matrix_ + gemm_scratch(std::max(at_.keys, at_.queries))) * sizeof(float);
  }

  void run_piece(const Frame& frame, size_t piece) const override {
    const size_t kv_head = piece % at_.kv_heads, row = piece / at_.kv_heads;
    auto* packed = reinterpret_cast<float*>(frame.scratch);
    pack(frame.of<float>(in_[3]) + at_.v(row, kv_head), 1, at_.v_row(), at_.value_width, at_.keys, packed);
    for (size_t i = 0; i < at_.group(); ++i) head_gradient(frame, row, kv_head * at_.group() + i, i > 0, packed);
  }

 private:
  void head_gradient(const Frame& frame, size_t row, size_t head, bool adds, float* packed) const {
    const size_t kv_head = head / at_.group();
    const float* dy = frame.of<float>(in_[0]) + at_.context(row, 0, head);
    const float* shares = frame.of<float>(in_[4]) + at_.shares(row, head, 0);
    float *slopes = packed + packed_, *weights = slopes + matrix_, *scratch = weights + matrix_;
    const float* kept = frame.of<float>(in_[5]);
    if (kept) kept += at_.shares(row, head, 0);
    weigh(shares, kept, weights);

    // To the values: weights' * dy.
    Gemm to_v{.rows = at_.keys, .inner = at_.queries, .columns = at_.value_width};
    to_v.a = weights;
    to_v.a_row = at_.keys;
    to_v.a_transposed = true;
    to_v.b = dy;
    to_v.b_row = at_.context_row();
    to_v.adds = adds;
    to_v.y = frame.to<float>(out_[2]) + to_.v(row, kv_head);
    to_v.y_row = to_.v_row();
    gemm(to_v, scratch);

    // To the shares, dy * v'; from there to the scores, and on to queries and keys.
    Gemm to_shares{.rows = at_.queries, .inner = at_.value_width, .columns = at_.keys};
    to_shares.a = dy;
    to_shares.a_row = at_.context_row();
    to_shares.b = packed;
    to_shares.b_packed = true;
    to_shares.y = slopes;
    to_shares.y_row = at_.keys;
    gemm(to_shares, scratch);
    for (size_t query = 0; query < at_.queries; ++query) {
      const size_t line = query * at_.keys;
      to_scores(shares + line, kept ? kept + line : nullptr, slopes + line);
    }
    Gemm to_q{.rows = at_.queries, .inner = at_.keys, .columns = at_.width};
    to_q.a = slopes;
    to_q.a_row = at_.keys;
    to_q.b = frame.of<float>(in_[2]) + at_.k(row, kv_head);
    to_q.b_row = at_.k_row();
    to_q.y = frame.to<float>(out_[0]) + to_.q(row, 0, head);
    to_q.y_row = to_.q_row();
    gemm(to_q, scratch);
    Gemm to_k{.rows = at_.keys, .inner = at_.queries, .columns = at_.width};
    to_k.a = slopes;
    to_k.a_row = at_.keys;
    to_k.a_transposed = true;
    to_k.b = frame.of<float>(in_[1]) + at_.q(row, 0, head);
    to_k.b_row = at_.q_row();
    to_k.adds = adds;
    to_k.y = frame.to<float>(out_[1]) + to_.k(row, kv_head);
    to_k.y_row = to_.k_row();
    gemm(to_k, scratch);
  }

  // What each value is weighed by: a query without a key weighs all the same where it averages them.
  void weigh(const float* shares, const float* kept, float* weights) const {
    std::copy_n(shares, matrix_, weights);
    if (op_.no_key == ops::NoKey::Average) {
      for (float* line = weights; line < weights + matrix_; line += at_.keys) {
        if (std::any_of(line, line + at_.keys, [](float share) { return share != 0; })) continue;
        std::fill_n(line, at_.keys, static_cast<float>(1.0 / static_cast<double>(at_.keys)));
      }
    }
    for (size_t i = 0; kept && i < matrix_; ++i) weights[i] *= kept[i];
  }

  // One query's slopes of the shares to those of the scores, times the scale.
  void to_scores(const float* shares, const float* kept, float* slopes) const {
    double mean = 0;
    for (size_t key = 0; key < at_.keys; ++key) {
      if (kept) slopes[key] *= kept[key];
      mean += static_cast<double>(shares[key]) * slopes[key];
    }
    const auto taken = static_cast<float>(mean);
    for (size_t key = 0; key < at_.keys; ++key) slopes[key] = op_.scale * shares[key] * (slopes[key] - taken);
  }

  ops::AttentionGradient op_;
  Layout at_, to_;
  ValueId in_[6], out_[3];
  size_t packed_ = 0, matrix_ = 0;
};

AttentionColumns all_columns(const Draft& draft, const Task& task, size_t first_input) {
  AttentionColumns all;
  for (size_t i = 0; i < 3; ++i) all.count[i] = draft[task.inputs[first_input + i]].lengths[2];
  return all;
}

}  // namespace

std::unique_ptr<Kernel> attention(const Draft& draft, const Task& task, const ops::Attention& op) {
  const ValueId floats[] = {task.inputs[0], task.inputs[1], task.inputs[2], task.outputs[0]};
  if (!are_floats(draft, floats)) return nullptr;
  return std::make_unique<AttentionKernel>(draft, task, op, all_columns(draft, task, 0));
}

std::unique_ptr<Kernel> attention_gradient(const Draft& draft, const Task& task, const ops::AttentionGradient& op) {
  if (!are_floats(draft, task.inputs) || !are_floats(draft, task.outputs)) return nullptr;
  return std::make_unique<AttentionGradientKernel>(draft, task, op, all_columns(draft, task, 1));
}

std::unique_ptr<Kernel> attention_in_place(const Draft& draft, const Task& task, const AttentionInPlace& op) {
  return std::make_unique<AttentionKernel>(draft, task, op.of, op.columns);
}
std::unique_ptr<Kernel> attention_gradient_in_place(const Draft& draft, const Task& task,
                                                    const AttentionGradientInPlace& op) {
  return std::make_unique<AttentionGradientKernel>(draft, task, op.of, op.columns);
}

}  // namespace causeway::engine::cpu
