#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "causeway/ops/op_list.h"
#include "causeway/ops/turning.h"
#include "causeway/reference/reference.h"
#include "tests/ops/case_graph.h"
#include "tests/ops/op_case.h"

namespace causeway::tests {
namespace {

using Tensors = std::vector<std::optional<Tensor>>;

Tensor in_order(const Tensor& x, const Axes& axes) { return axes.empty() || x.rank() < 2 ? x : x.permuted(axes); }

/// A node of the case's op, its inputs' types as far as they are told when a graph is built.
struct CaseNode {
  Slots slots;
  GraphBuilder graph{slots};
  Values inputs;
  const Node* node = nullptr;

  CaseNode(const OpCase& one, const Tensors& tensors) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      const std::string name = "x" + std::to_string(i);
      if (!tensors[i]) {
        inputs.emplace_back();
      } else if (one.inputs[i].kind == InputCase::Kind::Known) {
        inputs.push_back(graph.constant(*tensors[i], name));
      } else {
        inputs.push_back(graph.input(name, Type::open(*tensors[i])));
      }
    }
    node = graph.add(one.op, inputs)[0].node();
  }
};

/// A list of a turned op's, worked out as its graph would.
Tensor brought_along(const Tensor& list, AxisList kind, const Axes& axes) {
  Slots slots;
  GraphBuilder graph(slots);
  graph.fold_with(reference::folder());
  const Value turned = ops::turned_list(graph.constant(list, "list"), kind, axes);
  return turned.type().known.value();
}

/// Differences that the order of a sum makes, and no more.
void expect_alike(const Tensor& got, const Tensor& wanted) {
  ASSERT_EQ(got.lengths(), wanted.lengths());
  for (int64_t i = 0; i < got.size(); ++i) {
    const double number = got.number_at(i), right = wanted.number_at(i);
    if (number == right || (std::isnan(number) && std::isnan(right))) continue;
    EXPECT_NEAR(number, right, 1e-6 * (1 + std::fabs(right))) << "element " << i;
  }
}

/// How many orders of axes the op of a case was turned by.
int turn_every_way(const OpCase& one) {
  const Tensors tensors = tensors_of(one);
  if (tensors.empty() || !tensors[0]) return 0;
  // Which input has the rank that the orders speak of: the highest, where the op works element by element.
  size_t rank = tensors[0]->rank();
  for (const std::optional<Tensor>& tensor : tensors) {
    if (tensor && one.op.keeps() == Keeps::Elements) rank = std::max(rank, tensor->rank());
  }
  const std::vector<Tensor> wanted = reference::compute_some(one.op, tensors);
  CaseNode made(one, tensors);
  Axes axes(rank);
  std::iota(axes.begin(), axes.end(), size_t{0});
  int turns = 0;
  do {
    const std::optional<Turned> turned = one.op.turned(*made.node, axes);
    if (!turned) continue;
    SCOPED_TRACE(turned->op.text() + " in the order " + testing::PrintToString(axes));
    EXPECT_EQ(turned->inputs.size(), tensors.size());
    Tensors moved = tensors;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (!moved[i]) continue;
      moved[i] = in_order(*moved[i], inverse(turned->inputs[i]));
      if (i < turned->lists.size()) moved[i] = brought_along(*moved[i], turned->lists[i], axes);
    }
    const std::vector<Tensor> outputs = reference::compute_some(turned->op, moved);
    EXPECT_EQ(outputs.size(), wanted.size());
    for (size_t k = 0; k < outputs.size(); ++k) {
      expect_alike(in_order(outputs[k], k < turned->outputs.size() ? turned->outputs[k] : Axes()), wanted[k]);
    }
    ++turns;
  } while (std::next_permutation(axes.begin(), axes.end()));
  return turns;
}

class EveryTurn : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryTurn, ChangesNoAnswer) {
  int turns = 0;
  for (const OpCase& one : all_op_cases()) {
    if (one.op.name() != GetParam()) continue;
    SCOPED_TRACE(one.name);
    turns += turn_every_way(one);
  }
  EXPECT_GT(turns, 0) << "no case was turned.";
}

std::vector<std::string_view> ops_that_turn() {
  std::vector<std::string_view> names;
  for (const ops::OpRow& row : ops::all_ops()) {
    if (row.has_turned) names.push_back(row.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryTurn, testing::ValuesIn(ops_that_turn()),
                         [](const auto& row) { return std::string(row.param); });

// What of a turned op cannot be seen in its answers.

TEST(Turned, DropoutKeepsTheNumbersOfItsDraws) {
  Slots slots;
  GraphBuilder graph(slots);
  const Value x = graph.input("x", {DType::Float32, Shape{Dim::named("N"), 3, 5, 7}});
  const ops::Dropout dropout{.rate = 0.25f, .shared_axes = {2, 3}};
  const Node& node = *graph.add1(dropout, {x}).node();
  const std::optional<Turned> turned = node.op.turned(node, {0, 3, 1, 2});
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->op, Op(ops::Dropout{.rate = 0.25f, .shared_axes = {1, 2}, .drawn_in = {0, 3, 1, 2}}));
}

TEST(Turned, AnImageOpGoesOverToTheOtherLayout) {
  Slots slots;
  GraphBuilder graph(slots);
  const Value x = graph.input("x", {DType::Float32, Shape{2, 5, 7, 3}});
  ops::Window window = ops::Window::of({2, 3});
  window.before = {1, 0};
  const Node& node = *graph.add1(ops::MaxPool{.window = window}, {x}).node();
  const std::optional<Turned> turned = node.op.turned(node, {0, 2, 3, 1});
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->op, Op(ops::MaxPool{.window = window, .layout = ops::Layout::ChannelsFirst}));
}

TEST(Turned, RowsThatStandAmongThePlacesStay) {
  Slots slots;
  GraphBuilder graph(slots);
  const Value x = graph.input("x", {DType::Float32, Shape{2, 5, 7, 3}});
  const Node& node = *graph.add1(ops::MaxPool{.window = ops::Window::of({2, 2})}, {x}).node();
  EXPECT_FALSE(node.op.turned(node, {1, 0, 2, 3}));
}

}  // namespace
}  // namespace causeway::tests
