#pragma once

#include <string>
#include <vector>

#include "causeway/nn/saved_network.h"
#include "causeway/ops/recurrent.h"
#include "causeway/tensor/tensor.h"

// Networks as they come from ONNX, for this folder's tests and the benchmarks: channels first, N rows.

namespace causeway::samples {

/// Numbers around 0, the same for the same seed.
Tensor random_tensor(std::vector<int64_t> lengths, uint64_t seed, float size = 1);

/// Dense layers with relu between them, over rows of sizes[0] numbers.
SavedNetwork mlp(const std::vector<int64_t>& sizes);
/// 28 x 28 images: two convolutions of 3 x 3 with pooling, two dense layers, 10 classes.
SavedNetwork cnn28();
/// 3 x 32 x 32 images: a stem, residual blocks of two convolutions of 3 x 3, 10 classes.
SavedNetwork resnet(const std::vector<int64_t>& widths, int64_t blocks_each);
/// Inverted residual blocks with depthwise convolutions and relu6.
SavedNetwork mobilenet();
/// Series: two recurrent layers, a dense one on the last step, 10 classes.
SavedNetwork recurrent(const ops::Recurrent& op, int64_t steps, int64_t channels, int64_t hidden);
/// Series: two layers of attention by one head and dense layers with gelu, normalized behind, 10 classes.
SavedNetwork encoder(int64_t steps, int64_t width);
/// 3 x 9 x 9 images: convolutions of fewer channels than stand together in a block, behind one another; in groups,
/// depthwise and dilated ones among them.
SavedNetwork narrow();

/// What the network is answered and trained with.
std::vector<int64_t> row_lengths(const SavedNetwork& saved);
Tensor answers_for(const SavedNetwork& saved, int64_t rows);

}  // namespace causeway::samples
