#include "causeway/formats/onnx/node_table.h"

#include <algorithm>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/nodes/nodes.h"

namespace causeway::formats::onnx {
namespace {

// In alphabetical order; the number is the oldest opset read.
constexpr NodeRow kNodes[] = {
    {"Abs", 1, read_abs, write_as_is<7>},
    {"Add", 1, read_add, write_arithmetic},
    {"AlphaDropout", 1, nullptr, write_nothing},
    {"And", 1, read_and, write_as_is<7>},
    {"ArgMax", 1, read_arg_max, write_arg_max},
    {"ArgMin", 1, read_arg_min},
    {"Attention", 23, read_attention, write_attention},
    {"AveragePool", 1, read_average_pool, write_average_pool},
    {"BatchNormalization", 1, read_batch_normalization, write_batch_normalization},
    {"Cast", 1, read_cast, write_cast},
    {"CastLike", 15, read_cast_like},
    {"Ceil", 1, read_ceil, write_as_is<7>},
    {"Celu", 12, read_celu, write_celu},
    {"Clip", 1, read_clip, write_clip},
    {"Concat", 1, read_concat, write_concat},
    {"ConstantOfShape", 9, read_constant_of_shape, write_constant_of_shape},
    {"Conv", 1, read_conv, write_conv},
    {"ConvInputGradient", 1, nullptr, write_conv_input_gradient},
    {"ConvTranspose", 1, read_conv_transpose},
    {"Cos", 7, read_cos, write_as_is<7>},
    {"CumSum", 11, read_cum_sum},
    {"DepthToSpace", 1, read_depth_to_space},
    {"Div", 1, read_div, write_arithmetic},
    {"Dropout", 1, read_dropout, write_nothing},
    {"Einsum", 12, read_einsum},
    {"Elu", 1, read_elu, write_elu},
    {"Equal", 1, read_equal, write_equal},
    {"Erf", 9, read_erf, write_as_is<9>},
    {"Exp", 1, read_exp, write_as_is<7>},
    {"Expand", 8, read_expand, write_as_is<8>},
    {"EyeLike", 9, read_eye_like},
    {"Flatten", 1, read_flatten, write_flatten},
    {"Floor", 1, read_floor, write_as_is<7>},
    {"Fma", 1, nullptr, write_fma},
    {"GRU", 1, read_gru},
    {"Gather", 1, read_gather, write_gather},
    {"GatherElements", 11, read_gather_elements},
    {"GatherND", 11, read_gather_nd},
    {"GaussianDropout", 1, nullptr, write_nothing},
    {"GaussianNoise", 1, nullptr, write_nothing},
    {"Gelu", 20, read_gelu, write_gelu},
    {"Gemm", 1, read_gemm},
    {"GlobalAveragePool", 1, read_global_average_pool},
    {"GlobalMaxPool", 1, read_global_max_pool},
    {"Greater", 1, read_greater, write_order},
    {"GreaterOrEqual", 12, read_greater_or_equal, write_order_or_equal},
    {"GroupNormalization", 18, read_group_normalization},
    {"HardSigmoid", 1, read_hard_sigmoid, write_hard_sigmoid},
    {"HardSwish", 14, read_hard_swish, write_hard_swish},
    {"Hardmax", 1, read_hardmax},
    {"Identity", 1, read_identity, write_nothing},
    {"If", 1, read_if},
    {"InstanceNormalization", 1, read_instance_normalization},
    {"IsInf", 10, read_is_inf},
    {"IsNaN", 9, read_is_nan, write_as_is<9>},
    {"LRN", 1, read_lrn},
    {"LSTM", 1, read_lstm},
    {"LayerNormalization", 17, read_layer_normalization, write_layer_normalization},
    {"LeakyRelu", 1, read_leaky_relu, write_leaky_relu},
    {"Less", 1, read_less, write_order},
    {"LessOrEqual", 12, read_less_or_equal, write_order_or_equal},
    {"Log", 1, read_log, write_as_is<7>},
    {"LogSoftmax", 1, read_log_softmax, write_soft},
    {"Loop", 1, read_loop},
    {"LpNormalization", 1, read_lp_normalization},
    {"MatMul", 1, read_mat_mul, write_mat_mul},
    {"Max", 1, read_max, write_largest},
    {"MaxPool", 1, read_max_pool, write_max_pool},
    {"Mean", 1, read_mean},
    {"MeanVarianceNormalization", 9, read_mean_variance_normalization},
    {"Min", 1, read_min, write_largest},
    {"Mish", 18, read_mish, write_mish},
    {"Mod", 10, read_mod, write_mod},
    {"Mul", 1, read_mul, write_arithmetic},
    {"Neg", 1, read_neg, write_as_is<7>},
    {"Not", 1, read_not, write_as_is<7>},
    {"OneHot", 9, read_one_hot},
    {"Or", 1, read_or, write_as_is<7>},
    {"PRelu", 1, read_p_relu, write_as_is<7>},
    {"Pad", 1, read_pad, write_pad},
    {"Pow", 1, read_pow, write_pow},
    {"Put", 1, nullptr, write_put},
    {"RMSNormalization", 23, read_rms_normalization},
    {"RNN", 1, read_rnn},
    {"Range", 11, read_range, write_as_is<11>},
    {"Reciprocal", 1, read_reciprocal, write_as_is<7>},
    {"Recurrent", 1, nullptr, write_recurrent_layer},
    {"Reduce", 1, nullptr, write_reduce},
    {"ReduceL1", 1, read_reduce_l1},
    {"ReduceL2", 1, read_reduce_l2},
    {"ReduceLogSum", 1, read_reduce_log_sum},
    {"ReduceLogSumExp", 1, read_reduce_log_sum_exp},
    {"ReduceMax", 1, read_reduce_max},
    {"ReduceMean", 1, read_reduce_mean},
    {"ReduceMin", 1, read_reduce_min},
    {"ReduceProd", 1, read_reduce_prod},
    {"ReduceSum", 1, read_reduce_sum},
    {"ReduceSumSquare", 1, read_reduce_sum_square},
    {"Relu", 1, read_relu, write_relu},
    {"Reshape", 1, read_reshape, write_reshape},
    {"Resize", 10, read_resize},
    {"RotaryEmbedding", 23, read_rotary_embedding},
    {"Round", 11, read_round, write_as_is<11>},
    {"RowNumbers", 1, nullptr, write_row_numbers},
    {"Scan", 8, read_scan},
    {"Scatter", 9, read_scatter},
    {"ScatterElements", 11, read_scatter_elements},
    {"ScatterND", 11, read_scatter_nd},
    {"Selu", 1, read_selu, write_selu},
    {"Shape", 1, read_shape, write_shape},
    {"Shrink", 9, read_shrink},
    {"Sigmoid", 1, read_sigmoid, write_as_is<7>},
    {"Sign", 9, read_sign, write_as_is<9>},
    {"Sin", 7, read_sin, write_as_is<7>},
    {"Size", 1, read_size},
    {"Slice", 1, read_slice, write_slice},
    {"Softmax", 1, read_softmax, write_soft},
    {"Softplus", 1, read_softplus, write_as_is<7>},
    {"Softsign", 1, read_softsign, write_as_is<7>},
    {"SpaceToDepth", 1, read_space_to_depth},
    {"Split", 1, read_split, write_split},
    {"Sqrt", 1, read_sqrt, write_as_is<7>},
    {"Squeeze", 1, read_squeeze, write_squeeze},
    {"StepCounts", 1, nullptr, write_step_counts},
    {"Sub", 1, read_sub, write_arithmetic},
    {"Sum", 1, read_sum},
    {"Swish", 24, read_swish, write_swish},
    {"Tan", 7, read_tan},
    {"Tanh", 1, read_tanh, write_as_is<7>},
    {"ThresholdedRelu", 10, read_thresholded_relu},
    {"Tile", 1, read_tile, write_as_is<7>},
    {"TopK", 1, read_top_k, write_top_k},
    {"Transpose", 1, read_transpose, write_transpose},
    {"Trilu", 14, read_trilu},
    {"Unsqueeze", 1, read_unsqueeze, write_unsqueeze},
    {"Upsample", 7, read_upsample},
    {"Where", 9, read_where, write_as_is<9>},
    {"Xor", 1, read_xor, write_as_is<7>},
};

// Ops of networks that are not written.
struct NotWrittenRow {
  std::string_view op, why;
};

constexpr std::string_view kStepsAlone = "it stands in training steps alone, and an ONNX file answers.";

constexpr NotWrittenRow kNotWritten[] = {
    {"AttentionGradient", kStepsAlone},
    {"AveragePoolGradient", kStepsAlone},
    {"BatchNormGradient", kStepsAlone},
    {"BatchNormTraining", "it normalizes by its batch, and an ONNX file answers by running statistics."},
    {"BoundNode", "what it does is known only when the network's inputs are, and a file is written before that."},
    {"ConvWeightGradient", kStepsAlone},
    {"LayerNormGradient", kStepsAlone},
    {"MaxPoolGradient", kStepsAlone},
    {"PadGradient", kStepsAlone},
    {"RandomNormal", "its answers are drawn at random."},
    {"RandomUniform", "its answers are drawn at random."},
    {"RecurrentGradient", kStepsAlone},
    {"ScatterAdd", kStepsAlone},
    {"SliceGradient", kStepsAlone},
    {"Sparsemax", "no op of ONNX is this one, and its sums in the order of size are not spelled out."},
    {"SumSquares", kStepsAlone},
    {"SumTo", kStepsAlone},
};

struct RefusedRow {
  std::string_view op, why;
};

constexpr std::string_view kRandom = "its answers are drawn at random; export the model in inference form.";
constexpr std::string_view kSequence = "it works on sequences of tensors, and only tensors are read.";
constexpr std::string_view kOptional = "it works on values that may be absent, and only tensors are read.";
constexpr std::string_view kText = "it works on texts, and only numbers are read.";

constexpr RefusedRow kRefused[] = {
    {"Bernoulli", kRandom},
    {"ConcatFromSequence", kSequence},
    {"ImageDecoder", "it decodes files of pictures, and only tensors are read."},
    {"Multinomial", kRandom},
    {"Optional", kOptional},
    {"OptionalGetElement", kOptional},
    {"OptionalHasElement", kOptional},
    {"RandomNormal", kRandom},
    {"RandomNormalLike", kRandom},
    {"RandomUniform", kRandom},
    {"RandomUniformLike", kRandom},
    {"RegexFullMatch", kText},
    {"SequenceAt", kSequence},
    {"SequenceConstruct", kSequence},
    {"SequenceEmpty", kSequence},
    {"SequenceErase", kSequence},
    {"SequenceInsert", kSequence},
    {"SequenceLength", kSequence},
    {"SequenceMap", kSequence},
    {"SplitToSequence", kSequence},
    {"StringConcat", kText},
    {"StringNormalizer", kText},
    {"StringSplit", kText},
    {"TfIdfVectorizer", kText},
};

// At most two letters off, and not half of the name.
std::string_view nearest_op(std::string_view op) {
  std::string_view nearest;
  size_t least = 3;
  for (const NodeRow& row : kNodes) {
    if (!row.read) continue;
    std::vector<size_t> before(row.op.size() + 1), now(row.op.size() + 1);
    for (size_t j = 0; j <= row.op.size(); ++j) before[j] = j;
    for (size_t i = 1; i <= op.size(); ++i) {
      now[0] = i;
      for (size_t j = 1; j <= row.op.size(); ++j) {
        const size_t changed = before[j - 1] + (op[i - 1] == row.op[j - 1] ? 0 : 1);
        now[j] = std::min({changed, before[j] + 1, now[j - 1] + 1});
      }
      std::swap(before, now);
    }
    if (before.back() < least && 2 * before.back() < op.size()) {
      least = before.back();
      nearest = row.op;
    }
  }
  return nearest;
}

}  // namespace

std::span<const NodeRow> node_table() { return kNodes; }

const NodeRow* node_row(std::string_view op) {
  const auto at = std::lower_bound(std::begin(kNodes), std::end(kNodes), op,
                                   [](const NodeRow& row, std::string_view name) { return row.op < name; });
  return at != std::end(kNodes) && at->op == op ? &*at : nullptr;
}

std::string_view refused_op(std::string_view op) {
  for (const RefusedRow& row : kRefused) {
    if (row.op == op) return row.why;
  }
  return "";
}

std::string_view not_written(std::string_view op) {
  if (const NodeRow* row = node_row(op); row && row->write) return "";
  for (const NotWrittenRow& row : kNotWritten) {
    if (row.op == op) return row.why;
  }
  return "no op of ONNX is this one, and it is not spelled out.";
}

std::string no_such_op(std::string_view op) {
  const std::string_view nearest = op.size() < 100 ? nearest_op(op) : "";
  return "no op of this type is read." + (nearest.empty() ? "" : " The nearest is " + std::string(nearest) + ".");
}

}  // namespace causeway::formats::onnx
