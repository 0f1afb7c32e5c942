#include "causeway/nn/layers/transformer.h"

#include <cmath>

#include "causeway/base/quoted.h"
#include "causeway/nn/layers/activations.h"
#include "causeway/nn/layers/attention.h"
#include "causeway/nn/layers/dense.h"
#include "causeway/nn/layers/dropout.h"
#include "causeway/nn/layers/normalization.h"
#include "causeway/nn/layers/shaping.h"
#include "causeway/ops/build.h"
#include "causeway/ops/range.h"

namespace causeway::nn {
namespace {

Layer activation_of(const std::string& word) {
  if (word == "relu") return ReLU{};
  if (word == "gelu") return GELU{};
  std::vector<std::string_view> known{"relu", "gelu"};
  for (const PlainActivation::Row& row : plain_activations()) {
    if (row.word == word) return PlainActivation{&row};
    known.push_back(row.word);
  }
  const std::string nearest = nearest_word(word, known);
  unfit("'activation' is " + quoted(word) + ", and relu, gelu or an activation without settings is read here." +
        (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
}

/// The parts of an encoder or decoder layer, each under its name, over steps of one width.
template <class S>
class Parts {
 public:
  Parts(const LayerBuild& build, const S& settings, const Value& x)
      : build_(build), settings_(settings), width_(slot_length(x, -1)) {
    const Shape& shape = x.shape();
    if (shape.rank() != 3) {
      unfit("it is handed " + shape.text() + ", and takes a series, [N, steps, channels].");
    }
    if (settings.nhead < 1 || width_ % settings.nhead != 0) {
      unfit("'nhead' is " + std::to_string(settings.nhead) + ", and " + std::to_string(width_) +
            " channels do not fall into as many heads.");
    }
    if (settings.dim_feedforward < 1) {
      unfit("'dim_feedforward' is " + std::to_string(settings.dim_feedforward) + ", and at least 1 is needed.");
    }
    expect_not_negative(settings.layer_norm_eps, "layer_norm_eps");
    if (!(settings.dropout >= 0 && settings.dropout < 1)) {
      unfit("'dropout' is " + text_of(settings.dropout) + ", and 0 to below 1 is expected.");
    }
  }

  Value attended(std::string_view name, const Attended& of, bool causal) const {
    MultiHeadAttention attention;
    attention.num_heads = settings_.nhead;
    attention.key_dim = width_ / settings_.nhead;
    attention.dropout = settings_.dropout;
    attention.use_bias = settings_.use_bias;
    attention.use_causal_mask = causal;
    attention.packed_projection = true;
    attention.starts_as_torch = settings_.starts_as_torch;
    LayerBuild inside = build_.part(name);
    const ScopeGuard scope = build_.graph.scope(inside.path(), std::string(MultiHeadAttention::kKind));
    return attention.attend(inside, of);
  }

  Value normalized(std::string_view name, const Value& x) const {
    LayerNormalization norm;
    norm.epsilon = settings_.layer_norm_eps;
    norm.center = settings_.use_bias;
    return build_.inner(name, norm, {x}).value;
  }

  Value dropped(std::string_view name, const Value& x) const {
    return settings_.dropout > 0 ? build_.inner(name, Dropout{.rate = settings_.dropout}, {x}).value : x;
  }

  Value fed_forward(const Value& x) const {
    const Value wide =
        build_
            .inner("activation", activation_of(settings_.activation), {linear("linear1", x, settings_.dim_feedforward)})
            .value;
    return linear("linear2", dropped("dropout", wide), width_);
  }

  /// x and what a part makes of it: f(x) is added and the sum normalized, or f(normalized x) is added.
  template <class F>
  Value joined(const Value& x, std::string_view norm, std::string_view dropout, F f) const {
    if (settings_.norm_first) return ops::add(x, dropped(dropout, f(normalized(norm, x))));
    return normalized(norm, ops::add(x, dropped(dropout, f(x))));
  }

 private:
  Value linear(std::string_view name, const Value& x, int64_t units) const {
    Dense dense{.units = units, .use_bias = settings_.use_bias};
    if (settings_.starts_as_torch) dense.kernel_initializer = dense.bias_initializer = {.word = "torch_uniform"};
    return build_.inner(name, dense, {x}).value;
  }

  const LayerBuild& build_;
  const S& settings_;
  int64_t width_;
};

}  // namespace

Flow TransformerEncoderLayer::build(LayerBuild& build, const Flow& x) const {
  const Value stated = build.named_value("mask", mask);
  return {encode(build, x.value, stated ? stated : x.mask)};
}

Value TransformerEncoderLayer::encode(LayerBuild& build, Value x, Value key_mask) const {
  const Parts parts(build, *this, x);
  x = parts.joined(x, "norm1", "dropout1", [&](const Value& in) {
    return parts.attended("self_attn", {in, in, in, key_mask}, use_causal_mask);
  });
  return parts.joined(x, "norm2", "dropout2", [&](const Value& in) { return parts.fed_forward(in); });
}

Flow TransformerDecoderLayer::build(LayerBuild& build, std::span<const Flow> from) const {
  if (from.size() != 2) {
    unfit("it takes [target, memory], and " + std::to_string(from.size()) + (from.size() == 1 ? " value is" : " are") +
          " handed to it.");
  }
  const Value of_target = build.named_value("mask", mask), of_memory = build.named_value("memory_mask", memory_mask);
  return {decode(build, from[0].value, from[1].value, of_target ? of_target : from[0].mask,
                 of_memory ? of_memory : from[1].mask)};
}

Value TransformerDecoderLayer::decode(LayerBuild& build, Value target, Value memory, Value target_mask,
                                      Value memory_mask) const {
  const Parts parts(build, *this, target);
  if (slot_length(memory, -1) != slot_length(target, -1)) {
    unfit("the target is " + target.shape().text() + " and the memory is " + memory.shape().text() +
          ", and one width is expected.");
  }
  Value x = parts.joined(target, "norm1", "dropout1", [&](const Value& in) {
    return parts.attended("self_attn", {in, in, in, target_mask}, use_causal_mask);
  });
  x = parts.joined(x, "norm2", "dropout2", [&](const Value& in) {
    return parts.attended("multihead_attn", {in, memory, memory, memory_mask}, false);
  });
  return parts.joined(x, "norm3", "dropout3", [&](const Value& in) { return parts.fed_forward(in); });
}

Flow SinePositionEncoding::build(LayerBuild& build, const Flow& x) const {
  if (!(max_wavelength > 0)) unfit("'max_wavelength' is " + text_of(max_wavelength) + ", and it is above 0.");
  const int64_t channels = slot_length(x.value, -1);
  if (x.value.shape().rank() != 3) {
    unfit("it is handed " + x.value.shape().text() + ", and takes a series, [N, steps, channels].");
  }
  constexpr int64_t kMostChannels = 1 << 20;
  if (channels > kMostChannels) {
    unfit("it is handed " + x.value.shape().text() + ", and encodes up to " + std::to_string(kMostChannels) +
          " channels.");
  }
  // In double: a place far along the series times a rate, rounded to float, would lose what the sine turns on.
  std::vector<double> rates, phases;
  for (int64_t i = 0; i < channels; ++i) {
    const int64_t pair = i / 2;
    const double exponent = 2.0 * static_cast<double>(pair) / static_cast<double>(channels);
    rates.push_back(1 / std::pow(static_cast<double>(max_wavelength), exponent));
    phases.push_back(i % 2 == 0 ? 0 : std::acos(0.0));  // cos a = sin(a + π/2)
  }
  GraphBuilder& graph = build.graph;
  const Value steps = ops::squeeze(ops::slice(ops::shape_of(x.value), 0, 1, 2), {0});
  const Value places =
      ops::cast(graph.add1(ops::Range{}, {graph.scalar(int64_t{0}), steps, graph.scalar(int64_t{1})}), DType::Float64);
  const Value angles =
      ops::add(ops::mul(ops::unsqueeze(places, {1}), graph.constant(Tensor::of<double>({channels}, rates), "rates")),
               graph.constant(Tensor::of<double>({channels}, phases), "phases"));
  return {ops::add(x.value, ops::cast(ops::sin(angles), DType::Float32))};
}

}  // namespace causeway::nn
