#pragma once

#include <functional>

#include "causeway/nn/layer.h"

namespace causeway::nn {

/// A layer among another's settings: an object with its kind and its settings, or its word alone. Both are none where it
/// is not stated.
struct InnerLayer {
  std::optional<Layer> layer = std::nullopt, activation = std::nullopt;

  friend bool operator==(const InnerLayer& a, const InnerLayer& b);
};
void read_setting(const Json& json, InnerLayer& into);
Json write_setting(const InnerLayer& value);

/// What `layer` makes of every step of a series by itself: batch and steps become one axis, and part again behind it.
/// unfit() where x is no series.
Value on_each_step(const Value& x, const std::function<Value(const Value& rows)>& layer);

/// A layer on every step by itself, with one set of slots at this layer's own path.
///
/// Settings   layer: not one that mixes rows in training (batch_normalization).
struct TimeDistributed {
  static constexpr std::string_view kWord = "time_distributed", kKind = "TimeDistributed";
  InnerLayer layer = {};

  static void settings(auto&& each) { each("layer", &TimeDistributed::layer, Need::Required); }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
