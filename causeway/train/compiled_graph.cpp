#include "causeway/train/compiled_graph.h"

namespace causeway::train {

CompiledGraph::CompiledGraph(const Engine& engine, const Graph& graph, Slots& slots, Arrays arrays, int threads)
    : graph_(graph), arrays_(std::move(arrays)) {
  Binding binding;
  for (const Door& door : graph.inputs()) {
    if (!arrays_.contains(door.name)) arrays_.emplace(door.name, Tensor(door.value.dtype(), {}));
    binding.lengths[door.name] = arrays_.find(door.name)->second.lengths();
  }
  executable_ = engine.compile(graph, slots, binding, {.threads = threads});
  context_ = executable_->context();
  for (const Door& door : graph.inputs()) {
    Tensor& tensor = arrays_.find(door.name)->second;
    views_.push_back({tensor.dtype(), tensor.lengths(), tensor.mutable_data()});
  }
}

void CompiledGraph::set_scalars(const Step& step, double rate, int64_t number) {
  if (!scalars_) scalars_.emplace(step, graph_, views_);
  scalars_->write(rate, number);
}

double CompiledGraph::output(std::string_view name) const {
  const std::span<const Door> doors = graph_.outputs();
  for (size_t i = 0; i < doors.size(); ++i) {
    if (doors[i].name != name) continue;
    const TensorView& view = answers_[i];
    return view.dtype == DType::Float64 ? *static_cast<const double*>(view.data)
                                        : *static_cast<const float*>(view.data);
  }
  return 0;
}

}  // namespace causeway::train
