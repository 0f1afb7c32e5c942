// Settings of a layer that cannot be, each refused by a sentence when the network is built; and what only lengths or rows
// tell, refused when they are there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/answer/predict.h"
#include "causeway/nn/words.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

struct Row {
  const char* name;
  const char* input;
  const char* layer;
  const char* line;
};

const Row kRows[] = {
    {"equation_of_one_term", "[3]", R"("kind": "einsum_dense", "equation": "ab->ab", "output_shape": 3)",
     "'equation' is 'ab->ab', and an equation of x, a weight and what is made is read, such as \"abc,cd->abd\"."},
    {"equation_of_three_operands", "[3]", R"("kind": "einsum_dense", "equation": "ab,bc,cd->ad", "output_shape": 3)",
     "'equation' is 'ab,bc,cd->ad', and an equation of x, a weight and what is made is read, such as \"abc,cd->abd\"."},
    {"equation_of_another_rank", "[3]", R"("kind": "einsum_dense", "equation": "abc,cd->abd", "output_shape": [3, 3])",
     "'equation' is 'abc,cd->abd', which does not fit what it is handed, of 2 axes."},
    {"equation_of_more_letters_than_axes", "[3]",
     R"("kind": "einsum_dense", "equation": "...abc,cd->...abd", "output_shape": [3, 3, 3])",
     "'equation' is '...abc,cd->...abd', which does not fit what it is handed, of 2 axes."},
    {"equation_with_dots_inside", "[3]", R"("kind": "einsum_dense", "equation": "a...b,bc->a...c", "output_shape": 3)",
     "'equation' is 'a...b,bc->a...c', and its terms are letters, and \"...\" at an end."},
    {"equation_with_dots_on_one_side", "[3]", R"("kind": "einsum_dense", "equation": "...b,bc->ac", "output_shape": 3)",
     "'equation' is '...b,bc->ac', and \"...\" stands at the start or at the end of x, and in the same place of what "
     "is "
     "made."},
    {"equation_with_a_digit", "[3]", R"("kind": "einsum_dense", "equation": "a1,1c->ac", "output_shape": 3)",
     "'equation' is 'a1,1c->ac', and its terms are letters, and \"...\" at an end."},
    {"equation_with_a_diagonal", "[3]", R"("kind": "einsum_dense", "equation": "ab,bb->ab", "output_shape": 3)",
     "'equation' is 'ab,bb->ab', and a letter stands once in a term."},
    {"equation_summing_x_alone", "[3, 2]", R"("kind": "einsum_dense", "equation": "abc,cd->ad", "output_shape": 3)",
     "'equation' is 'abc,cd->ad', and no letter of x alone is summed over."},
    {"equation_summing_the_weight_alone", "[3]",
     R"("kind": "einsum_dense", "equation": "ab,bcd->ac", "output_shape": 3)",
     "'equation' is 'ab,bcd->ac', and each letter of the weight is one of x or of the output."},
    {"equation_making_of_nothing", "[3]", R"("kind": "einsum_dense", "equation": "ab,bc->ad", "output_shape": 3)",
     "'equation' is 'ab,bc->ad', and each letter of the weight is one of x or of the output."},
    {"equation_that_moves_the_batch", "[3]", R"("kind": "einsum_dense", "equation": "ab,bc->ca", "output_shape": 3)",
     "'equation' is 'ab,bc->ca', and the first axis is the batch, of x and of the output, and not of the weight."},
    {"equation_with_too_many_lengths", "[3]",
     R"("kind": "einsum_dense", "equation": "ab,bc->ac", "output_shape": [3, 4])",
     "'output_shape' holds 2 lengths, and 'ab,bc->ac' makes 1 beside the batch and what \"...\" stands for."},
    {"equation_with_another_length", "[5, 3]",
     R"("kind": "einsum_dense", "equation": "abc,cd->abd", "output_shape": [4, 2])",
     "'output_shape' says 4 for 'b', and it is handed [N, 5, 3]."},
    {"equation_with_an_open_length", "[3]", R"("kind": "einsum_dense", "equation": "ab,bc->ac", "output_shape": null)",
     "'output_shape' leaves the length of 'c' open, and x has none of it."},
    {"equation_with_a_bias_elsewhere", "[3]",
     R"("kind": "einsum_dense", "equation": "ab,bc->ac", "output_shape": 2, "bias_axes": "b")",
     "'bias_axes' holds 'b', which no axis of the output is."},
    {"equation_of_an_open_slot", R"(["L"])", R"("kind": "einsum_dense", "equation": "ab,bc->ac", "output_shape": 2)",
     "it depends on a length that is open here, [N, L]. Bind 'L' to a number first."},
    {"soft_cap_of_nought", "[3]",
     R"("kind": "reversible_embedding", "input_dim": 2, "output_dim": 3, "logit_soft_cap": 0)",
     "'logit_soft_cap' is 0, and it is above 0."},
    {"back_from_another_width", "[4]",
     R"("kind": "reversible_embedding", "input_dim": 2, "output_dim": 3, "reverse": true)",
     "it is handed [N, 4], and 'output_dim' is 3."},
    {"table_of_nothing", "[3]", R"("kind": "reversible_embedding", "input_dim": 0, "output_dim": 3)",
     "'input_dim' is 0, and a table has at least 1 row."},
    {"crop_of_more", "[3, 5, 1]", R"("kind": "center_crop", "height": 4, "width": 5)",
     "'height' is 4, and the image has 3 places there."},
    {"crop_of_nothing", "[3, 5, 1]", R"("kind": "center_crop", "height": 3, "width": 0)",
     "'width' is 0, and at least 1 is kept."},
    {"crop_of_a_series", "[3, 5]", R"("kind": "center_crop", "height": 3, "width": 5)",
     "it is handed [N, 3, 5], and takes images, [N, H, W, C]."},
    {"no_tokens", "[3]", R"("kind": "category_encoding", "num_tokens": 0)",
     "'num_tokens' is 0, and 1 to 16777216 are read."},
    {"cropping_past_int64", "[5, 3]", R"("kind": "cropping1d", "cropping": 4611686018427387904)",
     "'cropping' takes 4611686018427387904 and 4611686018427387904 of 5 places, and leaves none."},
    {"cropping_of_the_most", "[5, 3]", R"("kind": "cropping1d", "cropping": [3, 9223372036854775807])",
     "'cropping' takes 3 and 9223372036854775807 of 5 places, and leaves none."},
    {"cropping_of_an_image_past_int64", "[5, 3, 1]",
     R"("kind": "cropping2d", "cropping": [[1, 1], [9223372036854775807, 3]])",
     "'cropping' takes 9223372036854775807 and 3 of 3 places, and leaves none."},
    {"channels_past_int64", "[4, 4, 4]",
     R"("kind": "depthwise_conv2d", "kernel_size": 1, "depth_multiplier": 4611686018427387904)",
     "'depth_multiplier' makes a length of 4 times 4611686018427387904, which passes 2^63 - 1."},
    {"units_past_int64", "[4, 4]", R"("kind": "lstm", "units": 4611686018427387905)",
     "'units' makes a length of 4 times 4611686018427387905, which passes 2^63 - 1."},
    {"padding_past_int64", "[5, 3]", R"("kind": "zero_padding1d", "padding": 4611686018427387904)",
     "an axis of 5 is to be padded by 4611686018427387904 and 4611686018427387904, which passes 2^63 - 1."},
    {"repeats_past_int64", "[3]", R"("kind": "repeat_vector", "n": 4611686018427387904}, {"kind": "flatten")",
     "it is handed [N, 4611686018427387904, 3], and the lengths of [4611686018427387904, 3] pass 2^63 - 1 together."},
    {"reshape_past_int64", "[3]", R"("kind": "reshape", "target_shape": [4611686018427387904, 4, -1])",
     "the lengths of [4611686018427387904, 4] pass 2^63 - 1 together."},
    {"window_past_the_largest", "[1000000000, 1]", R"("kind": "conv1d", "filters": 1, "kernel_size": 500000000)",
     "the window's size is [500000000], and each is 1 to 16777216."},
    {"epsilon_of_an_encoder_below_nought", "[3, 4]",
     R"("kind": "transformer_encoder_layer", "nhead": 2, "layer_norm_eps": -1)",
     "'layer_norm_eps' is -1, and it is at least 0."},
    {"variance_below_nought", "[3]", R"("kind": "normalization", "variance": [1, -1, 1])",
     "'variance' is -1, and it is at least 0."},
    {"tokens_in_another_mode", "[3]", R"("kind": "category_encoding", "num_tokens": 2, "output_mode": "int")",
     "'output_mode' is 'int', and \"multi_hot\", \"count\" or \"one_hot\" is read."},
    {"tokens_of_a_series", "[3, 2]", R"("kind": "category_encoding", "num_tokens": 2)",
     "it is handed [N, 3, 2], and takes numbers of categories, [N, L]."},
    {"tokens_of_rows_without_a_sample", "[]", R"("kind": "category_encoding", "num_tokens": 2)",
     "it is handed [N], and takes numbers of categories, [N, L]."},
    {"no_boundaries", "[3]", R"("kind": "discretization", "bin_boundaries": [])", "'bin_boundaries' holds no number."},
    {"boundaries_that_fall", "[3]", R"("kind": "discretization", "bin_boundaries": [0, 1, 1])",
     "'bin_boundaries' holds 1, and finite numbers are read, each above the last."},
    {"bins_in_another_mode", "[3]", R"("kind": "discretization", "bin_boundaries": [0], "output_mode": "one_hot")",
     "'output_mode' is 'one_hot', and \"int\" is read."},
};

class RefusedSetting : public testing::TestWithParam<Row> {};

TEST_P(RefusedSetting, SaysWhy) {
  const std::string words =
      std::string(R"({"input": )") + GetParam().input + R"(, "layers": [{)" + GetParam().layer + "}]}";
  const std::vector<std::string> lines = tests::refusal_of([&] { network_of_words(words, "net.json"); });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], testing::EndsWith(std::string("): ") + GetParam().line));
}

INSTANTIATE_TEST_SUITE_P(NetworkSection11, RefusedSetting, testing::ValuesIn(kRows), tests::by_name);

const Row kElsewhere[] = {
    {"layer_epsilon", "[3]", R"("kind": "layer_normalization", "epsilon": -1)",
     "'epsilon' is -1, and it is at least 0."},
    {"batch_epsilon", "[3]", R"("kind": "batch_normalization", "epsilon": -1)",
     "'epsilon' is -1, and it is at least 0."},
    {"group_epsilon", "[3]", R"("kind": "instance_normalization", "epsilon": -1)",
     "'epsilon' is -1, and it is at least 0."},
    {"rms_epsilon", "[3]", R"("kind": "rms_normalization", "epsilon": -1)", "'epsilon' is -1, and it is at least 0."},
    {"momentum_of_two", "[3]", R"("kind": "batch_normalization", "momentum": 2)",
     "'momentum' is 2, and the share of the old that is kept lies in [0, 1]."},
    {"noise_shape_of_other_lengths", "[3, 2]", R"("kind": "dropout", "rate": 0.5, "noise_shape": [null, 2, 1])",
     "'noise_shape' is 2 along axis 1, and [N, 3, 2] is handed to it: 1 shares a draw, the length draws for each."},
    {"noise_shape_of_other_axes", "[3, 2]", R"("kind": "dropout", "rate": 0.5, "noise_shape": [1, 2])",
     "'noise_shape' has 2 axes, and it is handed [N, 3, 2]."},
    {"prelu_shared_past_the_last_axis", "[3, 2]", R"("kind": "prelu", "shared_axes": [1, 3])",
     "'shared_axes' is [1, 3], and axes of [N, 3, 2] are read, each once, the batch being axis 0."},
    {"open_bins", R"(["L", 2])", R"("kind": "adaptive_max_pooling1d", "output_size": 2)",
     "it depends on a length that is open here, [N, L, 2]. Bind 'L' to a number first."},
};

INSTANTIATE_TEST_SUITE_P(Elsewhere, RefusedSetting, testing::ValuesIn(kElsewhere), tests::by_name);

struct LateRow {
  const char* name;
  const char* words;
  std::vector<int64_t> lengths;
  std::vector<float> rows;
  const char* line;
};

const LateRow kLate[] = {
    {"category_past_the_last",
     R"({"input": [2], "layers": [{"kind": "category_encoding", "num_tokens": 3}]})",
     {2, 2},
     {0, 1, 3, 2},
     "the number at [1, 0] is 3, and whole numbers from 0 to 2 name the rows of this table."},
    {"category_below_nought",
     R"({"input": [2], "layers": [{"kind": "category_encoding", "num_tokens": 3, "output_mode": "one_hot"}]})",
     {1, 2},
     {0, -1},
     "the number at [0, 1] is -1, and whole numbers from 0 to 2 name the rows of this table."},
    {"cropping_that_leaves_none",
     R"({"input": ["L", 1], "layers": ["cropping1d"]})",
     {1, 2, 1},
     {1, 2},
     "layer '0' (Cropping1D), Slice: it takes no place of axis 1 of [1, 2, 1]."},
    {"slice_of_nothing",
     R"({"input": ["L", 1], "layers": [{"kind": "slice", "axis": 1, "start": 3}]})",
     {1, 3, 1},
     {1, 2, 3},
     "layer '0' (Slice), Slice: it takes no place of axis 1 of [1, 3, 1]."},
    {"series_of_no_place",
     R"({"input": ["L", 1], "layers": ["global_average_pooling1d"]})",
     {1, 0, 1},
     {},
     "input 'input': its length 'L' is 0 here, and at least 1 is taken."},
    {"transposed_convolution_that_makes_no_place",
     R"({"input": ["L", 1], "layers": [
  {"kind": "conv1d_transpose", "filters": 1, "kernel_size": 2, "padding": 1}]})",
     {1, 1, 1},
     {1},
     "and with 'L' being 1 it leaves no place."},
    {"crop_of_a_smaller_image",
     R"({"input": ["H", 2, 1], "layers": [{"kind": "center_crop", "height": 3, "width": 1}]})",
     {1, 2, 2, 1},
     {1, 2, 3, 4},
     "layer '0' (CenterCrop)"},
    {"crop_of_a_much_smaller_image",
     R"({"input": ["H", 2, 1], "layers": [{"kind": "center_crop", "height": 4, "width": 1}]})",
     {1, 1, 2, 1},
     {1, 2},
     "layer '0' (CenterCrop)"},
};

class RefusedLater : public testing::TestWithParam<LateRow> {};

TEST_P(RefusedLater, ByEachEngine) {
  const SavedNetwork saved = network_of_words(GetParam().words, "words");
  const Tensor x = Tensor::of(GetParam().lengths, GetParam().rows);
  for (const Engine* engine : engines()) {
    EXPECT_THAT(tests::refusal_of([&] { predict(saved, x, *engine); }),
                testing::ElementsAre(testing::HasSubstr(GetParam().line)))
        << engine->name();
  }
}

INSTANTIATE_TEST_SUITE_P(NetworkSection11, RefusedLater, testing::ValuesIn(kLate), tests::by_name);

}  // namespace
}  // namespace causeway
