#include "causeway/nn/mask_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "causeway/answer/predict.h"
#include "causeway/nn/layer_list.h"
#include "causeway/nn/network_maker.h"
#include "causeway/nn/words.h"
#include "tests/support/rows.h"

namespace causeway::nn {
namespace {

TEST(MaskRules, NameLayersAndEachOnce) {
  std::set<std::string_view> seen;
  for (const MaskRow& row : mask_rows()) {
    EXPECT_FALSE(row.says.empty());
    for (const std::string_view word : row.words) {
      EXPECT_NE(layer_row(word), nullptr) << word;
      EXPECT_TRUE(seen.insert(word).second) << word;
    }
  }
}

TEST(MaskRules, LetEveryActivationPass) {
  for (const PlainActivation::Row& row : plain_activations()) {
    EXPECT_EQ(mask_row(row.word).rule, MaskRule::Passes) << row.word;
  }
}

/// A layer of a series [N, 4, 2] that comes with a mask.
struct Row {
  const char* name;
  const char* layer;
  bool passes = true;
};

const Row kOfSeries[] = {
    {"activation", R"({"kind": "prelu"})"},
    {"softmax", R"({"kind": "softmax"})"},
    {"glu", R"({"kind": "glu"})"},
    {"dropout", R"({"kind": "dropout", "rate": 0.5})"},
    {"spatial_dropout", R"({"kind": "spatial_dropout1d", "rate": 0.5})"},
    {"gaussian_dropout", R"({"kind": "gaussian_dropout", "rate": 0.5})"},
    {"alpha_dropout", R"({"kind": "alpha_dropout", "rate": 0.5})"},
    {"noise", R"({"kind": "gaussian_noise", "stddev": 0.5})"},
    {"dense", R"({"kind": "dense", "units": 3})"},
    {"low_rank_dense", R"({"kind": "dense", "units": 3, "lora_rank": 1})"},
    {"batch_normalization", R"({"kind": "batch_normalization"})"},
    {"layer_normalization", R"({"kind": "layer_normalization"})"},
    {"scaled_layer_normalization", R"({"kind": "layer_normalization", "rms_scaling": true})"},
    {"group_normalization", R"({"kind": "group_normalization", "groups": 1})"},
    {"instance_normalization", R"({"kind": "instance_normalization"})"},
    {"unit_normalization", R"({"kind": "unit_normalization"})"},
    {"normalization", R"({"kind": "normalization"})"},
    {"rescaling", R"({"kind": "rescaling", "scale": 2})"},
    {"rms_normalization", R"({"kind": "rms_normalization"})", false},
    {"time_distributed", R"({"kind": "time_distributed", "layer": "relu"})"},
    {"identity", R"({"kind": "identity"})"},
    {"steps_of_a_recurrent_layer", R"({"kind": "lstm", "units": 3, "return_sequences": true})"},
    {"last_step_of_a_recurrent_layer", R"({"kind": "gru", "units": 3})", false},
    {"steps_in_both_directions",
     R"({"kind": "bidirectional", "layer": {"kind": "simple_rnn", "units": 3, "return_sequences": true}})"},
    {"last_steps_in_both_directions", R"({"kind": "bidirectional", "layer": {"kind": "simple_rnn", "units": 3}})",
     false},
    {"attention", R"({"kind": "multi_head_attention", "num_heads": 1, "key_dim": 2})"},
    {"grouped_attention",
     R"({"kind": "group_query_attention", "head_dim": 2, "num_query_heads": 2, "num_key_value_heads": 1})"},
    {"encoder", R"({"kind": "transformer_encoder_layer", "nhead": 1, "dim_feedforward": 2})"},
    {"sines", R"({"kind": "sine_position_encoding"})"},
    {"convolution", R"({"kind": "conv1d", "filters": 1, "kernel_size": 1})", false},
    {"depthwise_convolution", R"({"kind": "depthwise_conv1d", "kernel_size": 1})", false},
    {"transposed_convolution", R"({"kind": "conv1d_transpose", "filters": 1, "kernel_size": 1})", false},
    {"max_pooling", R"({"kind": "max_pooling1d"})", false},
    {"average_pooling", R"({"kind": "average_pooling1d"})", false},
    {"adaptive_pooling", R"({"kind": "adaptive_average_pooling1d", "output_size": 2})", false},
    {"global_max_pooling", R"({"kind": "global_max_pooling1d"})", false},
    {"global_average_pooling", R"({"kind": "global_average_pooling1d"})", false},
    {"flatten", R"({"kind": "flatten"})", false},
    {"reshape", R"({"kind": "reshape", "target_shape": [8]})", false},
    {"permute", R"({"kind": "permute", "dims": [2, 1]})", false},
    {"slice", R"({"kind": "slice", "stop": 1})", false},
    {"select", R"({"kind": "select", "index": 0})", false},
    {"zero_padding", R"({"kind": "zero_padding1d"})", false},
    {"pad", R"({"kind": "pad1d"})", false},
    {"cropping", R"({"kind": "cropping1d"})", false},
    {"up_sampling", R"({"kind": "up_sampling1d"})", false},
    {"einsum_dense", R"({"kind": "einsum_dense", "equation": "abc,cd->abd", "output_shape": [null, 2]})", false},
    {"embedding_of_shares", R"({"kind": "embedding", "one_hot": true, "input_dim": 2, "output_dim": 1})", false},
};

class MaskOfASeries : public testing::TestWithParam<Row> {};

TEST_P(MaskOfASeries, PassesOrStops) {
  NetworkMaker maker;
  const Dim batch = Dim::named("N");
  const Flow x{maker.input("x", DType::Float32, {batch, 4, 2}).value,
               maker.input("real", DType::Bool, {batch, 4}).value};
  const Json words = parse_json(GetParam().layer, "layer");
  std::vector<Fault> faults;
  const Layer layer = layer_row(words.find("kind")->text())->read(words, "layer", {"kind"}, faults);
  const Flow made = maker.add("0", layer, {&x, 1}, "layer '0'");
  ASSERT_TRUE(faults.empty() && maker.faults().empty());
  EXPECT_EQ(made.mask, GetParam().passes ? x.mask : Value());
}

INSTANTIATE_TEST_SUITE_P(NetworkSection10, MaskOfASeries, testing::ValuesIn(kOfSeries), tests::by_name);

/// What a merge of two masked series, or of a masked one and another, hands on.
TEST(NetworkSection10Merges, KeepAMaskWhereEachInputCarriesOne) {
  for (const char* word : {"add", "average", "maximum", "minimum", "multiply", "subtract", "concatenate"}) {
    NetworkMaker maker;
    const Dim batch = Dim::named("N");
    const auto masked = [&](const std::string& name) {
      return Flow{maker.input(name, DType::Float32, {batch, 4, 2}).value,
                  maker.input(name + "_real", DType::Bool, {batch, 4}).value};
    };
    const Flow two[] = {masked("a"), masked("b")}, one[] = {two[0], {two[1].value}};
    EXPECT_TRUE(maker.add("both", layer_row(word)->plain, two, "both").mask) << word;
    EXPECT_FALSE(maker.add("one", layer_row(word)->plain, one, "one").mask) << word;
    if (std::string_view(word) == "concatenate") {
      EXPECT_FALSE(maker.add("end to end", Concatenate{.axis = 1}, two, "end to end").mask);
    }
  }
}

/// A mean over steps behind layers that let the mask pass, or do not.
struct Answer {
  const char* name;
  const char* layers;
  std::vector<double> expected;
};

const Answer kAnswers[] = {
    {"passed_on", R"("relu", {"kind": "rescaling", "scale": 2}, "global_average_pooling1d")", {6}},
    {"stopped", R"({"kind": "zero_padding1d", "padding": 0}, "global_average_pooling1d")", {2}},
    {"into_a_network", R"({"kind": "network", "layers": ["relu", "global_average_pooling1d"]})", {3}},
    {"out_of_a_network", R"({"kind": "network", "layers": ["relu"]}, "global_average_pooling1d")", {3}},
    {"not_used_by_a_maximum", R"({"kind": "rescaling", "scale": -1}, "global_max_pooling1d")", {0}},
    {"real_in_any",
     R"({"kind": "masking", "name": "other", "mask_value": 2, "from": "input"},
                       {"kind": "add", "from": ["0", "other"]}, "global_average_pooling1d")",
     {10.0 / 3}},
};

class MaskedAnswer : public testing::TestWithParam<Answer> {};

TEST_P(MaskedAnswer, IsWhatTheMaskSays) {
  const SavedNetwork saved = network_of_words(
      std::string(R"({"input": [3, 1], "layers": [{"kind": "masking"}, )") + GetParam().layers + "]}", "words");
  for (const Engine* engine : engines()) {
    const Tensor y = predict(saved, Tensor::of<float>({1, 3, 1}, {4, 0, 2}), *engine);
    ASSERT_EQ(y.size(), static_cast<int64_t>(GetParam().expected.size()));
    EXPECT_NEAR(y.number_at(0), GetParam().expected[0], 1e-6) << engine->name();
  }
}

INSTANTIATE_TEST_SUITE_P(NetworkSection10, MaskedAnswer, testing::ValuesIn(kAnswers), tests::by_name);

}  // namespace
}  // namespace causeway::nn
