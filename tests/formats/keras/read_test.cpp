#include <gmock/gmock.h>

#include "tests/formats/keras/asked.h"
#include "tests/support/rows.h"

namespace causeway::formats::keras {
namespace {

using tests::by_name;

struct Row {
  const char* name;     // the file
  const char* answers;  // the fixture of its answers, without the end of its name
  double bound = 1e-6;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr Row kRead[] = {
    {"keras/activations.keras", "keras/activations"},
    {"keras/activations.h5", "keras/activations"},
    {"keras/dense_activations.keras", "keras/dense_activations"},
    {"keras/dense_activations.h5", "keras/dense_activations"},
    {"keras/prelu_features.keras", "keras/prelu_features"},
    {"keras/prelu_channels.h5", "keras/prelu_channels"},
    {"keras/prelu_one.keras", "keras/prelu_one"},
    {"keras/prelu_places.h5", "keras/prelu_places"},
    {"keras/average_at_end.keras", "keras/average_at_end"},
    {"keras/channels_first.keras", "keras/channels_first"},
    {"keras/multiplier.keras", "keras/multiplier"},
    {"keras/multiplier.h5", "keras/multiplier"},
    {"keras/rms_scaling.keras", "keras/rms_scaling"},
    {"keras/batch_norm_exact.keras", "keras/batch_norm_exact"},
    {"keras/norms.keras", "keras/norms", 4e-6},
    {"keras/norms.h5", "keras/norms", 4e-6},
    {"keras/open_length.keras", "keras/open_length"},
    {"keras/open_length.h5", "keras/open_length"},
    {"keras/transpose_1d.keras", "keras/transpose_1d"},
    {"keras/transpose_3d.keras", "keras/transpose_3d"},
    {"keras/hard_sigmoid.keras", "keras/hard_sigmoid"},
    {"keras/hard_sigmoid.h5", "keras/hard_sigmoid"},
    {"keras/keras_2_sequential.h5", "keras/rows"},
    {"keras/keras_2_first_layer.h5", "keras/rows"},
    {"keras/keras_2_functional.h5", "keras/keras_2_functional"},
    {"keras/keras_2_depthwise.h5", "keras/multiplier"},
    {"keras/h5_split.h5", "keras/rows"},
    {"keras/h5_order.h5", "keras/rows"},
    {"keras/h5_many_links.h5", "keras/h5_many_links"},
    {"keras/h5_many_links_latest.h5", "keras/h5_many_links"},
    {"keras/merges.keras", "keras/merges"},
    {"keras/merges.h5", "keras/merges"},
    {"keras/door_order.keras", "keras/door_order"},
    {"keras/flatten_channels_first.keras", "keras/flatten_channels_first"},
    {"keras/random_flip.keras", "keras/random_flip"},
    {"keras/nested.keras", "keras/nested"},
    {"keras/nested.h5", "keras/nested"},
    {"keras/operators.keras", "keras/operators"},
    {"keras/names.keras", "keras/names"},
    {"keras/names.h5", "keras/names"},
    {"keras/line_break.keras", "keras/line_break"},
    {"keras/rules.keras", "keras/rules"},
    {"keras/rules.h5", "keras/rules"},
    {"keras/lora.keras", "keras/lora"},
    {"keras/loss_binary_chances.keras", "keras/loss_binary_chances"},
    {"keras/loss_binary_chances.h5", "keras/loss_binary_chances"},
    {"keras/loss_categorical_chances.keras", "keras/loss_categorical_chances"},
    {"keras/loss_focal.keras", "keras/loss_focal"},
    {"keras/loss_hinge.keras", "keras/loss_hinge"},
    {"keras/loss_huber.keras", "keras/loss_huber"},
    {"keras/loss_mae.keras", "keras/loss_mae"},
    {"keras/loss_mse.keras", "keras/loss_mse"},
    {"keras/loss_none.keras", "keras/loss_none"},
    {"keras/loss_poisson.keras", "keras/loss_poisson"},
    {"keras/loss_sparse.keras", "keras/loss_sparse"},
    {"keras/loss_two_outputs.keras", "keras/loss_two_outputs"},
    {"keras/loss_two_outputs.h5", "keras/loss_two_outputs"},
    {"keras/loss_weights_by_name.keras", "keras/loss_weights_by_name"},
    {"keras/rows.keras", "keras/rows"},
    {"keras/rows.h5", "keras/rows"},
    {"keras/no_attribute.keras", "keras/rows"},
    {"keras/f8_numbers.keras", "keras/rows"},
    {"keras/packed_numbers.keras", "keras/rows"},
    {"keras/deflated.keras", "keras/rows"},
    {"keras/other_members.keras", "keras/rows"},
    {"keras/h5_latest.h5", "keras/rows"},
    {"keras/h5_v110.h5", "keras/rows"},
    {"keras/h5_user_block.h5", "keras/rows"},
    {"keras/h5_gzip_shuffle.h5", "keras/rows"},
    {"keras/h5_gzip_shuffle_latest.h5", "keras/rows"},
    {"keras/h5_fletcher.h5", "keras/rows"},
    {"keras/h5_fletcher_latest.h5", "keras/rows"},
    {"keras/h5_chunks.h5", "keras/rows"},
    {"keras/h5_chunks_latest.h5", "keras/rows"},
    {"keras/h5_big_endian.h5", "keras/rows"},
    {"keras/h5_f8.h5", "keras/rows"},
    {"keras/h5_odd_chunks.h5", "keras/rows"},
    {"keras/h5_compact.h5", "keras/rows"},
    {"keras/h5_fixed_config.h5", "keras/rows"},
    {"keras/h5_bytes_config.h5", "keras/rows"},
    {"keras/h5_f2.h5", "keras/rows", 1e-3},
    {"convolution/keras_series.keras", "convolution/keras_series"},
    {"convolution/keras_series.h5", "convolution/keras_series"},
    {"convolution/keras_image.keras", "convolution/keras_image"},
    {"convolution/keras_volume.keras", "convolution/keras_volume"},
    {"convolution/keras_pooled.keras", "convolution/keras_pooled"},
    {"convolution/keras_grouped.keras", "convolution/keras_grouped"},
    {"convolution/keras_grouped.h5", "convolution/keras_grouped"},
    {"recurrent/keras_attention.keras", "recurrent/keras_attention"},
    {"recurrent/keras_attention.h5", "recurrent/keras_attention"},
    {"recurrent/keras_attention_causal.keras", "recurrent/keras_attention_causal"},
    {"recurrent/keras_attention_causal.h5", "recurrent/keras_attention_causal"},
    {"recurrent/keras_attention_cross.keras", "recurrent/keras_attention_cross"},
    {"recurrent/keras_attention_cross.h5", "recurrent/keras_attention_cross"},
    {"recurrent/keras_attention_grouped.keras", "recurrent/keras_attention_grouped"},
    {"recurrent/keras_attention_grouped.h5", "recurrent/keras_attention_grouped"},
    {"recurrent/keras_attention_dot.keras", "recurrent/keras_attention_dot"},
    {"recurrent/keras_attention_dot.h5", "recurrent/keras_attention_dot"},
    {"recurrent/keras_attention_concat.keras", "recurrent/keras_attention_concat"},
    {"recurrent/keras_attention_concat.h5", "recurrent/keras_attention_concat"},
    {"recurrent/keras_attention_additive.keras", "recurrent/keras_attention_additive"},
    {"recurrent/keras_attention_additive.h5", "recurrent/keras_attention_additive"},
    {"recurrent/keras_attention_masked.keras", "recurrent/keras_attention_masked"},
    {"recurrent/keras_attention_masked.h5", "recurrent/keras_attention_masked"},
    {"recurrent/keras_attention_masked_dropout.keras", "recurrent/keras_attention_masked_dropout"},
    {"recurrent/keras_attention_masked_dropout.h5", "recurrent/keras_attention_masked_dropout"},
    {"recurrent/keras_attention_masked_keys.keras", "recurrent/keras_attention_masked_keys"},
    {"recurrent/keras_attention_masked_keys.h5", "recurrent/keras_attention_masked_keys"},
    {"recurrent/keras_attention_dot_masked.keras", "recurrent/keras_attention_dot_masked"},
    {"recurrent/keras_attention_dot_masked.h5", "recurrent/keras_attention_dot_masked"},
    {"recurrent/keras_attention_additive_masked.keras", "recurrent/keras_attention_additive_masked"},
    {"recurrent/keras_attention_additive_masked.h5", "recurrent/keras_attention_additive_masked"},
    {"recurrent/keras_bidirectional.keras", "recurrent/keras_bidirectional"},
    {"recurrent/keras_bidirectional.h5", "recurrent/keras_bidirectional"},
    {"recurrent/keras_bidirectional_ave.keras", "recurrent/keras_bidirectional_ave"},
    {"recurrent/keras_bidirectional_ave.h5", "recurrent/keras_bidirectional_ave"},
    {"recurrent/keras_bidirectional_sum.keras", "recurrent/keras_bidirectional_sum"},
    {"recurrent/keras_bidirectional_sum.h5", "recurrent/keras_bidirectional_sum"},
    {"recurrent/keras_cells.keras", "recurrent/keras_cells"},
    {"recurrent/keras_cells.h5", "recurrent/keras_cells"},
    {"recurrent/keras_each_step.keras", "recurrent/keras_each_step"},
    {"recurrent/keras_each_step.h5", "recurrent/keras_each_step"},
    {"recurrent/keras_gru.keras", "recurrent/keras_gru"},
    {"recurrent/keras_gru.h5", "recurrent/keras_gru"},
    {"recurrent/keras_gru_before.keras", "recurrent/keras_gru_before"},
    {"recurrent/keras_gru_before.h5", "recurrent/keras_gru_before"},
    {"recurrent/keras_lstm.keras", "recurrent/keras_lstm"},
    {"recurrent/keras_lstm.h5", "recurrent/keras_lstm"},
    {"recurrent/keras_lstm_backwards.keras", "recurrent/keras_lstm_backwards"},
    {"recurrent/keras_lstm_backwards.h5", "recurrent/keras_lstm_backwards"},
    {"recurrent/keras_lstm_last.keras", "recurrent/keras_lstm_last"},
    {"recurrent/keras_lstm_last.h5", "recurrent/keras_lstm_last"},
    {"recurrent/keras_lstm_no_bias.keras", "recurrent/keras_lstm_no_bias"},
    {"recurrent/keras_lstm_no_bias.h5", "recurrent/keras_lstm_no_bias"},
    {"recurrent/keras_lstm_relu.keras", "recurrent/keras_lstm_relu"},
    {"recurrent/keras_lstm_relu.h5", "recurrent/keras_lstm_relu"},
    {"recurrent/keras_masked.keras", "recurrent/keras_masked"},
    {"recurrent/keras_masked.h5", "recurrent/keras_masked"},
    {"recurrent/keras_masked_both_ways.keras", "recurrent/keras_masked_both_ways"},
    {"recurrent/keras_masked_both_ways.h5", "recurrent/keras_masked_both_ways"},
    {"recurrent/keras_masked_gru.keras", "recurrent/keras_masked_gru"},
    {"recurrent/keras_masked_gru.h5", "recurrent/keras_masked_gru"},
    {"recurrent/keras_masked_mean.keras", "recurrent/keras_masked_mean"},
    {"recurrent/keras_masked_mean.h5", "recurrent/keras_masked_mean"},
    {"recurrent/keras_masked_steps.keras", "recurrent/keras_masked_steps"},
    {"recurrent/keras_masked_steps.h5", "recurrent/keras_masked_steps"},
    {"recurrent/keras_masking.keras", "recurrent/keras_masking"},
    {"recurrent/keras_masking.h5", "recurrent/keras_masking"},
    {"recurrent/keras_simple_rnn.keras", "recurrent/keras_simple_rnn"},
    {"recurrent/keras_simple_rnn.h5", "recurrent/keras_simple_rnn"},
    {"keras/pools.keras", "keras/pools"},
    {"keras/pools.h5", "keras/pools"},
    {"keras/sizes.keras", "keras/sizes"},
    {"keras/sizes.h5", "keras/sizes"},
    {"keras/only_training.keras", "keras/only_training"},
};
class KerasRead : public testing::TestWithParam<Row> {};

// Answers are numbered where there are several, or called as the door is.
const Tensor& found(const NamedTensors& all, const std::string& letter, size_t i, const std::string& name) {
  const std::string numbered = letter + std::to_string(i);
  return all.count(numbered) ? all.at(numbered) : all.count(name) ? all.at(name) : all.at(letter);
}

TEST_P(KerasRead, AnswersAsKerasDid) {
  const SavedNetwork saved = read(GetParam().name);
  const NamedTensors answers = answers_of(std::string(GetParam().answers) + ".answers.safetensors");
  NamedTensors inputs;
  for (size_t i = 0; i < saved.network.inputs().size(); ++i) {
    const std::string& name = saved.network.inputs()[i].name;
    inputs[name] = found(answers, "x", i, name);
  }
  const NamedTensors made = ask(saved, inputs);
  ASSERT_EQ(made.size(), saved.network.outputs().size());
  for (size_t i = 0; i < made.size(); ++i) {
    const std::string& name = saved.network.outputs()[i].name;
    expect_near(made.at(name), found(answers, "y", i, name), GetParam().bound, name);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, KerasRead, testing::ValuesIn(kRead), by_name);

}  // namespace
}  // namespace causeway::formats::keras
