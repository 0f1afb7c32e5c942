#include "causeway/nn/sequential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/base/fault.h"
#include "causeway/nn/module.h"
#include "causeway/nn/words.h"
#include "tests/support/refusal.h"

namespace causeway {
namespace {

std::vector<std::string> paths_of(const Network& network) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < network.slots().size(); ++i) {
    if (network.slots()[i].role != Role::Constant) paths.push_back(network.slots()[i].path);
  }
  return paths;
}

TEST(Sequential, NumbersItsLayersAndDrawsBySeed) {
  const Network net = Sequential({14}).dense(16).relu().dense(1).build(7);
  EXPECT_THAT(paths_of(net), testing::ElementsAre("0.weight", "0.bias", "2.weight", "2.bias"));
  EXPECT_EQ(net.outputs()[0].value.shape().text(), "[N, 1]");
  const Network again = Sequential({14}).dense(16).relu().dense(1).build(7);
  const Network other = Sequential({14}).dense(16).relu().dense(1).build(8);
  EXPECT_TRUE(net.slots().at("0.weight").numbers.same_bits(again.slots().at("0.weight").numbers));
  EXPECT_FALSE(net.slots().at("0.weight").numbers.same_bits(other.slots().at("0.weight").numbers));
}

TEST(Sequential, IsTheSameNetworkAsItsWords) {
  const Network net =
      Sequential({8, 8, 1}).conv2d(4, 3, 1, nn::Padding::same()).relu().max_pooling2d().flatten().dense(10).build(3);
  const SavedNetwork words = network_of_words(R"({"input": [8, 8, 1], "layers": [
      {"kind": "conv2d", "filters": 4, "kernel_size": 3, "padding": "same"}, "relu", {"kind": "max_pooling2d"},
      "flatten", {"kind": "dense", "units": 10}]})",
                                              "words", {.seed = 3});
  EXPECT_EQ(net.graph().text(), words.network.graph().text());
  EXPECT_TRUE(net.slots().at("4.weight").numbers.same_bits(words.network.slots().at("4.weight").numbers));
}

struct Block : Module {
  Linear a{*this, "a", 14, 16}, b{*this, "b", 16, 1};
  Value forward(Value x) override { return b(relu(a(x))); }
};

TEST(Module, IsTracedIntoANetwork) {
  const Network coded = trace(Block{}, {14}, 7);
  EXPECT_THAT(paths_of(coded), testing::ElementsAre("a.weight", "a.bias", "b.weight", "b.bias"));
  EXPECT_EQ(coded.outputs()[0].value.shape().text(), "[N, 1]");
}

struct Twice : Module {
  Linear a{*this, "a", 4, 4};
  Value forward(Value x) override { return a(a(x)); }
};

TEST(Module, CalledAgainHasItsSlotsOnce) {
  const Network coded = trace(Twice{}, {4}, 7);
  EXPECT_THAT(paths_of(coded), testing::ElementsAre("a.weight", "a.bias"));
  EXPECT_THAT(coded.graph().text(), testing::HasSubstr("a#2 (Dense)"));
}

TEST(Words, NameEveryFaultAtItsPlace) {
  EXPECT_THAT(tests::refusal_of([] {
                network_of_words(
                    "{\"input\": [4],\n \"layers\": [{\"kind\": \"dens\", \"units\": 3},\n"
                    "  {\"kind\": \"dense\", \"unit\": 3}]}",
                    "net.json");
              }),
              testing::ElementsAre("net.json, line 2:22: 'dens' is no layer. The nearest is 'dense'.",
                                   "net.json, line 3:3: dense: setting 'units' is missing, and dense needs it.",
                                   "net.json, line 3:29: dense: it has no setting 'unit'. The nearest is 'units'."));
}

// Behind a layer that is refused, that nothing is known of what it makes is no fault of the next one.
TEST(Words, SayALayerThatIsTooLargeOnce) {
  const auto refused = [](const std::string& units) {
    return tests::refusal_of([&] {
      network_of_words("{\"input\": [4], \"layers\": [{\"kind\": \"dense\", \"units\": " + units +
                           "}, {\"kind\": \"dense\", \"units\": 1}]}",
                       "net.json");
    });
  };
  EXPECT_THAT(refused("1000000000000000"),
              testing::ElementsAre("net.json, line 1:27, layer '0' (Dense): 'weight' would be [4, 1000000000000000], "
                                   "which is too large."));
  EXPECT_THAT(refused("1e19"),
              testing::ElementsAre("net.json, line 1:54: dense: 'units' is 1e+19, and a whole number from -2^63 to "
                                   "2^63 - 1, without a fraction or an exponent, is read here."));
}

TEST(Words, RefuseALengthThatNoInputHas) {
  EXPECT_THAT(
      tests::refusal_of([] {
        network_of_words("{\"input\": [\"L\", 3], \"layers\": [\"relu\"]}", "net.json", {.dims = {{"M", 3}}});
      }),
      testing::ElementsAre("length 'M': no input has a length of this name that could be bound: they have 'L'."));
}

}  // namespace
}  // namespace causeway
