#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "causeway/base/philox.h"
#include "causeway/engine/cpu/cpu_engine.h"
#include "causeway/engine/reference/reference_engine.h"
#include "causeway/nn/loss_list.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"
#include "tests/engine/cpu/sample_networks.h"
#include "tests/engine/cpu/stepping.h"
#include "tests/support/rows.h"

// A reshape makes no task: what it gives is another name of what it reads. What the engine fuses, folds and lays out must
// not take one name's rows, columns and channels for the other's.

namespace causeway::engine::cpu {
namespace {

using Lengths = std::vector<int64_t>;

int64_t product(const Lengths& lengths) {
  int64_t count = 1;
  for (const int64_t length : lengths) count *= length;
  return count;
}

/// A network of N rows as it is put together; places before channels.
class Net {
 public:
  explicit Net(const Lengths& row, uint64_t seed = 1) : graph_(slots_), seed_(1000 * seed) {
    std::vector<Dim> dims{Dim::named("N")};
    dims.insert(dims.end(), row.begin(), row.end());
    x = graph_.input("x", {DType::Float32, Shape(std::move(dims))});
  }

  /// The lengths of one row.
  static Lengths row_of(const Value& value) {
    Lengths row;
    for (size_t axis = 1; axis < value.shape().rank(); ++axis) row.push_back(value.shape()[axis].number());
    return row;
  }
  Lengths row() const { return row_of(x); }

  Net& dense(int64_t out, bool bias = true) {
    const int64_t in = row().back();
    x = ops::matmul(x, slot("dense.weight", {in, out}, in));
    if (bias) x = ops::add(x, slot("dense.bias", {out}, in));
    return *this;
  }
  Net& conv(int64_t out, int64_t size) {
    const Lengths lengths = row();
    Lengths weight(lengths.size() - 1, size);
    const ops::Conv op{.window = ops::Window::of(weight)};
    weight.insert(weight.end(), {lengths.back(), out});
    const int64_t fan = product(weight) / out;
    x = graph_.add1(op, {x, slot("conv.weight", weight, fan), slot("conv.bias", {out}, fan)});
    return *this;
  }
  Net& batch_norm() {
    const Lengths channels{row().back()};
    Tensor variance = samples::random_tensor(channels, ++seed_);
    for (float& number : variance.mutable_values<float>()) number = std::abs(number) + 0.5f;
    const Value mean = slot("norm.running_mean", channels, 1, Role::Measured);
    const Value running = declared("norm.running_var", std::move(variance), Role::Measured);
    x = graph_.add1(ops::BatchNorm{.epsilon = 1e-3f, .running_variance = ops::RunningVariance::Biased},
                    {x, slot("norm.weight", channels, 1), slot("norm.bias", channels, 1), mean, running});
    return *this;
  }
  Net& layer_norm() {
    const Lengths channels{row().back()};
    x = graph_.add1(ops::LayerNorm{}, {x, slot("norm.weight", channels, 1), slot("norm.bias", channels, 1)});
    return *this;
  }
  /// The sum of the rows of a table that x, taken as whole numbers, says.
  Net& embedding_bag(int64_t in, int64_t out) {
    const Value places = ops::cast(ops::abs(x), DType::Int64);
    x = ops::reduce_sum(ops::gather(slot("table", {in, out}, 1), places), {1});
    return *this;
  }
  Net& reshape(Lengths to) {
    to.insert(to.begin(), 0);
    x = ops::reshape(x, std::move(to));
    return *this;
  }
  Net& flatten() {
    x = graph_.add1(ops::Flatten{}, {x});
    return *this;
  }
  Net& by(Value (*step)(Value)) {
    x = step(x);
    return *this;
  }

  SavedNetwork finish() && {
    graph_.output("y", x);
    SavedNetwork saved{Network(std::move(graph_).finish(), std::move(slots_))};
    saved.losses.emplace("y", MeanSquaredError{});
    return saved;
  }

  Value x;

 private:
  Value slot(const std::string& name, Lengths lengths, int64_t fan, Role role = Role::Learned) {
    const float size = 1.0f / std::sqrt(static_cast<float>(fan));
    return declared(name, samples::random_tensor(std::move(lengths), ++seed_, size), role);
  }
  Value declared(const std::string& name, Tensor numbers, Role role) {
    const std::string path = std::to_string(count_++) + "." + name;
    return graph_.declare({.path = path, .role = role, .numbers = std::move(numbers)});
  }

  Slots slots_;
  GraphBuilder graph_;
  uint64_t seed_;
  int count_ = 0;
};

Value gelu(Value x) { return x.graph().add1(ops::Gelu{}, {x}); }
Value log_sigmoid(Value x) { return ops::neg(ops::softplus(ops::neg(x))); }
Value relu6(Value x) { return ops::clip(x, 0.0f, 6.0f); }
Value half(Value x) { return ops::scale(x, 0.5); }
constexpr Value (*kSteps[])(Value) = {ops::relu, gelu, log_sigmoid, relu6, half, ops::tanh, ops::neg, ops::sigmoid};

/// Draws a network: products, convolutions and norms, steps and renamings between them, and values that are read again
/// later, under the lengths that x has there.
class RandomNet {
 public:
  explicit RandomNet(uint64_t seed)
      : draws_(seed, "renamed values", 0), net_(pick(2) == 0 ? Lengths{6, 8} : Lengths{5, 4, 8}, seed) {}

  SavedNetwork made() && {
    for (uint64_t left = 6 + pick(10); left > 0; --left) grow();
    Value y;
    kept_.push_back(net_.x);
    for (const Value& kept : kept_) {
      net_.x = kept;
      net_.flatten().dense(3);
      y = y ? ops::add(y, net_.x) : net_.x;
    }
    net_.x = y;
    return std::move(net_).finish();
  }

 private:
  static constexpr int64_t kMostNumbers = 600;

  uint64_t pick(uint64_t count) {
    return std::min(static_cast<uint64_t>(draws_.uniform(drawn_++) * static_cast<float>(count)), count - 1);
  }

  void grow() {
    constexpr int64_t kWidths[] = {1, 2, 5, 8, 16};
    const Lengths row = net_.row();
    const int64_t width = kWidths[pick(5)], most = product(row) / row.back() * width;
    const bool has_places = (row.size() == 2 || row.size() == 3) && *std::min_element(row.begin(), row.end() - 1) > 2;
    switch (pick(12)) {
      case 0:
      case 1:
        if (most <= kMostNumbers) net_.dense(width, pick(2) == 0);
        return;
      case 2:
        if (has_places && most <= kMostNumbers) net_.conv(width, 1 + static_cast<int64_t>(pick(3)));
        return;
      case 3:
        net_.batch_norm();
        return;
      case 4:
        if (row.back() > 4) net_.layer_norm();
        return;
      case 5:
      case 6:
        net_.by(kSteps[pick(std::size(kSteps))]);
        return;
      case 7:
        net_.flatten();
        return;
      case 8:
        return reshape(row);
      case 9:
        net_.x = pick(2) == 0 ? ops::squeeze(ops::unsqueeze(net_.x, {1}), {1}) : ops::unsqueeze(net_.x, {-1});
        if (net_.row().size() > 3) net_.flatten();
        return;
      case 10:
        kept_.push_back(net_.x);
        return;
      case 11:
        return pick(3) == 0 ? total(row) : merge(row);
    }
  }

  // Other lengths of as many numbers.
  void reshape(const Lengths& row) {
    int64_t left = product(row);
    Lengths to;
    for (uint64_t axes = pick(3); axes > 0; --axes) {
      Lengths divisors;
      for (int64_t length = 1; length <= std::min<int64_t>(left, 16); ++length) {
        if (left % length == 0) divisors.push_back(length);
      }
      to.insert(to.begin(), divisors[pick(divisors.size())]);
      left /= to.front();
    }
    to.insert(to.begin(), left);
    net_.reshape(to);
  }

  void total(const Lengths& row) {
    if (row.size() > 1) net_.x = ops::reduce_sum(net_.x, {1});
  }

  // With a kept value of as many numbers.
  void merge(const Lengths& row) {
    for (const Value& kept : kept_) {
      if (product(Net::row_of(kept)) != product(row)) continue;
      Lengths to = row;
      to.insert(to.begin(), 0);
      const Value other = Net::row_of(kept) == row ? kept : ops::reshape(kept, std::move(to));
      net_.x = pick(4) == 0 ? ops::mul(net_.x, ops::sigmoid(other)) : ops::add(net_.x, other);
      return;
    }
  }

  Draws draws_;
  uint64_t drawn_ = 0;
  Net net_;
  std::vector<Value> kept_;
};

double largest_of(const Tensor& numbers) {
  double largest = 0;
  for (int64_t i = 0; i < numbers.size(); ++i) largest = std::max(largest, std::abs(numbers.number_at(i)));
  return largest;
}

void expect_near(const Tensor& ours, const Tensor& judge, double tolerance) {
  ASSERT_EQ(ours.lengths(), judge.lengths());
  for (int64_t i = 0; i < judge.size(); ++i) {
    ASSERT_NEAR(ours.number_at(i), judge.number_at(i), tolerance) << "element " << i;
  }
}

Tensor answer(SavedNetwork saved, int64_t rows, const Engine& engine, int threads) {
  Lengths lengths = samples::row_lengths(saved);
  lengths.insert(lengths.begin(), rows);
  const Tensor x = samples::random_tensor(lengths, 77);
  const TensorView input = view_of(x);
  const Binding binding{.lengths = {{"x", lengths}}};
  const auto compiled =
      engine.compile(saved.network.graph(), saved.network.slots(), binding, {.threads = threads})->context();
  compiled->run({&input, 1});
  return copy_of(compiled->run({&input, 1})[0]);
}

// Adam's first averages are the gradients but for a factor.
bool holds_gradient(const Slot& slot) { return slot.path.ends_with("/exp_avg"); }

void expect_as_the_reference(const std::function<SavedNetwork()>& make, int64_t rows) {
  const reference::ReferenceEngine reference;
  const CpuEngine cpu;
  const Tensor expected = answer(make(), rows, reference, 1);
  samples::Stepping judge(make(), rows, reference);
  judge.run(1);
  double largest = 0;
  for (size_t i = 0; i < judge.slots().size(); ++i) {
    if (holds_gradient(judge.slots()[i])) largest = std::max(largest, largest_of(judge.slots()[i].numbers));
  }
  ASSERT_GT(largest, 0);
  for (const int threads : {1, 3}) {
    SCOPED_TRACE(threads);
    expect_near(answer(make(), rows, cpu, threads), expected, 5e-5 * std::max(1.0, largest_of(expected)));
    samples::Stepping ours(make(), rows, cpu, {.threads = threads});
    ours.run(1);
    for (size_t i = 0; i < judge.slots().size(); ++i) {
      const Slot& slot = judge.slots()[i];
      SCOPED_TRACE(slot.path);
      if (holds_gradient(slot)) expect_near(ours.slots()[i].numbers, slot.numbers, 5e-4 * largest);
    }
  }
}

struct Row {
  const char* name;
  Lengths input;
  void (*build)(Net& net);
  int64_t rows = 3;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRows[] = {
    {"dense_flatten_relu", {4, 8}, [](Net& net) { net.dense(8).flatten().by(ops::relu); }},
    {"dense_flatten_gelu", {4, 8}, [](Net& net) { net.dense(8).flatten().by(gelu); }},
    {"dense_reshape_relu",
     {8},
     [](Net& net) {
       net.dense(8).reshape({8, 1}).by(ops::relu).flatten();
     },
     1},
    {"product_reshape_bias",
     {4, 6},
     [](Net& net) {
       net.dense(8, false).reshape({4, 2, 4});
       net.x = ops::add(net.x, net.x.graph().constant(samples::random_tensor({2, 4}, 5), "bias"));
       net.flatten();
     }},
    {"product_reshape_sum",
     {4, 8},
     [](Net& net) {
       const Value from = ops::reshape(net.x, {0, 32});
       net.dense(8).flatten();
       net.x = ops::add(from, net.x);
     }},
    {"conv_reshape_norm",
     {4, 8},
     [](Net& net) {
       net.conv(8, 2).reshape({-1, 2}).batch_norm().flatten();
     }},
    {"conv_flatten_relu", {4, 8}, [](Net& net) { net.conv(8, 2).flatten().by(ops::relu); }},
    {"read_flat_and_as_it_is",
     {4, 8},
     [](Net& net) {
       const Value read = net.dense(8).x;
       const Value flat = net.flatten().dense(3).x;
       net.x = ops::reduce_mean(read, {1});
       net.x = ops::add(net.dense(3).x, flat);
     }},
    {"images_read_by_two_heads",
     {6, 6, 4},
     [](Net& net) {
       const Value read = net.conv(8, 3).by(ops::relu).x;
       const Value flat = net.flatten().dense(3).x;
       net.x = ops::reduce_mean(read, {1, 2});
       net.x = ops::add(net.dense(3).x, flat);
     }},
    {"log_sigmoid_flatten", {9, 4}, [](Net& net) { net.dense(8).by(log_sigmoid).flatten().dense(2); }},
    {"rows_of_a_table_summed", {5}, [](Net& net) { net.embedding_bag(3, 3).dense(2); }},
    {"sum_of_places",
     {5, 3},
     [](Net& net) {
       net.dense(3);
       net.x = ops::reduce_sum(net.x, {1});
       net.dense(2);
     }},
};
class RenamedValues : public testing::TestWithParam<Row> {};

TEST_P(RenamedValues, AnswerAndLearnAsTheReference) {
  expect_as_the_reference(
      [] {
        Net net(GetParam().input);
        GetParam().build(net);
        return std::move(net).finish();
      },
      GetParam().rows);
}
INSTANTIATE_TEST_SUITE_P(Rows, RenamedValues, testing::ValuesIn(kRows), tests::by_name);

TEST(RenamedValues, AnswerAndLearnAsTheReferenceInAnyNetwork) {
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_as_the_reference([seed] { return RandomNet(seed).made(); }, seed % 4 == 0 ? 1 : 3);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace causeway::engine::cpu
