#include <gtest/gtest.h>

#include "causeway/nn/words.h"
#include "tests/support/rows.h"

// Along which axes the norm of a bound runs, slot by slot: those that one unit's numbers lie along.

namespace causeway {
namespace {

struct Row {
  const char* name;
  const char* input;
  const char* layer;
  const char* slot;
  std::vector<size_t> axes;
};

const Row kRows[] = {
    {"dense", "[3]", R"("kind": "dense", "units": 2, "kernel_constraint": {"max_norm": 3})", "0.weight", {0}},
    {"bias", "[3]", R"("kind": "dense", "units": 2, "bias_constraint": {"max_norm": 3})", "0.bias", {0}},
    {"convolution",
     "[5, 5, 3]",
     R"("kind": "conv2d", "filters": 2, "kernel_size": 2, "kernel_constraint": {"max_norm": 3})",
     "0.weight",
     {0, 1, 2}},
    {"transposed_convolution",
     "[5, 5, 3]",
     R"("kind": "conv2d_transpose", "filters": 2, "kernel_size": 2, "kernel_constraint": {"max_norm": 3})",
     "0.weight",
     {0, 1, 3}},
    {"depthwise_convolution",
     "[5, 5, 3]",
     R"("kind": "depthwise_conv2d", "kernel_size": 2, "depthwise_constraint": {"max_norm": 3})",
     "0.weight",
     {0, 1}},
    {"depthwise_of_a_separable",
     "[5, 3]",
     R"("kind": "separable_conv1d", "filters": 2, "kernel_size": 2, "depthwise_constraint": {"max_norm": 3})",
     "0.depthwise.weight",
     {0}},
    {"pointwise_of_a_separable",
     "[5, 3]",
     R"("kind": "separable_conv1d", "filters": 2, "kernel_size": 2, "pointwise_constraint": {"max_norm": 3})",
     "0.pointwise.weight",
     {0, 1}},
    {"recurrent",
     "[5, 3]",
     R"("kind": "gru", "units": 2, "recurrent_constraint": {"max_norm": 3})",
     "0.weight_hh_l0",
     {0}},
    {"recurrent_bias",
     "[5, 3]",
     R"("kind": "gru", "units": 2, "bias_constraint": {"max_norm": 3})",
     "0.bias_hh_l0",
     {0}},
    {"attention",
     "[5, 4]",
     R"("kind": "multi_head_attention", "num_heads": 2, "key_dim": 2, "kernel_constraint": {"max_norm": 3})",
     "0.in_proj_weight",
     {0}},
    {"embedding",
     "[3]",
     R"("kind": "embedding", "input_dim": 4, "output_dim": 2, "embeddings_constraint": {"max_norm": 3})",
     "0.weight",
     {1}},
    {"bag",
     "[3]",
     R"("kind": "embedding_bag", "input_dim": 4, "output_dim": 2, "embeddings_constraint": {"max_norm": 3})",
     "0.weight",
     {1}},
    {"table_used_both_ways",
     "[3]",
     R"("kind": "reversible_embedding", "input_dim": 4, "output_dim": 2, "embeddings_constraint": {"max_norm": 3})",
     "0.weight",
     {1}},
    {"equation",
     "[5, 3]",
     R"("kind": "einsum_dense", "equation": "abc,dce->abde", "output_shape": [null, 2, 4],
        "kernel_constraint": {"max_norm": 3})",
     "0.weight",
     {1}},
    {"batch_normalization",
     "[3]",
     R"("kind": "batch_normalization", "gamma_constraint": {"max_norm": 3})",
     "0.weight",
     {0}},
    {"layer_normalization_over_two_axes",
     "[5, 3]",
     R"("kind": "layer_normalization", "axis": [1, 2], "beta_constraint": {"max_norm": 3})",
     "0.bias",
     {0, 1}},
    {"group_normalization",
     "[5, 4]",
     R"("kind": "group_normalization", "groups": 2, "gamma_constraint": {"max_norm": 3})",
     "0.weight",
     {0}},
    {"instance_normalization",
     "[5, 4]",
     R"("kind": "instance_normalization", "beta_constraint": {"max_norm": 3})",
     "0.bias",
     {0}},
    {"prelu", "[5, 3]", R"("kind": "prelu", "alpha_constraint": {"max_norm": 3})", "0.weight", {0, 1}},
};

class Bounds : public testing::TestWithParam<Row> {};

TEST_P(Bounds, RunAlongAUnitsNumbers) {
  const SavedNetwork saved = network_of_words(
      std::string(R"({"input": )") + GetParam().input + R"(, "layers": [{)" + GetParam().layer + "}]}", "words");
  const Slots& slots = saved.network.slots();
  const Slot* slot = slots.find(GetParam().slot);
  ASSERT_TRUE(slot && slot->max_norm);
  EXPECT_EQ(slot->max_norm->limit, 3);
  EXPECT_EQ(slot->max_norm->axes, GetParam().axes);
}

INSTANTIATE_TEST_SUITE_P(NetworkSection12, Bounds, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway
