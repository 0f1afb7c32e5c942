#include "causeway/formats/keras/layers/families.h"
#include "causeway/ops/average_pool.h"
#include "causeway/ops/build.h"
#include "causeway/ops/max_pool.h"

namespace causeway::formats::keras {
namespace {

template <class Pool>
Value read_pooling(LayerReader& layer, size_t places) {
  Words& words = layer.words();
  const std::vector<int64_t> size = words.per_axis("pool_size", 2, places, 1);
  const std::vector<int64_t> stride = words.has("strides") ? words.per_axis("strides", 1, places, 1) : size;
  const Channels channels = read_channels(words);
  const ops::Window window = read_window(words, size, stride, std::vector<int64_t>(places, 1), false);
  const Value x = channels.to_last(layer.x_of_rank(places + 2));
  Pool pool;
  pool.window = window;
  return channels.from_last(layer.graph().add1(pool, {x}));
}

// Over all places of an image; the class says how many.
Value read_global(LayerReader& layer, ops::ReduceKind kind) {
  const bool keepdims = layer.words().boolean("keepdims", false);
  const Channels channels = read_channels(layer.words());
  const std::string& name = layer.plan().class_name;
  const auto places = static_cast<size_t>(name[name.size() - 2] - '0');
  const Value x = layer.x_of_rank(places + 2);
  std::vector<int64_t> axes;
  for (size_t i = 0; i < places; ++i) axes.push_back(static_cast<int64_t>(i) + (channels.first ? 2 : 1));
  return ops::reduce(x, kind, axes, keepdims);
}

}  // namespace

Value read_max_pooling_1d(LayerReader& layer) { return read_pooling<ops::MaxPool>(layer, 1); }
Value read_max_pooling_2d(LayerReader& layer) { return read_pooling<ops::MaxPool>(layer, 2); }
Value read_max_pooling_3d(LayerReader& layer) { return read_pooling<ops::MaxPool>(layer, 3); }
Value read_average_pooling_1d(LayerReader& layer) { return read_pooling<ops::AveragePool>(layer, 1); }
Value read_average_pooling_2d(LayerReader& layer) { return read_pooling<ops::AveragePool>(layer, 2); }
Value read_average_pooling_3d(LayerReader& layer) { return read_pooling<ops::AveragePool>(layer, 3); }
Value read_global_max_pooling(LayerReader& layer) { return read_global(layer, ops::ReduceKind::Max); }
Value read_global_average_pooling(LayerReader& layer) { return read_global(layer, ops::ReduceKind::Mean); }

}  // namespace causeway::formats::keras
