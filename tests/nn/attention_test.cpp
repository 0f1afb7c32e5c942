#include "causeway/nn/layers/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "causeway/answer/predict.h"
#include "causeway/graph/rewrite.h"
#include "causeway/nn/layers/transformer.h"
#include "causeway/nn/module.h"
#include "causeway/nn/network_maker.h"
#include "causeway/nn/words.h"
#include "causeway/ops/attention.h"
#include "causeway/ops/build.h"
#include "causeway/ops/random_uniform.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

// The numbers that the specification states of attention and of positions.

namespace causeway::nn {
namespace {

using Numbers = std::vector<double>;

Tensor floats_of(std::vector<int64_t> lengths, const Numbers& numbers) {
  return Tensor::of<float>(std::move(lengths), {numbers.begin(), numbers.end()});
}

/// `first`, `first` + `step` … as a matrix [out, in] is laid out, transposed: what a slot [in, out] holds.
Numbers transposed(int64_t out, int64_t in, const std::function<double(int64_t)>& entry) {
  Numbers numbers;
  for (int64_t i = 0; i < in; ++i) {
    for (int64_t o = 0; o < out; ++o) numbers.push_back(entry(o * in + i));
  }
  return numbers;
}

Numbers counted(int64_t count, const std::function<double(int64_t)>& entry) {
  Numbers numbers;
  for (int64_t k = 0; k < count; ++k) numbers.push_back(entry(k));
  return numbers;
}

struct Row {
  std::string name, words;
  std::map<std::string, Numbers> slots;
  std::map<std::string, Tensor> inputs;
  /// The first numbers of the answer; by the specification's six digits.
  Numbers expected;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class NetworkSection9 : public testing::TestWithParam<Row> {};

TEST_P(NetworkSection9, Answers) {
  SavedNetwork saved = network_of_words(GetParam().words, "words");
  Slots& slots = saved.network.slots();
  for (const auto& [path, numbers] : GetParam().slots) {
    slots.at(path).assign(floats_of(slots.at(path).numbers.lengths(), numbers));
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_TRUE(slots[i].role != Role::Learned || GetParam().slots.contains(slots[i].path)) << slots[i].path;
  }
  const NamedTensors inputs(GetParam().inputs.begin(), GetParam().inputs.end());
  for (const Engine* engine : engines()) {
    SCOPED_TRACE(engine->name());
    const Tensor answer = predict(saved, inputs, {.engine = engine}).at("output");
    for (size_t i = 0; i < GetParam().expected.size(); ++i) {
      const double expected = GetParam().expected[i];
      EXPECT_NEAR(answer.number_at(static_cast<int64_t>(i)), expected, 5.5e-6 * std::fabs(expected) + 1e-6) << i;
    }
  }
}

// E 2, one head, every projection the identity.
const Numbers kIdentities = {1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1};

Row plain(std::string name, std::string more, std::map<std::string, Tensor> masks, Numbers expected) {
  const std::string inputs = masks.contains("real") ? R"(, "real": {"shape": [3], "dtype": "bool"})" : "";
  masks.emplace("x", floats_of({1, 3, 2}, {1, 0, 0, 2, 1, 1}));
  return {std::move(name),
          R"({"inputs": {"x": [3, 2])" + inputs +
              R"(}, "layers": [{"kind": "multi_head_attention", "from": "x", "num_heads": 1, "key_dim": 2)" + more +
              "}]}",
          {{"0.in_proj_weight", kIdentities},
           {"0.in_proj_bias", Numbers(6)},
           {"0.out_proj.weight", {1, 0, 0, 1}},
           {"0.out_proj.bias", {0.1, -0.2}}},
          std::move(masks),
          std::move(expected)};
}

Tensor truths(const std::vector<int>& real) {
  Tensor mask(DType::Bool, {1, static_cast<int64_t>(real.size())});
  for (size_t i = 0; i < real.size(); ++i) mask.mutable_values<bool>()[i] = real[i] != 0;
  return mask;
}

std::map<std::string, Tensor> masked(const std::vector<int>& real) { return {{"real", truths(real)}}; }

// E 4, two heads, in PyTorch's layout.
Row two_heads(std::string name, std::string more, Numbers expected) {
  return {
      std::move(name),
      R"({"input": [2, 4], "layers": [{"kind": "multi_head_attention", "num_heads": 2, "key_dim": 2)" + more + "}]}",
      {{"0.in_proj_weight", transposed(12, 4, [](int64_t k) { return static_cast<double>(k) / 50; })},
       {"0.in_proj_bias", counted(12, [](int64_t k) { return static_cast<double>(k) / 20; })},
       {"0.out_proj.weight", transposed(4, 4, [](int64_t k) { return static_cast<double>(k - 8) / 10; })},
       {"0.out_proj.bias", {0, 0.1, 0.2, 0.3}}},
      {{"input", floats_of({1, 2, 4}, {0.1, -0.2, 0.3, -0.4, 0.5, 0.6, -0.7, 0.8})}},
      std::move(expected)};
}

/// The tensors of an encoder or decoder layer of E 4 and F 3, the i-th in PyTorch's order by the specification's rule.
std::map<std::string, Numbers> ruled(bool is_decoder) {
  std::map<std::string, Numbers> slots;
  int64_t i = 0;
  const auto entry = [&](double plus) {
    return [i, plus](int64_t k) { return static_cast<double>((7 * k + 3 * i) % 11 - 5) / 10 + plus; };
  };
  const auto matrix = [&](const std::string& path, int64_t out, int64_t in) {
    slots[path] = transposed(out, in, entry(0)), ++i;
  };
  const auto list = [&](const std::string& path, int64_t count, double plus = 0) {
    slots[path] = counted(count, entry(plus)), ++i;
  };
  for (const std::string part : {"0.self_attn.", "0.multihead_attn."}) {
    if (part == "0.multihead_attn." && !is_decoder) continue;
    matrix(part + "in_proj_weight", 12, 4);
    list(part + "in_proj_bias", 12);
    matrix(part + "out_proj.weight", 4, 4);
    list(part + "out_proj.bias", 4);
  }
  matrix("0.linear1.weight", 3, 4);
  list("0.linear1.bias", 3);
  matrix("0.linear2.weight", 4, 3);
  list("0.linear2.bias", 4);
  for (const std::string norm : {"0.norm1.", "0.norm2.", "0.norm3."}) {
    if (norm == "0.norm3." && !is_decoder) continue;
    list(norm + "weight", 4, 1);
    list(norm + "bias", 4);
  }
  return slots;
}

Row encoder(const std::string& name, const std::string& more, bool is_masked, Numbers expected) {
  Row row{name + (is_masked ? "_masked" : ""),
          R"({"inputs": {"x": [3, 4], "real": {"shape": [3], "dtype": "bool"}}, "layers": [
             {"kind": "transformer_encoder_layer", "from": "x", "mask": "real", "nhead": 2, "dim_feedforward": 3)" +
              more + "}]}",
          ruled(false),
          {{"x", floats_of({1, 3, 4}, {1, 0, -1, 0.5, 0, 2, 0.3, -0.7, 1, 1, 0.2, 0})},
           {"real", truths({1, 1, is_masked ? 0 : 1})}},
          std::move(expected)};
  return row;
}

Row decoder(std::string name, const std::string& more, Numbers expected) {
  return {std::move(name),
          R"({"inputs": {"target": [2, 4], "memory": [3, 4]}, "layers": [{"kind": "transformer_decoder_layer",
             "from": ["target", "memory"], "nhead": 2, "dim_feedforward": 3)" +
              more + "}]}",
          ruled(true),
          {{"target", floats_of({1, 2, 4}, {1, 0, -1, 0.5, 0, 2, 0.3, -0.7})},
           {"memory", floats_of({1, 3, 4}, {1, 1, 0.2, 0, 0.5, -0.5, 0, 1, 0, 0.1, 0.2, 0.3})}},
          std::move(expected)};
}

constexpr const char* kRealMask = R"(, "mask": "real")";

const Row kRows[] = {
    plain("one_head", "", {}, {0.902224, 0.596664, 0.332082, 1.52253, 0.698888, 1.00334}),
    plain("last_key_masked", kRealMask, masked({1, 1, 0}), {0.769762, 0.460477, 0.155807, 1.68839, 0.430238, 1.13952}),
    plain("all_masked", kRealMask, masked({0, 0, 0}), {0.1, -0.2, 0.1, -0.2, 0.1, -0.2}),
    plain("all_masked_averaged", R"(, "mask": "real", "no_key": "average")", masked({0, 0, 0}),
          {0.766667, 0.8, 0.766667, 0.8, 0.766667, 0.8}),
    two_heads("two_heads", "", {-2.22542, -0.725333, 0.774750, 2.27483, -2.37718, -0.772496, 0.832191, 2.43688}),
    two_heads("causal", R"(, "use_causal_mask": true)",
              {-0.781200, -0.190000, 0.401200, 0.992400, -2.37718, -0.772496, 0.832191, 2.43688}),
    encoder("encoder", "", false, {0.786834, 0.120979, -0.996213, 1.32843}),
    encoder("encoder", "", true, {0.799118, 0.107811, -0.993061, 1.32708}),
    encoder("encoder_gelu", R"(, "activation": "gelu")", false, {0.730171, 0.104155, -0.995241, 1.40083}),
    encoder("encoder_gelu", R"(, "activation": "gelu")", true, {0.741881, 0.0906285, -0.992076, 1.40046}),
    encoder("encoder_norm_first", R"(, "norm_first": true)", false, {1.81224, 0.448835, -1.89952, 1.43707}),
    encoder("encoder_norm_first", R"(, "norm_first": true)", true, {1.81221, 0.369480, -1.87100, 1.38627}),
    encoder("encoder_norm_first_gelu", R"(, "norm_first": true, "activation": "gelu")", false,
            {1.74134, 0.425941, -1.87441, 1.51019}),
    encoder("encoder_norm_first_gelu", R"(, "norm_first": true, "activation": "gelu")", true,
            {1.73923, 0.344896, -1.84719, 1.45848}),
    decoder("decoder", "", {0.684233, 0.0274062, -1.56803, 0.684406}),
    decoder("decoder_causal", R"(, "use_causal_mask": true)", {0.589972, 0.0425461, -1.55826, 0.737455}),
    decoder("decoder_norm_first", R"(, "norm_first": true)", {1.34592, 0.568683, -2.63399, 1.66630}),
    {"keras_attention",
     R"({"inputs": {"q": [2, 2], "v": [3, 2]}, "layers": [{"kind": "attention", "from": ["q", "v"]}]})",
     {},
     {{"q", floats_of({1, 2, 2}, {1, 0, 0, 2})}, {"v", floats_of({1, 3, 2}, {1, 2, 3, 4, 5, 6})}},
     {4.70187, 5.70187, 4.96272, 5.96272}},
    // tanh(1000) and tanh(-1000) stand for 1 and -1: scores w Σ tanh(s(q + k)) of 2 · 2 and 2 · -2.
    {"keras_attention_concat",
     R"({"inputs": {"q": [1, 2], "v": [2, 2]}, "layers": [
        {"kind": "attention", "from": ["q", "v"], "score_mode": "concat", "use_scale": true}]})",
     {{"0.scale", {1000}}, {"0.concat_score_weight", {2}}},
     {{"q", floats_of({1, 1, 2}, {1, 1})}, {"v", floats_of({1, 2, 2}, {3, 3, -3, -3})}},
     {3 * 0.999329300, 3 * 0.999329300}},
    {"keras_additive_attention",
     R"({"inputs": {"q": [1, 2], "v": [2, 2]}, "layers": [{"kind": "additive_attention", "from": ["q", "v"]}]})",
     {{"0.scale", {1, 3}}},
     {{"q", floats_of({1, 1, 2}, {0, 0})}, {"v", floats_of({1, 2, 2}, {3000, 3000, -3000, -3000})}},
     {3000 * 0.999329300, 3000 * 0.999329300}},
    // Query heads 0 and 1 read key head 0: shares even, so each answers the mean of its values.
    {"grouped_heads",
     R"({"input": [2, 1], "layers": [{"kind": "group_query_attention", "head_dim": 1, "num_query_heads": 4,
        "num_key_value_heads": 2, "use_bias": false}]})",
     {{"0.q_proj_weight", {0, 0, 0, 0}},
      {"0.k_proj_weight", {1, 1}},
      {"0.v_proj_weight", {1, 10}},
      {"0.out_proj.weight", {1, 1, 1, 1000}}},
     {{"input", floats_of({1, 2, 1}, {1, 3})}},
     {2 + 2 + 20 + 20000}},
    {"sines_of_four_channels",
     R"({"input": ["L", 4], "layers": ["sine_position_encoding"]})",
     {},
     {{"input", floats_of({1, 2, 4}, Numbers(8))}},
     {0, 1, 0, 1, 0.841471, 0.540302, 0.00999983, 0.99995}},
    {"sines_of_three_channels",
     R"({"input": [2, 3], "layers": ["sine_position_encoding"]})",
     {},
     {{"input", floats_of({1, 2, 3}, Numbers(6))}},
     {0, 1, 0, 0.841471, 0.540302, 0.00215443}},
};

INSTANTIATE_TEST_SUITE_P(Rows, NetworkSection9, testing::ValuesIn(kRows), tests::by_name);

// Slots and shapes.

std::string slots_of(const SavedNetwork& saved) {
  std::string text;
  for (size_t i = 0; i < saved.network.slots().size(); ++i) {
    const Slot& slot = saved.network.slots()[i];
    if (slot.role != Role::Constant) text += slot.path + " " + slot.numbers.shape().text() + "; ";
  }
  return text;
}

struct Shaped {
  std::string name, words, slots, output;
};
void PrintTo(const Shaped& row, std::ostream* out) { *out << row.name; }

class AttentionSlots : public testing::TestWithParam<Shaped> {};

TEST_P(AttentionSlots, AreThoseOfItsSettings) {
  const SavedNetwork saved = network_of_words(GetParam().words, "words");
  EXPECT_EQ(slots_of(saved), GetParam().slots);
  EXPECT_EQ(saved.network.outputs()[0].value.shape().text(), GetParam().output);
}

const Shaped kShaped[] = {
    {"packed", R"({"input": ["L", 6], "layers": [{"kind": "multi_head_attention", "num_heads": 2, "key_dim": 3}]})",
     "0.in_proj_weight [6, 18]; 0.in_proj_bias [18]; 0.out_proj.weight [6, 6]; 0.out_proj.bias [6]; ", "[N, L, 6]"},
    {"not_packed",
     R"({"input": ["L", 6], "layers": [{"kind": "multi_head_attention", "num_heads": 2, "key_dim": 3,
        "packed_projection": false, "use_bias": false}]})",
     "0.q_proj_weight [6, 6]; 0.k_proj_weight [6, 6]; 0.v_proj_weight [6, 6]; 0.out_proj.weight [6, 6]; ", "[N, L, 6]"},
    {"other_widths",
     R"({"inputs": {"q": ["L", 6], "v": ["S", 4], "k": ["S", 5]}, "layers": [{"kind": "multi_head_attention",
        "from": ["q", "v", "k"], "num_heads": 2, "key_dim": 3, "value_dim": 7, "output_shape": 11}]})",
     "0.q_proj_weight [6, 6]; 0.k_proj_weight [5, 6]; 0.v_proj_weight [4, 14]; 0.in_proj_bias [26]; "
     "0.out_proj.weight [14, 11]; 0.out_proj.bias [11]; ",
     "[N, L, 11]"},
    {"packed_by_itself_across",
     R"({"inputs": {"q": ["L", 6], "v": ["S", 6]}, "layers": [{"kind": "multi_head_attention",
        "from": ["q", "v"], "num_heads": 2, "key_dim": 3}]})",
     "0.in_proj_weight [6, 18]; 0.in_proj_bias [18]; 0.out_proj.weight [6, 6]; 0.out_proj.bias [6]; ", "[N, L, 6]"},
    {"encoder_without_biases",
     R"({"input": [5, 4], "layers": [{"kind": "transformer_encoder_layer", "nhead": 2, "dim_feedforward": 3,
        "use_bias": false}]})",
     "0.self_attn.in_proj_weight [4, 12]; 0.self_attn.out_proj.weight [4, 4]; 0.norm1.weight [4]; "
     "0.linear1.weight [4, 3]; 0.linear2.weight [3, 4]; 0.norm2.weight [4]; ",
     "[N, 5, 4]"},
};
INSTANTIATE_TEST_SUITE_P(Rows, AttentionSlots, testing::ValuesIn(kShaped), tests::by_name);

// What does not fit.

struct Refusal {
  std::string name, words, line;
};
void PrintTo(const Refusal& row, std::ostream* out) { *out << row.name; }

class AttentionRefused : public testing::TestWithParam<Refusal> {};

TEST_P(AttentionRefused, SaysWhy) {
  const std::vector<Fault> faults = tests::faults_of([] { network_of_words(GetParam().words, "words"); });
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].what, GetParam().line);
}

std::string attention_words(const std::string& more) {
  return R"({"input": [5, 6], "layers": [{"kind": "multi_head_attention", "num_heads": 2, "key_dim": 3)" + more + "}]}";
}

const Refusal kRefusals[] = {
    {"unknown_mask", attention_words(R"(, "mask": "inptu")"),
     "'mask' names 'inptu', and no layer or input above has this name. The nearest is 'input'."},
    {"two_masks", attention_words(R"(, "mask": ["input", "input"])"), "'mask' names 2 values, and one is read there."},
    {"a_mask_of_numbers", attention_words(R"(, "mask": "input")"), "mask is float32, and bool is expected."},
    {"no_such_answer", attention_words(R"(, "no_key": "nan")"),
     "'no_key' is 'nan', and zeros or average is read here."},
    {"packed_of_another_width", attention_words(R"(, "value_dim": 4, "packed_projection": true)"),
     "'packed_projection' is true, and one weight is packed where query, key and value have one width and 'value_dim' "
     "is 'key_dim'."},
    {"heads_without_end",
     R"({"input": [5, 6], "layers": [{"kind": "multi_head_attention", "num_heads": 4611686018427387904, "key_dim": 3}]})",
     "'num_heads' is 4611686018427387904, and 1 to 65536 is expected."},
    {"channels_without_end", R"({"input": [5, 1099511627776], "layers": ["sine_position_encoding"]})",
     "it is handed [N, 5, 1099511627776], and encodes up to 1048576 channels."},
    {"rows", R"({"input": [6], "layers": [{"kind": "multi_head_attention", "num_heads": 2, "key_dim": 3}]})",
     "the query is [N, 6], and attention takes a series, [N, steps, channels]."},
    {"uneven_heads", R"({"input": [5, 6], "layers": [{"kind": "transformer_encoder_layer", "nhead": 4}]})",
     "'nhead' is 4, and 6 channels do not fall into as many heads."},
    {"no_such_activation",
     R"({"input": [5, 6], "layers": [{"kind": "transformer_encoder_layer", "nhead": 2, "activation": "gleu"}]})",
     "'activation' is 'gleu', and relu, gelu or an activation without settings is read here. The nearest is 'gelu'."},
    {"no_memory", R"({"input": [5, 6], "layers": [{"kind": "transformer_decoder_layer", "nhead": 2}]})",
     "it takes [target, memory], and 1 value is handed to it."},
    {"memory_of_another_width",
     R"({"inputs": {"x": [5, 6], "m": [3, 4]}, "layers": [
        {"kind": "transformer_decoder_layer", "from": ["x", "m"], "nhead": 2}]})",
     "the target is [N, 5, 6] and the memory is [N, 3, 4], and one width is expected."},
    {"uneven_groups",
     R"({"input": [5, 6], "layers": [{"kind": "group_query_attention", "head_dim": 2, "num_query_heads": 3,
        "num_key_value_heads": 2}]})",
     "'num_query_heads' is 3 and 'num_key_value_heads' is 2, and each of those serves as many of the first."},
};
INSTANTIATE_TEST_SUITE_P(Rows, AttentionRefused, testing::ValuesIn(kRefusals), tests::by_name);

// First numbers: section 14.

double spread_of(const SavedNetwork& saved, const std::string& path) {
  double most = 0;
  for (const float number : saved.network.slots().at(path).numbers.values<float>()) {
    most = std::fmax(most, std::fabs(number));
  }
  return most;
}

TEST(NetworkSection14, AttentionOfWordsStartsEachProjectionByItself) {
  const SavedNetwork saved = network_of_words(attention_words(""), "words", {.seed = 7});
  const double bound = std::sqrt(6.0 / 12);
  EXPECT_LE(spread_of(saved, "0.in_proj_weight"), bound);
  EXPECT_GT(spread_of(saved, "0.in_proj_weight"), 0.9 * bound);
  EXPECT_GT(spread_of(saved, "0.out_proj.weight"), 0.8 * bound);
  EXPECT_EQ(spread_of(saved, "0.in_proj_bias"), 0);
  EXPECT_EQ(spread_of(saved, "0.out_proj.bias"), 0);
}

// Masks that come with a value.

struct MaskedFlows {
  NetworkMaker maker;
  Flow query = {maker.input("q", DType::Float32, {Dim::named("N"), Dim::named("L"), 4}).value,
                maker.input("q_mask", DType::Bool, {Dim::named("N"), Dim::named("L")}).value};
  Flow key = {maker.input("k", DType::Float32, {Dim::named("N"), Dim::named("S"), 4}).value,
              maker.input("k_mask", DType::Bool, {Dim::named("N"), Dim::named("S")}).value};
  Value stated = maker.input("stated", DType::Bool, {Dim::named("N"), Dim::named("S")}).value;

  MaskedFlows() { maker.name("stated", {stated}); }

  Flow add(const Layer& layer, const std::vector<Flow>& from) { return maker.add("0", layer, from, "layer '0'"); }
  /// The masks that attentions read, in their order.
  Values masks() {
    Values found;
    for (const Node* node : maker.graph().nodes()) {
      if (node->op.is<ops::Attention>()) found.push_back(node->input(3));
    }
    return found;
  }
};

TEST(AttentionMasks, ComeWithTheKeyUnlessStated) {
  for (const bool is_stated : {false, true}) {
    MaskedFlows flows;
    MultiHeadAttention attention{.num_heads = 2, .key_dim = 2};
    if (is_stated) attention.mask = "stated";
    const Flow made = flows.add(attention, {flows.query, flows.key});
    EXPECT_EQ(flows.masks(), Values{is_stated ? flows.stated : flows.key.mask});
    EXPECT_EQ(made.mask, flows.query.mask);
  }
}

TEST(AttentionMasks, PassThroughTransformers) {
  MaskedFlows flows;
  TransformerDecoderLayer decoder{.nhead = 2, .dim_feedforward = 3};
  const Flow made = flows.add(decoder, {flows.query, flows.key});
  EXPECT_EQ(flows.masks(), (Values{flows.query.mask, flows.key.mask}));
  EXPECT_EQ(made.mask, flows.query.mask);

  MaskedFlows alone;
  const Flow encoded = alone.add(TransformerEncoderLayer{.nhead = 2, .dim_feedforward = 3}, {alone.query});
  EXPECT_EQ(alone.masks(), Values{alone.query.mask});
  EXPECT_EQ(encoded.mask, alone.query.mask);
}

// Modules with PyTorch's defaults, and what they draw.

struct Translator : Module {
  causeway::TransformerEncoderLayer encoder{*this, "encoder", 4, 2, {.dim_feedforward = 3}};
  causeway::TransformerDecoderLayer decoder{
      *this, "decoder", 4, 2, {.dim_feedforward = 3, .norm_first = true, .causal = true}};
  MultiheadAttention attention{*this, "attention", 4, 2, {.dropout = 0.1f}};
  Value forward(Value x) override {
    const Value memory = encoder(x);
    const Value real = ops::greater(ops::reduce_sum(x, {-1}), 0.0);
    const Value target = decoder(x, memory, {}, real);
    return attention(target, memory, memory, real);
  }
};

TEST(AttentionModules, AreTracedIntoTheSlotsOfTheirWords) {
  const SavedNetwork saved{.network = trace(Translator{}, {5, 4}, 7)};
  const std::string slots = slots_of(saved);
  EXPECT_NE(slots.find("encoder.self_attn.in_proj_weight [4, 12]; encoder.self_attn.in_proj_bias [12]; "
                       "encoder.self_attn.out_proj.weight [4, 4]; encoder.self_attn.out_proj.bias [4]; "),
            std::string::npos)
      << slots;
  EXPECT_NE(slots.find("decoder.multihead_attn.in_proj_weight [4, 12]; "), std::string::npos) << slots;
  EXPECT_NE(slots.find("attention.in_proj_weight [4, 12]; attention.in_proj_bias [12]; attention.out_proj.weight "
                       "[4, 4]; attention.out_proj.bias [4]; "),
            std::string::npos)
      << slots;
  EXPECT_EQ(saved.network.outputs()[0].value.shape().text(), "[N, 5, 4]");
  for (const Scope* scope : saved.network.graph().scopes()) EXPECT_EQ(scope->path.find('#'), std::string::npos);
}

// PyTorch's joined weight counts as one matrix [E, 3E], and its output projection starts as a Linear does.
TEST(NetworkSection14, AttentionModulesStartAsPytorchs) {
  const SavedNetwork saved{.network = trace(Translator{}, {5, 4}, 7)};
  const double joined = std::sqrt(6.0 / 16), out = 1 / std::sqrt(4.0);
  for (const std::string path : {"encoder.self_attn.", "decoder.multihead_attn.", "attention."}) {
    EXPECT_LE(spread_of(saved, path + "in_proj_weight"), joined);
    EXPECT_GT(spread_of(saved, path + "in_proj_weight"), 0.9 * joined);
    EXPECT_LE(spread_of(saved, path + "out_proj.weight"), out);
    EXPECT_GT(spread_of(saved, path + "out_proj.weight"), 0.7 * out);
    EXPECT_EQ(spread_of(saved, path + "in_proj_bias"), 0);
    EXPECT_EQ(spread_of(saved, path + "out_proj.bias"), 0);
  }
  EXPECT_GT(spread_of(saved, "encoder.linear1.bias"), 0);
}

struct Uneven : Module {
  MultiheadAttention attention{*this, "attention", 4, 3};
  Value forward(Value x) override { return attention(x); }
};

TEST(AttentionModules, SayWhatDoesNotFit) {
  EXPECT_EQ(tests::faults_of([] {
              trace(Uneven{}, {5, 4}, 7);
            }),
            (std::vector<Fault>{{"layer 'attention' (MultiHeadAttention)",
                                 "'num_heads' is 3, and 4 features do not fall into as many heads."}}));
}

// Section 13: each dropout draws under its own path.
TEST(NetworkSection13, TransformersDropUnderPytorchsNames) {
  const SavedNetwork saved = network_of_words(
      R"({"inputs": {"x": [5, 4], "memory": [3, 4]}, "layers": [
         {"kind": "transformer_decoder_layer", "name": "d", "from": ["x", "memory"], "nhead": 2}]})",
      "words");
  Slots slots = saved.network.slots();
  GraphBuilder graph(slots);
  copy_nodes(graph, saved.network.graph(),
             [](GraphBuilder& into, const Node& node, const Values& inputs) -> std::optional<Values> {
               return node.op.training(into, Node{node.op, node.scope, inputs, {}, node.index});
             });
  std::set<std::string> purposes;
  for (const Node* node : graph.nodes()) {
    if (const auto* draw = node->op.as<ops::RandomUniform>()) purposes.insert(draw->purpose);
  }
  EXPECT_EQ(purposes, (std::set<std::string>{"dropout:d.self_attn", "dropout:d.multihead_attn", "dropout:d.dropout",
                                             "dropout:d.dropout1", "dropout:d.dropout2", "dropout:d.dropout3"}));
}

}  // namespace
}  // namespace causeway::nn
