#include "causeway/formats/keras/layer_table.h"

#include <algorithm>

#include "causeway/formats/keras/layers/families.h"

namespace causeway::formats::keras {
namespace {

constexpr std::string_view kCode =
    "the layer holds code, and a file is data. Rewrite it in layers, or export the model as ONNX.";
constexpr std::string_view kSteps = "no op here steps a convolution along a series.";
constexpr std::string_view kText = "it works on text or tables of it. Do it in the pipeline.";
constexpr std::string_view kFourier = "there is no Fourier op here.";
constexpr std::string_view kImages = "it changes images by rules no op here has, or belongs to the data.";
constexpr std::string_view kCuDnn = "it has another kernel layout. Save the model with LSTM and GRU.";

constexpr std::string_view kCategories = "numbers are made categories in the pipeline.";
constexpr std::string_view kSizes = "no resizing is read.";
constexpr std::string_view kDot = "no product of two values along stated axes is read.";
constexpr std::string_view kIds = "no embedding of ids is read.";

constexpr LayerRow kLayers[] = {
    {"Activation", read_activation},
    {"ActivityRegularization", nullptr, "it penalises what a layer makes, and only numbers are penalised here."},
    {"AdaptiveAveragePooling1D", read_adaptive_average_pooling_1d},
    {"AdaptiveAveragePooling2D", read_adaptive_average_pooling_2d},
    {"AdaptiveAveragePooling3D", read_adaptive_average_pooling_3d},
    {"AdaptiveMaxPooling1D", read_adaptive_max_pooling_1d},
    {"AdaptiveMaxPooling2D", read_adaptive_max_pooling_2d},
    {"AdaptiveMaxPooling3D", read_adaptive_max_pooling_3d},
    {"Add", read_add},
    {"AdditiveAttention", read_additive_attention},
    {"AlphaDropout", read_alpha_dropout},
    {"Attention", read_attention},
    {"AugMix", read_only_training},
    {"AutoContrast", nullptr, kImages},
    {"Average", read_average},
    {"AveragePooling1D", read_average_pooling_1d},
    {"AveragePooling2D", read_average_pooling_2d},
    {"AveragePooling3D", read_average_pooling_3d},
    {"BatchNormalization", read_batch_normalization},
    {"Bidirectional", read_bidirectional},
    {"CategoryEncoding", nullptr, kCategories},
    {"CenterCrop", nullptr, kSizes},
    {"Concatenate", read_concatenate},
    {"ContrastLimitedAdaptiveHistogramEqualization", nullptr, kImages},
    {"Conv1D", read_conv_1d},
    {"Conv1DTranspose", read_conv_1d_transpose},
    {"Conv2D", read_conv_2d},
    {"Conv2DTranspose", read_conv_2d_transpose},
    {"Conv3D", read_conv_3d},
    {"Conv3DTranspose", read_conv_3d_transpose},
    {"ConvLSTM1D", nullptr, kSteps},
    {"ConvLSTM2D", nullptr, kSteps},
    {"ConvLSTM3D", nullptr, kSteps},
    {"Cropping1D", read_cropping_1d},
    {"Cropping2D", read_cropping_2d},
    {"Cropping3D", read_cropping_3d},
    {"CuDNNGRU", nullptr, kCuDnn},
    {"CuDNNLSTM", nullptr, kCuDnn},
    {"CutMix", nullptr, kImages},
    {"Dense", read_dense},
    {"DepthwiseConv1D", read_depthwise_conv_1d},
    {"DepthwiseConv2D", read_depthwise_conv_2d},
    {"Discretization", nullptr, kCategories},
    {"Dot", read_dot},
    {"Dropout", read_dropout},
    {"ELU", read_elu},
    {"EinsumDense", nullptr, kDot},
    {"Embedding", read_embedding},
    {"Equalization", nullptr, kImages},
    {"Flatten", read_flatten},
    {"FlaxLayer", nullptr, kCode},
    {"GRU", read_gru},
    {"GaussianDropout", read_gaussian_dropout},
    {"GaussianNoise", read_gaussian_noise},
    {"GlobalAveragePooling1D", read_global_average_pooling_1d},
    {"GlobalAveragePooling2D", read_global_average_pooling_2d},
    {"GlobalAveragePooling3D", read_global_average_pooling_3d},
    {"GlobalMaxPooling1D", read_global_max_pooling_1d},
    {"GlobalMaxPooling2D", read_global_max_pooling_2d},
    {"GlobalMaxPooling3D", read_global_max_pooling_3d},
    {"GroupNormalization", read_group_normalization},
    {"GroupQueryAttention", read_group_query_attention},
    {"GroupedQueryAttention", read_group_query_attention},  // as an .h5 calls it
    {"HashedCrossing", nullptr, kText},
    {"Hashing", nullptr, kText},
    {"Identity", read_identity},
    {"IntegerLookup", nullptr, kText},
    {"JaxLayer", nullptr, kCode},
    {"LSTM", read_lstm},
    {"Lambda", nullptr, kCode},
    {"LayerNormalization", read_layer_normalization},
    {"LeakyReLU", read_leaky_relu},
    {"Masking", read_masking},
    {"MaxNumBoundingBoxes", nullptr, kImages},
    {"MaxPooling1D", read_max_pooling_1d},
    {"MaxPooling2D", read_max_pooling_2d},
    {"MaxPooling3D", read_max_pooling_3d},
    {"Maximum", read_maximum},
    {"MelSpectrogram", nullptr, kFourier},
    {"Minimum", read_minimum},
    {"MixUp", nullptr, kImages},
    {"MultiHeadAttention", read_multi_head_attention},
    {"Multiply", read_multiply},
    {"Normalization", read_normalization},
    {"PReLU", read_prelu},
    {"Permute", read_permute},
    {"Pipeline", nullptr, kImages},
    {"RMSNormalization", read_rms_normalization},
    {"RNN", read_rnn},
    {"RandAugment", read_only_training},
    {"RandomBrightness", read_only_training},
    {"RandomColorDegeneration", read_only_training},
    {"RandomColorJitter", read_only_training},
    {"RandomContrast", read_only_training},
    {"RandomCrop", nullptr, kImages},
    {"RandomElasticTransform", read_only_training},
    {"RandomErasing", read_only_training},
    {"RandomFlip", read_only_training},
    {"RandomGaussianBlur", read_only_training},
    {"RandomGrayscale", read_only_training},
    {"RandomHue", read_only_training},
    {"RandomInvert", read_only_training},
    {"RandomPerspective", read_only_training},
    {"RandomPosterization", read_only_training},
    {"RandomRotation", read_only_training},
    {"RandomSaturation", read_only_training},
    {"RandomSharpness", read_only_training},
    {"RandomShear", read_only_training},
    {"RandomTranslation", read_only_training},
    {"RandomZoom", read_only_training},
    {"ReLU", read_relu},
    {"RepeatVector", read_repeat_vector},
    {"Rescaling", read_rescaling},
    {"Reshape", read_reshape},
    {"Resizing", read_resizing},
    {"ReversibleEmbedding", nullptr, kIds},
    {"STFTSpectrogram", nullptr, kFourier},
    {"SeparableConv1D", read_separable_conv_1d},
    {"SeparableConv2D", read_separable_conv_2d},
    {"SimpleRNN", read_simple_rnn},
    {"Softmax", read_softmax},
    {"Solarization", read_only_training},
    {"SpatialDropout1D", read_spatial_dropout_1d},
    {"SpatialDropout2D", read_spatial_dropout_2d},
    {"SpatialDropout3D", read_spatial_dropout_3d},
    {"SpectralNormalization", nullptr, "its kernel is worked out anew at each training step. Save the layer it wraps."},
    {"StringLookup", nullptr, kText},
    {"Subtract", read_subtract},
    {"TFSMLayer", nullptr, kCode},
    {"TextVectorization", nullptr, kText},
    {"TimeDistributed", read_time_distributed},
    {"TorchModuleWrapper", nullptr, kCode},
    {"UnitNormalization", read_unit_normalization},
    {"UpSampling1D", read_up_sampling_1d},
    {"UpSampling2D", read_up_sampling_2d},
    {"UpSampling3D", read_up_sampling_3d},
    {"ZeroPadding1D", read_zero_padding_1d},
    {"ZeroPadding2D", read_zero_padding_2d},
    {"ZeroPadding3D", read_zero_padding_3d},
};

constexpr LayerRow kOperators[] = {
    {"Absolute", read_operator_absolute}, {"Add", read_operator_add},           {"Celu", read_operator_word},
    {"Elu", read_operator_word},          {"Exp", read_operator_exp},           {"Gelu", read_operator_word},
    {"HardSigmoid", read_operator_word},  {"HardSilu", read_operator_word},     {"HardTanh", read_operator_word},
    {"Log", read_operator_log},           {"LogSigmoid", read_operator_word},   {"LogSoftmax", read_operator_word},
    {"Maximum", read_operator_maximum},   {"Minimum", read_operator_minimum},   {"Multiply", read_operator_multiply},
    {"Negative", read_operator_negative}, {"Relu", read_operator_word},         {"Relu6", read_operator_word},
    {"Selu", read_operator_word},         {"Sigmoid", read_operator_word},      {"Silu", read_operator_word},
    {"Softmax", read_operator_word},      {"Softplus", read_operator_word},     {"Softsign", read_operator_word},
    {"Sqrt", read_operator_sqrt},         {"Square", read_operator_square},     {"Subtract", read_operator_subtract},
    {"Tanh", read_operator_word},         {"TrueDivide", read_operator_divide},
};

constexpr bool is_sorted(std::span<const LayerRow> rows) {
  for (size_t i = 1; i < rows.size(); ++i) {
    if (!(rows[i - 1].class_name < rows[i].class_name)) return false;
  }
  return true;
}
static_assert(is_sorted(kLayers) && is_sorted(kOperators), "the tables are searched by name");

const LayerRow* find_in(std::span<const LayerRow> rows, std::string_view name) {
  const auto found = std::lower_bound(rows.begin(), rows.end(), name, [](const LayerRow& row, std::string_view wanted) {
    return row.class_name < wanted;
  });
  return found != rows.end() && found->class_name == name ? &*found : nullptr;
}

}  // namespace

std::span<const LayerRow> layer_table() { return kLayers; }
const LayerRow* find_layer(std::string_view class_name) { return find_in(kLayers, class_name); }
const LayerRow* find_operator(std::string_view class_name) { return find_in(kOperators, class_name); }

}  // namespace causeway::formats::keras
