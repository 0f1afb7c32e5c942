#include "causeway/nn/layers/recurrent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "causeway/answer/predict.h"
#include "causeway/nn/module.h"
#include "causeway/nn/sequential.h"
#include "causeway/nn/words.h"
#include "causeway/ops/dropout.h"
#include "causeway/train/fit.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

// The numbers that the specification states of recurrent layers, and what their words mean.

namespace causeway::nn {
namespace {

using Numbers = std::vector<double>;

Tensor floats_of(std::vector<int64_t> lengths, const Numbers& numbers) {
  return Tensor::of<float>(std::move(lengths), {numbers.begin(), numbers.end()});
}

Tensor truths(const std::vector<int>& real) {
  Tensor mask(DType::Bool, {1, static_cast<int64_t>(real.size())});
  for (size_t i = 0; i < real.size(); ++i) mask.mutable_values<bool>()[i] = real[i] != 0;
  return mask;
}

struct Row {
  std::string name, words;
  std::map<std::string, Numbers> slots;
  NamedTensors inputs;
  /// By output, to the specification's six digits.
  std::map<std::string, Numbers> expected;
};

class NetworkSection8 : public testing::TestWithParam<Row> {};

TEST_P(NetworkSection8, Answers) {
  SavedNetwork saved = network_of_words(GetParam().words, "words");
  Slots& slots = saved.network.slots();
  for (const auto& [path, numbers] : GetParam().slots) {
    slots.at(path).assign(floats_of(slots.at(path).numbers.lengths(), numbers));
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_TRUE(slots[i].role != Role::Learned || GetParam().slots.contains(slots[i].path)) << slots[i].path;
  }
  for (const Engine* engine : engines()) {
    SCOPED_TRACE(engine->name());
    const NamedTensors answers = predict(saved, GetParam().inputs, {.engine = engine});
    for (const auto& [output, numbers] : GetParam().expected) {
      const Tensor& answer = answers.at(output);
      ASSERT_EQ(static_cast<size_t>(answer.size()), numbers.size()) << output;
      for (size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_NEAR(answer.number_at(static_cast<int64_t>(i)), numbers[i], 5.5e-6 * std::fabs(numbers[i]) + 1e-6)
            << output << ", " << i;
      }
    }
  }
}

const std::map<std::string, Numbers> kLstm = {{"0.weight_ih_l0", {0.5, -0.3, 0.8, 0.2}},
                                              {"0.weight_hh_l0", {0.1, 0.4, -0.2, 0.6}},
                                              {"0.bias_ih_l0", {0.05, 0.1, -0.1, 0.2}},
                                              {"0.bias_hh_l0", {0, 0.2, 0.1, -0.05}}};
const std::map<std::string, Numbers> kGru = {{"0.weight_ih_l0", {0.5, -0.3, 0.8}},
                                             {"0.weight_hh_l0", {0.1, 0.4, -0.7}},
                                             {"0.bias_ih_l0", {0.05, 0.1, -0.1}},
                                             {"0.bias_hh_l0", {0, 0.2, 0.3}}};
const std::map<std::string, Numbers> kSimple = {
    {"0.weight_ih_l0", {0.5}}, {"0.weight_hh_l0", {0.1}}, {"0.bias_ih_l0", {0.05}}, {"0.bias_hh_l0", {0}}};

/// The same slots in both directions.
std::map<std::string, Numbers> both_ways(std::map<std::string, Numbers> slots) {
  const std::map<std::string, Numbers> forward = slots;
  for (const auto& [path, numbers] : forward) slots[path + "_reverse"] = numbers;
  return slots;
}

/// One layer "0" over x [3, 1], which may name a mask, lengths or states.
std::string over_series(const std::string& layer, const std::string& outputs = "") {
  return R"({"inputs": {"x": [3, 1], "real": {"shape": [3], "dtype": "bool"}, "count": {"shape": [], "dtype": "int64"},)"
         R"( "h0": [1], "c0": [1]}, "layers": [{"from": "x", )" +
         layer + "}]" + (outputs.empty() ? "" : ", \"outputs\": " + outputs) + "}";
}

NamedTensors series(const Numbers& x, const std::vector<int>& real = {1, 1, 1}, int64_t count = 3, double h0 = 0,
                    double c0 = 0) {
  return {{"x", floats_of({1, 3, 1}, x)},
          {"real", truths(real)},
          {"count", Tensor::of_integers({count})},
          {"h0", floats_of({1, 1}, {h0})},
          {"c0", floats_of({1, 1}, {c0})}};
}

const Numbers kX = {1, -0.5, 2}, kNine = {1, 2, 9};
const std::string kSteps = R"(, "return_sequences": true)";

const Row kRows[] = {
    {"lstm",
     over_series(R"("kind": "lstm", "units": 1, "return_state": true)" + kSteps, R"(["0", "0.h", "0.c"])"),
     kLstm,
     series(kX),
     {{"0", {0.233384, 0.0411174, 0.392688}}, {"0.h", {0.392688}}, {"0.c", {0.714882}}}},
    {"gru",
     over_series(R"("kind": "gru", "units": 1)" + kSteps),
     kGru,
     series(kX),
     {{"output", {0.355756, 0.0711283, 0.560556}}}},
    {"gru_reset_before",
     over_series(R"("kind": "gru", "units": 1, "reset_after": false)" + kSteps),
     kGru,
     series(kX),
     {{"output", {0.380797, 0.135755, 0.586459}}}},
    {"simple_rnn",
     over_series(R"("kind": "simple_rnn", "units": 1)" + kSteps),
     kSimple,
     series(kX),
     {{"output", {0.500520, -0.148834, 0.775952}}}},
    {"last_state", over_series(R"("kind": "gru", "units": 1)"), kGru, series(kX), {{"output", {0.560556}}}},
    {"third_step_masked",
     over_series(R"("kind": "gru", "units": 1, "mask": "real")" + kSteps),
     kGru,
     series(kNine, {1, 1, 0}),
     {{"output", {0.355756, 0.655655, 0}}}},
    {"third_step_repeated",
     over_series(R"("kind": "gru", "units": 1, "mask": "real", "zero_output_for_mask": false)" + kSteps),
     kGru,
     series(kNine, {1, 1, 0}),
     {{"output", {0.355756, 0.655655, 0.655655}}}},
    {"masked_last_state",
     over_series(R"("kind": "gru", "units": 1, "mask": "real")"),
     kGru,
     series(kNine, {1, 1, 0}),
     {{"output", {0.655655}}}},
    {"middle_step_masked",
     over_series(R"("kind": "gru", "units": 1, "mask": "real")" + kSteps),
     kGru,
     series(kNine, {1, 0, 1}),
     {{"output", {0.355756, 0, 0.938997}}}},
    {"length_two",
     over_series(R"("kind": "gru", "units": 1, "lengths": "count")" + kSteps),
     kGru,
     series(kNine, {0, 0, 0}, 2),
     {{"output", {0.355756, 0.655655, 0}}}},
    {"length_zero",
     over_series(R"("kind": "gru", "units": 1, "lengths": "count", "initial_state": "h0")"),
     kGru,
     series(kNine, {1, 1, 1}, 0, 0.25),
     {{"output", {0.25}}}},
    {"length_zero_without_state",
     over_series(R"("kind": "lstm", "units": 1, "lengths": "count")" + kSteps),
     kLstm,
     series(kNine, {1, 1, 1}, 0),
     {{"output", {0, 0, 0}}}},
    // Behind one step from h 0.355756, x = 2 is the second step of x = 1 2.
    {"initial_state",
     over_series(R"("kind": "gru", "units": 1, "lengths": "count", "initial_state": "h0")"),
     kGru,
     series({2, 9, 9}, {1, 1, 1}, 1, 0.355756),
     {{"output", {0.655655}}}},
    // The third step of the lstm's row, from the state behind its second.
    {"both_initial_states",
     over_series(R"("kind": "lstm", "units": 1, "lengths": "count", "initial_state": ["h0", "c0"])"),
     kLstm,
     series({2, 9, 9}, {1, 1, 1}, 1, 0.0411174, 0.0752606),
     {{"output", {0.392688}}}},
    {"backwards",
     over_series(R"("kind": "gru", "units": 1, "go_backwards": true)" + kSteps),
     kGru,
     series({2, -0.5, 1}),
     {{"output", {0.355756, 0.0711283, 0.560556}}}},
    {"both_ways_length_two",
     over_series(R"("kind": "bidirectional", "layer": {"kind": "gru", "units": 1, "lengths": "count",)"
                 R"( "return_sequences": true})"),
     both_ways(kGru),
     series(kNine, {1, 1, 1}, 2),
     {{"output", {0.355756, 0.553547, 0.655655, 0.538903, 0, 0}}}},
    {"both_ways_last",
     over_series(R"("kind": "bidirectional", "layer": {"kind": "gru", "units": 1, "lengths": "count"})"),
     both_ways(kGru),
     series(kNine, {1, 1, 1}, 2),
     {{"output", {0.655655, 0.553547}}}},
    {"both_ways_sum",
     over_series(R"("kind": "bidirectional", "merge_mode": "sum", "layer": {"kind": "gru", "units": 1,)"
                 R"( "lengths": "count"})"),
     both_ways(kGru),
     series(kNine, {1, 1, 1}, 2),
     {{"output", {1.209202}}}},
    {"both_ways_mul",
     over_series(R"("kind": "bidirectional", "merge_mode": "mul", "layer": {"kind": "gru", "units": 1,)"
                 R"( "lengths": "count"})"),
     both_ways(kGru),
     series(kNine, {1, 1, 1}, 2),
     {{"output", {0.362936}}}},
    {"both_ways_ave",
     over_series(R"("kind": "bidirectional", "merge_mode": "ave", "layer": {"kind": "gru", "units": 1,)"
                 R"( "lengths": "count"})"),
     both_ways(kGru),
     series(kNine, {1, 1, 1}, 2),
     {{"output", {0.604601}}}},
    {"both_ways_apart",
     over_series(R"("kind": "bidirectional", "merge_mode": null, "layer": {"kind": "gru", "units": 1,)"
                 R"( "return_state": true, "mask": "real"})",
                 R"(["0", "0.forward", "0.backward", "0.h_l0", "0.h_l0_reverse"])"),
     both_ways(kGru),
     series(kNine, {1, 1, 0}),
     {{"0", {0.655655}},
      {"0.forward", {0.655655}},
      {"0.backward", {0.553547}},
      {"0.h_l0", {0.655655}},
      {"0.h_l0_reverse", {0.553547}}}},
};

INSTANTIATE_TEST_SUITE_P(Stated, NetworkSection8, testing::ValuesIn(kRows), tests::by_name);

// The pages of the readers state these of PyTorch and Keras.
TEST(NetworkSection8, OneBiasIsThatOfKeras) {
  SavedNetwork saved = network_of_words(
      R"({"input": [2, 1], "layers": [{"kind": "lstm", "units": 1, "recurrent_bias": false}]})", "words");
  Slots& slots = saved.network.slots();
  EXPECT_EQ(slots.find("0.bias_hh_l0"), nullptr);
  slots.at("0.weight_ih_l0").assign(floats_of({1, 4}, {0.5, -0.3, 0.8, 0.7}));
  slots.at("0.weight_hh_l0").assign(floats_of({1, 4}, {0.2, 0.4, -0.6, 0.1}));
  slots.at("0.bias_ih_l0").assign(floats_of({4}, {0.5, -0.3, 0.9, 0.4}));
  EXPECT_NEAR(predict(saved, floats_of({1, 2, 1}, {1, 2})).number_at(0), 0.670064, 1e-6);
}

// Slots and starts.

struct SlotsRow {
  std::string name, layer;
  std::map<std::string, std::vector<int64_t>> slots;
};

class RecurrentSlots : public testing::TestWithParam<SlotsRow> {};

TEST_P(RecurrentSlots, Are) {
  const std::string words = R"({"input": ["L", 5], "layers": [{)" + GetParam().layer + "}]}";
  const SavedNetwork saved = network_of_words(words, "words");
  std::map<std::string, std::vector<int64_t>> found;
  const Slots& slots = saved.network.slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].role == Role::Learned) found[slots[i].path] = slots[i].numbers.lengths();
  }
  EXPECT_EQ(found, GetParam().slots);
}

const SlotsRow kSlotRows[] = {
    {"two_layers",
     R"("kind": "gru", "units": 2, "num_layers": 2)",
     {{"0.weight_ih_l0", {5, 6}},
      {"0.weight_hh_l0", {2, 6}},
      {"0.bias_ih_l0", {6}},
      {"0.bias_hh_l0", {6}},
      {"0.weight_ih_l1", {2, 6}},
      {"0.weight_hh_l1", {2, 6}},
      {"0.bias_ih_l1", {6}},
      {"0.bias_hh_l1", {6}}}},
    {"both_ways_twice",
     R"("kind": "bidirectional", "layer": {"kind": "lstm", "units": 3, "num_layers": 2, "use_bias": false})",
     {{"0.weight_ih_l0", {5, 12}},
      {"0.weight_hh_l0", {3, 12}},
      {"0.weight_ih_l0_reverse", {5, 12}},
      {"0.weight_hh_l0_reverse", {3, 12}},
      {"0.weight_ih_l1", {6, 12}},
      {"0.weight_hh_l1", {3, 12}},
      {"0.weight_ih_l1_reverse", {6, 12}},
      {"0.weight_hh_l1_reverse", {3, 12}}}},
    {"one_bias",
     R"("kind": "simple_rnn", "units": 2, "recurrent_bias": false)",
     {{"0.weight_ih_l0", {5, 2}}, {"0.weight_hh_l0", {2, 2}}, {"0.bias_ih_l0", {2}}}},
};

INSTANTIATE_TEST_SUITE_P(Rows, RecurrentSlots, testing::ValuesIn(kSlotRows), tests::by_name);

TEST(NetworkSection12, StartsTheForgetBlockAtOne) {
  const Network net = Sequential({Dim::named("L"), 3}).lstm(2).build(7);
  EXPECT_TRUE(net.slots().at("0.bias_ih_l0").numbers.same_bits(floats_of({8}, {0, 0, 1, 1, 0, 0, 0, 0})));
  EXPECT_TRUE(net.slots().at("0.bias_hh_l0").numbers.same_bits(floats_of({8}, Numbers(8))));
}

TEST(RecurrentRefused, OverRows) {
  const std::vector<std::string> lines = tests::refusal_of(
      [] { network_of_words(R"({"input": [3], "layers": [{"kind": "gru", "units": 1}]})", "words"); });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("it is handed [N, 3], and takes a series, [N, steps, channels]."), std::string::npos);
}

struct Coded : Module {
  causeway::LSTM lstm{*this, "lstm", 4, {.num_layers = 2, .bidirectional = true}};
  causeway::RNN rnn{*this, "rnn", 3, {.return_sequences = false}};
  Value forward(Value x) override { return rnn(lstm(x)); }
};

TEST(NetworkSection14, ModulesStartAsPyTorchs) {
  const Network net = trace(Coded{}, {Dim::named("L"), 2}, 7);
  EXPECT_EQ(net.slots().at("lstm.weight_ih_l1_reverse").numbers.lengths(), (std::vector<int64_t>{8, 16}));
  for (size_t i = 0; i < net.slots().size(); ++i) {
    const Slot& slot = net.slots()[i];
    if (slot.role != Role::Learned) continue;
    const double bound = 1 / std::sqrt(slot.path.starts_with("lstm") ? 4.0 : 3.0);
    double largest = 0;
    for (const float number : slot.numbers.values<float>()) largest = std::fmax(largest, std::fabs(number));
    EXPECT_LE(largest, bound) << slot.path;
    EXPECT_GT(largest, bound / 2) << slot.path;
  }
}

// Refusals.

struct RefusedRow {
  std::string name, layer, sentence;
};

class RecurrentRefused : public testing::TestWithParam<RefusedRow> {};

TEST_P(RecurrentRefused, SaysWhy) {
  const std::vector<std::string> lines =
      tests::refusal_of([] { network_of_words(over_series(GetParam().layer), "words"); });
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find(GetParam().sentence), std::string::npos) << lines[0];
}

const RefusedRow kRefused[] = {
    {"no_units", R"("kind": "lstm")", "setting 'units' is missing, and lstm needs it."},
    {"units_zero", R"("kind": "lstm", "units": 0)", "'units' is 0, and at least 1 is needed."},
    {"no_layers", R"("kind": "gru", "units": 1, "num_layers": 0)", "'num_layers' is 0, and 1 to 1024 are built."},
    {"stateful", R"("kind": "lstm", "units": 1, "stateful": true)", "it has no setting 'stateful'."},
    {"proj_size", R"("kind": "lstm", "units": 1, "proj_size": 1)", "it has no setting 'proj_size'."},
    {"reset_after_of_lstm", R"("kind": "lstm", "units": 1, "reset_after": true)", "it has no setting 'reset_after'."},
    {"softmax", R"("kind": "lstm", "units": 1, "activation": "softmax")",
     "'activation' is 'softmax', and a cell takes no such activation: they work element by element and have no slot."},
    {"relu_with_a_bound", R"("kind": "lstm", "units": 1, "activation": {"kind": "relu", "max_value": 2})",
     "'activation' has the setting 'max_value', and 'relu' in a cell has none of this name."},
    {"dropout_of_one", R"("kind": "lstm", "units": 1, "dropout": 1)", "'dropout' is 1, and 0 to below 1 is expected."},
    {"mask_and_lengths", R"("kind": "lstm", "units": 1, "mask": "real", "lengths": "count")",
     "either 'mask' or 'lengths' is stated, and both are here."},
    {"mask_of_numbers", R"("kind": "lstm", "units": 1, "mask": "h0")", "its mask is float32, and bool is expected."},
    {"one_state_of_an_lstm", R"("kind": "lstm", "units": 1, "initial_state": "h0")",
     "'initial_state' names 1 values, and 2 are read there."},
    {"unknown_state", R"("kind": "gru", "units": 1, "initial_state": "h1")",
     "'initial_state' names 'h1', and no layer or input above has this name. The nearest is 'h0'."},
    {"a_dense_both_ways", R"("kind": "bidirectional", "layer": {"kind": "dense", "units": 1})",
     "'layer' is 'dense', and lstm, gru or simple_rnn is walked in both directions."},
    {"backwards_both_ways", R"("kind": "bidirectional", "layer": {"kind": "gru", "units": 1, "go_backwards": true})",
     "'layer' reads backwards, and both directions are read here."},
    {"a_stack_summed",
     R"("kind": "bidirectional", "merge_mode": "sum", "layer": {"kind": "gru", "units": 1, "num_layers": 2})",
     "'merge_mode' is \"sum\", and more than one layer takes \"concat\" alone."},
    {"an_unknown_merge", R"("kind": "bidirectional", "merge_mode": "max", "layer": {"kind": "gru", "units": 1})",
     "'merge_mode' is \"max\", and concat, sum, mul, ave or null is read here."},
    {"a_fault_inside", R"("kind": "bidirectional", "layer": {"kind": "gru", "unit": 1})",
     "'layer' does not fit: gru: setting 'units' is missing, and gru needs it."},
};

INSTANTIATE_TEST_SUITE_P(Rows, RecurrentRefused, testing::ValuesIn(kRefused), tests::by_name);

// Lengths that no series of 3 steps has, by each engine, also behind a layer whose own length is open.
TEST(NetworkSection8Lengths, LieBetweenNoneAndAll) {
  for (const char* steps : {"3", "\"L\""}) {
    const SavedNetwork saved = network_of_words(std::string(R"({"inputs": {"x": [)") + steps +
                                                    R"(, 1], "count": {"shape": [], "dtype": "int64"}}, "layers": [
              {"kind": "gru", "units": 1, "from": "x", "lengths": "count"}]})",
                                                "words", {.seed = 1});
    struct Row {
      int64_t length;
      std::string line;
    };
    const Row kRows[] = {
        {-1, "the length of series 1 is -1, and the series has 3 steps."},
        {0, ""},
        {3, ""},
        {4, "the length of series 1 is 4, and the series has 3 steps."},
    };
    for (const Engine* engine : engines()) {
      for (const auto& [length, line] : kRows) {
        const NamedTensors inputs{{"x", floats_of({2, 3, 1}, {1, 2, 3, 4, 5, 6})},
                                  {"count", Tensor::of<int64_t>({2}, {2, length})}};
        if (line.empty()) {
          predict(saved, inputs, {.engine = engine});
          continue;
        }
        const std::vector<std::string> said = tests::refusal_of([&] { predict(saved, inputs, {.engine = engine}); });
        ASSERT_EQ(said.size(), 1u) << engine->name() << " " << length;
        EXPECT_NE(said[0].find(line), std::string::npos) << said[0];
      }
    }
  }
}

// Training.

SavedNetwork with_recurrent_dropout(const std::string& more) {
  SavedNetwork saved = network_of_words(R"({"input": [3, 2], "loss": "mean_squared_error", "layers": [{"kind": "lstm",)"
                                        R"( "units": 2, "recurrent_dropout": 0.25)" +
                                            more + R"(}, {"kind": "dense", "units": 1}]})",
                                        "words", {.seed = 7});
  return saved;
}

Examples some_rows() {
  Examples rows;
  rows.inputs["input"] = floats_of({2, 3, 2}, {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6});
  rows.answers["output"] = floats_of({2, 1}, {1, -1});
  return rows;
}

TEST(RecurrentDropout, IsRefusedByFitUnlessHeld) {
  SavedNetwork saved = with_recurrent_dropout("");
  EXPECT_TRUE(std::isfinite(predict(saved, some_rows().inputs.at("input")).number_at(0)));
  const std::vector<std::string> lines =
      tests::refusal_of([&] { fit(saved, some_rows(), Sgd{.learning_rate = 0.1}, {.epochs = 1}); });
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("'recurrent_dropout' is 0.25, and no step here drops part of a state. Hold the layer, or "
                          "state 0."),
            std::string::npos)
      << lines[0];
  SavedNetwork held = with_recurrent_dropout(R"(, "trainable": false)");
  fit(held, some_rows(), Sgd{.learning_rate = 0.1}, {.epochs = 1});
}

// One draw an example and channel: a channel that is dropped is dropped at every step, and each direction draws its own.
TEST(RecurrentDropouts, DrawForTheirPurposes) {
  const SavedNetwork saved = network_of_words(
      R"({"input": [3, 2], "layers": [{"kind": "bidirectional", "layer": {"kind": "gru", "units": 2, "num_layers": 2,)"
      R"( "dropout": 0.5, "layer_dropout": 0.25}}]})",
      "words");
  std::vector<std::string> found;
  for (const Node* node : saved.network.graph().nodes()) {
    const auto* drop = node->op.as<ops::Dropout>();
    if (drop)
      found.push_back(drop->purpose + ":" + node->scope->path + (drop->shared_axes.empty() ? "" : " for all steps"));
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{"dropout:0 for all steps", "dropout:0.reverse for all steps",
                                             "layer_dropout:0.l0"}));
}

}  // namespace
}  // namespace causeway::nn
