#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "causeway/base/fault.h"
#include "causeway/base/philox.h"
#include "causeway/ops/op_list.h"
#include "causeway/reference/reference.h"
#include "tests/ops/case_graph.h"
#include "tests/ops/engines.h"
#include "tests/ops/op_case.h"

namespace causeway::tests {
namespace {

using Tensors = std::vector<std::optional<Tensor>>;

/// One op, with every case of it.
class EveryOp : public testing::TestWithParam<std::string_view> {
 protected:
  static std::vector<const OpCase*> cases() {
    std::vector<const OpCase*> found;
    for (const OpCase& one : all_op_cases()) {
      if (one.op.name() == GetParam()) found.push_back(&one);
    }
    return found;
  }
};

// What must be there.

TEST_P(EveryOp, HasAKernel) {
  const Op op = *ops::make_op(GetParam(), {});
  EXPECT_NE(reference::kernel_of(op), nullptr) << "no row of reference/kernel_table.cpp computes it.";
}

TEST_P(EveryOp, HasACase) { EXPECT_FALSE(cases().empty()) << "no case of tests/ops is one of it."; }

TEST_P(EveryOp, HasAGradientOrTheReasonForNone) {
  const Op op = *ops::make_op(GetParam(), {});
  EXPECT_NE(op.has_gradient(), !op.no_gradient().empty());
}

TEST_P(EveryOp, HasACaseWhoseGradientIsChecked) {
  if (!ops::make_op(GetParam(), {})->has_gradient()) return;
  const auto is_checked = [](const OpCase* one) {
    return one->check_gradient && std::any_of(one->inputs.begin(), one->inputs.end(), [](const InputCase& input) {
             return input.dtype == DType::Float32 && input.kind != InputCase::Kind::Known &&
                    input.kind != InputCase::Kind::Absent;
           });
  };
  const std::vector<const OpCase*> all = cases();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), is_checked)) << "no case compares its gradient with differences.";
}

TEST_P(EveryOp, IsTheSameThroughItsSettings) {
  for (const OpCase* one : cases()) {
    EXPECT_EQ(ops::make_op(one->op.name(), one->op.settings()), one->op) << one->name << ": " << one->op.text();
  }
}

// The shape rule.

/// The types of a case's inputs by how much of them is told: `told` makes the type of one.
template <class F>
Types types_by(const OpCase& one, F told) {
  const Tensors tensors = tensors_of(one);
  Types types;
  for (size_t i = 0; i < tensors.size(); ++i) {
    types.push_back(!tensors[i] ? Type{} : told(*tensors[i], one.inputs[i].kind == InputCase::Kind::Known));
  }
  return types;
}

std::string name_of_length(int64_t length) { return "n" + std::to_string(length); }

/// Lengths past 1 under names, equal ones under the same.
Shape named(const Tensor& tensor) {
  std::vector<Dim> dims;
  for (const int64_t length : tensor.lengths()) {
    dims.push_back(length > 1 ? Dim::named(name_of_length(length)) : Dim(length));
  }
  return dims;
}

/// Whether a type says nothing that the tensor is not, its names standing for their lengths.
void expect_fits(const Type& type, const Tensor& tensor, const std::string& how) {
  EXPECT_TRUE(type.dtype == DType::Unknown || type.dtype == tensor.dtype()) << how << ": " << type.text();
  if (!type.shape.has_rank()) return;
  ASSERT_EQ(type.shape.rank(), tensor.rank()) << how << ": " << type.text();
  for (size_t axis = 0; axis < tensor.rank(); ++axis) {
    std::map<std::string, int64_t, std::less<>> lengths;
    for (const std::string& name : type.shape[axis].names()) lengths[name] = std::stoll(name.substr(1));
    const int64_t length = type.shape[axis].bound(lengths).if_number().value_or(tensor.lengths()[axis]);
    EXPECT_EQ(length, tensor.lengths()[axis]) << how << ": " << type.text() << ", axis " << axis;
  }
  EXPECT_TRUE(!type.known || type.known->same_bits(tensor)) << how;
}

TEST_P(EveryOp, HasTheShapeThatItsRuleSays) {
  for (const OpCase* one : cases()) {
    SCOPED_TRACE(one->name);
    const std::vector<Tensor> outputs = reference::compute_some(one->op, tensors_of(*one));
    const auto check = [&](const std::string& how, const Types& inputs) {
      const Types types = one->op.infer(inputs);
      ASSERT_EQ(types.size(), outputs.size()) << how;
      for (size_t i = 0; i < types.size(); ++i) expect_fits(types[i], outputs[i], how);
    };
    check("all told", types_by(*one, [](const Tensor& x, bool known) { return known ? Type::of(x) : Type::open(x); }));
    check("lengths named", types_by(*one, [](const Tensor& x, bool known) {
            return known ? Type::of(x) : Type{.dtype = x.dtype(), .shape = named(x)};
          }));
    check("no rank", types_by(*one, [](const Tensor& x, bool known) {
            return known ? Type::of(x) : Type{.dtype = x.dtype(), .shape = {}};
          }));
    if (!one->must_be_known) {
      check("no value known", types_by(*one, [](const Tensor& x, bool) { return Type::open(x); }));
      check("nothing known", types_by(*one, [](const Tensor&, bool) { return Type{}; }));
    }
  }
}

// Numbers.

/// Calls f(number, number it is compared with, place) for every element of two outputs of the same shape.
template <class F>
void each_pair(const Tensor& got, const Tensor& wanted, F f) {
  ASSERT_EQ(name_of(got.dtype()), name_of(wanted.dtype()));
  ASSERT_EQ(got.lengths(), wanted.lengths());
  for (int64_t i = 0; i < got.size(); ++i) f(got.number_at(i), wanted.number_at(i), i);
}

/// To six digits, as the specification states numbers.
void expect_stated(const Tensor& got, const std::vector<double>& stated) {
  ASSERT_EQ(static_cast<size_t>(got.size()), stated.size());
  for (size_t i = 0; i < stated.size(); ++i) {
    const double number = got.number_at(static_cast<int64_t>(i));
    if (number == stated[i] || (std::isnan(number) && std::isnan(stated[i]))) continue;
    EXPECT_NEAR(number, stated[i], 5.5e-6 * std::fabs(stated[i])) << "element " << i;
  }
}

TEST_P(EveryOp, GivesTheStatedNumbers) {
  for (const OpCase* one : cases()) {
    SCOPED_TRACE(one->name);
    const std::vector<Tensor> outputs = reference::compute_some(one->op, tensors_of(*one));
    ASSERT_LE(one->expected.size(), outputs.size());
    for (size_t i = 0; i < one->expected.size(); ++i) expect_stated(outputs[i], one->expected[i]);
    if (one->expected_gradient.empty()) continue;
    Tensors dy;
    for (const Tensor& output : outputs) {
      dy.push_back(Tensor::of(output.lengths(), std::vector<float>(static_cast<size_t>(output.size()), 1.0f)));
    }
    CaseGraph made = gradient_graph(*one, dy);
    expect_stated(run_on(reference_engine(), made).at(0), one->expected_gradient);
  }
}

// The gradient.

/// Each floating tensor in double.
Tensors in_double(Tensors tensors) {
  for (std::optional<Tensor>& tensor : tensors) {
    if (tensor && is_floating(tensor->dtype())) tensor = tensor->converted(DType::Float64);
  }
  return tensors;
}

/// Σ dy·y, in double.
double weighed(const OpCase& one, const Tensors& inputs, const Tensors& dy) {
  const std::vector<Tensor> outputs = reference::compute_some(one.op, inputs);
  double total = 0;
  for (size_t k = 0; k < outputs.size(); ++k) {
    for (int64_t i = 0; dy[k] && i < outputs[k].size(); ++i) total += dy[k]->number_at(i) * outputs[k].number_at(i);
  }
  return total;
}

/// By central differences in element i of input k.
double difference(const OpCase& one, Tensors inputs, const Tensors& dy, size_t k, int64_t i) {
  const auto moved_to = [&](double number) {
    Tensor& x = *inputs[k];
    if (x.dtype() == DType::Float64) {
      x.mutable_values<double>()[static_cast<size_t>(i)] = number;
    } else {
      x.mutable_values<float>()[static_cast<size_t>(i)] = static_cast<float>(number);
    }
    return x.number_at(i);
  };
  const double x = inputs[k]->number_at(i), step = 1e-3 * std::fmax(1, std::fabs(x));
  const double high = moved_to(x + step), above = weighed(one, inputs, dy);
  const double low = moved_to(x - step), below = weighed(one, inputs, dy);
  return (above - below) / (high - low);
}

/// Numbers from [-1, 1) for each output that a gradient flows from.
Tensors drawn_dy(const OpCase& one, const std::vector<Tensor>& outputs) {
  Tensors dy(outputs.size());
  for (size_t k = 0; k < outputs.size(); ++k) {
    const bool flows =
        one.gradient_from.empty() || std::count(one.gradient_from.begin(), one.gradient_from.end(), k) > 0;
    if (!flows || !is_floating(outputs[k].dtype())) continue;
    const Draws draws(7, "dy:" + one.name, k);
    Tensor numbers(DType::Float64, outputs[k].lengths());
    for (int64_t i = 0; i < numbers.size(); ++i) {
      numbers.mutable_values<double>()[static_cast<size_t>(i)] = draws.uniform(static_cast<uint64_t>(i), -1, 1);
    }
    dy[k] = numbers.converted(outputs[k].dtype());
  }
  return dy;
}

TEST_P(EveryOp, GradientAgreesWithDifferences) {
  for (const OpCase* one : cases()) {
    if (!one->op.has_gradient() || !one->check_gradient) continue;
    SCOPED_TRACE(one->name);
    const Tensors inputs = tensors_of(*one), moved = one->float32_only ? inputs : in_double(inputs);
    const Tensors dy = drawn_dy(*one, reference::compute_some(one->op, inputs));
    if (std::none_of(dy.begin(), dy.end(), [](const std::optional<Tensor>& one) { return one.has_value(); })) continue;
    CaseGraph made = gradient_graph(*one, dy);
    const std::vector<Tensor> dx = run_on(reference_engine(), made);
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (!inputs[k] || inputs[k]->dtype() != DType::Float32 || one->inputs[k].kind == InputCase::Kind::Known) continue;
      const auto at = std::find(made.gradient_to.begin(), made.gradient_to.end(), k);
      const bool flows = at != made.gradient_to.end();
      const bool by_rule = std::count(one->no_gradient_to.begin(), one->no_gradient_to.end(), k) > 0;
      ASSERT_FALSE(flows && by_rule) << "input " << k;
      if (by_rule) continue;
      // Where none flows the difference must be 0.
      const Tensor found =
          flows ? dx[static_cast<size_t>(at - made.gradient_to.begin())] : Tensor(DType::Float32, inputs[k]->lengths());
      ASSERT_EQ(found.lengths(), inputs[k]->lengths()) << "input " << k;
      ASSERT_EQ(name_of(found.dtype()), name_of(inputs[k]->dtype())) << "input " << k;
      for (int64_t i = 0; i < found.size(); ++i) {
        const double wanted = difference(*one, moved, dy, k, i);
        EXPECT_NEAR(found.number_at(i), wanted, 1e-4 * std::fabs(wanted) + 1e-5) << "input " << k << ", element " << i;
      }
    }
  }
}

// Engines.

/// The op on the sizes of its floating inputs, or on ones in their place: Σ|terms|, and how many they are.
std::vector<Tensor> on_sizes(const OpCase& one, bool ones) {
  Tensors inputs = tensors_of(one);
  for (std::optional<Tensor>& input : inputs) {
    if (!input || input->dtype() != DType::Float32) continue;
    for (float& number : input->mutable_values<float>()) number = ones ? 1.0f : std::fabs(number);
  }
  return reference::compute_some(one.op, inputs);
}

TEST_P(EveryOp, IsTheSameOnEveryEngine) {
  for (const OpCase* one : cases()) {
    SCOPED_TRACE(one->name);
    const std::vector<Tensor> wanted = reference::compute_some(one->op, tensors_of(*one));
    const bool totals = one->bound.kind == Bound::Kind::Totals;
    const std::vector<Tensor> terms = totals ? on_sizes(*one, false) : wanted;
    const std::vector<Tensor> counts = totals ? on_sizes(*one, true) : wanted;
    for (const Engine* engine : judged_engines()) {
      SCOPED_TRACE(engine->name());
      CaseGraph made = forward_graph(*one);
      const std::vector<Tensor> got = run_on(*engine, made);
      ASSERT_EQ(got.size(), wanted.size());
      for (size_t k = 0; k < got.size(); ++k) {
        each_pair(got[k], wanted[k], [&](double number, double right, int64_t i) {
          if (number == right || (std::isnan(number) && std::isnan(right))) return;
          double bound = one->bound.relative * std::fabs(right) + one->bound.absolute;
          if (totals) {
            const double roundings = 4 * std::fmax(1, std::sqrt(counts[k].number_at(i) / 512)) + 1;
            bound = roundings * kRounding * terms[k].number_at(i);
          }
          EXPECT_LE(std::fabs(number - right), bound)
              << "output " << k << ", element " << i << ": " << number << " beside " << right;
        });
      }
    }
  }
}

std::vector<std::string_view> names_of_ops() {
  std::vector<std::string_view> names;
  for (const ops::OpRow& row : ops::all_ops()) names.push_back(row.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, EveryOp, testing::ValuesIn(names_of_ops()),
                         [](const auto& row) { return std::string(row.param); });

// A case's name decides its numbers and stands in every failure.
TEST(OpCases, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const OpCase& one : all_op_cases()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
  RecordProperty("ops", static_cast<int>(ops::all_ops().size()));  // for tests/count_rows.py
  RecordProperty("op_cases", static_cast<int>(names.size()));
}

}  // namespace
}  // namespace causeway::tests
