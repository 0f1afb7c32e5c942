#pragma once

// ops/ says what each op is: its settings, its shape rule and its gradient rule, with what stands for it in a training
// step and how it turns where it has these. An op and the ops made for its gradient alone share a file, and so do
// families that differ in a formula (arithmetic, comparison, logic, elementary, rounding). No kernel stands here
// (reference/ and engine/ have them), and no file format. This header names every op; build.h writes them as formulas.

#include <optional>
#include <span>
#include <string_view>

#include "causeway/ops/arg_max.h"
#include "causeway/ops/arithmetic.h"
#include "causeway/ops/attention.h"
#include "causeway/ops/average_pool.h"
#include "causeway/ops/batch_norm.h"
#include "causeway/ops/cast.h"
#include "causeway/ops/celu.h"
#include "causeway/ops/clip.h"
#include "causeway/ops/comparison.h"
#include "causeway/ops/concat.h"
#include "causeway/ops/constant_of_shape.h"
#include "causeway/ops/conv.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/elementary.h"
#include "causeway/ops/elu.h"
#include "causeway/ops/expand.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/gather.h"
#include "causeway/ops/gelu.h"
#include "causeway/ops/hard_sigmoid.h"
#include "causeway/ops/hard_swish.h"
#include "causeway/ops/layer_norm.h"
#include "causeway/ops/leaky_relu.h"
#include "causeway/ops/logic.h"
#include "causeway/ops/mat_mul.h"
#include "causeway/ops/max_pool.h"
#include "causeway/ops/mish.h"
#include "causeway/ops/noise.h"
#include "causeway/ops/p_relu.h"
#include "causeway/ops/pad.h"
#include "causeway/ops/put.h"
#include "causeway/ops/random_normal.h"
#include "causeway/ops/random_uniform.h"
#include "causeway/ops/range.h"
#include "causeway/ops/recurrent.h"
#include "causeway/ops/reduce.h"
#include "causeway/ops/relu.h"
#include "causeway/ops/reshape.h"
#include "causeway/ops/rounding.h"
#include "causeway/ops/row_numbers.h"
#include "causeway/ops/scatter_add.h"
#include "causeway/ops/selu.h"
#include "causeway/ops/shape_of.h"
#include "causeway/ops/sigmoid.h"
#include "causeway/ops/slice.h"
#include "causeway/ops/softmax.h"
#include "causeway/ops/softplus.h"
#include "causeway/ops/softsign.h"
#include "causeway/ops/sparsemax.h"
#include "causeway/ops/split.h"
#include "causeway/ops/squeeze.h"
#include "causeway/ops/step_counts.h"
#include "causeway/ops/sum_squares.h"
#include "causeway/ops/sum_to.h"
#include "causeway/ops/swish.h"
#include "causeway/ops/tanh.h"
#include "causeway/ops/tile.h"
#include "causeway/ops/top_k.h"
#include "causeway/ops/transpose.h"
#include "causeway/ops/unsqueeze.h"
#include "causeway/ops/where.h"

namespace causeway::ops {

template <class... S>
struct OpTypes {};

/// Every op, in the order of their names.
// clang-format off
using AllOps = OpTypes<
    Abs,
    Add,
    AlphaDropout,
    And,
    ArgMax,
    Attention,
    AttentionGradient,
    AveragePool,
    AveragePoolGradient,
    BatchNormGradient,
    BatchNormTraining,
    BatchNorm,
    Cast,
    Ceil,
    Celu,
    Clip,
    Concat,
    ConstantOfShape,
    Conv,
    ConvInputGradient,
    ConvWeightGradient,
    Cos,
    Div,
    Dropout,
    Elu,
    Equal,
    Erf,
    Exp,
    Expand,
    Flatten,
    Floor,
    Fma,
    Gather,
    GaussianDropout,
    GaussianNoise,
    Gelu,
    Greater,
    GreaterOrEqual,
    HardSigmoid,
    HardSwish,
    Identity,
    IsNaN,
    LayerNormGradient,
    LayerNorm,
    LeakyRelu,
    Less,
    LessOrEqual,
    Log,
    LogSoftmax,
    MatMul,
    Max,
    MaxPool,
    MaxPoolGradient,
    Min,
    Mish,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    PRelu,
    Pad,
    PadGradient,
    Pow,
    Put,
    RandomNormal,
    RandomUniform,
    Range,
    Reciprocal,
    Recurrent,
    RecurrentGradient,
    Reduce,
    Relu,
    Reshape,
    Round,
    RowNumbers,
    ScatterAdd,
    Selu,
    ShapeOf,
    Sigmoid,
    Sign,
    Sin,
    Slice,
    SliceGradient,
    Softmax,
    Softplus,
    Softsign,
    Sparsemax,
    Split,
    Sqrt,
    Squeeze,
    StepCounts,
    Sub,
    SumSquares,
    SumTo,
    Swish,
    Tanh,
    Tile,
    TopK,
    Transpose,
    Unsqueeze,
    Where,
    Xor
>;
// clang-format on

/// What can be said of an op without making a node of it.
struct OpRow {
  std::string_view name;
  /// The op with these settings, the others at their defaults; unfit() for one it does not have or of another kind.
  Op (*make)(Settings settings);
  bool has_training, has_turned;
};

/// One row an op, in the order of their names.
std::span<const OpRow> all_ops();

/// The op of that name; none where there is none. unfit() as OpRow::make.
std::optional<Op> make_op(std::string_view name, Settings settings);

}  // namespace causeway::ops
