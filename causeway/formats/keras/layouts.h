#pragma once

#include <unordered_set>
#include <vector>

#include "causeway/formats/keras/model_plan.h"
#include "causeway/graph/value.h"
#include "causeway/nn/flow.h"

namespace causeway::formats::keras {

/// For each input of a model, whether it reaches a channels_first layer through layers without a layout of their own.
/// Such a door is taken channels last here, as every door of Keras's is.
std::vector<bool> inputs_channels_first(const ModelPlan& plan);

/// Follows which values stand channels first while a graph is built.
class Layouts {
 public:
  void set_first(const Value& value) { first_.insert(value); }
  bool is_first(const Value& value) const { return first_.count(value) > 0; }
  /// Says what a layer made of its inputs.
  void follow(const LayerPlan& layer, const std::vector<Flow>& inputs, const Value& output);

 private:
  std::unordered_set<Value> first_;
};

}  // namespace causeway::formats::keras
