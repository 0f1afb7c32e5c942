#pragma once

#include <string>
#include <utility>
#include <vector>

#include "causeway/graph/network.h"
#include "causeway/nn/layer_list.h"

namespace causeway {

/// A network layer by layer, in the words of NET.json:
///
///   Network net = Sequential({14}).dense(16).relu().dense(1).build(/*seed=*/7);
///
/// A layer's path is its number, counting from 0, unless named() says another; from() says what the next layer takes
/// where that is not the one before it.
class Sequential {
 public:
  /// The shape of an example, without the batch: {14}, {28, 28, 1}, {"L", 8} by Dim::named.
  explicit Sequential(std::vector<Dim> input);

  /// Any layer: add(nn::Dense{.units = 16, .use_bias = false}).
  Sequential& add(nn::Layer layer);
  /// The path of the layer added last.
  Sequential& named(std::string path);
  /// What the next layer takes: paths of layers above, or "input".
  Sequential& from(std::vector<std::string> paths);

  Sequential& dense(int64_t units) { return add(nn::Dense{.units = units}); }
  Sequential& conv1d(int64_t filters, nn::PerAxis size, nn::PerAxis strides = 1, nn::Padding padding = {});
  Sequential& conv2d(int64_t filters, nn::PerAxis size, nn::PerAxis strides = 1, nn::Padding padding = {});
  Sequential& conv3d(int64_t filters, nn::PerAxis size, nn::PerAxis strides = 1, nn::Padding padding = {});
  Sequential& max_pooling1d(nn::PerAxis size = 2) { return add(nn::MaxPooling<1>{.pool_size = std::move(size)}); }
  Sequential& max_pooling2d(nn::PerAxis size = 2) { return add(nn::MaxPooling<2>{.pool_size = std::move(size)}); }
  Sequential& max_pooling3d(nn::PerAxis size = 2) { return add(nn::MaxPooling<3>{.pool_size = std::move(size)}); }
  Sequential& average_pooling1d(nn::PerAxis size = 2) {
    return add(nn::AveragePooling<1>{.pool_size = std::move(size)});
  }
  Sequential& average_pooling2d(nn::PerAxis size = 2) {
    return add(nn::AveragePooling<2>{.pool_size = std::move(size)});
  }
  Sequential& average_pooling3d(nn::PerAxis size = 2) {
    return add(nn::AveragePooling<3>{.pool_size = std::move(size)});
  }
  /// The state behind the last step, or all steps.
  Sequential& lstm(int64_t units, bool return_sequences = false);
  Sequential& gru(int64_t units, bool return_sequences = false);
  Sequential& simple_rnn(int64_t units, bool return_sequences = false);
  Sequential& batch_normalization() { return add(nn::BatchNormalization{}); }
  Sequential& layer_normalization() { return add(nn::LayerNormalization{}); }
  Sequential& dropout(float rate) { return add(nn::Dropout{.rate = rate}); }
  Sequential& flatten() { return add(nn::Flatten{}); }
  Sequential& reshape(std::vector<int64_t> shape) { return add(nn::Reshape{.target_shape = std::move(shape)}); }
  Sequential& relu() { return add(nn::ReLU{}); }
  Sequential& gelu() { return add(nn::GELU{}); }
  Sequential& tanh() { return add(nn::plain_activation("tanh")); }
  Sequential& sigmoid() { return add(nn::plain_activation("sigmoid")); }
  Sequential& softmax() { return add(nn::Softmax{}); }

  /// The network, its numbers drawn by the seed. Refused, all at once: layers whose values do not fit.
  Network build(uint64_t seed) const;

 private:
  struct Step {
    nn::Layer layer;
    std::string path;
    std::vector<std::string> from;
  };
  std::vector<Dim> input_;
  std::vector<Step> steps_;
  std::vector<std::string> next_from_;
};

}  // namespace causeway
