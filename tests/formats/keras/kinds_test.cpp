#include <gmock/gmock.h>

#include "tests/formats/keras/asked.h"
#include "tests/support/rows.h"

namespace causeway::formats::keras {
namespace {

using tests::by_name;

// Every class in three settings and shapes, masks behind each kind, and the exact numbers of the recurrent cells.
struct Row {
  const char* name;
  double bound = 1e-6;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr Row kKinds[] = {
    {"kind_adaptiveaveragepooling1d"},
    {"kind_adaptiveaveragepooling2d"},
    {"kind_adaptiveaveragepooling3d"},
    {"kind_adaptivemaxpooling1d"},
    {"kind_adaptivemaxpooling2d"},
    {"kind_adaptivemaxpooling3d"},
    {"kind_add"},
    {"kind_average"},
    {"kind_averagepooling1d"},
    {"kind_averagepooling2d"},
    {"kind_averagepooling3d"},
    {"kind_batch_normalization"},
    {"kind_bidirectional"},
    {"kind_category_encoding"},
    {"kind_center_crop"},
    {"kind_channels_first"},
    {"kind_concatenate"},
    {"kind_conv1d"},
    {"kind_conv1d_causal"},
    {"kind_conv1d_transpose"},
    {"kind_conv2d"},
    {"kind_conv2d_transpose"},
    {"kind_conv3d"},
    {"kind_conv3d_transpose"},
    {"kind_cropping1d"},
    {"kind_cropping2d"},
    {"kind_cropping3d"},
    {"kind_dense"},
    {"kind_depthwise_conv1d"},
    {"kind_depthwise_conv2d"},
    {"kind_discretization"},
    {"kind_dot"},
    {"kind_einsum_dense"},
    {"kind_embedding"},
    {"kind_globalaveragepooling1d"},
    {"kind_globalaveragepooling2d"},
    {"kind_globalaveragepooling3d"},
    {"kind_globalmaxpooling1d"},
    {"kind_globalmaxpooling2d"},
    {"kind_globalmaxpooling3d"},
    {"kind_group_normalization"},
    {"kind_gru"},
    {"kind_gru_before"},
    {"kind_gru_states"},
    {"kind_layer_normalization"},
    {"kind_lstm"},
    {"kind_lstm_states"},
    {"kind_maximum"},
    {"kind_maxpooling1d"},
    {"kind_maxpooling2d"},
    {"kind_maxpooling3d"},
    {"kind_minimum"},
    {"kind_multiply"},
    {"kind_noises"},
    {"kind_normalization"},
    {"kind_rescaling"},
    {"kind_operators"},
    {"kind_reshapes"},
    {"kind_resizing"},
    {"kind_reversible_embedding"},
    {"kind_rms_normalization"},
    {"kind_rnn"},
    {"kind_separable_conv1d"},
    {"kind_separable_conv2d"},
    {"kind_simple_rnn"},
    {"kind_simple_rnn_states"},
    {"kind_softmax"},
    {"kind_subtract"},
    {"kind_time_distributed"},
    {"kind_time_distributed_models"},
    {"kind_unit_normalization"},
    {"kind_upsampling1d"},
    {"kind_upsampling2d"},
    {"kind_upsampling2d_bilinear"},
    {"kind_upsampling3d"},
    {"kind_zeropadding1d"},
    {"kind_zeropadding2d"},
    {"kind_zeropadding3d"},
    {"recurrent_rules"},
    {"mask_attention"},
    {"mask_dropped"},
    {"mask_kept"},
    {"mask_masking"},
    {"mask_merged"},
    {"mask_one_masked"},
    {"mask_recurrent"},
    {"exact_attention"},
    {"exact_gru_after"},
    {"exact_gru_before"},
    {"exact_lstm"},
    {"exact_masked"},
    {"exact_masked_steps"},
};
class KerasKinds : public testing::TestWithParam<Row> {};

TEST_P(KerasKinds, AnswerAsKerasDid) {
  const std::string path = std::string("keras/") + GetParam().name;
  const NamedTensors answers = answers_of(path + ".answers.safetensors");
  for (const char* suffix : {".keras", ".h5"}) {
    const SavedNetwork saved = read(path + suffix);
    expect_answers(saved, answers, GetParam().bound);
    expect_answers(saved, answers, GetParam().bound, cpu());
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, KerasKinds, testing::ValuesIn(kKinds), by_name);

}  // namespace
}  // namespace causeway::formats::keras
