#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "causeway/ops/op_list.h"
#include "tests/ops/type_text.h"
#include "tests/support/rows.h"

namespace causeway::ops {
namespace {

using tests::text_of_type;
using tests::type_of_text;

/// What a shape rule makes of types whose lengths are open, and of lists of lengths.
struct Row {
  std::string name;
  Op op;
  std::vector<std::string> inputs, outputs;
};

class ShapeRules : public testing::TestWithParam<Row> {};

TEST_P(ShapeRules, Follow) {
  std::vector<Type> inputs;
  for (const std::string& text : GetParam().inputs) inputs.push_back(type_of_text(text));
  std::vector<std::string> outputs;
  for (const Type& type : GetParam().op.infer(inputs)) outputs.push_back(text_of_type(type));
  EXPECT_THAT(outputs, testing::ElementsAreArray(GetParam().outputs));
}

Window window(std::vector<int64_t> size, std::vector<int64_t> stride, std::vector<int64_t> border) {
  Window made = Window::of(std::move(size));
  made.stride = std::move(stride);
  made.before = made.after = std::move(border);
  return made;
}

Window same(std::vector<int64_t> size, std::vector<int64_t> stride, std::vector<int64_t> dilation) {
  Window made = Window::of(std::move(size));
  made.stride = std::move(stride);
  made.dilation = std::move(dilation);
  made.border = Border::SameUpper;
  return made;
}

Window ceil(Window made) {
  made.ceil_mode = true;
  return made;
}

const Row kElementwise[] = {
    {"spread_both_ways", Add{}, {"float32 [N, 1, 3]", "float32 [L, 1]"}, {"float32 [N, L, 3]"}},
    {"spread_a_scalar", Mul{}, {"float32 [N, 3]", "float32 []"}, {"float32 [N, 3]"}},
    {"open_beside_a_number", Sub{}, {"float32 [N]", "float32 [3]"}, {"float32 [3]"}},
    {"two_open_lengths", Max{}, {"float32 [N]", "float32 [M]"}, {"float32 [?]"}},
    {"unknown_fits", Div{}, {"? […]", "float32 [3]"}, {"float32 […]"}},
    {"lengths_added", Add{}, {"int64 {N, 3}", "int64 {1}"}, {"int64 [2] {N+1, 4}"}},
    {"lengths_divided", Div{}, {"int64 {L, 7}", "int64 {2}!"}, {"int64 [2] {L/2, 3}"}},
    {"a_negative_is_cut_not_floored", Div{}, {"int64 {-7, 7}", "int64 {2}!"}, {"int64 [2] {?, 3}"}},
    {"exponent_of_another_dtype", Pow{}, {"float32 [2]", "int64 []"}, {"float32 [2]"}},
    {"compared", Less{}, {"float32 [N, 1]", "float32 [3]"}, {"bool [N, 3]"}},
    {"chosen", Where{}, {"bool [N, 1]", "float32 [3]", "float32 []"}, {"float32 [N, 3]"}},
    {"fused", Fma{}, {"float32 [N, 3]", "float32 [3]", "float32 []"}, {"float32 [N, 3]"}},
    {"slope_spreads_to_x", PRelu{}, {"float32 [N, 4, 3]", "float32 [4, 1]"}, {"float32 [N, 4, 3]"}},
    {"cast_keeps_lengths", Cast{.to = DType::Int32}, {"int64 {N, 3}"}, {"int32 [2] {N, 3}"}},
    {"cast_to_float", Cast{.to = DType::Float32}, {"int64 {N, 3}"}, {"float32 [2]"}},
};

const Row kProducts[] = {
    {"rows_by_a_matrix", MatMul{}, {"float32 [N, L, 3]", "float32 [3, 5]"}, {"float32 [N, L, 5]"}},
    {"transposed",
     MatMul{.transpose_a = true, .transpose_b = true},
     {"float32 [3, N]", "float32 [5, 3]"},
     {"float32 [N, 5]"}},
    {"two_lists", MatMul{}, {"float32 [3]", "float32 [3]"}, {"float32 []"}},
    {"a_row_by_matrices", MatMul{}, {"float32 [3]", "float32 [N, 3, 5]"}, {"float32 [N, 5]"}},
    {"matrices_by_a_column", MatMul{}, {"float32 [N, 5, 3]", "float32 [3]"}, {"float32 [N, 5]"}},
    {"batches_spread", MatMul{}, {"float32 [N, 1, 2, 3]", "float32 [7, 3, 4]"}, {"float32 [N, 7, 2, 4]"}},
    {"sum_of_one_axis", Reduce{.axes = {-1}}, {"float32 [N, L, 3]"}, {"float32 [N, L]"}},
    {"sum_kept", Reduce{.axes = {0, 2}, .keepdims = true}, {"float32 [N, L, 3]"}, {"float32 [1, L, 1]"}},
    {"sum_of_all", Reduce{}, {"float32 [N, L, 3]"}, {"float32 []"}},
    {"sum_of_all_without_a_rank", Reduce{}, {"float32 […]"}, {"float32 []"}},
    {"product_of_lengths", Reduce{.kind = ReduceKind::Prod, .axes = {0}}, {"int64 {N, 3, 4}"}, {"int64 [] {12*N}"}},
    {"summed_back", SumTo{}, {"float32 [N, L, 3]", "int64 {L, 1}"}, {"float32 [L, 1]"}},
    {"squares_summed", SumSquares{}, {"float32 [N, 3]"}, {"float64 []"}},
    {"place_of_the_largest", ArgMax{.axis = -1, .keepdims = false}, {"float32 [N, L]"}, {"int64 [N]"}},
};

const Row kWindows[] = {
    {"conv_of_an_open_length",
     Conv{.window = window({3}, {2}, {1})},
     {"float32 [N, L, 4]", "float32 [3, 4, 8]"},
     {"float32 [N, (L-1)/2+1, 8]"}},
    {"conv_same_of_an_open_length",
     Conv{.window = same({3}, {2}, {1})},
     {"float32 [N, L, 4]", "float32 [3, 4, 8]"},
     {"float32 [N, (L-1)/2+1, 8]"}},
    {"conv_channels_first",
     Conv{.window = window({3, 3}, {1, 1}, {1, 1}), .groups = 2, .layout = Layout::ChannelsFirst},
     {"float32 [N, 4, H, W]", "float32 [6, 2, 3, 3]", "float32 [6]"},
     {"float32 [N, 6, H, W]"}},
    {"conv_of_an_unknown",
     Conv{.window = window({3}, {1}, {0})},
     {"? […]", "float32 [3, 4, 8]"},
     {"float32 [?, ?, 8]"}},
    {"conv_input_gradient",
     ConvInputGradient{.window = window({3}, {2}, {0})},
     {"float32 [N, 3, 8]", "float32 [3, 4, 8]", "int64 {N, 8, 4}"},
     {"float32 [N, 8, 4]"}},
    {"conv_weight_gradient",
     ConvWeightGradient{.window = window({3}, {2}, {0})},
     {"float32 [N, 8, 4]", "float32 [N, 3, 8]", "int64 {3, 4, 8}"},
     {"float32 [3, 4, 8]"}},
    {"pool_floor", MaxPool{.window = window({2}, {2}, {0})}, {"float32 [N, 5, 3]"}, {"float32 [N, 2, 3]"}},
    {"pool_ceil", MaxPool{.window = ceil(window({2}, {2}, {0}))}, {"float32 [N, 5, 3]"}, {"float32 [N, 3, 3]"}},
    {"pool_ceil_drops_a_window_in_the_border",
     MaxPool{.window = ceil(window({2}, {3}, {1}))},
     {"float32 [N, 5, 3]"},
     {"float32 [N, 2, 3]"}},
    {"pool_ceil_of_an_open_length",
     MaxPool{.window = ceil(window({2}, {2}, {0}))},
     {"float32 [N, L, 3]"},
     {"float32 [N, ?, 3]"}},
    {"average_pool_gradient",
     AveragePoolGradient{.window = window({2}, {2}, {0})},
     {"float32 [N, 2, 3]", "int64 {N, 5, 3}"},
     {"float32 [N, 5, 3]"}},
};

const Row kNormalizations[] = {
    {"batch_norm_tells_channels",
     BatchNorm{},
     {"float32 [N, L, ?]", "float32 [3]", "float32 [3]", "float32 [3]", "float32 [3]"},
     {"float32 [N, L, 3]"}},
    {"batch_norm_training",
     BatchNormTraining{.axis = 1},
     {"float32 [N, 3, H, W]", "float32 [3]", "float32 [3]"},
     {"float32 [N, 3, H, W]", "float32 [3]", "float32 [3]"}},
    {"layer_norm_over_two_axes",
     LayerNorm{.axes = {-2, -1}},
     {"float32 [N, 4, 3]", "float32 [4, 3]"},
     {"float32 [N, 4, 3]"}},
    {"softmax", Softmax{}, {"float32 [N, L]"}, {"float32 [N, L]"}},
    {"dropout", Dropout{}, {"float32 [N, L]"}, {"float32 [N, L]"}},
    {"draws", RandomUniform{.purpose = "dropout:1"}, {"int64 []", "int64 []", "int64 {N, 3}"}, {"float32 [N, 3]"}},
};

const Row kMoves[] = {
    {"concat", Concat{.axis = -1}, {"float32 [N, L, 3]", "float32 [N, L, M]"}, {"float32 [N, L, M+3]"}},
    {"concat_tells_the_others", Concat{.axis = 1}, {"float32 [?, 2]", "float32 [4, 3]"}, {"float32 [4, 5]"}},
    {"concat_of_lengths", Concat{.axis = 0}, {"int64 {N}", "int64 {-1, 3}"}, {"int64 [3] {N, -1, 3}"}},
    {"split", Split{.axis = 1}, {"float32 [N, 5]", "int64 {2, 3}"}, {"float32 [N, 2]", "float32 [N, 3]"}},
    {"split_by_open_lengths",
     Split{.axis = 1},
     {"float32 [N, L+3]", "int64 {L, 3}"},
     {"float32 [N, L]", "float32 [N, 3]"}},
    {"slice", Slice{}, {"float32 [N, 10]", "int64 {1}", "int64 {-1}", "int64 {1}", "int64 {3}"}, {"float32 [N, 3]"}},
    {"slice_clamped", Slice{}, {"float32 [N, 10]", "int64 {-20}", "int64 {20}", "int64 {1}"}, {"float32 [N, 10]"}},
    {"slice_backwards",
     Slice{},
     {"float32 [N, 5]", "int64 {-1}", "int64 {-9223372036854775807}", "int64 {1}", "int64 {-2}"},
     {"float32 [N, 3]"}},
    {"slice_of_an_open_length",
     Slice{},
     {"float32 [N, L]", "int64 {1}", "int64 {9223372036854775807}", "int64 {1}"},
     {"float32 [N, L-1]"}},
    {"slice_to_an_open_length", Slice{}, {"float32 [N, L]", "int64 {0}", "int64 {L}", "int64 {1}"}, {"float32 [N, L]"}},
    {"slice_that_may_be_clamped",
     Slice{},
     {"float32 [N, L]", "int64 {0}", "int64 {5}", "int64 {1}"},
     {"float32 [N, ?]"}},
    {"slice_of_lengths", Slice{}, {"int64 {N, 3, 4}", "int64 {1}", "int64 {3}"}, {"int64 [2] {3, 4}"}},
    {"slice_from_unknown_places",
     Slice{},
     {"float32 [N, 4]", "int64 [1]", "int64 [1]", "int64 {1}"},
     {"float32 [N, ?]"}},
    {"slice_gradient",
     SliceGradient{},
     {"float32 [N, 3]", "int64 {N, 10}", "int64 {1}", "int64 {4}", "int64 {1}"},
     {"float32 [N, 10]"}},
    {"pad", Pad{}, {"float32 [N, 4]", "int64 {0, 1, 0, -2}"}, {"float32 [N, 3]"}},
    {"pad_reflect_to_the_last", Pad{.mode = PadMode::Reflect}, {"float32 [4]", "int64 {3, 3}"}, {"float32 [10]"}},
    {"pad_wrap_the_whole", Pad{.mode = PadMode::Wrap}, {"float32 [4]", "int64 {4, 4}"}, {"float32 [12]"}},
    {"gather_rows", Gather{}, {"float32 [9, 4]", "int64 [N, L]"}, {"float32 [N, L, 4]"}},
    {"gather_a_length", Gather{}, {"int64 {N, 3, L}", "int64 {-1}!"}, {"int64 [] {L}"}},
    {"gather_lengths", Gather{}, {"int64 {N, 3, L}", "int64 {2, 0}"}, {"int64 [2] {L, N}"}},
    {"gather_out_of_range_is_left_to_run", Gather{}, {"int64 {N, 3}", "int64 {4}!"}, {"int64 []"}},
    {"scatter_add", ScatterAdd{}, {"int64 [N]", "float32 [N, 4]", "int64 {9, 4}"}, {"float32 [9, 4]"}},
    {"expand", Expand{}, {"float32 [3, 1]", "int64 {N, 1, 4}"}, {"float32 [N, 3, 4]"}},
    {"tile", Tile{}, {"float32 [N, 3]", "int64 {1, 4}"}, {"float32 [N, 12]"}},
    {"transpose", Transpose{.axes = {0, 2, 1}}, {"float32 [N, L, 3]"}, {"float32 [N, 3, L]"}},
    {"transpose_backwards", Transpose{}, {"float32 [N, L, 3]"}, {"float32 [3, L, N]"}},
};

const Row kShapes[] = {
    {"shape_of", ShapeOf{}, {"float32 [N, 3, L/2]"}, {"int64 [3] {N, 3, L/2}"}},
    {"shape_of_some", ShapeOf{.start = -2, .end = 9}, {"float32 [N, 3, 4]"}, {"int64 [2] {3, 4}"}},
    {"shape_of_none", ShapeOf{.start = 2, .end = 1}, {"float32 [N, 3, 4]"}, {"int64 [0] {}"}},
    {"reshape", Reshape{}, {"float32 [2, 3, 4]", "int64 {0, -1}"}, {"float32 [2, 12]"}},
    {"reshape_copies_and_counts", Reshape{}, {"float32 [2, 3, 4]", "int64 {2, 0, -1}"}, {"float32 [2, 3, 4]"}},
    {"reshape_keeps_an_open_batch", Reshape{}, {"float32 [N, 3, 4]", "int64 {0, -1}"}, {"float32 [N, 12]"}},
    {"reshape_keeps_an_empty_batch", Reshape{}, {"float32 [0, 3, 4]", "int64 {0, -1}"}, {"float32 [0, 12]"}},
    {"reshape_joins_an_open_batch", Reshape{}, {"float32 [N, L, 4]", "int64 {-1, 4}"}, {"float32 [L*N, 4]"}},
    {"reshape_by_lengths_followed", Reshape{}, {"float32 [N, L, 8]", "int64 {N, L, 2, 4}"}, {"float32 [N, L, 2, 4]"}},
    {"reshape_by_an_unknown_list", Reshape{}, {"float32 [N, 3]", "int64 [2]"}, {"float32 [?, ?]"}},
    {"reshape_to_nothing", Reshape{.allow_zero = true}, {"float32 [0, 3]", "int64 {3, 0}"}, {"float32 [3, 0]"}},
    {"reshape_of_a_length", Reshape{}, {"int64 {N}!", "int64 {1}"}, {"int64 [1] {N}"}},
    {"flatten", Flatten{}, {"float32 [N, 3, 4]"}, {"float32 [N, 12]"}},
    {"flatten_to_one_row", Flatten{.axis = 0}, {"float32 [2, 3]"}, {"float32 [1, 6]"}},
    {"flatten_to_one_column", Flatten{.axis = 2}, {"float32 [2, 3]"}, {"float32 [6, 1]"}},
    {"squeeze", Squeeze{.axes = {-1}}, {"float32 [N, 1, 1]"}, {"float32 [N, 1]"}},
    {"squeeze_all_ones", Squeeze{}, {"float32 [1, 3, 1]"}, {"float32 [3]"}},
    {"squeeze_of_open_lengths", Squeeze{}, {"float32 [N, 1]"}, {"float32 […]"}},
    {"squeeze_of_a_length", Squeeze{.axes = {0}}, {"int64 {N}"}, {"int64 [] {N}"}},
    {"unsqueeze", Unsqueeze{.axes = {1, -1}}, {"float32 [N, 3]"}, {"float32 [N, 1, 3, 1]"}},
    {"unsqueeze_of_a_length", Unsqueeze{.axes = {0}}, {"int64 {N}!"}, {"int64 [1] {N}"}},
    {"range", Range{}, {"int64 {1}!", "int64 {8}!", "int64 {3}!"}, {"int64 [3] {1, 4, 7}"}},
    {"range_of_none", Range{}, {"int64 {8}!", "int64 {1}!", "int64 {3}!"}, {"int64 [0] {}"}},
    {"range_of_an_open_length", Range{}, {"int64 {0}!", "int64 {L}!", "int64 {1}!"}, {"int64 [L]"}},
    {"constant_of_shape", ConstantOfShape{}, {"int64 {N, 3}"}, {"float32 [N, 3]"}},
    {"constant_of_lengths", ConstantOfShape{.value = 1, .dtype = DType::Int64}, {"int64 {2}"}, {"int64 [2] {1, 1}"}},
};

INSTANTIATE_TEST_SUITE_P(Elementwise, ShapeRules, testing::ValuesIn(kElementwise), tests::by_name);
INSTANTIATE_TEST_SUITE_P(Products, ShapeRules, testing::ValuesIn(kProducts), tests::by_name);
INSTANTIATE_TEST_SUITE_P(Windows, ShapeRules, testing::ValuesIn(kWindows), tests::by_name);
INSTANTIATE_TEST_SUITE_P(Normalizations, ShapeRules, testing::ValuesIn(kNormalizations), tests::by_name);
INSTANTIATE_TEST_SUITE_P(Moves, ShapeRules, testing::ValuesIn(kMoves), tests::by_name);
INSTANTIATE_TEST_SUITE_P(Shapes, ShapeRules, testing::ValuesIn(kShapes), tests::by_name);

}  // namespace
}  // namespace causeway::ops
