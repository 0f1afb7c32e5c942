#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "causeway/engine/reference/reference_engine.h"
#include "causeway/nn/words.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "causeway/passes/sink_transposes.h"
#include "causeway/passes/turn_doors.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::passes {
namespace {

using tests::by_name;

Tensor numbers(std::vector<int64_t> lengths) {
  Tensor tensor(DType::Float32, std::move(lengths));
  float at = 0.3f;
  for (float& number : tensor.mutable_values<float>()) number = std::sin(at += 1.7f);
  return tensor;
}

std::vector<Tensor> answers(const Network& network, const std::vector<Tensor>& inputs) {
  Slots slots = network.slots();
  Binding binding;
  std::vector<TensorView> views;
  for (size_t i = 0; i < inputs.size(); ++i) {
    binding.lengths[network.inputs()[i].name] = inputs[i].lengths();
    views.push_back(view_of(inputs[i]));
  }
  const auto context = engine::reference::ReferenceEngine().compile(network.graph(), slots, binding)->context();
  std::vector<Tensor> made;
  for (const TensorView& view : context->run(views)) made.push_back(copy_of(view));
  return made;
}

size_t count_of_transposes(const Graph& graph) {
  size_t count = 0;
  for (const Node* node : graph.nodes()) count += node->op.is<ops::Transpose>() ? 1 : 0;
  return count;
}

Axes to_channels_first(size_t rank) {
  Axes axes{0, rank - 1};
  for (size_t axis = 1; axis + 1 < rank; ++axis) axes.push_back(axis);
  return axes;
}

struct Row {
  const char* name;
  const char* words;
  std::vector<int64_t> input;  // of one row, channels last
  size_t transposes = 0;       // that are left when the doors are turned
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row> kNetworks = {
    {"conv_relu",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2}, "relu"]})",
     {6, 5, 2}},
    {"series",
     R"({"input": [7, 2], "layers": [{"kind": "conv1d", "filters": 3, "kernel_size": 2},
                   {"kind": "max_pooling1d", "pool_size": 2}]})",
     {7, 2}},
    {"volume",
     R"({"input": [4, 5, 6, 2], "layers": [{"kind": "conv3d", "filters": 3, "kernel_size": 2},
                   {"kind": "average_pooling3d", "pool_size": 2}]})",
     {4, 5, 6, 2}},
    {"norm",
     R"({"input": [6, 5, 2], "layers": ["batch_normalization", {"kind": "conv2d", "filters": 3, "kernel_size": 2},
                 "batch_normalization"]})",
     {6, 5, 2}},
    {"flatten",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2}, "flatten",
                    "batch_normalization", "relu", {"kind": "dense", "units": 4}]})",
     {6, 5, 2}},
    {"slope_a_channel",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2},
                            {"kind": "prelu", "shared_axes": [1, 2]}]})",
     {6, 5, 2}},
    {"slope_a_place",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2}, "prelu"]})",
     {6, 5, 2}},
    {"mean_of_places",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2},
                           "global_average_pooling2d", {"kind": "dense", "units": 4}]})",
     {6, 5, 2}},
    {"flatten_at_the_end",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2},
                               "flatten"]})",
     {6, 5, 2}},
    {"dense_on_channels",
     R"({"input": [6, 5, 2], "layers": [{"kind": "conv2d", "filters": 3, "kernel_size": 2},
                              {"kind": "dense", "units": 4}]})",
     {6, 5, 2},
     2},
    {"padded",
     R"({"input": [6, 5, 2], "layers": [{"kind": "zero_padding2d", "padding": [[1, 0], [2, 1]]},
                   {"kind": "conv2d", "filters": 3, "kernel_size": 2}]})",
     {6, 5, 2}},
};

class Turned : public testing::TestWithParam<Row> {};

TEST_P(Turned, AnswersTheSameWithItsDoorsTurned) {
  const Row& row = GetParam();
  const Network network = network_of_words(row.words, row.name, {.seed = 7}).network;
  const Network first = turned(network, Doors::ChannelsFirst);
  std::vector<int64_t> lengths{3};
  lengths.insert(lengths.end(), row.input.begin(), row.input.end());
  const Tensor x = numbers(lengths);
  const Tensor expected = answers(network, {x})[0];
  const Tensor made = answers(first, {x.permuted(to_channels_first(x.rank()))})[0];
  const Tensor wanted = expected.rank() < 3 ? expected : expected.permuted(to_channels_first(expected.rank()));
  EXPECT_TRUE(made.same_bits(wanted));
  EXPECT_EQ(count_of_transposes(first.graph()), row.transposes) << first.graph().text();

  const Network back = turned(first, Doors::ChannelsLast);
  EXPECT_TRUE(answers(back, {x})[0].same_bits(expected));
  EXPECT_EQ(back.inputs()[0].axes, network.inputs()[0].axes);
  EXPECT_EQ(count_of_transposes(back.graph()), 0u) << back.graph().text();
}

TEST_P(Turned, LeavesDoorsThatStandRight) {
  const Network network = network_of_words(GetParam().words, GetParam().name, {.seed = 7}).network;
  const Network same = turned(network, Doors::ChannelsLast);
  EXPECT_EQ(same.inputs()[0].value.shape(), network.inputs()[0].value.shape());
  EXPECT_EQ(same.graph().nodes().size(), network.graph().nodes().size());
}

INSTANTIATE_TEST_SUITE_P(Table, Turned, testing::ValuesIn(kNetworks), by_name);

TEST(TurnedDoors, RefuseWhatNothingTells) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, {2, 3, 4}});
  builder.output("y", ops::relu(x));
  const Network network(std::move(builder).finish(), std::move(slots));
  EXPECT_THAT(
      tests::refusal_of([&] { turned(network, Doors::ChannelsLast); }),
      testing::ElementsAre("input 'x': nothing says which axis of [2, 3, 4] its channels are, so it is not turned.",
                           "output 'y': nothing says which axis of [2, 3, 4] its channels are, so it is not turned."));
}

TEST(TurnedDoors, AreToldByTheWindowsThatReadThem) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, {2, 6, 5, 3}});
  const Value turned_x = ops::transpose(ops::relu(x), {0, 3, 1, 2});
  const ops::MaxPool pool{.window = ops::Window::of({2, 2}), .layout = ops::Layout::ChannelsFirst};
  const Value y = builder.add1(pool, {turned_x});
  EXPECT_EQ(axes_of_input(builder.nodes(), x), "NHWC");
  EXPECT_EQ(axes_of_output(ops::relu(y)), "NCHW");
  EXPECT_EQ(axes_of_output(ops::transpose(y, {0, 2, 3, 1})), "NHWC");
  EXPECT_EQ(axes_of_output(ops::reduce_mean(y, {2}, true)), "");
}

// A mask of queries and keys has the rank of a series, and no channels.
TEST(TurnedDoors, LeaveMasksAsTheyAre) {
  const Network network = network_of_words(R"({
    "inputs": {"x": [8, 6], "y": [4, 6], "allowed": {"shape": [8, 4], "dtype": "bool"}},
    "layers": [{"kind": "attention", "from": ["x", "y"], "attention_mask": "allowed"}]})",
                                           "NET", {.seed = 7})
                              .network;
  const Network first = turned(network, Doors::ChannelsFirst);
  EXPECT_EQ(first.inputs()[0].axes, "NCL");
  EXPECT_EQ(first.inputs()[2].axes, "");
  EXPECT_EQ(first.inputs()[2].value.shape(), network.inputs()[2].value.shape());

  const Tensor x = numbers({2, 8, 6}), y = numbers({2, 4, 6});
  Tensor allowed(DType::Bool, {2, 8, 4});
  for (size_t i = 0; i < 64; ++i) allowed.mutable_values<bool>()[i] = i % 3 != 0;
  const Tensor expected = answers(network, {x, y, allowed})[0];
  const Axes to_first = to_channels_first(3);
  const Tensor made = answers(first, {x.permuted(to_first), y.permuted(to_first), allowed})[0];
  EXPECT_TRUE(made.same_bits(expected.permuted(to_first)));
}

// What stands in the way of a transpose keeps it where it is, and the answers are the same.
TEST(SunkTransposes, StopWhereTheyAreTold) {
  Slots slots;
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, {2, 3, 4}});
  const Value turned_x = ops::transpose(x, {0, 2, 1});
  builder.output("y", ops::relu(ops::neg(turned_x)));
  const Network network(std::move(builder).finish(), std::move(slots));
  Slots kept = network.slots();
  const Graph sunk =
      sunk_transposes(network.graph(), kept, {.keeps = [](const Node& node) { return node.op.is<ops::Relu>(); }});
  ASSERT_EQ(sunk.nodes().size(), 3u);
  EXPECT_TRUE(sunk.nodes()[0]->op.is<ops::Neg>());
  EXPECT_TRUE(sunk.nodes()[1]->op.is<ops::Transpose>());
  EXPECT_TRUE(sunk.nodes()[2]->op.is<ops::Relu>());
}

TEST(FoldedSlotTurns, GoIntoTheNumbersWhereAllReadersAgree) {
  Slots slots;
  slots.add({.path = "w", .max_norm = Bound{1.0f, {0}}, .numbers = numbers({2, 3})});
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, {4, 3}});
  builder.output("y", ops::matmul(x, ops::transpose(builder.slot("w"), {1, 0})));
  const Graph graph = std::move(builder).finish();
  const Tensor before = slots.at("w").numbers;
  const Graph folded = folded_slot_turns(graph, slots);
  EXPECT_EQ(count_of_transposes(folded), 0u);
  EXPECT_TRUE(slots.at("w").numbers.same_bits(before.permuted(std::vector<size_t>{1, 0})));
  EXPECT_EQ(slots.at("w").max_norm->axes, std::vector<size_t>{1});
}

TEST(FoldedSlotTurns, StayWhereReadersDiffer) {
  Slots slots;
  slots.add({.path = "w", .numbers = numbers({3, 3})});
  GraphBuilder builder(slots);
  const Value x = builder.input("x", {DType::Float32, {4, 3}});
  const Value w = builder.slot("w");
  builder.output("y", ops::matmul(ops::matmul(x, w), ops::transpose(w, {1, 0})));
  const Graph graph = std::move(builder).finish();
  EXPECT_EQ(count_of_transposes(folded_slot_turns(graph, slots)), 1u);
}

}  // namespace
}  // namespace causeway::passes
