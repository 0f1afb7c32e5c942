#include <cmath>
#include <limits>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// [N, L, heads * d] as [N, heads, L, d].
Value with_heads(const Value& x, int64_t heads, const char* setting) {
  if (known_rank(x) == 4) return x;
  if (known_rank(x) != 3) unfit("an operand is " + x.shape().text() + ", and it has rank 3 or 4.");
  const Dim width = x.shape()[2];
  if (heads < 1 || (width.is_number() && width.number() % heads != 0)) {
    unfit("'" + std::string(setting) + "' is " + std::to_string(heads) + ", and its " + width.text() +
          " columns do not divide by it.");
  }
  const Value apart = reshaped(x, {Length::axis(0), Length::axis(1), Length::of(heads), Length::axis(2, 1, heads)});
  return ops::transpose(apart, {0, 2, 1, 3});
}

// Each of fewer heads stands for several queries' in a row.
Value repeated_heads(const Value& x, int64_t times) {
  if (times == 1) return x;
  const Value apart = ops::unsqueeze(x, {2});
  const Value spread = x.graph().add1(ops::Tile{}, {apart, ops::integers(x.graph(), {1, 1, times, 1, 1})});
  return ops::reshape(spread,
                      lengths_of(x, {Length::axis(0), Length::axis(1, times), Length::axis(2), Length::axis(3)}));
}

int64_t heads_of(const Value& x, const char* which) {
  const std::optional<int64_t> heads = x.shape()[1].if_number();
  if (!heads || *heads < 1)
    not_known_yet("the heads of " + std::string(which) + ", " + x.shape().text() + ", are a number.");
  return *heads;
}

// 0 where a key may be seen, minus infinity elsewhere.
Value as_bias(const Value& allowed, const Value& like) {
  return ops::where(allowed, ops::number_like(like, 0), ops::number_like(like, kMinusInfinity));
}

/// What decides which keys a query sees.
struct Sight {
  bool is_causal = false;
  int64_t left = -1, right = -1;
};

// i + offset - j for query i and key j: [1, 1, L, S], or [N, 1, L, S] where each row of the batch has its own offset.
Value distances(const Value& q, const Value& k, const Value& past_key, const Value& real_keys) {
  const Value queries = along(counted(length_of(q, Length::axis(2))), 2, 4);
  const Value keys = along(counted(length_of(k, Length::axis(2))), 3, 4);
  const Value apart = ops::sub(queries, keys);
  if (past_key) return ops::add(apart, length_of(past_key, Length::axis(2)));
  if (!real_keys) return apart;
  const Value offset = ops::sub(real_keys, length_of(q, Length::axis(2)));
  return ops::add(apart, ops::unsqueeze(offset, {1, 2, 3}));
}

// A mask of fewer keys than there are leaves the others out.
Value padded_mask(const Value& mask, const Value& k) {
  const Dim given = mask.shape().at(-1), wanted = k.shape()[2];
  if (given.equals(wanted) == std::optional(true)) return mask;
  if (!given.is_number() || !wanted.is_number()) {
    not_known_yet("its mask is " + mask.shape().text() + ", and there are " + wanted.text() + " keys.");
  }
  if (given.number() > wanted.number())
    unfit("its mask is for " + given.text() + " keys, and there are " + wanted.text() + ".");
  std::vector<int64_t> pads(2 * known_rank(mask), 0);
  pads.back() = wanted.number() - given.number();
  return mask.graph().add1(ops::Pad{},
                           {mask, ops::integers(mask.graph(), pads), ops::number_like(mask, kMinusInfinity)});
}

// A mask of truths as the op takes it: [N, Lk], or [N, Lq, Lk] or [Lq, Lk]; none where it is another one.
struct Truths {
  Value by_key, by_query;
};
std::optional<Truths> truths_of(const Value& mask, const Value& q, const Value& k) {
  if (known_dtype(mask) != DType::Bool || !mask.shape().has_rank() || mask.shape().rank() > 4) return std::nullopt;
  std::vector<Dim> lengths(4 - mask.shape().rank(), Dim(1));
  lengths.insert(lengths.end(), mask.shape().dims->begin(), mask.shape().dims->end());
  const auto same = [](const Dim& a, const Dim& b) { return a.equals(b) == std::optional(true); };
  const bool is_of_rows = same(lengths[0], q.shape()[0]), is_of_all = lengths[0] == Dim(1);
  if (lengths[1] != Dim(1) || !same(lengths[3], k.shape()[2]) || !(is_of_rows || is_of_all)) return std::nullopt;
  const auto without = [&](std::vector<int64_t> axes) {
    for (int64_t& axis : axes) axis -= static_cast<int64_t>(4 - mask.shape().rank());
    while (!axes.empty() && axes.front() < 0) axes.erase(axes.begin());
    return axes.empty() ? mask : ops::squeeze(mask, axes);
  };
  if (same(lengths[2], q.shape()[2]))
    return Truths{{}, without(is_of_rows ? std::vector<int64_t>{1} : std::vector<int64_t>{0, 1})};
  if (lengths[2] == Dim(1) && is_of_rows) return Truths{without({1, 2}), {}};
  return std::nullopt;
}

// [N, heads, L, d] as [N, L, heads * d].
Value side_by_side(const Value& x) {
  return reshaped(ops::transpose(x, {0, 2, 1, 3}), {Length::axis(0), Length::axis(1), Length::product({2, 3})});
}

// One node of ours, for what it says: no past, no window, no cap on scores, a mask of truths.
std::optional<Value> one_attention(NodeReader& node, const Value& q, const Value& k, const Value& v,
                                   const ops::Attention& op, bool is_flat) {
  Truths mask;
  if (node.has_input(3)) {
    const std::optional<Truths> found = truths_of(node.input(3), q, k);
    if (!found) return std::nullopt;
    mask = *found;
  }
  const auto flat = [&](size_t i, const Value& heads) { return is_flat ? node.input(i) : side_by_side(heads); };
  Values inputs{flat(0, q), flat(1, k), flat(2, v)};
  if (mask.by_key || mask.by_query) inputs.push_back(mask.by_key);
  if (mask.by_query) inputs.push_back(mask.by_query);
  const Value y = node.graph().add(op, std::move(inputs))[0];
  if (is_flat) return y;
  return ops::transpose(
      reshaped(y, {Length::axis(0), Length::axis(1), Length::of(op.heads), Length::axis(2, 1, op.heads)}),
      {0, 2, 1, 3});
}

}  // namespace

// softmax(Q K' scale + bias) V, head by head. A query that may see no key gives zeros.
Values read_attention(NodeReader& node) {
  node.expect_inputs(3, node.opset() >= 24 ? 7 : 6);
  const int64_t q_heads = node.integer("q_num_heads", 0), kv_heads = node.integer("kv_num_heads", 0);
  const std::optional<float> stated_scale = node.real("scale");
  const float softcap = node.real("softcap", 0.0f);
  const int64_t mode = node.integer("qk_matmul_output_mode", 0);
  if (node.integer("softmax_precision")) node.note("'softmax_precision' is not used: it is computed in float32.");
  Sight sight{.is_causal = node.flag("is_causal", false)};
  if (node.opset() >= 25) {
    sight.left = node.integer("left_window_size", -1);
    sight.right = node.integer("right_window_size", -1);
  }
  const bool is_flat = known_rank(node.input(0)) == 3;
  const Value q = with_heads(node.input(0), q_heads, "q_num_heads");
  Value k = with_heads(node.input(1), kv_heads, "kv_num_heads"),
        v = with_heads(node.input(2), kv_heads, "kv_num_heads");
  const Value past_key = node.input_or_none(4), past_value = node.input_or_none(5), real_keys = node.input_or_none(6);
  if (static_cast<bool>(past_key) != static_cast<bool>(past_value)) unfit("past keys and past values come together.");
  if (past_key) k = ops::concat({past_key, k}, 2);
  if (past_value) v = ops::concat({past_value, v}, 2);
  const Value present_key = k, present_value = v;

  const int64_t heads = heads_of(q, "the queries"), of_keys = heads_of(k, "the keys");
  if (heads % of_keys != 0) {
    unfit("there are " + std::to_string(heads) + " heads of queries, which do not divide by the " +
          std::to_string(of_keys) + " of keys.");
  }
  const Dim width = q.shape()[3];
  if (!stated_scale && !width.is_number())
    not_known_yet("its queries are " + q.shape().text() + ", whose width is a number.");
  const double scale = stated_scale ? *stated_scale : 1 / std::sqrt(static_cast<double>(width.number()));
  const bool is_plain = !past_key && !real_keys && !(softcap > 0) && sight.left < 0 && sight.right < 0 &&
                        !node.has_output(3) && node.input(0).dtype() == DType::Float32 && width != Dim(0);
  if (is_plain) {
    const ops::Attention op{
        .heads = heads, .kv_heads = of_keys, .scale = static_cast<float>(scale), .causal = sight.is_causal};
    if (const auto y = one_attention(node, q, k, v, op, is_flat)) return {*y, present_key, present_value};
  }

  k = repeated_heads(k, heads / of_keys);
  v = repeated_heads(v, heads / of_keys);
  const double root = std::sqrt(scale);
  Value scores = ops::matmul(ops::scale(q, root), ops::scale(k, root), false, true);
  if (softcap > 0) scores = ops::scale(ops::tanh(ops::scale(scores, 1.0 / softcap)), softcap);

  Value bias;
  const auto add_bias = [&](const Value& more) { bias = bias ? ops::add(bias, more) : more; };
  if (node.has_input(3)) {
    const Value mask = node.input(3);
    add_bias(padded_mask(known_dtype(mask) == DType::Bool ? as_bias(mask, q) : mask, k));
  }
  if (sight.is_causal || sight.left >= 0 || sight.right >= 0) {
    const Value behind = distances(q, k, past_key, real_keys);
    if (sight.is_causal) add_bias(as_bias(ops::greater_or_equal(behind, 0.0), q));
    if (sight.left >= 0) add_bias(as_bias(ops::less_or_equal(behind, static_cast<double>(sight.left)), q));
    if (sight.right >= 0) add_bias(as_bias(ops::greater_or_equal(behind, -static_cast<double>(sight.right)), q));
  }
  if (real_keys) {
    const Value keys = along(counted(length_of(k, Length::axis(2))), 3, 4);
    add_bias(as_bias(ops::less(keys, ops::unsqueeze(real_keys, {1, 2, 3})), q));
  }
  Value shown = scores, shares;
  if (bias) {
    const Value sees_none = ops::equal(ops::reduce_max(bias, {-1}, true), kMinusInfinity);
    const Value biased = ops::add(scores, bias);
    if (mode == 2) shown = biased;
    shares = ops::where(sees_none, 0.0, ops::softmax(ops::where(sees_none, 0.0, biased)));
  } else {
    shares = ops::softmax(scores);
  }
  if (mode == 3) shown = shares;
  Value y = ops::matmul(shares, v);
  if (is_flat) {
    const Value rows = ops::transpose(y, {0, 2, 1, 3});
    y = reshaped(rows, {Length::axis(0), Length::axis(1), Length::product({2, 3})});
  }
  return {y, present_key, present_value, shown};
}

namespace {

// What writes one attention: its heads, in groups where several of the queries' share one of the keys'.
class AttentionWriter {
 public:
  explicit AttentionWriter(NodeWriter& node)
      : node_(node), op_(node.settings<ops::Attention>()), group_(op_.heads / op_.kv_heads), is_grouped_(group_ > 1) {}

  void write() {
    if (node_.value(5)) unfit("its shares are dropped by draws, and an ONNX file answers.");
    std::string q = apart(0, group_, is_grouped_ ? Order{0, 2, 3, 1, 4} : Order{0, 2, 1, 3});
    const std::string k = apart(1, 1, is_grouped_ ? Order{0, 2, 3, 4, 1} : Order{0, 2, 3, 1});
    const std::string v = apart(2, 1, is_grouped_ ? Order{0, 2, 3, 1, 4} : Order{0, 2, 1, 3});
    if (op_.scale != 1) q = node_.add("Mul", {q, node_.scalar(op_.scale, "scale")});
    std::string scores = node_.add("MatMul", {q, k});
    const std::string allowed = keys_allowed();
    if (!allowed.empty()) {
      node_.require(9, "Where");
      scores = node_.add("Where", {allowed, scores, node_.scalar(kLowest, "lowest")});
    }
    const int64_t axis = node_.opset() >= 13 ? -1 : is_grouped_ ? 4 : 3;
    std::string shares = node_.add("Softmax", {scores}, {integer("axis", axis)});
    // Scores that are all masked are the same, and so their shares are even.
    const bool may_lack_keys = node_.value(3) || node_.value(4);
    const auto of_keys = [&] { return node_.add("Where", {allowed, shares, node_.scalar(0, "zero")}); };
    if (may_lack_keys && op_.no_key == ops::NoKey::Zeros) shares = of_keys();
    const std::string context = node_.add("MatMul", {shares, v});
    if (may_lack_keys && op_.no_key == ops::NoKey::Average && node_.is_read(1)) shares = of_keys();
    const Order together = is_grouped_ ? Order{0, 3, 1, 2, 4} : Order{0, 2, 1, 3};
    const std::string turned = node_.add("Transpose", {context}, {list("perm", together)});
    node_.give(reshaped_to(turned, {0, 0, width(2) * group_ * op_.kv_heads}));
    if (node_.is_read(1)) node_.give(1, is_grouped_ ? joined_shares(shares) : shares);
  }

 private:
  using Order = std::vector<int64_t>;
  static constexpr float kLowest = std::numeric_limits<float>::lowest();

  // The columns of a head of an operand.
  int64_t width(size_t operand) const {
    const Dim& columns = node_.shape(operand)[2];
    const int64_t heads = operand == 0 ? op_.heads : op_.kv_heads;
    if (!columns.is_number()) unfit("its heads' width is not known, " + node_.shape(operand).text() + ".");
    if (columns.number() == 0) unfit("its heads have no columns, " + node_.shape(operand).text() + ".");
    return columns.number() / heads;
  }

  std::string reshaped_to(const std::string& x, const std::vector<int64_t>& lengths) {
    return node_.add("Reshape", {x, node_.integers(lengths, "lengths")});
  }

  // [N, L, heads * d] as [N, heads, L, d], its axes in that order; in groups [N, kv_heads, in each, L, d].
  std::string apart(size_t operand, int64_t in_group, const Order& order) {
    std::vector<int64_t> lengths{0, 0, op_.kv_heads};
    if (is_grouped_) lengths.push_back(in_group);
    lengths.push_back(width(operand));
    return node_.add("Transpose", {reshaped_to(node_.input(operand), lengths)}, {list("perm", order)});
  }

  std::string unsqueezed(const std::string& x, const std::vector<int64_t>& axes) {
    std::vector<std::string> inputs{x};
    std::vector<Attribute> attributes;
    node_.give_list(13, "axes", axes, inputs, attributes);
    return node_.add("Unsqueeze", inputs, attributes);
  }

  // The places of the steps of an operand, an int64 list.
  std::string places(size_t operand) {
    node_.require(11, "Range");
    const std::string shape = node_.add("Shape", {node_.input(operand)});
    const std::string count =
        node_.add("Gather", {shape, node_.constant(Tensor::scalar<int64_t>(1), "one")}, {integer("axis", 0)});
    return node_.add("Range", {node_.constant(Tensor::scalar<int64_t>(0), "start"), count,
                               node_.constant(Tensor::scalar<int64_t>(1), "one")});
  }

  // Key j for query i where j <= i, [Lq, Lk].
  std::string causal_keys() {
    const Dim queries = node_.shape(0)[1], keys = node_.shape(1)[1];
    // Truths of many steps would fill the file; they are worked out where the set has a range.
    constexpr int64_t kFew = int64_t{1} << 20, kMost = int64_t{1} << 26, kLongest = int64_t{1} << 30;
    const bool are_numbers =
        queries.is_number() && keys.is_number() && queries.number() < kLongest && keys.number() < kLongest;
    const int64_t count = are_numbers ? queries.number() * keys.number() : 0;
    if (are_numbers && (count <= kFew || (count <= kMost && !node_.may_use(11)))) {
      Tensor allowed(DType::Bool, {queries.number(), keys.number()});
      const std::span<bool> numbers = allowed.mutable_values<bool>();
      for (int64_t i = 0; i < allowed.size(); ++i) {
        numbers[static_cast<size_t>(i)] = i % keys.number() <= i / keys.number();
      }
      return node_.constant(std::move(allowed), "causal");
    }
    const std::string later = node_.add("Greater", {places(1), unsqueezed(places(0), {1})});
    return node_.add("Not", {later});
  }

  // Which keys a query may use, in a shape that broadcasts to that of the scores; "" where it may use all.
  std::string keys_allowed() {
    std::vector<std::string> all;
    if (node_.value(3)) all.push_back(unsqueezed(node_.input(3), is_grouped_ ? Order{1, 2, 3} : Order{1, 2}));
    if (node_.value(4)) {
      const bool is_for_all_rows = node_.shape(4).rank() == 2;
      const std::string mask = node_.input(4);
      all.push_back(is_for_all_rows ? mask : unsqueezed(mask, is_grouped_ ? Order{1, 2} : Order{1}));
    }
    if (op_.causal) all.push_back(causal_keys());
    if (all.empty()) return "";
    std::string allowed = all[0];
    for (size_t i = 1; i < all.size(); ++i) allowed = node_.add("And", {allowed, all[i]});
    return allowed;
  }

  // [N, kv_heads, in each, Lq, Lk] as [N, heads, Lq, Lk].
  std::string joined_shares(const std::string& shares) {
    const Dim queries = node_.shape(0)[1], keys = node_.shape(1)[1];
    if (!queries.is_number() || !keys.is_number()) unfit("its shares are read, and their lengths are not known.");
    return reshaped_to(shares, {0, op_.heads, queries.number(), keys.number()});
  }

  NodeWriter& node_;
  const ops::Attention& op_;
  int64_t group_;
  bool is_grouped_;
};

}  // namespace

void write_attention(NodeWriter& node) { AttentionWriter(node).write(); }

// Pairs of columns turned by an angle that depends on the place: the halves of a head, or its even and odd columns.
Values read_rotary_embedding(NodeReader& node) {
  node.expect_inputs(3, 4);
  const bool interleaved = node.flag("interleaved", false);
  const int64_t heads = node.integer("num_heads", 0), part = node.integer("rotary_embedding_dim", 0);
  const bool is_flat = known_rank(node.input(0)) == 3;
  const Value x = with_heads(node.input(0), heads, "num_heads");  // [N, heads, L, d]
  const std::optional<int64_t> width = x.shape()[3].if_number();
  if (!width) unfit("its heads are " + x.shape().text() + ", whose width is a number.");
  const int64_t turned = part == 0 ? *width : part;
  if (turned < 0 || turned > *width || turned % 2 != 0) {
    unfit("'rotary_embedding_dim' is " + std::to_string(turned) + ", and a head has " + std::to_string(*width) +
          " columns.");
  }
  const auto at_places = [&](size_t i) {
    Value cache = node.input(i);
    if (node.has_input(3)) cache = ops::gather(cache, node.input(3));
    return known_rank(cache) == 3 ? ops::unsqueeze(cache, {1}) : cache;  // [N, 1, L, turned / 2]
  };
  const Value cos = at_places(1), sin = at_places(2);
  const Value a = interleaved ? ops::slice(x, 3, 0, turned, 2) : ops::slice(x, 3, 0, turned / 2);
  const Value b = interleaved ? ops::slice(x, 3, 1, turned, 2) : ops::slice(x, 3, turned / 2, turned);
  const Value real = ops::sub(ops::mul(cos, a), ops::mul(sin, b)),
              imaginary = ops::add(ops::mul(sin, a), ops::mul(cos, b));
  Value y;
  if (interleaved) {
    const Value pairs = ops::concat({ops::unsqueeze(real, {4}), ops::unsqueeze(imaginary, {4})}, 4);
    y = ops::reshape(pairs, lengths_of(x, {Length::axis(0), Length::axis(1), Length::axis(2), Length::of(turned)}));
  } else {
    y = ops::concat({real, imaginary}, 3);
  }
  if (turned < *width) y = ops::concat({y, ops::slice(x, 3, turned, *width)}, 3);
  if (!is_flat) return {y};
  return {ops::reshape_like(ops::transpose(y, {0, 2, 1, 3}), node.input(0))};
}

}  // namespace causeway::formats::onnx
