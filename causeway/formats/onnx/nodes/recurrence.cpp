#include "causeway/formats/onnx/nodes/recurrence.h"

#include <algorithm>
#include <cctype>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

using ops::CellFunction, ops::CellFunctionKind;

constexpr int64_t kMostSteps = 4096;

constexpr CellActivationRow kActivations[] = {
    {"Affine", {CellFunctionKind::Affine, 1.0f, 0.0f}, true, true},
    {"Elu", {CellFunctionKind::Elu, 1.0f}, true},
    {"HardSigmoid", {CellFunctionKind::HardSigmoid, 0.2f, 0.5f}, true, true},
    {"LeakyRelu", {CellFunctionKind::LeakyRelu, 0.01f}, true},
    {"Relu", {CellFunctionKind::Relu}},
    {"ScaledTanh", {CellFunctionKind::ScaledTanh, 1.0f, 1.0f}, true, true},
    {"Sigmoid", {CellFunctionKind::Sigmoid}},
    {"Softplus", {CellFunctionKind::Softplus}},
    {"Softsign", {CellFunctionKind::Softsign}},
    {"Tanh", {CellFunctionKind::Tanh}},
    {"ThresholdedRelu", {CellFunctionKind::Threshold, 1.0f}, true},
};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

Value applied(const CellFunction& function, const Value& x) {
  const auto one = [&](Op op) { return x.graph().add1(std::move(op), {x}); };
  switch (function.kind) {
    case CellFunctionKind::Affine:
      return ops::shifted(ops::scale(x, function.alpha), function.beta);
    case CellFunctionKind::Elu:
      return one(ops::Elu{.alpha = function.alpha});
    case CellFunctionKind::HardSigmoid:
      return one(ops::HardSigmoid{.alpha = function.alpha, .beta = function.beta});
    case CellFunctionKind::LeakyRelu:
      return one(ops::LeakyRelu{.slope = function.alpha});
    case CellFunctionKind::Relu:
      return ops::relu(x);
    case CellFunctionKind::ScaledTanh:
      return ops::scale(ops::tanh(ops::scale(x, function.beta)), function.alpha);
    case CellFunctionKind::Sigmoid:
      return ops::sigmoid(x);
    case CellFunctionKind::Softplus:
      return ops::softplus(x);
    case CellFunctionKind::Softsign:
      return one(ops::Softsign{});
    case CellFunctionKind::Threshold:
      return ops::where(ops::greater(x, function.alpha), x, 0.0);
    default:
      return ops::tanh(x);
  }
}

}  // namespace

const CellActivationRow* cell_activation_of(const CellFunction& function) {
  const CellFunctionKind kind = function.kind == CellFunctionKind::Linear ? CellFunctionKind::Affine : function.kind;
  if (kind == CellFunctionKind::Threshold && function.beta != 0) return nullptr;
  const auto* row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                 [&](const CellActivationRow& each) { return each.function.kind == kind; });
  return row == std::end(kActivations) ? nullptr : row;
}

Recurrence::Recurrence(NodeReader& node, int64_t gates, std::vector<std::string> activations)
    : node_(node), gates_(gates), layout_(node.opset() >= 14 ? node.integer("layout", 0) : 0) {
  direction_ = node.text("direction", "forward");
  if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional") {
    unfit("'direction' is '" + direction_ + "'; forward, reverse and bidirectional are read.");
  }
  directions_ = direction_ == "bidirectional" ? 2 : 1;
  if (layout_ != 0 && layout_ != 1) unfit("'layout' is " + std::to_string(layout_) + "; 0 and 1 are read.");
  x_ = node.input(0);
  if (known_rank(x_) != 3) unfit("x is " + x_.shape().text() + ", and it is a series of rows.");
  if (layout_ == 1) x_ = ops::transpose(x_, {1, 0, 2});
  read_sizes();
  clip_ = node.real("clip");
  if (node.opset() < 7) node.ignore("output_sequence");
  read_activations(std::move(activations));
}

Value Recurrence::of_direction(size_t i, size_t direction) {
  if (!node_.has_input(i)) return {};
  return ops::gather(node_.input(i), graph().scalar(static_cast<int64_t>(direction)));
}

std::pair<Value, Value> Recurrence::biases(size_t direction) {
  const Value bias = of_direction(3, direction);
  if (!bias) return {};
  const int64_t each = gates_ * hidden_;
  return {ops::slice(bias, 0, 0, each), ops::slice(bias, 0, each, 2 * each)};
}

Value Recurrence::stated_initial(size_t i, size_t direction) {
  if (!node_.has_input(i)) return {};
  const Value all = layout_ == 0 ? node_.input(i) : ops::transpose(node_.input(i), {1, 0, 2});
  return ops::gather(all, graph().scalar(static_cast<int64_t>(direction)));
}

Value Recurrence::rows_first() const { return layout_ == 1 ? node_.input(0) : ops::transpose(x_, {1, 0, 2}); }

Value Recurrence::mask() {
  if (!node_.has_input(4)) return {};
  return ops::real_steps(node_.input(4), length_of(x_, Length::axis(0)));
}

Value Recurrence::series(const Values& by_direction) const {
  Values parts;
  for (const Value& steps : by_direction) parts.push_back(ops::unsqueeze(steps, {2}));
  const Value y = parts.size() == 1 ? parts[0] : ops::concat(std::move(parts), 2);  // [N, L, D, H]
  return layout_ == 1 ? y : ops::transpose(y, {1, 2, 0, 3});
}

Value Recurrence::states(const Values& by_direction) const {
  const int64_t axis = layout_ == 0 ? 0 : 1;
  Values parts;
  for (const Value& state : by_direction) parts.push_back(ops::unsqueeze(state, {axis}));
  return parts.size() == 1 ? parts[0] : ops::concat(std::move(parts), axis);
}

void Recurrence::expect_steps() {
  const Dim steps = x_.shape()[0];
  if (!steps.is_number()) {
    not_known_yet("x is " + node_.input(0).shape().text() + ", and the count of its steps is a number.");
  }
  steps_ = steps.number();
  if (steps_ < 1 || steps_ > kMostSteps) unfit("x has " + steps.text() + " steps, and 1 to 4096 are read.");
}

Value Recurrence::of_input(size_t direction) { return ops::matmul(x_, of_direction(1, direction), false, true); }

Value Recurrence::gate(const Value& all, int64_t which) const {
  return ops::slice(all, -1, which * hidden_, (which + 1) * hidden_);
}

Value Recurrence::step_of(const Value& all, int64_t step) { return ops::gather(all, graph().scalar(step)); }

Value Recurrence::activated(size_t direction, size_t which, Value x) const {
  if (clip_) x = ops::clip(x, -*clip_, *clip_);
  return applied(function(direction, which), x);
}

Value Recurrence::initial(size_t i, size_t direction) {
  if (const Value stated = stated_initial(i, direction)) return stated;
  const Value lengths = lengths_of(x_, {Length::axis(1), Length::of(hidden_)});
  return graph().add1(ops::ConstantOfShape{.value = 0, .dtype = known_dtype(x_)}, {lengths});
}

Value Recurrence::goes_on(int64_t step) {
  if (!node_.has_input(4)) return {};
  return ops::unsqueeze(ops::greater(node_.input(4), static_cast<double>(step)), {1});
}

Value Recurrence::series_of_steps(const std::vector<Values>& by_direction) const {
  Values directions;
  for (const Values& steps : by_direction) {
    Values rows;
    for (const Value& step : steps) rows.push_back(ops::unsqueeze(step, {0}));
    directions.push_back(ops::unsqueeze(ops::concat(std::move(rows), 0), {1}));
  }
  const Value y = ops::concat(std::move(directions), 1);  // [L, D, N, H]
  return layout_ == 0 ? y : ops::transpose(y, {2, 0, 1, 3});
}

void Recurrence::read_sizes() {
  const Shape& recurrent = node_.input(2).shape();
  if (!recurrent.has_rank() || recurrent.rank() != 3 || !recurrent[2].is_number()) {
    unfit("R is " + recurrent.text() + ", and it is [directions, gates * hidden, hidden].");
  }
  hidden_ = node_.integer("hidden_size", recurrent[2].number());
  const std::vector<Dim> wanted{static_cast<int64_t>(directions_), gates_ * hidden_, hidden_};
  for (size_t axis = 0; axis < 3; ++axis) {
    if (recurrent[axis].equals(wanted[axis]) == std::optional(false)) {
      unfit("R is " + recurrent.text() + ", and it should be " + Shape(wanted).text() + ".");
    }
  }
  const Shape& weight = node_.input(1).shape();
  if (weight.has_rank() && (weight.rank() != 3 || weight[0].equals(wanted[0]) == std::optional(false) ||
                            weight[1].equals(wanted[1]) == std::optional(false) ||
                            weight[2].equals(x_.shape()[2]) == std::optional(false))) {
    unfit("W is " + weight.text() + ", and it should be " + Shape({wanted[0], wanted[1], x_.shape()[2]}).text() + ".");
  }
  const Value bias = node_.input_or_none(3);
  if (bias && bias.shape().has_rank() &&
      (bias.shape().rank() != 2 || bias.shape()[0].equals(wanted[0]) == std::optional(false) ||
       bias.shape()[1].equals(Dim(2 * gates_ * hidden_)) == std::optional(false))) {
    unfit("B is " + bias.shape().text() + ", and it should be " + Shape({wanted[0], 2 * gates_ * hidden_}).text() +
          ".");
  }
}

void Recurrence::read_activations(std::vector<std::string> names) {
  per_direction_ = names.size();
  if (directions_ == 2) {
    const std::vector<std::string> once = names;
    names.insert(names.end(), once.begin(), once.end());
  }
  if (const std::optional<std::vector<std::string>> stated = node_.texts("activations")) {
    if (stated->size() != names.size()) {
      unfit("'activations' names " + std::to_string(stated->size()) + ", and " + std::to_string(names.size()) +
            " are read.");
    }
    names = *stated;
  }
  const std::vector<float> alphas = node_.reals("activation_alpha").value_or(std::vector<float>());
  const std::vector<float> betas = node_.reals("activation_beta").value_or(std::vector<float>());
  size_t next_alpha = 0, next_beta = 0;
  for (const std::string& name : names) {
    const auto* row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                   [&](const CellActivationRow& each) { return same_word(each.name, name); });
    if (row == std::end(kActivations)) unfit("'activations' names '" + name + "', which is not read.");
    // Both lists are used up in order by the activations that take them.
    CellFunction function = row->function;
    if (row->takes_alpha && next_alpha < alphas.size()) function.alpha = alphas[next_alpha++];
    if (row->takes_beta && next_beta < betas.size()) function.beta = betas[next_beta++];
    functions_.push_back(function);
  }
}

}  // namespace causeway::formats::onnx
