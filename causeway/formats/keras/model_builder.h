#pragma once

#include "causeway/formats/keras/layer_reader.h"

namespace causeway::formats::keras {

/// The letters of a door's axes: "NC", "NLC", "NHWC", "NDHWC"; "" where nothing says.
std::string axes_of(const Type& type);

/// Builds the graph of a model: each call in order, a nested model's layers under its path each time it is called.
class ModelBuilder {
 public:
  explicit ModelBuilder(Building& building) : building_(building) {}

  /// The outputs, in the plan's order. At the top the inputs are made as doors; a nested model is handed them.
  Values build(const ModelPlan& plan, const Values& inputs, bool is_held_above);

 private:
  Value make_door(const LayerPlan& layer, const std::string& name);
  Values call(const LayerPlan& layer, const Call& call, Values inputs, bool is_held);

  Building& building_;
  int open_lengths_ = 0;
};

}  // namespace causeway::formats::keras
