#include "tests/ops/case_graph.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/philox.h"

namespace causeway::tests {
namespace {

/// Numbers from [low, high), no two nearer than their mean distance.
std::vector<double> apart_numbers(const InputCase& input, const Draws& draws, int64_t count) {
  std::vector<double> numbers;
  for (const int64_t place : draws.permutation(count)) {
    numbers.push_back(input.low + (input.high - input.low) * static_cast<double>(place) / static_cast<double>(count));
  }
  return numbers;
}

double moved_off(const InputCase& input, double number) {
  for (const double corner : input.clear_of) {
    if (std::fabs(number - corner) < 0.05) return number < corner ? corner - 0.05 : corner + 0.05;
  }
  return number;
}

Tensor tensor_of(const InputCase& input, const Draws& draws) {
  Tensor numbers(DType::Float64, input.lengths);
  const std::span<double> to = numbers.mutable_values<double>();
  if (input.kind != InputCase::Kind::Drawn) {
    CAUSEWAY_CHECK(to.size() == input.numbers.size(), "as many numbers as the lengths make");
    std::copy(input.numbers.begin(), input.numbers.end(), to.begin());
  } else if (input.apart) {
    const std::vector<double> all = apart_numbers(input, draws, numbers.size());
    std::copy(all.begin(), all.end(), to.begin());
  } else {
    for (size_t i = 0; i < to.size(); ++i) {
      const double number = input.low + (input.high - input.low) * static_cast<double>(draws.uniform(i));
      to[i] = is_floating(input.dtype) ? moved_off(input, number) : std::floor(number);
    }
  }
  return numbers.converted(input.dtype);
}

/// Adds a case's op to a graph under way, its inputs as its case says; gives the node's outputs.
Values add_op(GraphBuilder& builder, const OpCase& one, CaseGraph& made) {
  const std::vector<std::optional<Tensor>> tensors = tensors_of(one);
  Values inputs;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = "x" + std::to_string(i);
    if (!tensors[i]) {
      inputs.emplace_back();
    } else if (one.inputs[i].kind == InputCase::Kind::Known) {
      inputs.push_back(builder.constant(*tensors[i], name));
    } else {
      inputs.push_back(builder.input(name, Type::open(*tensors[i])));
      made.inputs.push_back(*tensors[i]);
    }
  }
  return builder.add(one.op, inputs);
}

}  // namespace

std::vector<std::optional<Tensor>> tensors_of(const OpCase& one) {
  std::vector<std::optional<Tensor>> tensors;
  for (size_t i = 0; i < one.inputs.size(); ++i) {
    if (one.inputs[i].kind == InputCase::Kind::Absent) {
      tensors.emplace_back();
    } else {
      tensors.emplace_back(tensor_of(one.inputs[i], Draws(7, "case:" + one.name, i)));
    }
  }
  return tensors;
}

CaseGraph forward_graph(const OpCase& one) {
  CaseGraph made;
  GraphBuilder builder(made.slots);
  const Values outputs = add_op(builder, one, made);
  for (size_t i = 0; i < outputs.size(); ++i) builder.output("y" + std::to_string(i), outputs[i]);
  made.graph = std::move(builder).finish();
  return made;
}

CaseGraph gradient_graph(const OpCase& one, const std::vector<std::optional<Tensor>>& dy) {
  CaseGraph made;
  GraphBuilder builder(made.slots);
  const Values outputs = add_op(builder, one, made);
  Values dy_values;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (dy[i]) made.inputs.push_back(*dy[i]);
    dy_values.push_back(dy[i] ? builder.input("dy" + std::to_string(i), Type::open(*dy[i])) : Value());
  }
  const Values gradients = one.op.gradient(builder, *outputs.at(0).node(), dy_values);
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i]) continue;
    builder.output("dx" + std::to_string(i), gradients[i]);
    made.gradient_to.push_back(i);
  }
  made.graph = std::move(builder).finish();
  return made;
}

std::vector<Tensor> run_on(const Engine& engine, CaseGraph& made) {
  Binding binding;
  std::vector<TensorView> inputs;
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    binding.lengths[made.graph.inputs()[i].name] = made.inputs[i].lengths();
    inputs.push_back(view_of(made.inputs[i]));
  }
  const std::unique_ptr<Context> context = engine.compile(made.graph, made.slots, binding)->context();
  std::vector<Tensor> outputs;
  for (const TensorView& view : context->run(inputs)) outputs.push_back(copy_of(view));
  return outputs;
}

}  // namespace causeway::tests
