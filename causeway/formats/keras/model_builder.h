#pragma once

#include <set>
#include <string>

#include "causeway/formats/keras/layer_reader.h"
#include "causeway/formats/keras/layouts.h"

namespace causeway::formats::keras {

/// Builds the graph of a model: each call in order, a nested model's layers under its path each time it is called.
class ModelBuilder {
 public:
  explicit ModelBuilder(Building& building) : building_(building) {
    building.build_model = [this](const ModelPlan& plan, const Flows& inputs) { return build(plan, inputs, false); };
  }
  ModelBuilder(const ModelBuilder&) = delete;
  ModelBuilder& operator=(const ModelBuilder&) = delete;

  /// The outputs, in the plan's order. At the top the inputs are made as doors; a nested model is handed them.
  Flows build(const ModelPlan& plan, const Flows& inputs, bool is_held_above);
  /// An output of the whole model as its door gives it: channels last.
  Value at_door(const Flow& output) const;
  /// The names of lengths that the file leaves open, the batch's among them.
  const std::set<std::string>& open_lengths() const { return open_lengths_; }

 private:
  Flow make_door(const LayerPlan& layer, const std::string& name, bool is_first);
  Flows call(const LayerPlan& layer, const Call& call, Flows inputs, bool is_held);

  Building& building_;
  Layouts layouts_;
  std::set<std::string> open_lengths_;
  int calls_ = 0;
};

}  // namespace causeway::formats::keras
