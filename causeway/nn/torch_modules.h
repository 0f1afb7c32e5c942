#pragma once

// Further modules named as PyTorch's, with PyTorch's defaults where the words have Keras's; module.h has the first of
// them. Places are channels last, as everywhere here.

#include <cstdint>
#include <optional>
#include <string>

#include "causeway/nn/module.h"

namespace causeway {

struct ConvTransposeOptions {
  nn::PerAxis stride = 1, dilation = 1;
  nn::Padding padding = nn::Padding::stated(0);
  /// Places more at the end, below the larger of stride and dilation.
  nn::PerAxis output_padding = 0;
  int64_t groups = 1;
  bool bias = true;
};
struct ConvTranspose1d : LayerModule {
  ConvTranspose1d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size,
                  ConvTransposeOptions options = {});
};
struct ConvTranspose2d : LayerModule {
  ConvTranspose2d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size,
                  ConvTransposeOptions options = {});
};
struct ConvTranspose3d : LayerModule {
  ConvTranspose3d(Module& parent, std::string name, int64_t out, nn::PerAxis kernel_size,
                  ConvTransposeOptions options = {});
};

struct GroupNorm : LayerModule {
  GroupNorm(Module& parent, std::string name, int64_t groups, float epsilon = 1e-5f, bool affine = true);
};
/// Over series, images and volumes alike; a single place is refused in training.
struct InstanceNorm : LayerModule {
  InstanceNorm(Module& parent, std::string name, float epsilon = 1e-5f, bool affine = false);
};
using InstanceNorm1d = InstanceNorm;
using InstanceNorm2d = InstanceNorm;
using InstanceNorm3d = InstanceNorm;
/// Over the last axis; the least float32 that 1 differs by stands under the root.
struct RMSNorm : LayerModule {
  RMSNorm(Module& parent, std::string name, float epsilon = 0x1p-23f, bool affine = true);
};

/// Rows drawn from a standard normal.
struct Embedding : LayerModule {
  Embedding(Module& parent, std::string name, int64_t num_embeddings, int64_t embedding_dim,
            std::optional<int64_t> padding_idx = std::nullopt);
};
/// mode: mean, sum or max.
struct EmbeddingBag : LayerModule {
  EmbeddingBag(Module& parent, std::string name, int64_t num_embeddings, int64_t embedding_dim,
               std::string mode = "mean", std::optional<int64_t> padding_idx = std::nullopt);
};

struct LeakyReLU : LayerModule {
  LeakyReLU(Module& parent, std::string name, float negative_slope = 0.01f);
};
/// One slope for all elements.
struct PReLU : Module {
  PReLU(Module& parent, std::string name, float start = 0.25f) : Module(parent, std::move(name)), start_(start) {}
  Value forward(Value x) override;

 protected:
  std::string kind() const override { return std::string(nn::PReLU::kKind); }

 private:
  float start_;
};

struct PoolOptions {
  /// The window's unless stated.
  nn::PerAxis stride = {};
  nn::Padding padding = nn::Padding::stated(0);
  bool ceil_mode = false;
};
struct MaxPool1d : LayerModule {
  MaxPool1d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options = {});
};
struct MaxPool2d : LayerModule {
  MaxPool2d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options = {});
};
struct MaxPool3d : LayerModule {
  MaxPool3d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options = {});
};
/// The border counts unless stated otherwise.
struct AvgPool1d : LayerModule {
  AvgPool1d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options = {},
            bool count_include_pad = true);
};
struct AvgPool2d : LayerModule {
  AvgPool2d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options = {},
            bool count_include_pad = true);
};
struct AvgPool3d : LayerModule {
  AvgPool3d(Module& parent, std::string name, nn::PerAxis kernel_size, PoolOptions options = {},
            bool count_include_pad = true);
};

/// Images of height × width. mode: nearest (place i of n stands at i · L/n) or bilinear.
struct Upsample : LayerModule {
  Upsample(Module& parent, std::string name, int64_t height, int64_t width, const std::string& mode = "nearest",
           bool align_corners = false);
};

}  // namespace causeway
