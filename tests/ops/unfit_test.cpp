#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "causeway/ops/op_list.h"
#include "tests/ops/type_text.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::ops {
namespace {

using tests::type_of_text;

/// What a shape rule says of types that it cannot take.
struct Row {
  std::string name;
  Op op;
  std::vector<std::string> inputs;
  std::string sentence;
};

class Unfitting : public testing::TestWithParam<Row> {};

TEST_P(Unfitting, IsSaid) {
  std::vector<Type> inputs;
  for (const std::string& text : GetParam().inputs) inputs.push_back(type_of_text(text));
  EXPECT_EQ(tests::unfit_of([&] { GetParam().op.infer(inputs); }), GetParam().sentence);
}

Window pooled(int64_t size, int64_t stride, int64_t border, int64_t dilation = 1) {
  Window made = Window::of({size});
  made.stride = {stride};
  made.dilation = {dilation};
  made.before = made.after = {border};
  return made;
}

const Row kRows[] = {
    {"no_operand", Add{}, {"float32 [2]"}, "it has 1 input, and 2 inputs are expected."},
    {"too_many", Slice{}, {"float32 [2]"}, "it has 1 input, and 3 to 5 inputs are expected."},
    {"two_dtypes",
     Add{},
     {"float32 [2]", "int64 [2]"},
     "its operands are float32 and int64, and one dtype is expected."},
    {"no_spread",
     Add{},
     {"float32 [2, 3]", "float32 [4]"},
     "[2, 3] and [4] do not broadcast: counted from the last axis, two lengths are the same or one is 1."},
    {"sum_of_truths",
     Add{},
     {"bool [2]", "bool [2]"},
     "its first operand is bool, and a floating or integer dtype is expected."},
    {"and_of_numbers", And{}, {"float32 [2]", "bool [2]"}, "its first operand is float32, and bool is expected."},
    {"function_of_integers", Exp{}, {"int64 [2]"}, "x is int64, and a floating dtype is expected."},
    {"condition_of_numbers",
     Where{},
     {"float32 [2]", "float32 [2]", "float32 [2]"},
     "the condition is float32, and bool is expected."},
    {"slope_wider_than_x",
     PRelu{},
     {"float32 [3]", "float32 [2, 3]"},
     "the slope is [2, 3], which does not spread to [3]."},
    {"celu_of_nothing", Celu{.alpha = 0}, {"float32 [3]"}, "'alpha' is 0, and x is divided by it."},
    {"softmax_axis", Softmax{.axis = 2}, {"float32 [2, 3]"}, "'axis' is 2, and the range here is [-2, 1]."},
    {"axis_twice", Reduce{.axes = {1, -1}}, {"float32 [2, 3]"}, "'axes' names axis 1 twice."},
    {"largest_of_none", ArgMax{.axis = 1}, {"float32 [2, 0]"}, "axis 1 of [2, 0] has no place."},
    {"product",
     MatMul{},
     {"float32 [N, 3]", "float32 [4, 5]"},
     "the operands are [N, 3] and [4, 5], and 3 columns meet 4 rows."},
    {"product_of_scalars",
     MatMul{},
     {"float32 []", "float32 [4, 5]"},
     "an operand is a scalar, and a product of matrices has rank 1 or more."},
    {"conv_bias",
     Conv{.window = Window::of({1, 1}), .layout = Layout::ChannelsFirst},
     {"float32 [1, 3, 2, 2]", "float32 [4, 3, 1, 1]", "float32 [1]"},
     "its bias is [1], and 4 channels are made."},
    {"conv_channels",
     Conv{.window = Window::of({1}), .groups = 2},
     {"float32 [1, 3, 3]", "float32 [1, 2, 4]"},
     "x has 3 channels, and the weight reads 2 in each of 2 groups."},
    {"conv_groups",
     Conv{.window = Window::of({1}), .groups = 3},
     {"float32 [1, 3, 3]", "float32 [1, 1, 4]"},
     "4 channels are made, which do not fall into 3 groups."},
    {"conv_taps",
     Conv{.window = Window::of({2})},
     {"float32 [1, 3, 3]", "float32 [3, 3, 4]"},
     "a length of the weight is 3, and the window's size there is 2."},
    {"conv_makes_none",
     Conv{.window = Window::of({3})},
     {"float32 [1, 2, 3]", "float32 [3, 3, 4]"},
     "the window reaches over 3 cells, and the input has 2 with a border of 0 and 0."},
    {"conv_of_a_scalar_weight",
     Conv{.window = Window::of({3})},
     {"float32 [1, 2, 3]", "float32 []"},
     "the weight is [], and rank 3 is expected."},
    {"window_lists_differ",
     MaxPool{.window = {.size = {2, 2}, .stride = {1}}},
     {"float32 [1, 4, 4, 1]"},
     "the window's stride is [1], and 2 numbers are expected."},
    {"window_stands_still",
     MaxPool{.window = pooled(2, 0, 0)},
     {"float32 [1, 4, 1]"},
     "the window's stride is [0], and each is 1 to 16777216."},
    {"pool_of_border_alone",
     MaxPool{.window = pooled(2, 2, 2)},
     {"float32 [1, 5, 1]"},
     "a window over 5 cells of place axis 0 reads border alone, which has no value to pool. Make the border smaller "
     "than "
     "the window."},
    {"pool_that_steps_over_the_input",
     MaxPool{.window = pooled(2, 1, 1, 3)},
     {"float32 [1, 2, 1]"},
     "a window over 2 cells of place axis 0 reads border alone, which has no value to pool. Make the border smaller "
     "than "
     "the window."},
    {"transposed_conv_of_other_length",
     ConvInputGradient{.window = Window::of({3})},
     {"float32 [1, 4, 2]", "float32 [3, 1, 2]", "int64 {1, 9, 1}"},
     "the window makes [1, 7, 2] of [1, 9, 1], and dy is [1, 4, 2]."},
    {"batch_norm_channels",
     BatchNorm{},
     {"float32 [N, 4]", "float32 [3]", "float32 [3]", "float32 [3]", "float32 [3]"},
     "the number of channels is 4, and the length of a list over them is 3."},
    {"batch_norm_of_one_value",
     BatchNormTraining{.at_least_two = true},
     {"float32 [1, 4]"},
     "x is [1, 4], one value a channel, whose spread cannot be measured. Train on batches of two rows or more."},
    {"layer_norm_of_one_number",
     LayerNorm{.axes = {-2, -1}, .single = SingleNumber::Refused},
     {"float32 [N, 4, 1, 1]"},
     "it normalizes a single number, which has no spread, and training refuses that. Hand it two places or more."},
    {"step_counts_of_floats",
     StepCounts{},
     {"float32 [N]", "int64 {5}"},
     "lengths is float32, and int64 or int32 is expected."},
    {"layer_norm_weight", LayerNorm{}, {"float32 [N, 4]", "float32 [3]"}, "its weight is [3], and [4] is expected."},
    {"attention_heads",
     Attention{.heads = 3, .kv_heads = 2},
     {"float32 [1, 2, 6]", "float32 [1, 2, 4]", "float32 [1, 2, 4]"},
     "'heads' is 3 and 'kv_heads' is 2, and 1 to 65536 heads, a multiple of kv_heads, are expected."},
    {"attention_channels",
     Attention{.heads = 4, .kv_heads = 4},
     {"float32 [N, L, 6]", "float32 [N, L, 8]", "float32 [N, L, 8]"},
     "q has 6 channels, which do not fall into 4 heads."},
    {"attention_widths",
     Attention{.heads = 2, .kv_heads = 1},
     {"float32 [N, L, 6]", "float32 [N, L, 4]", "float32 [N, L, 8]"},
     "the width of a head of q is 3, and the width of a head of k is 4."},
    {"attention_values",
     Attention{},
     {"float32 [N, 2, 6]", "float32 [N, 3, 6]", "float32 [N, 4, 8]"},
     "the number of keys is 3, and the number of values is 4."},
    {"attention_mask",
     Attention{},
     {"float32 [N, 2, 6]", "float32 [N, 3, 6]", "float32 [N, 3, 8]", "bool [N, 2]"},
     "mask is [N, 2], and [N, 3] is expected."},
    {"attention_mask_of_numbers",
     Attention{},
     {"float32 [N, 2, 6]", "float32 [N, 3, 6]", "float32 [N, 3, 8]", "float32 [N, 3]"},
     "mask is float32, and bool is expected."},
    {"attention_mask_by_query",
     Attention{},
     {"float32 [N, 2, 6]", "float32 [N, 3, 6]", "float32 [N, 3, 8]", "bool [N, 3]", "bool [3, 2]"},
     "attention_mask is [3, 2], and [2, 3] is expected."},
    {"attention_dropped",
     Attention{.dropout_rate = -1},
     {"float32 [N, 2, 6]", "float32 [N, 3, 6]", "float32 [N, 3, 8]"},
     "'dropout_rate' is -1, and 0 to 1 is expected."},
    {"dropout_rate", Dropout{.rate = 1.5f}, {"float32 [2]"}, "'rate' is 1.5, and 0 to 1 is expected."},
    {"concat_of_none", Concat{}, {}, "it has no input, and one or more are expected."},
    {"concat_of_other_lengths",
     Concat{.axis = 1},
     {"float32 [2, 3]", "float32 [4, 3]"},
     "it puts [2, 3] and [4, 3] side by side along axis 1, and their other lengths differ."},
    {"split_of_another_length",
     Split{.axis = 1},
     {"float32 [N, 5]", "int64 {2, 2}"},
     "'lengths' is [2, 2], which makes 4, and axis 1 of [N, 5] has 5."},
    {"split_into_unknown",
     Split{.axis = 1},
     {"float32 [N, 5]", "int64 [?]"},
     "how many lengths it splits into is not known."},
    {"slice_without_step",
     Slice{},
     {"float32 [5]", "int64 {0}", "int64 {5}", "int64 {0}", "int64 {0}"},
     "'steps' holds a 0."},
    {"slice_lists_differ",
     Slice{},
     {"float32 [5]", "int64 {0}", "int64 {5, 5}"},
     "the number of ranges is 1, and ends is 2."},
    {"reflect_past_the_end",
     Pad{.mode = PadMode::Reflect},
     {"float32 [3]", "int64 {4, 0}"},
     "an axis of 3 is to be padded by 4 cells in mode 'reflect', which has not as many to copy."},
    {"pads_of_another_rank",
     Pad{},
     {"float32 [3, 3]", "int64 {1, 1}"},
     "the number of pads is 2, and twice the rank is 4."},
    {"cropped_to_less_than_none", Pad{}, {"float32 [3]", "int64 {-2, -2}"}, "'pads' takes -2 and -2 off an axis of 3."},
    {"gather_by_floats",
     Gather{},
     {"float32 [3]", "float32 [1]"},
     "indices is float32, and int64 or int32 is expected."},
    {"reshape_count",
     Reshape{},
     {"float32 [2, 3]", "int64 {4}"},
     "x is [2, 3], and [4] has another number of elements."},
    {"reshape_rest", Reshape{}, {"float32 [2, 3]", "int64 {4, -1}"}, "[2, 3] does not fall into parts of 4."},
    {"reshape_two_open",
     Reshape{},
     {"float32 [2, 3, 4]", "int64 {-1, -1}"},
     "'lengths' is [-1, -1], and one -1 can be worked out."},
    {"reshape_copies_past_the_end",
     Reshape{},
     {"float32 [2, 3, 4]", "int64 {0, 0, 0, 0}"},
     "'lengths' is [0, 0, 0, 0], whose 0 at place 3 copies a length, and x is [2, 3, 4]."},
    {"reshape_zero_beside_open",
     Reshape{.allow_zero = true},
     {"float32 [2, 3, 4]", "int64 {0, -1}"},
     "'lengths' is [0, -1], and beside a 0 that means 0 no -1 can stand."},
    {"reshape_below_minus_one",
     Reshape{},
     {"float32 [2]", "int64 {-2}"},
     "'lengths' is [-2], and no length is negative."},
    {"reshape_to_many_axes",
     Reshape{},
     {"float32 [2]", "int64 [1000000000]"},
     "'lengths' names 1000000000 axes, and 64 are the most."},
    {"flatten_axis", Flatten{.axis = 3}, {"float32 [2, 3]"}, "'axis' is 3, and the range here is [-2, 2]."},
    {"transpose_order",
     Transpose{.axes = {0, 0}},
     {"float32 [2, 3]"},
     "'axes' is [0, 0], and each of 0 to 1 is expected once."},
    {"squeeze_of_two", Squeeze{.axes = {0}}, {"float32 [2, 3]"}, "axis 0 of [2, 3] is to go, and its length is not 1."},
    {"expand_to_a_negative", Expand{}, {"float32 [2]", "int64 {-1}"}, "lengths is [-1], and no length is negative."},
    {"tile_rank", Tile{}, {"float32 [2, 3]", "int64 {2}"}, "'repeats' has 1 numbers, and x is [2, 3]."},
    {"range_without_step",
     Range{},
     {"int64 {0}!", "int64 {3}!", "int64 {0}!"},
     "'delta' is 0, and a range of such steps does not end."},
};

INSTANTIATE_TEST_SUITE_P(Rows, Unfitting, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway::ops
