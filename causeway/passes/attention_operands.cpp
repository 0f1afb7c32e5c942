#include "causeway/passes/attention_operands.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::passes {
namespace {

/// A view [rows, heads, steps, width] as columns of its base, if it is that.
std::optional<AttentionOperand> side_by_side(const StridedView& view, const HeadLengths& of) {
  const std::vector<int64_t> base = view.base.shape().lengths();
  const int64_t count = std::accumulate(base.begin(), base.end(), int64_t{1}, std::multiplies<>());
  const int64_t places = of.rows * of.steps;
  if (places == 0 || count % places != 0) return std::nullopt;
  AttentionOperand found{.base = view.base, .of = of, .all = count / places, .first = view.offset};
  if (found.first + found.columns() > found.all) return std::nullopt;
  const auto is = [&](size_t axis, int64_t stride) { return view.lengths[axis] == 1 || view.strides[axis] == stride; };
  if (!is(1, of.width) || !is(3, 1)) return std::nullopt;
  if (is(0, of.steps * found.all) && is(2, found.all)) return found;
  found.is_steps_first = true;
  if (is(0, found.all) && is(2, of.rows * found.all)) return found;
  return std::nullopt;
}

/// Whether operands lie in one value, one after another, and fill it.
bool fill_one_value(const std::vector<AttentionOperand>& operands) {
  int64_t next = 0;
  for (const AttentionOperand& one : operands) {
    const bool is_with_first = one.base == operands[0].base && one.is_steps_first == operands[0].is_steps_first &&
                               one.of.rows == operands[0].of.rows && one.of.steps == operands[0].of.steps;
    if (one.is_apart || !is_with_first || one.first != next) return false;
    next += one.columns();
  }
  return operands.size() > 1 && next == operands[0].all;
}

}  // namespace

AttentionOperand operand_of_product(const Value& value, bool is_turned, const HeadLengths& of, const Slots& slots) {
  StridedView view = strided_view(value, slots);
  if (view.lengths.size() == 3) {
    const std::ptrdiff_t left_out = of.heads == 1 ? 1 : 0;
    view.lengths.insert(view.lengths.begin() + left_out, 1);
    view.strides.insert(view.strides.begin() + left_out, 0);
  }
  if (is_turned) view = view.permuted({0, 1, 3, 2});
  if (const auto found = side_by_side(view, of)) return *found;
  AttentionOperand apart{.base = value, .of = of};
  apart.is_apart = true;
  apart.is_turned = is_turned;
  return apart;
}

AttentionOperand operand_together(const Value& value, const HeadLengths& of, const Slots& slots) {
  const auto apart = strided_view(value, slots).reshaped({of.rows, of.steps, of.heads, of.width});
  const auto found = apart ? side_by_side(apart->permuted({0, 2, 1, 3}), of) : std::nullopt;
  return found ? *found : AttentionOperand{.base = value, .of = of, .all = of.heads * of.width};
}

Values OperandMaker::make(GraphBuilder& builder, const std::vector<AttentionOperand>& operands) {
  if (fill_one_value(operands)) {
    std::vector<int64_t> lengths;
    lengths.reserve(operands.size());
    for (const AttentionOperand& one : operands) lengths.push_back(one.columns());
    return ops::split(whole(operands[0]), lengths, 2);
  }
  Values made;
  for (const AttentionOperand& one : operands) {
    if (one.is_apart) {
      made.push_back(put_together(one));
    } else if (one.columns() == one.all) {
      made.push_back(whole(one));
    } else {
      const auto list = [&](int64_t number) { return ops::integers(builder, {number}); };
      made.push_back(
          builder.add1(ops::Slice{}, {whole(one), list(one.first), list(one.first + one.columns()), list(2)}));
    }
  }
  return made;
}

Value OperandMaker::whole(const AttentionOperand& operand) {
  const auto& [rows, heads, steps, width] = operand.of;
  const Value base = made_.at(operand.base);
  if (!operand.is_steps_first) return under_lengths(base, {rows, steps, operand.all});
  Value& turned = turned_[operand.base];
  if (!turned || turned.shape() != Shape{rows, steps, operand.all}) {
    turned = ops::transpose(under_lengths(base, {steps, rows, operand.all}), {1, 0, 2});
  }
  return turned;
}

Value OperandMaker::put_together(const AttentionOperand& operand) {
  const auto& [rows, heads, steps, width] = operand.of;
  const Value apart = operand.is_turned ? under_lengths(made_.at(operand.base), {rows, heads, width, steps})
                                        : under_lengths(made_.at(operand.base), {rows, heads, steps, width});
  const Value together = ops::transpose(apart, operand.is_turned ? Axes{0, 3, 1, 2} : Axes{0, 2, 1, 3});
  return under_lengths(together, {rows, steps, operand.columns()});
}

Value under_lengths(const Value& x, const std::vector<int64_t>& lengths) {
  return x.shape() == Shape::of(lengths) ? x : ops::reshape(x, lengths);
}

}  // namespace causeway::passes
