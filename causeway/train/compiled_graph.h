#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/engine/engine.h"
#include "causeway/train/step.h"

namespace causeway::train {

/// A graph of a training run compiled for one count of rows, with memory to hand its inputs in: arrays that are gathered
/// batch by batch, and scalars. Nothing is allocated from the second run on.
class CompiledGraph {
 public:
  using Arrays = std::map<std::string, Tensor, std::less<>>;

  /// Every input of the graph that is not among `arrays` is a scalar.
  CompiledGraph(const Engine& engine, const Graph& graph, Slots& slots, Arrays arrays, int threads);
  CompiledGraph(const CompiledGraph&) = delete;
  CompiledGraph& operator=(const CompiledGraph&) = delete;

  Arrays& arrays() { return arrays_; }
  /// Where the graph has an input of that name.
  template <class T>
  void set(std::string_view name, T value) {
    const auto at = arrays_.find(name);
    if (at != arrays_.end()) at->second.template mutable_values<T>()[0] = value;
  }
  /// What optimizer step `number` needs beside its batch.
  void set_scalars(const Step& step, double rate, int64_t number);
  void run() { answers_ = context_->run(views_); }
  bool assigned() const { return context_->assigned(); }
  /// 0 where the graph has no such output.
  double output(std::string_view name) const;

 private:
  const Graph& graph_;
  Arrays arrays_;
  std::shared_ptr<const Executable> executable_;
  std::unique_ptr<Context> context_;
  std::vector<TensorView> views_;
  std::optional<Step::Scalars> scalars_;
  std::span<const TensorView> answers_;
};

}  // namespace causeway::train
