#include "causeway/nn/network_maker.h"

#include <algorithm>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/nn/not_known.h"

namespace causeway::nn {

void draw_starts(Slots& slots, std::span<const SlotStart> starts, uint64_t seed) {
  for (const SlotStart& start : starts) {
    Slot& slot = slots.at(start.path);
    if (!start.stated.empty()) {
      Tensor numbers(DType::Float32, slot.numbers.lengths());
      const std::span<float> all = numbers.mutable_values<float>();
      for (size_t i = 0; i < all.size(); ++i) all[i] = start.stated[start.stated.size() == 1 ? 0 : i];
      slot.assign(std::move(numbers));
      continue;
    }
    Tensor numbers = drawn(start.initializer, slot.numbers.lengths(), start.fans, seed, start.path);
    const std::span<float> all = numbers.mutable_values<float>();
    std::fill(all.begin() + start.block.begin, all.begin() + start.block.end, start.block.number);
    slot.assign(std::move(numbers));
  }
}

NetworkMaker::NetworkMaker() : graph_(std::make_unique<GraphBuilder>(slots_)) {}

Flow NetworkMaker::input(std::string name, DType dtype, Shape shape) {
  // A mask has no channels.
  std::string axes = shape.has_rank() && dtype != DType::Bool ? channels_last_axes(shape.rank()) : "";
  return {graph_->input(std::move(name), {dtype, std::move(shape)}, std::move(axes))};
}

Flow NetworkMaker::add(const std::string& path, const Layer& layer, std::span<const Flow> from,
                       const std::string& where, const std::string& name) {
  return add(
      path, std::string(layer.kind()), where, [&](LayerBuild& build) { return layer.build(build, from); }, name);
}

Flow NetworkMaker::add(const std::string& path, std::string kind, const std::string& where,
                       const std::function<Flow(LayerBuild&)>& make, const std::string& known_as) {
  const ScopeGuard scope = graph_->scope(path, std::move(kind));
  LayerBuild build(*graph_, path, starts_);
  build.above = &named_;
  NamedFlows also;
  build.also_made = &also;
  try {
    const Flow made = make(build);
    for (const auto& [beside, flow] : also) {
      const std::string told = (known_as.empty() ? path : known_as) + beside.substr(path.size());
      if (!name(told, flow)) fault(where, "the name " + quoted(told) + " is taken by a layer or input above.");
    }
    return made;
  } catch (const Unfit& unfit) {
    if (faults_.empty() || unfit.what() != kShapeNotKnown) fault(where, unfit.what());
  }
  // What a refused layer makes: a value of unknown type, which fits everything.
  return {graph_->shared_input("@unknown", Type{})};
}

void NetworkMaker::output(std::string name, const Flow& flow) {
  const Shape& shape = flow.value.shape();
  graph_->output(std::move(name), flow.value, shape.has_rank() ? channels_last_axes(shape.rank()) : "");
}

void NetworkMaker::hold(std::string_view path) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (lies_beneath(slots_[i].path, path)) slots_[i].held = true;
  }
}

NetworkMaker::Made NetworkMaker::finish() && {
  refuse_if_any(std::move(faults_));
  Graph graph = std::move(*graph_).finish();
  return {Network(std::move(graph), std::move(slots_)), std::move(starts_)};
}

std::string channels_last_axes(size_t rank) {
  switch (rank) {
    case 2:
      return "NC";
    case 3:
      return "NLC";
    case 4:
      return "NHWC";
    case 5:
      return "NDHWC";
    default:
      return "";
  }
}

}  // namespace causeway::nn
