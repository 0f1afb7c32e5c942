#include "causeway/formats/load.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "causeway/tensor/dtype.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// Slots of a Linear(2, 3), a normalisation's running mean, and a constant of the graph.
Network a_network() {
  Slots slots;
  slots.add({.path = "0.weight", .numbers = Tensor(DType::Float32, {2, 3})});
  slots.add({.path = "0.bias", .numbers = Tensor(DType::Float32, {3})});
  slots.add({.path = "1.running_mean", .role = Role::Measured, .numbers = Tensor(DType::Float32, {3})});
  slots.add({.path = "1/shape", .role = Role::Constant, .numbers = Tensor::of_integers({1, 3})});
  return Network(Graph(), std::move(slots));
}

Entry entry(std::string path, Tensor numbers, Turn turn = {}) {
  std::string where = "tensor '" + path + "'";
  return {std::move(path), std::move(numbers), std::move(turn), std::move(where)};
}

Entry weight(std::vector<float> numbers = {1, 2, 3, 4, 5, 6}, std::vector<int64_t> lengths = {3, 2}) {
  return entry("0.weight", Tensor::of<float>(std::move(lengths), numbers), Turn::permute({1, 0}));
}
Entry bias(std::vector<float> numbers = {1, 2, 3}) {
  const auto length = static_cast<int64_t>(numbers.size());
  return entry("0.bias", Tensor::of<float>({length}, numbers));
}
Entry mean(std::vector<float> numbers = {4, 5, 6}) { return entry("1.running_mean", Tensor::of<float>({3}, numbers)); }

TEST(Load, PutsEveryNumberWhereItsNameSays) {
  Network network = a_network();
  load(network, std::vector<Entry>{mean(), weight(), bias()});
  EXPECT_THAT(network.slots().at("0.weight").numbers.values<float>(), ElementsAre(1, 3, 5, 2, 4, 6));
  EXPECT_THAT(network.slots().at("0.bias").numbers.values<float>(), ElementsAre(1, 2, 3));
  EXPECT_THAT(network.slots().at("1.running_mean").numbers.values<float>(), ElementsAre(4, 5, 6));
  EXPECT_EQ(network.slots().at("0.weight").version, 1u);
  EXPECT_EQ(network.slots().at("1/shape").version, 0u);
}

TEST(Load, SharesNumbersThatNeedNoTurn) {
  Network network = a_network();
  const Entry shared = bias();
  load(network, std::vector<Entry>{mean(), weight(), shared});
  EXPECT_TRUE(network.slots().at("0.bias").numbers.shares_memory_with(shared.numbers));
}

struct Case {
  const char* name;
  std::vector<Entry> entries;
  std::vector<std::string> lines;
};
const Case kRefused[] = {
    {"misshapen",
     {weight({1, 2, 3, 4, 5, 6}, {2, 3}), bias({1, 2}), mean()},
     {"tensor '0.weight': '0.weight' is [2, 3] in the file, and its slot here is [3, 2].",
      "tensor '0.bias': '0.bias' is [2] in the file, and its slot here is [3]."}},
    {"scalar",
     {weight(), entry("0.bias", Tensor::scalar<float>(1)), mean()},
     {"tensor '0.bias': '0.bias' is [] in the file, and its slot here is [3]."}},
    {"not_finite",
     {weight({1, 2, 3, kNan, 5, kInf}), bias({kInf, 1, 2}), mean({1, 2, -kInf})},
     {"tensor '0.weight': '0.weight' holds nan at [1, 1], and a slot holds finite numbers.",
      "tensor '0.bias': '0.bias' holds inf at [0], and a slot holds finite numbers.",
      "tensor '1.running_mean': '1.running_mean' holds -inf at [2], and a slot holds finite numbers."}},
    {"doubled",
     {weight(), bias(), mean(), bias()},
     {"tensor '0.bias': '0.bias' is written twice, and only one of the two could be read."}},
    {"extra",
     {weight(), entry("0.weight.bad_key", Tensor(DType::Float32, {0})), bias(), mean()},
     {"tensor '0.weight.bad_key': '0.weight.bad_key' is no slot of this network."}},
    {"constant",
     {weight(), entry("1/shape", Tensor::of_integers({9, 9})), bias(), mean()},
     {"tensor '1/shape': '1/shape' is no slot of this network."}},
    {"missing",
     {bias()},
     {"slot '0.weight': '0.weight' is missing: every slot of the network is written once.",
      "slot '1.running_mean': '1.running_mean' is missing: every slot of the network is written once."}},
    {"another_dtype",
     {weight(), entry("0.bias", Tensor::of_integers({1, 2, 3})), mean()},
     {"tensor '0.bias': '0.bias' holds int64 in the file, and a slot here holds float32."}},
    {"known_to_the_reader",
     {weight(), {.path = "0.bias", .where = "tensor '0.bias'", .refused = "'0.bias' holds complex64."}, mean()},
     {"tensor '0.bias': '0.bias' holds complex64."}},
    {"a_name_with_a_line_of_its_own",
     {weight(), bias(), mean(), {.path = "a\n0.bias is fine", .where = "tensor 'a\\n0.bias is fine'"}},
     {"tensor 'a\\n0.bias is fine': 'a\\n0.bias is fine' is no slot of this network."}},
    {"all_at_once",
     {entry("2.bias", Tensor()), bias({1}), weight({1, 2, 3, 4, 5, kInf}), bias()},
     {"tensor '2.bias': '2.bias' is no slot of this network.",
      "tensor '0.bias': '0.bias' is [1] in the file, and its slot here is [3].",
      "tensor '0.weight': '0.weight' holds inf at [2, 1], and a slot holds finite numbers.",
      "tensor '0.bias': '0.bias' is written twice, and only one of the two could be read.",
      "slot '1.running_mean': '1.running_mean' is missing: every slot of the network is written once."}},
};
class LoadRefused : public testing::TestWithParam<Case> {};
TEST_P(LoadRefused, NamesEveryFaultAndKeepsSlots) {
  Network network = a_network();
  EXPECT_THAT(tests::refusal_of([&] { load(network, GetParam().entries); }), ElementsAreArray(GetParam().lines));
  const Network before = a_network();
  for (size_t i = 0; i < before.slots().size(); ++i) {
    EXPECT_TRUE(network.slots()[i].numbers.same_bits(before.slots()[i].numbers));
    EXPECT_EQ(network.slots()[i].version, 0u);
  }
}
INSTANTIATE_TEST_SUITE_P(Faults, LoadRefused, testing::ValuesIn(kRefused), tests::by_name);

TEST(Load, NamesWhatTheReaderFoundFirst) {
  Network network = a_network();
  EXPECT_THAT(
      tests::refusal_of([&] {
        load(network, std::vector<Entry>{weight(), bias()}, {{"file", "It is odd."}});
      }),
      ElementsAre("file: It is odd.",
                  "slot '1.running_mean': '1.running_mean' is missing: every slot of the network is written once."));
}

struct Width {
  const char* name;
  Tensor numbers;
  float right;
};
const Width kWidths[] = {
    {"f16_subnormal", Tensor::of<Half>({1}, {Half{0x0001}}), 5.9604645e-08f},
    {"bf16", Tensor::of<BFloat16>({1}, {BFloat16{0x3fc0}}), 1.5f},
    {"f64_tenth", Tensor::of<double>({1}, {0.1}), std::bit_cast<float>(0x3dcccccdu)},
    {"f64_largest", Tensor::of<double>({1}, {3.4028235677973362e38}), std::numeric_limits<float>::max()},
};
class LoadWidth : public testing::TestWithParam<Width> {};
TEST_P(LoadWidth, IsTheSlotsOwn) {
  Slots slots;
  slots.add({.path = "a", .numbers = Tensor(DType::Float32, {1})});
  Network network(Graph(), std::move(slots));
  load(network, std::vector<Entry>{entry("a", GetParam().numbers)});
  EXPECT_EQ(network.slots().at("a").numbers.values<float>()[0], GetParam().right);
}
INSTANTIATE_TEST_SUITE_P(Numbers, LoadWidth, testing::ValuesIn(kWidths), tests::by_name);

TEST(Load, RefusesADoublePastFloat32) {
  Slots slots;
  slots.add({.path = "a", .numbers = Tensor(DType::Float32, {1})});
  Network network(Graph(), std::move(slots));
  const std::vector<Entry> entries{entry("a", Tensor::of<double>({1}, {-3.4028235677973366e38}))};
  EXPECT_THAT(tests::refusal_of([&] { load(network, entries); }),
              ElementsAre("tensor 'a': 'a' holds -inf at [0], and a slot holds finite numbers."));
}

class LoadTied : public testing::Test {
 protected:
  LoadTied() {
    Slots slots;
    slots.add({.path = "0.weight", .also = {"1.weight"}, .numbers = Tensor(DType::Float32, {2})});
    network_ = Network(Graph(), std::move(slots));
  }
  static Entry named(std::string name, float number) {
    return entry(std::move(name), Tensor::of<float>({2}, {number, 2}));
  }
  Network network_;
};

TEST_F(LoadTied, TakesEitherName) {
  load(network_, std::vector<Entry>{named("1.weight", 1)});
  EXPECT_THAT(network_.slots().at("0.weight").numbers.values<float>(), ElementsAre(1, 2));
  load(network_, std::vector<Entry>{named("0.weight", 3), named("1.weight", 3)});
  EXPECT_THAT(network_.slots().at("0.weight").numbers.values<float>(), ElementsAre(3, 2));
}

TEST_F(LoadTied, HoldsTheSameBitsUnderBoth) {
  const std::vector<Entry> entries{named("1.weight", 0.0f), named("0.weight", -0.0f)};
  EXPECT_THAT(tests::refusal_of([&] { load(network_, entries); }),
              ElementsAre("tensor '0.weight': '0.weight' holds other numbers than '1.weight', and the two are one slot "
                          "here."));
}

}  // namespace
}  // namespace causeway::formats
