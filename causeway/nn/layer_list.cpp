#include "causeway/nn/layer_list.h"

#include <algorithm>

#include "causeway/base/quoted.h"

namespace causeway::nn {
namespace {

template <class... S>
struct LayerTypes {};

// In alphabetical order.
// clang-format off
using AllLayers = LayerTypes<
    AdaptiveAveragePooling<1>,
    AdaptiveAveragePooling<2>,
    AdaptiveAveragePooling<3>,
    AdaptiveMaxPooling<1>,
    AdaptiveMaxPooling<2>,
    AdaptiveMaxPooling<3>,
    AdditiveAttention,
    AlphaDropout,
    AveragePooling<1>,
    AveragePooling<2>,
    AveragePooling<3>,
    BatchNormalization,
    Bidirectional,
    CategoryEncoding,
    CELU,
    CenterCrop,
    Concatenate,
    Conv1D,
    Conv2D,
    Conv3D,
    Cropping<1>,
    Cropping<2>,
    Cropping<3>,
    Dense,
    DepthwiseConv<1>,
    DepthwiseConv<2>,
    Discretization,
    Dot,
    DotAttention,
    Dropout,
    EinsumDense,
    ELU,
    Embedding,
    EmbeddingBag,
    Flatten,
    GaussianDropout,
    GaussianNoise,
    GELU,
    GlobalAveragePooling<1>,
    GlobalAveragePooling<2>,
    GlobalAveragePooling<3>,
    GlobalMaxPooling<1>,
    GlobalMaxPooling<2>,
    GlobalMaxPooling<3>,
    GLU,
    GroupNormalization,
    GroupQueryAttention,
    GRU,
    HardShrink,
    IdentityLayer,
    InstanceNormalization,
    LayerNormalization,
    LeakyReLU,
    LogSoftmax,
    LSTM,
    Masking,
    MaxPooling<1>,
    MaxPooling<2>,
    MaxPooling<3>,
    Merge<MergeKind::Add>,
    Merge<MergeKind::Average>,
    Merge<MergeKind::Maximum>,
    Merge<MergeKind::Minimum>,
    Merge<MergeKind::Multiply>,
    Merge<MergeKind::Subtract>,
    MultiHeadAttention,
    Normalization,
    PadPlaces<1>,
    PadPlaces<2>,
    PadPlaces<3>,
    PeriodicEmbedding,
    Permute,
    PReLU,
    ReLU,
    RepeatVector,
    Rescaling,
    Reshape,
    Resizing,
    ReversibleEmbedding,
    RMSNormalization,
    Select,
    SeparableConv<1>,
    SeparableConv<2>,
    SimpleRNN,
    SinePositionEncoding,
    SliceBlock,
    Softmax,
    SoftShrink,
    Sparsemax,
    SpatialDropout<1>,
    SpatialDropout<2>,
    SpatialDropout<3>,
    Squareplus,
    Threshold,
    TimeDistributed,
    TransformerDecoderLayer,
    TransformerEncoderLayer,
    TransposedConv<1>,
    TransposedConv<2>,
    TransposedConv<3>,
    UnitNormalization,
    UpSampling<1>,
    UpSampling<2>,
    UpSampling<3>,
    ZeroPadding<1>,
    ZeroPadding<2>,
    ZeroPadding<3>
>;
// clang-format on

template <class S>
LayerRow row_of() {
  const auto read = [](const Json& object, const std::string& where, const std::vector<std::string_view>& others,
                       std::vector<Fault>& faults) {
    SettingReader reader(object, std::string(S::kWord), where, faults);
    return Layer(reader.read<S>(others));
  };
  return {S::kWord, S::kKind, read, Layer(S{})};
}

LayerRow row_of(const PlainActivation::Row& row) {
  const auto read = [&row](const Json& object, const std::string& where, const std::vector<std::string_view>& others,
                           std::vector<Fault>& faults) {
    SettingReader reader(object, std::string(row.word), where, faults);
    reader.read<PlainActivation>(others);
    return Layer(PlainActivation{&row});
  };
  return {row.word, row.kind, read, Layer(PlainActivation{&row})};
}

template <class... S>
std::vector<LayerRow> rows_of(LayerTypes<S...>) {
  std::vector<LayerRow> rows{row_of<S>()...};
  for (const PlainActivation::Row& row : plain_activations()) rows.push_back(row_of(row));
  std::sort(rows.begin(), rows.end(), [](const LayerRow& a, const LayerRow& b) { return a.word < b.word; });
  return rows;
}

// Class names of Keras in snake case and of PyTorch, and what people write, that are spelled otherwise here.
constexpr std::pair<std::string_view, std::string_view> kOtherSpellings[] = {{"re_lu", "relu"},
                                                                             {"leaky_re_lu", "leaky_relu"},
                                                                             {"p_re_lu", "prelu"},
                                                                             {"batch_norm", "batch_normalization"},
                                                                             {"batchnorm", "batch_normalization"},
                                                                             {"batchnorm1d", "batch_normalization"},
                                                                             {"batchnorm2d", "batch_normalization"},
                                                                             {"batchnorm3d", "batch_normalization"},
                                                                             {"layer_norm", "layer_normalization"},
                                                                             {"layernorm", "layer_normalization"},
                                                                             {"group_norm", "group_normalization"},
                                                                             {"groupnorm", "group_normalization"},
                                                                             {"maxpool1d", "max_pooling1d"},
                                                                             {"maxpool2d", "max_pooling2d"},
                                                                             {"maxpool3d", "max_pooling3d"},
                                                                             {"avgpool1d", "average_pooling1d"},
                                                                             {"avgpool2d", "average_pooling2d"},
                                                                             {"avgpool3d", "average_pooling3d"},
                                                                             {"linear_layer", "dense"}};

}  // namespace

bool LayerRow::has_setting(std::string_view name) const {
  const Json::Object settings = plain.settings(/*all=*/true);
  return std::any_of(settings.begin(), settings.end(), [&](const auto& setting) { return setting.first == name; });
}

std::span<const LayerRow> all_layers() {
  static const std::vector<LayerRow> kRows = rows_of(AllLayers{});
  return kRows;
}

const LayerRow* layer_row(std::string_view word) {
  for (const LayerRow& row : all_layers()) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

std::string nearest_layer(std::string_view word) {
  for (const auto& [spelling, meant] : kOtherSpellings) {
    if (spelling == word) return std::string(meant);
  }
  std::vector<std::string_view> words;
  for (const LayerRow& row : all_layers()) words.push_back(row.word);
  return nearest_word(word, words);
}

std::string nearest_layer_sentence(std::string_view word) {
  const std::string nearest = nearest_layer(word);
  return nearest.empty() ? " docs/layers.md lists every layer." : " The nearest is " + quoted(nearest) + ".";
}

}  // namespace causeway::nn
