#include "causeway/nn/network_maker.h"

#include <algorithm>
#include <new>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/nn/not_known.h"

namespace causeway::nn {

namespace {

// Refused where there is no memory for them.
Tensor drawn_for(const Slot& slot, const SlotStart& start, uint64_t seed) {
  try {
    return drawn(start.initializer, slot.numbers.lengths(), start.fans, seed, start.path);
  } catch (const std::bad_alloc&) {
    throw Refused("slot " + quoted(slot.path), "it is " + text_of(slot.numbers.lengths()) + ", of " +
                                                   std::to_string(slot.numbers.size_bytes()) +
                                                   " bytes, and there is no memory to draw its numbers.");
  }
}

}  // namespace

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
    Tensor numbers = drawn_for(slot, start, seed);
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
  const size_t starts_before = starts_.size(), nodes_before = graph_->nodes().size();
  NamedFlows also;
  build.also_made = &also;
  try {
    const Flow made = make(build);
    own_slots(path, where, starts_before, nodes_before);
    constexpr size_t kMostNodes = 1'000'000;
    if (graph_->nodes().size() > kMostNodes) {
      fault(where, "the layers down to this one make more than " + std::to_string(kMostNodes) +
                       " nodes, counted with each call of a layer, which are the most.");
      refuse_if_any(std::move(faults_));
    }
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

// Keeps whose the new slots are; a fault where the layer reads one that a layer of another path made.
void NetworkMaker::own_slots(const std::string& layer, const std::string& where, size_t starts_before,
                             size_t nodes_before) {
  for (size_t i = starts_before; i < starts_.size(); ++i) owners_.emplace(starts_[i].path, Owner{layer, where});
  for (const Node* node : graph_->nodes().subspan(nodes_before)) {
    for (const Value& input : node->inputs) {
      const auto owner = input && input.kind() == Value::Kind::Slot ? owners_.find(input.name()) : owners_.end();
      if (owner == owners_.end() || owner->second.layer == layer) continue;
      unfit("its slot " + quoted(owner->first) + " is that of " + owner->second.where +
            " too. Name one of the two otherwise.");
    }
  }
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
