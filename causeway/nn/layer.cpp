#include "causeway/nn/layer.h"

#include <new>
#include <numeric>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/nn/not_known.h"
#include "causeway/nn/setting_ranges.h"

namespace causeway::nn {
namespace {

std::optional<Bound> bound_of(const SlotSpec& spec) {
  if (!spec.max_norm.limit) return std::nullopt;
  if (spec.bound_axes) return Bound{*spec.max_norm.limit, *spec.bound_axes};
  const size_t rank = spec.lengths.size();
  Bound bound{*spec.max_norm.limit, std::vector<size_t>(rank > 1 ? rank - 1 : rank)};
  std::iota(bound.axes.begin(), bound.axes.end(), size_t{0});
  return bound;
}

}  // namespace

SlotSpec SlotSpec::bounded_as_a_whole() const {
  SlotSpec whole = *this;
  whole.bound_axes.emplace(lengths.size());
  std::iota(whole.bound_axes->begin(), whole.bound_axes->end(), size_t{0});
  return whole;
}

LayerBuild LayerBuild::part(std::string_view name) const {
  LayerBuild inside(graph, path_.empty() ? std::string(name) : path_ + "." + std::string(name), starts_);
  inside.first_numbers = first_numbers;
  inside.above = above;
  inside.also_made = also_made;
  return inside;
}

Flow LayerBuild::inner(std::string_view name, const Layer& layer, const Flow& x) const {
  LayerBuild inside = part(name);
  const ScopeGuard scope = graph.scope(inside.path(), std::string(layer.kind()));
  return layer.build(inside, {&x, 1});
}

std::vector<Flow> LayerBuild::named(std::string_view setting, const ValueNames& names) const {
  static const NamedFlows kNone;
  const NamedFlows& all = above ? *above : kNone;
  std::vector<Flow> flows;
  for (const std::string& name : names.names) {
    if (const auto at = all.find(name); at != all.end()) {
      flows.push_back(at->second);
      continue;
    }
    std::vector<std::string_view> known;
    for (const auto& [path, flow] : all) known.push_back(path);
    const std::string nearest = nearest_word(name, known);
    unfit("'" + std::string(setting) + "' names " + quoted(name) + ", and no layer or input above has this name." +
          (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
  }
  return flows;
}

Value LayerBuild::named_value(std::string_view setting, const ValueNames& names) const {
  if (names.names.size() > 1) {
    unfit("'" + std::string(setting) + "' names " + std::to_string(names.names.size()) +
          " values, and one is read there.");
  }
  return names.names.empty() ? Value() : named(setting, names)[0].value;
}

void LayerBuild::also(std::string_view name, const Flow& flow) const {
  if (also_made) also_made->insert_or_assign(path_ + "." + std::string(name), flow);
}

Value LayerBuild::slot(std::string_view name, const SlotSpec& spec) {
  const std::string path = path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  try {
    expect_in_range(spec.initializer);
  } catch (const Unfit& wrong) {
    unfit("'" + std::string(name) + "' " + wrong.what());
  }
  if (const Slot* there = graph.slots().find(path)) {
    if (there->numbers.lengths() != spec.lengths) {
      unfit("'" + std::string(name) + "' is " + text_of(there->numbers.lengths()) + " where it was called first, and " +
            text_of(spec.lengths) + " here. A layer called again is handed the same channels.");
    }
    return graph.slot(path);
  }
  const std::optional<int64_t> count = checked_product(spec.lengths);
  constexpr int64_t kMost = int64_t{1} << 40;
  if (!count || *count > kMost)
    unfit("'" + std::string(name) + "' would be " + text_of(spec.lengths) + ", which is too large.");
  const auto numbers = [&] {
    try {
      return first_numbers ? first_numbers(path, spec.lengths) : Tensor(DType::Float32, spec.lengths);
    } catch (const std::bad_alloc&) {
      unfit("'" + std::string(name) + "' would be " + text_of(spec.lengths) + ", of " +
            std::to_string(*count * static_cast<int64_t>(sizeof(float))) + " bytes, and there is no memory for it.");
    }
  };
  starts_.push_back({path, spec.initializer, spec.fans.value_or(fans_of(spec.lengths)), spec.block, spec.stated});
  return graph.declare({.path = path,
                        .role = spec.role,
                        .held = spec.held,
                        .penalty = spec.penalty,
                        .max_norm = bound_of(spec),
                        .numbers = numbers()});
}

int64_t slot_length(const Value& x, int64_t axis) {
  if (!x.shape().has_rank()) unfit(std::string(kShapeNotKnown));
  const size_t at = axis_in(axis, x.shape().rank());
  const Dim& length = x.shape()[at];
  if (length.is_number()) return length.number();
  if (length.names().empty()) unfit(std::string(kShapeNotKnown));
  std::string names;
  for (const std::string& name : length.names()) names += (names.empty() ? "" : " and ") + quoted(name);
  unfit("it depends on a length that is open here, " + x.shape().text() + ". Bind " + names + " to a number first.");
}

}  // namespace causeway::nn
