#include "causeway/nn/layers/pooling.h"

#include "causeway/formats/keras/channels.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/nn/layers/adaptive_pooling.h"

namespace causeway::formats::keras {
namespace {

template <class Pooling, size_t kAxes>
Flow read_pooling(LayerReader& layer) {
  Words& words = layer.words();
  Pooling pooling;
  pooling.pool_size = words.per_axis("pool_size", 2, kAxes, 1);
  if (words.has("strides")) pooling.strides = words.per_axis("strides", 1, kAxes, 1);
  pooling.padding = read_padding(words, false);
  const Channels channels = read_channels(words);
  return channels.from_last(layer.build(pooling, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

template <class Pooling, size_t kAxes>
Flow read_global(LayerReader& layer) {
  const Pooling pooling{.keepdims = layer.words().boolean("keepdims", false)};
  const Channels channels = read_channels(layer.words());
  const Flow y = layer.build(pooling, {channels.to_last(layer.x_of_rank(kAxes + 2))});
  return pooling.keepdims ? channels.from_last(y) : y;
}

template <class Pooling, size_t kAxes>
Flow read_adaptive(LayerReader& layer) {
  const Pooling pooling{.output_size = layer.words().per_axis("output_size", Words::kRequired, kAxes, 1)};
  const Channels channels = read_channels(layer.words());
  return channels.from_last(layer.build(pooling, {channels.to_last(layer.x_of_rank(kAxes + 2))}));
}

}  // namespace

Flow read_max_pooling_1d(LayerReader& layer) { return read_pooling<nn::MaxPooling<1>, 1>(layer); }
Flow read_max_pooling_2d(LayerReader& layer) { return read_pooling<nn::MaxPooling<2>, 2>(layer); }
Flow read_max_pooling_3d(LayerReader& layer) { return read_pooling<nn::MaxPooling<3>, 3>(layer); }
Flow read_average_pooling_1d(LayerReader& layer) { return read_pooling<nn::AveragePooling<1>, 1>(layer); }
Flow read_average_pooling_2d(LayerReader& layer) { return read_pooling<nn::AveragePooling<2>, 2>(layer); }
Flow read_average_pooling_3d(LayerReader& layer) { return read_pooling<nn::AveragePooling<3>, 3>(layer); }
Flow read_global_max_pooling_1d(LayerReader& layer) { return read_global<nn::GlobalMaxPooling<1>, 1>(layer); }
Flow read_global_max_pooling_2d(LayerReader& layer) { return read_global<nn::GlobalMaxPooling<2>, 2>(layer); }
Flow read_global_max_pooling_3d(LayerReader& layer) { return read_global<nn::GlobalMaxPooling<3>, 3>(layer); }
Flow read_global_average_pooling_1d(LayerReader& layer) { return read_global<nn::GlobalAveragePooling<1>, 1>(layer); }
Flow read_global_average_pooling_2d(LayerReader& layer) { return read_global<nn::GlobalAveragePooling<2>, 2>(layer); }
Flow read_global_average_pooling_3d(LayerReader& layer) { return read_global<nn::GlobalAveragePooling<3>, 3>(layer); }
Flow read_adaptive_max_pooling_1d(LayerReader& layer) { return read_adaptive<nn::AdaptiveMaxPooling<1>, 1>(layer); }
Flow read_adaptive_max_pooling_2d(LayerReader& layer) { return read_adaptive<nn::AdaptiveMaxPooling<2>, 2>(layer); }
Flow read_adaptive_max_pooling_3d(LayerReader& layer) { return read_adaptive<nn::AdaptiveMaxPooling<3>, 3>(layer); }
Flow read_adaptive_average_pooling_1d(LayerReader& layer) {
  return read_adaptive<nn::AdaptiveAveragePooling<1>, 1>(layer);
}
Flow read_adaptive_average_pooling_2d(LayerReader& layer) {
  return read_adaptive<nn::AdaptiveAveragePooling<2>, 2>(layer);
}
Flow read_adaptive_average_pooling_3d(LayerReader& layer) {
  return read_adaptive<nn::AdaptiveAveragePooling<3>, 3>(layer);
}

}  // namespace causeway::formats::keras
