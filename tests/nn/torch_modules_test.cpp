#include "causeway/nn/torch_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "causeway/answer/predict.h"
#include "causeway/ops/layer_norm.h"
#include "tests/support/rows.h"

// Where PyTorch's defaults and Keras's differ, the modules named as PyTorch's take PyTorch's.

namespace causeway {
namespace {

/// One module by itself, at the path "m".
template <class M>
struct Alone : Module {
  template <class... Args>
  explicit Alone(Args&&... args) : part(*this, "m", std::forward<Args>(args)...) {}
  M part;
  Value forward(Value x) override { return part(x); }
};

template <class M, class... Args>
Network alone(std::vector<Dim> input, Args&&... args) {
  return trace(Alone<M>(std::forward<Args>(args)...), std::move(input), 7);
}

/// What a module answers to 1, 2, 3 …
struct Row {
  const char* name;
  std::function<Network()> make;
  std::vector<int64_t> input, output;
  std::vector<double> expected;
};

const Row kRows[] = {
    {"leaky_slope", [] { return alone<LeakyReLU>({2}); }, {-2, 1, 2}, {1, 2}, {-0.01, -0.02}},
    {"one_prelu_share",
     [] {
       return alone<PReLU>({2, 1});
     },
     {-2, 1, 2, 1},
     {1, 2, 1},
     {-0.25, -0.5}},
    {"average_counts_its_border",
     [] {
       return alone<AvgPool1d>({3, 1}, 2, PoolOptions{.padding = nn::Padding::stated(1)});
     },
     {2, 1, 3, 1},
     {1, 2, 1},
     {0.5, 2.5}},
    {"stride_is_the_kernels",
     [] {
       return alone<MaxPool1d>({6, 1}, 3);
     },
     {2, 1, 6, 1},
     {1, 2, 1},
     {3, 6}},
    {"nearest_is_asymmetric",
     [] {
       return alone<Upsample>({1, 6, 1}, 1, 4);
     },
     {2, 1, 1, 6, 1},
     {1, 1, 4, 1},
     {1, 2, 4, 5}},
    {"bilinear_is_half_pixel",
     [] {
       return alone<Upsample>({1, 6, 1}, 1, 4, "bilinear");
     },
     {2, 1, 1, 6, 1},
     {1, 1, 4, 1},
     {1.25, 2.75, 4.25, 5.75}},
    {"instance_norm_without_slots",
     [] {
       return alone<InstanceNorm>({2, 1});
     },
     {2, 1, 2, 1},
     {1, 2, 1},
     {-0.5 / std::sqrt(0.25 + 1e-5), 0.5 / std::sqrt(0.25 + 1e-5)}},
    {"group_norm_epsilon",
     [] { return alone<GroupNorm>({2}, 1); },
     {2, 1, 2},
     {1, 2},
     {-0.5 / std::sqrt(0.25 + 1e-5), 0.5 / std::sqrt(0.25 + 1e-5)}},
};

class TorchModule : public testing::TestWithParam<Row> {};

// The first number of a row's `input` is the sign and size of the step: 2 for 1, 2, 3 …, -2 for -1, -2, -3 …
TEST_P(TorchModule, TakesPytorchsDefaults) {
  const SavedNetwork saved{.network = GetParam().make()};
  const std::vector<int64_t> lengths(GetParam().input.begin() + 1, GetParam().input.end());
  Tensor x(DType::Float32, lengths);
  for (int64_t i = 0; i < x.size(); ++i) {
    x.mutable_values<float>()[static_cast<size_t>(i)] = static_cast<float>((i + 1) * GetParam().input[0] / 2);
  }
  const Tensor y = predict(saved, x);
  ASSERT_EQ(y.lengths(), GetParam().output);
  for (int64_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(y.number_at(i), GetParam().expected[static_cast<size_t>(i)], 1e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(NetworkSection14, TorchModule, testing::ValuesIn(kRows), tests::by_name);

TEST(NetworkSection14Modules, TransposedConvolutionsEndWithTheLastTap) {
  const auto length = [](const Network& network) { return network.outputs()[0].value.shape().text(); };
  EXPECT_EQ(length(alone<ConvTranspose1d>({3, 1}, 2, 2, ConvTransposeOptions{.stride = 3})), "[N, 8, 2]");
  EXPECT_EQ(length(alone<ConvTranspose2d>({3, 3, 1}, 1, 3, ConvTransposeOptions{.stride = 2, .output_padding = 1})),
            "[N, 8, 8, 1]");
  EXPECT_EQ(length(alone<ConvTranspose3d>({2, 2, 2, 1}, 1, 2)), "[N, 3, 3, 3, 1]");
}

TEST(NetworkSection14Modules, RmsNormTakesFloat32sOwnEpsilon) {
  const Network network = alone<RMSNorm>({4});
  for (const Node* node : network.graph().nodes()) {
    const auto* norm = node->op.as<ops::LayerNorm>();
    EXPECT_TRUE(!norm || norm->epsilon == 0x1p-23f);
  }
}

TEST(NetworkSection14Modules, EmbeddingsStartFromAStandardNormal) {
  Network network = alone<Embedding>({}, 100, 20, 3);
  const Tensor& rows = network.slots().at("m.weight").numbers;
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < rows.size(); ++i) {
    sum += rows.number_at(i);
    squares += rows.number_at(i) * rows.number_at(i);
    EXPECT_TRUE(i / 20 != 3 || rows.number_at(i) == 0);
  }
  EXPECT_NEAR(sum / 1980, 0, 0.1);
  EXPECT_NEAR(squares / 1980, 1, 0.1);
  EXPECT_EQ(alone<EmbeddingBag>({5}, 4, 2, "max").outputs()[0].value.shape().text(), "[N, 2]");
}

// Fans as PyTorch counts them: window × in/groups, of a transposed weight window × out/groups.
TEST(NetworkSection12TorchUniform, CountsTheChannelsThatAFilterReads) {
  const auto widest = [](Network network, const char* slot) {
    const Tensor& numbers = network.slots().at(slot).numbers;
    double most = 0;
    for (int64_t i = 0; i < numbers.size(); ++i) most = std::max(most, std::abs(numbers.number_at(i)));
    return most;
  };
  const auto expect_bound = [](double widest, double fan) {
    EXPECT_LE(widest, 1 / std::sqrt(fan));
    EXPECT_GT(widest, 0.9 / std::sqrt(fan));
  };
  expect_bound(widest(alone<ConvTranspose1d>({3, 16}, 8, 4, ConvTransposeOptions{.groups = 2}), "m.weight"), 4 * 4);
  nn::DepthwiseConv<1> depthwise;
  depthwise.kernel_size = 4;
  depthwise.depthwise_initializer = depthwise.bias_initializer = {.word = "torch_uniform"};
  const auto make = [&] { return alone<LayerModule>({5, 32}, nn::Layer(depthwise)); };
  expect_bound(widest(make(), "m.weight"), 4);
  expect_bound(widest(make(), "m.bias"), 4);
}

}  // namespace
}  // namespace causeway
