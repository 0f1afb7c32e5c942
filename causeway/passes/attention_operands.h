#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "causeway/graph/graph.h"
#include "causeway/passes/strided_view.h"

namespace causeway::passes {

/// The lengths of heads apart: [rows, heads, steps, width].
struct HeadLengths {
  int64_t rows, heads, steps, width;
};

/// Queries, keys or values as an attention takes them, [rows, steps, heads * width]: columns of the value in which they
/// lie, or put together where they lie nowhere so.
struct AttentionOperand {
  Value base;  ///< In the old graph.
  HeadLengths of;
  int64_t all = 0;              ///< The base's columns.
  int64_t first = 0;            ///< The first column of the operand.
  bool is_steps_first = false;  ///< The base is [steps, rows, columns].
  bool is_apart = false;  ///< The base is the operand itself, heads apart; its last two axes turned where is_turned.
  bool is_turned = false;

  int64_t columns() const { return of.heads * of.width; }
};

/// Where an operand lies that is handed to a product as heads apart ([rows, heads, steps, width], or of rank 3 without
/// the axis of length 1); `is_turned`: its last two axes stand the other way round.
AttentionOperand operand_of_product(const Value& value, bool is_turned, const HeadLengths& of, const Slots& slots);
/// Where an operand lies that is together already, [rows, steps, heads * width].
AttentionOperand operand_together(const Value& value, const HeadLengths& of, const Slots& slots);

/// Makes operands in a new graph, sharing what several need.
class OperandMaker {
 public:
  /// `made`: what stands for each value of the old graph so far.
  explicit OperandMaker(const std::unordered_map<Value, Value>& made) : made_(made) {}

  bool has(const AttentionOperand& operand) const { return made_.contains(operand.base); }
  Values make(GraphBuilder& builder, const std::vector<AttentionOperand>& operands);

 private:
  Value whole(const AttentionOperand& operand);
  Value put_together(const AttentionOperand& operand);

  const std::unordered_map<Value, Value>& made_;
  std::unordered_map<Value, Value> turned_;
};

/// x under these lengths; x itself where it has them.
Value under_lengths(const Value& x, const std::vector<int64_t>& lengths);

}  // namespace causeway::passes
