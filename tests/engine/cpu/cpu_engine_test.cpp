#include "causeway/engine/cpu/cpu_engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "causeway/engine/reference/reference_engine.h"
#include "causeway/ops/build.h"
#include "causeway/train/step.h"
#include "tests/engine/cpu/sample_networks.h"
#include "tests/engine/cpu/stepping.h"

namespace causeway::engine::cpu {
namespace {

struct Case {
  const char* name;
  SavedNetwork (*make)();
  int64_t rows;
};

constexpr Case kCases[] = {
    {"titanic",
     [] {
       return samples::mlp({14, 16, 1});
     },
     1},
    {"titanic_batch",
     [] {
       return samples::mlp({14, 16, 1});
     },
     37},
    {"one_unit",
     [] {
       return samples::mlp({1, 1});
     },
     1},
    {"mlp",
     [] {
       return samples::mlp({100, 83, 64, 10});
     },
     19},
    {"wide",
     [] {
       return samples::mlp({300, 300, 30});
     },
     50},
    {"cnn28", [] { return samples::cnn28(); }, 3},
    {"resnet",
     [] {
       return samples::resnet({16, 24}, 2);
     },
     2},
    {"wide_resnet", [] { return samples::resnet({64}, 1); }, 2},
    {"cnn28_row", [] { return samples::cnn28(); }, 1},
    {"mobilenet_row", [] { return samples::mobilenet(); }, 1},
    {"mobilenet", [] { return samples::mobilenet(); }, 2},
    {"lstm_row", [] { return samples::recurrent({}, 5, 3, 21); }, 1},
    {"lstm", [] { return samples::recurrent({}, 19, 8, 32); }, 37},
    {"gru", [] { return samples::recurrent({.cell = ops::CellKind::Gru}, 19, 8, 32); }, 37},
    {"gru_resets_before",
     [] { return samples::recurrent({.cell = ops::CellKind::Gru, .reset_after = false}, 19, 8, 32); }, 37},
    {"hard_lstm",
     [] {
       const ops::CellFunction hard{.kind = ops::CellFunctionKind::HardSigmoid, .alpha = 0.2f, .beta = 0.5f};
       return samples::recurrent({.recurrent_activation = hard}, 19, 8, 32);
     },
     37},
    {"simple_rnn", [] { return samples::recurrent({.cell = ops::CellKind::SimpleRnn}, 19, 8, 32); }, 37},
    {"encoder_row", [] { return samples::encoder(7, 24); }, 1},
    {"encoder", [] { return samples::encoder(19, 48); }, 37},
    {"narrow_row", [] { return samples::narrow(); }, 1},
    {"narrow", [] { return samples::narrow(); }, 5},
};
class CpuEngineTest : public testing::TestWithParam<Case> {};

void expect_near(const TensorView& ours, const TensorView& judge, double tolerance) {
  ASSERT_EQ(ours.dtype, judge.dtype);
  ASSERT_TRUE(std::equal(ours.lengths.begin(), ours.lengths.end(), judge.lengths.begin(), judge.lengths.end()));
  const Tensor a = copy_of(ours), b = copy_of(judge);
  double largest = 0;
  for (int64_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(b.number_at(i)));
  for (int64_t i = 0; i < a.size(); ++i) {
    ASSERT_NEAR(a.number_at(i), b.number_at(i), tolerance * std::max(1.0, largest)) << "element " << i;
  }
}

TEST_P(CpuEngineTest, AnswersAsTheReference) {
  SavedNetwork saved = GetParam().make();
  std::vector<int64_t> lengths = samples::row_lengths(saved);
  lengths.insert(lengths.begin(), GetParam().rows);
  const Tensor x = samples::random_tensor(lengths, 77);
  const Binding binding{.lengths = {{"x", lengths}}};
  const auto judge = reference::ReferenceEngine().compile(saved.network.graph(), saved.network.slots(), binding);
  const auto ours = CpuEngine().compile(saved.network.graph(), saved.network.slots(), binding);
  const auto judging = judge->context(), running = ours->context();
  const TensorView input = view_of(x);
  const auto expected = judging->run({&input, 1});
  for (int again = 0; again < 2; ++again) {
    const auto answers = running->run({&input, 1});
    ASSERT_EQ(answers.size(), 1u);
    expect_near(answers[0], expected[0], 2e-5);
  }
}

TEST_P(CpuEngineTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  samples::Stepping alone(GetParam().make(), GetParam().rows, CpuEngine());
  samples::Stepping together(GetParam().make(), GetParam().rows, CpuEngine(), {.threads = 3});
  SavedNetwork saved = GetParam().make();
  std::vector<int64_t> lengths = samples::row_lengths(saved);
  lengths.insert(lengths.begin(), GetParam().rows);
  const Tensor x = samples::random_tensor(lengths, 78);
  const TensorView input = view_of(x);
  const Binding binding{.lengths = {{"x", lengths}}};
  const auto answer = [&](int threads) {
    const auto context =
        CpuEngine().compile(saved.network.graph(), saved.network.slots(), binding, {.threads = threads})->context();
    return copy_of(context->run({&input, 1})[0]);
  };
  EXPECT_TRUE(answer(1).same_bits(answer(3)));
  for (int step = 1; step <= 2; ++step) {
    const auto one = alone.run(step), other = together.run(step);
    for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(copy_of(one[i]).same_bits(copy_of(other[i])));
  }
  for (size_t i = 0; i < alone.slots().size(); ++i) {
    EXPECT_TRUE(alone.slots()[i].numbers.same_bits(together.slots()[i].numbers)) << alone.slots()[i].path;
  }
}

TEST_P(CpuEngineTest, StepsAsTheReference) {
  samples::Stepping judge(GetParam().make(), GetParam().rows, reference::ReferenceEngine());
  samples::Stepping ours(GetParam().make(), GetParam().rows, CpuEngine());
  for (int step = 1; step <= 3; ++step) {
    const auto expected = judge.run(step), got = ours.run(step);
    expect_near(got[0], expected[0], 2e-5);
    expect_near(got[1], expected[1], 1e-4);
    ASSERT_TRUE(ours.assigned());
  }
  const Slots &a = ours.slots(), &b = judge.slots();
  for (size_t i = 0; i < b.size(); ++i) {
    SCOPED_TRACE(b[i].path);
    EXPECT_EQ(a[i].version, b[i].version);
    // A gradient near nought may take another sign in another order of sums, and Adam steps by its rate either way.
    if (b[i].path.find("exp_avg") != std::string::npos) {
      expect_near(view_of(a[i].numbers), view_of(b[i].numbers), 1e-4);
    } else {
      expect_near(view_of(a[i].numbers), view_of(b[i].numbers), 7e-3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, CpuEngineTest, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

struct Product {
  const char* name;
  std::vector<int64_t> a, b;
  bool transpose_b;
};
const Product kProducts[] = {
    {"rows", {37, 19}, {19, 33}, false},
    {"one_row", {1, 300}, {300, 70}, false},
    {"one_column", {17, 19}, {19, 1}, false},
    {"in_pieces_of_columns", {70, 600}, {600, 290}, false},
    {"in_pieces_of_rows", {150, 600}, {600, 20}, false},
    {"batches", {3, 5, 7}, {3, 9, 7}, true},
    {"batches_by_one", {3, 5, 7}, {7, 9}, false},
};

// A product, a bias, what it is added to, and bounds: one kernel, whatever the shapes.
TEST(CpuEngine, AddsToAProductWhatItIsAddedTo) {
  for (const Product& one : kProducts) {
    SCOPED_TRACE(one.name);
    Slots slots;
    GraphBuilder graph(slots);
    const Tensor a = samples::random_tensor(one.a, 1), b = samples::random_tensor(one.b, 2);
    const Value left = graph.input("a", Type::open(a)), right = graph.input("b", Type::open(b));
    const Value product = ops::matmul(left, right, false, one.transpose_b);
    const Tensor bias = samples::random_tensor({product.shape().lengths().back()}, 3);
    const Tensor added = samples::random_tensor(product.shape().lengths(), 4);
    const Value sum = ops::add(product, graph.input("bias", Type::open(bias)));
    graph.output("y", ops::relu(ops::add(graph.input("added", Type::open(added)), sum)));
    const Graph made = std::move(graph).finish();
    const TensorView inputs[] = {view_of(a), view_of(b), view_of(bias), view_of(added)};
    Binding binding;
    for (size_t i = 0; i < 4; ++i) {
      binding.lengths[made.inputs()[i].name].assign(inputs[i].lengths.begin(), inputs[i].lengths.end());
    }
    const auto judge = reference::ReferenceEngine().compile(made, slots, binding)->context();
    for (const int threads : {1, 3}) {
      const auto ours = CpuEngine().compile(made, slots, binding, {.threads = threads})->context();
      expect_near(ours->run(inputs)[0], judge->run(inputs)[0], 2e-5);
    }
  }
}

TEST(CpuEngine, AssignsNothingWhereAGuardIsNotFinite) {
  samples::Stepping stepping(samples::mlp({14, 16, 1}), 5, CpuEngine());
  stepping.run(1);
  std::vector<Tensor> before;
  std::vector<uint64_t> versions;
  const Slots& slots = stepping.slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    before.push_back(copy_of(view_of(slots[i].numbers)));
    versions.push_back(slots[i].version);
  }
  stepping.x().mutable_values<float>()[3] = std::numeric_limits<float>::infinity();
  stepping.run(2);
  EXPECT_FALSE(stepping.assigned());
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_TRUE(slots[i].numbers.same_bits(before[i])) << slots[i].path;
    EXPECT_EQ(slots[i].version, versions[i]);
  }
}

TEST(CpuEngine, SeesNewNumbersOfASlotOfHigherVersion) {
  SavedNetwork saved = samples::mlp({14, 16, 1});
  const Binding binding{.lengths = {{"x", {2, 14}}}};
  const auto executable = CpuEngine().compile(saved.network.graph(), saved.network.slots(), binding);
  const auto context = executable->context();
  const Tensor x = samples::random_tensor({2, 14}, 5);
  const TensorView input = view_of(x);
  context->run({&input, 1});
  Slot& bias = saved.network.slots().at("1.bias");
  const float before = static_cast<const float*>(context->run({&input, 1})[0].data)[0];
  Tensor raised = copy_of(view_of(bias.numbers));
  raised.mutable_values<float>()[0] += 1;
  bias.assign(raised);
  EXPECT_NEAR(static_cast<const float*>(context->run({&input, 1})[0].data)[0], before + 1, 1e-5);
}

TEST(CpuEngine, RefusesAPlanPastItsMemory) {
  SavedNetwork saved = samples::mlp({14, 16, 1});
  const Binding binding{.lengths = {{"x", {100000, 14}}}};
  EXPECT_THROW(CpuEngine().compile(saved.network.graph(), saved.network.slots(), binding, {.max_bytes = 1000000}),
               Refused);
}

}  // namespace
}  // namespace causeway::engine::cpu
