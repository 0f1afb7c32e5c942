#include "causeway/formats/onnx/node_table.h"

#include <algorithm>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/onnx/nodes/nodes.h"

namespace causeway::formats::onnx {
namespace {

// In alphabetical order; the number is the oldest opset read.
constexpr NodeRow kNodes[] = {
    {"Abs", 1, read_abs},
    {"Add", 1, read_add},
    {"And", 1, read_and},
    {"ArgMax", 1, read_arg_max},
    {"ArgMin", 1, read_arg_min},
    {"AveragePool", 1, read_average_pool},
    {"BatchNormalization", 1, read_batch_normalization},
    {"Cast", 1, read_cast},
    {"CastLike", 15, read_cast_like},
    {"Ceil", 1, read_ceil},
    {"Celu", 12, read_celu},
    {"Clip", 1, read_clip},
    {"Concat", 1, read_concat},
    {"ConstantOfShape", 9, read_constant_of_shape},
    {"Conv", 1, read_conv},
    {"Cos", 7, read_cos},
    {"Div", 1, read_div},
    {"Dropout", 1, read_dropout},
    {"Elu", 1, read_elu},
    {"Equal", 1, read_equal},
    {"Erf", 9, read_erf},
    {"Exp", 1, read_exp},
    {"Expand", 8, read_expand},
    {"Flatten", 1, read_flatten},
    {"Floor", 1, read_floor},
    {"Gather", 1, read_gather},
    {"Gelu", 20, read_gelu},
    {"Gemm", 1, read_gemm},
    {"GlobalAveragePool", 1, read_global_average_pool},
    {"GlobalMaxPool", 1, read_global_max_pool},
    {"Greater", 1, read_greater},
    {"GreaterOrEqual", 12, read_greater_or_equal},
    {"GroupNormalization", 18, read_group_normalization},
    {"HardSigmoid", 1, read_hard_sigmoid},
    {"HardSwish", 14, read_hard_swish},
    {"Identity", 1, read_identity},
    {"InstanceNormalization", 1, read_instance_normalization},
    {"IsInf", 10, read_is_inf},
    {"IsNaN", 9, read_is_nan},
    {"LayerNormalization", 17, read_layer_normalization},
    {"LeakyRelu", 1, read_leaky_relu},
    {"Less", 1, read_less},
    {"LessOrEqual", 12, read_less_or_equal},
    {"Log", 1, read_log},
    {"LogSoftmax", 1, read_log_softmax},
    {"MatMul", 1, read_mat_mul},
    {"Max", 1, read_max},
    {"MaxPool", 1, read_max_pool},
    {"Mean", 1, read_mean},
    {"Min", 1, read_min},
    {"Mish", 18, read_mish},
    {"Mod", 10, read_mod},
    {"Mul", 1, read_mul},
    {"Neg", 1, read_neg},
    {"Not", 1, read_not},
    {"Or", 1, read_or},
    {"PRelu", 1, read_p_relu},
    {"Pad", 1, read_pad},
    {"Pow", 1, read_pow},
    {"RMSNormalization", 23, read_rms_normalization},
    {"Range", 11, read_range},
    {"Reciprocal", 1, read_reciprocal},
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
    {"Relu", 1, read_relu},
    {"Reshape", 1, read_reshape},
    {"Round", 11, read_round},
    {"Selu", 1, read_selu},
    {"Shape", 1, read_shape},
    {"Shrink", 9, read_shrink},
    {"Sigmoid", 1, read_sigmoid},
    {"Sign", 9, read_sign},
    {"Sin", 7, read_sin},
    {"Size", 1, read_size},
    {"Slice", 1, read_slice},
    {"Softmax", 1, read_softmax},
    {"Softplus", 1, read_softplus},
    {"Softsign", 1, read_softsign},
    {"Split", 1, read_split},
    {"Sqrt", 1, read_sqrt},
    {"Squeeze", 1, read_squeeze},
    {"Sub", 1, read_sub},
    {"Sum", 1, read_sum},
    {"Swish", 24, read_swish},
    {"Tanh", 1, read_tanh},
    {"ThresholdedRelu", 10, read_thresholded_relu},
    {"Tile", 1, read_tile},
    {"Transpose", 1, read_transpose},
    {"Unsqueeze", 1, read_unsqueeze},
    {"Where", 9, read_where},
    {"Xor", 1, read_xor},
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

// At most two letters off.
std::string_view nearest_op(std::string_view op) {
  std::string_view nearest;
  size_t least = 3;
  for (const NodeRow& row : kNodes) {
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
    if (before.back() < least) {
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

std::string no_such_op(std::string_view op) {
  const std::string_view nearest = op.size() < 100 ? nearest_op(op) : "";
  return "no op of this type is read." + (nearest.empty() ? "" : " The nearest is " + std::string(nearest) + ".");
}

}  // namespace causeway::formats::onnx
