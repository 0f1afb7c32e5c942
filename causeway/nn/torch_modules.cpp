#include "causeway/nn/torch_modules.h"

#include <numeric>

namespace causeway {
namespace {

template <size_t kAxes>
nn::TransposedConv<kAxes> transposed(int64_t out, nn::PerAxis size, ConvTransposeOptions options) {
  nn::TransposedConv<kAxes> conv;
  conv.filters = out;
  conv.kernel_size = std::move(size);
  conv.strides = std::move(options.stride);
  conv.dilation_rate = std::move(options.dilation);
  conv.padding = std::move(options.padding);
  conv.output_padding = std::move(options.output_padding);
  conv.groups = options.groups;
  conv.use_bias = options.bias;
  conv.kernel_initializer = conv.bias_initializer = {.word = "torch_uniform"};
  return conv;
}

template <class S>
S scaled(float epsilon, bool affine) {
  S norm;
  norm.epsilon = epsilon;
  norm.scale = affine;
  if constexpr (requires { norm.center; }) norm.center = affine;
  return norm;
}

nn::GroupNormalization in_groups(int64_t groups, float epsilon, bool affine) {
  auto norm = scaled<nn::GroupNormalization>(epsilon, affine);
  norm.groups = groups;
  return norm;
}

template <class S>
S table(int64_t rows, int64_t width, std::optional<int64_t> padding_idx) {
  S layer;
  layer.input_dim = rows;
  layer.output_dim = width;
  layer.padding_idx = padding_idx;
  layer.embeddings_initializer = {.word = "random_normal", .stddev = 1};
  return layer;
}

nn::EmbeddingBag bag(int64_t rows, int64_t width, std::string mode, std::optional<int64_t> padding_idx) {
  auto layer = table<nn::EmbeddingBag>(rows, width, padding_idx);
  layer.mode = std::move(mode);
  return layer;
}

template <class S>
S pool(nn::PerAxis size, PoolOptions options) {
  S layer;
  layer.pool_size = std::move(size);
  layer.strides = std::move(options.stride);
  layer.padding = std::move(options.padding);
  layer.ceil_mode = options.ceil_mode;
  return layer;
}

template <size_t kAxes>
nn::AveragePooling<kAxes> average(nn::PerAxis size, PoolOptions options, bool count_include_pad) {
  auto layer = pool<nn::AveragePooling<kAxes>>(std::move(size), std::move(options));
  layer.count_include_pad = count_include_pad;
  return layer;
}

}  // namespace

ConvTranspose1d::ConvTranspose1d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size,
                                 ConvTransposeOptions options)
    : LayerModule(parent, std::move(name), transposed<1>(out, std::move(kernel_size), std::move(options))) {}
ConvTranspose2d::ConvTranspose2d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size,
                                 ConvTransposeOptions options)
    : LayerModule(parent, std::move(name), transposed<2>(out, std::move(kernel_size), std::move(options))) {}
ConvTranspose3d::ConvTranspose3d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size,
                                 ConvTransposeOptions options)
    : LayerModule(parent, std::move(name), transposed<3>(out, std::move(kernel_size), std::move(options))) {}

GroupNorm::GroupNorm(Module& parent, std::string name, int64_t groups, float epsilon, bool affine)
    : LayerModule(parent, std::move(name), in_groups(groups, epsilon, affine)) {}
InstanceNorm::InstanceNorm(Module& parent, std::string name, float epsilon, bool affine)
    : LayerModule(parent, std::move(name), scaled<nn::InstanceNormalization>(epsilon, affine)) {}
RMSNorm::RMSNorm(Module& parent, std::string name, float epsilon, bool affine)
    : LayerModule(parent, std::move(name), scaled<nn::RMSNormalization>(epsilon, affine)) {}

Embedding::Embedding(Module& parent, std::string name, int64_t num_embeddings, int64_t embedding_dim,
                     std::optional<int64_t> padding_idx)
    : LayerModule(parent, std::move(name), table<nn::Embedding>(num_embeddings, embedding_dim, padding_idx)) {}
EmbeddingBag::EmbeddingBag(Module& parent, std::string name, int64_t num_embeddings, int64_t embedding_dim,
                           std::string mode, std::optional<int64_t> padding_idx)
    : LayerModule(parent, std::move(name), bag(num_embeddings, embedding_dim, std::move(mode), padding_idx)) {}

LeakyReLU::LeakyReLU(Module& parent, std::string name, float negative_slope)
    : LayerModule(parent, std::move(name), nn::LeakyReLU{.negative_slope = negative_slope}) {}

Value PReLU::forward(Value x) {
  if (!x.shape().has_rank()) nn::slot_length(x, -1);
  nn::PReLU layer;
  layer.alpha_initializer = {.word = "constant", .value = start_};
  layer.shared_axes.resize(x.shape().rank() - 1);
  std::iota(layer.shared_axes.begin(), layer.shared_axes.end(), int64_t{1});
  nn::LayerBuild build(x.graph(), path(), starts());
  return layer.build(build, {x}).value;
}

MaxPool1d::MaxPool1d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options)
    : LayerModule(parent, std::move(name), pool<nn::MaxPooling<1>>(std::move(kernel_size), std::move(options))) {}
MaxPool2d::MaxPool2d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options)
    : LayerModule(parent, std::move(name), pool<nn::MaxPooling<2>>(std::move(kernel_size), std::move(options))) {}
MaxPool3d::MaxPool3d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options)
    : LayerModule(parent, std::move(name), pool<nn::MaxPooling<3>>(std::move(kernel_size), std::move(options))) {}
AvgPool1d::AvgPool1d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options,
                     bool count_include_pad)
    : LayerModule(parent, std::move(name), average<1>(std::move(kernel_size), std::move(options), count_include_pad)) {}
AvgPool2d::AvgPool2d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options,
                     bool count_include_pad)
    : LayerModule(parent, std::move(name), average<2>(std::move(kernel_size), std::move(options), count_include_pad)) {}
AvgPool3d::AvgPool3d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options,
                     bool count_include_pad)
    : LayerModule(parent, std::move(name), average<3>(std::move(kernel_size), std::move(options), count_include_pad)) {}

Upsample::Upsample(Module& parent, std::string name, int64_t height, int64_t width, const std::string& mode,
                   bool align_corners)
    : LayerModule(parent, std::move(name),
                  nn::Resizing{.height = height,
                               .width = width,
                               .interpolation = mode,
                               .coordinates = mode == "nearest" ? "asymmetric"
                                              : align_corners   ? "align_corners"
                                                                : "half_pixel"}) {}

}  // namespace causeway
