#include "causeway/train/batch_loss.h"

#include "causeway/base/quoted.h"
#include "causeway/ops/build.h"

namespace causeway::train {
namespace {

Value total(Value sum, Value term) { return sum ? ops::add(sum, term) : term; }

// What a slot's rule adds to the loss.
Value penalty_of(const Slot& slot, Value weight) {
  Value sum;
  if (slot.penalty.l1 != 0) sum = ops::scale(ops::reduce_sum(ops::abs(weight)), slot.penalty.l1);
  if (slot.penalty.l2 != 0) sum = total(sum, ops::scale(ops::reduce_sum(ops::square(weight)), slot.penalty.l2));
  return sum;
}

Type answers_type(const Shape& logits, const AnswerForm& form) {
  if (!form.are_class_numbers) return {DType::Float32, logits};
  return {DType::Int64, Shape(std::vector<Dim>(logits.dims->begin(), logits.dims->end() - 1))};
}

Value output_loss(GraphBuilder& graph, const std::string& output, const Loss& loss, Value logits,
                  const AnswerForm& form) {
  loss.fits();
  const Value rows = loss.rows(logits, graph.input(answers_input(output), answers_type(logits.shape(), form)));
  const LossWeight& weight = loss.weight();
  Value mean;
  if (!form.are_weighted) {
    mean = ops::reduce_mean(rows);
  } else {
    const Value weights = graph.input(weights_input(output), {DType::Float32, rows.shape()});
    const Value weighted = ops::mul(rows, weights);
    mean = weight.weight_reduction == WeightReduction::Rows
               ? ops::reduce_mean(weighted)
               : ops::div(ops::reduce_sum(weighted), ops::reduce_sum(weights));
  }
  return weight.weight == 1 ? mean : ops::scale(mean, weight.weight);
}

}  // namespace

std::string answers_input(std::string_view output) { return "@answers/" + std::string(output); }
std::string weights_input(std::string_view output) { return "@weights/" + std::string(output); }

Value batch_loss(GraphBuilder& graph, const SavedNetwork& saved, const ValueMap& made, const AnswerForms& forms) {
  Value loss;
  std::vector<Fault> faults;
  for (const Door& output : saved.network.outputs()) {
    const auto stated = saved.losses.find(output.name);
    if (stated == saved.losses.end()) continue;
    const auto form = forms.find(output.name);
    try {
      loss = total(loss, output_loss(graph, output.name, stated->second, made.at(output.value),
                                     form == forms.end() ? AnswerForm{} : form->second));
    } catch (const Unfit& unfit) {
      faults.push_back({"loss of " + quoted(output.name), unfit.what()});
    }
  }
  if (!loss && faults.empty()) faults.push_back({"network", "its losses name no output of it."});
  refuse_if_any(std::move(faults));
  for (const SlotUse& use : saved.network.graph().slots()) {
    const Slot& slot = saved.network.slots().at(use.path);
    const Value penalty = slot.learns() ? penalty_of(slot, graph.slot(use.path)) : Value();
    if (penalty) loss = ops::add(loss, penalty);
  }
  return loss;
}

}  // namespace causeway::train
