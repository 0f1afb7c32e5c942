#include "causeway/nn/layers/merging.h"

#include "causeway/formats/keras/layers/families.h"

namespace causeway::formats::keras {

Flow read_add(LayerReader& layer) { return layer.build(nn::Merge<nn::MergeKind::Add>{}); }
Flow read_subtract(LayerReader& layer) { return layer.build(nn::Merge<nn::MergeKind::Subtract>{}); }
Flow read_multiply(LayerReader& layer) { return layer.build(nn::Merge<nn::MergeKind::Multiply>{}); }
Flow read_average(LayerReader& layer) { return layer.build(nn::Merge<nn::MergeKind::Average>{}); }
Flow read_maximum(LayerReader& layer) { return layer.build(nn::Merge<nn::MergeKind::Maximum>{}); }
Flow read_minimum(LayerReader& layer) { return layer.build(nn::Merge<nn::MergeKind::Minimum>{}); }

Flow read_concatenate(LayerReader& layer) {
  return layer.build(nn::Concatenate{.axis = layer.words().integer("axis", -1, -32)});
}

}  // namespace causeway::formats::keras
