#pragma once

// What shape rules and gradient rules share. A type of unknown dtype or shape fits everything, and nothing follows from
// it.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::ops {

/// No list that names a shape may have more entries.
constexpr int64_t kMostAxes = 64;

/// unfit() unless that many inputs stand there.
void expect_inputs(std::span<const Type> inputs, size_t least, size_t most);
inline void expect_inputs(std::span<const Type> inputs, size_t count) { expect_inputs(inputs, count, count); }
/// The input, or an unknown type past the end.
Type input_or_unknown(std::span<const Type> inputs, size_t i);

/// dtype and shape of x, without what is known of its numbers. unfit() where its dtype is of another kind; `what` names
/// the operand.
Type floating(const Type& x, std::string_view what = "x");
Type numeric(const Type& x, std::string_view what = "x");
Type truth(const Type& x, std::string_view what = "x");
/// int64 or int32.
Type indexing(const Type& x, std::string_view what);

/// The dtype that all share which are not unknown; unfit() where two differ.
DType common_dtype(std::span<const Type> operands);
/// The shape all broadcast to.
Shape broadcast_all(std::span<const Type> operands);
/// `to`, to which `from` must broadcast; `what` names the operand that does.
Shape spread_to(const Shape& from, const Shape& to, std::string_view what);
/// Of two floating operands or more: the dtype and shape they share.
Type spread(std::span<const Type> operands);

/// The shape of x, of that rank; unfit() where it has another one.
Shape with_rank(const Type& x, size_t rank, std::string_view what);
/// One length out of two that must be the same; unfit() naming both where they are known to differ.
Dim same_length(const Dim& a, const Dim& b, std::string_view what_a, std::string_view what_b);

/// Each axis counted from the start, in ascending order; unfit() for one out of range or named twice.
std::vector<size_t> axes_in(const std::vector<int64_t>& axes, size_t rank);
/// The same, none standing for all.
std::vector<size_t> axes_or_all(const std::vector<int64_t>& axes, size_t rank);

/// An integer scalar or list as lengths, as far as they are known.
std::optional<std::vector<Dim>> dims_of(const Type& list);
/// An integer scalar or list, where all of it is known.
std::optional<std::vector<int64_t>> integers_of(const Type& list);
/// How many entries a list has; unfit() where it has another rank than 1.
Dim entries_of(const Type& list, std::string_view what);
/// The shape that an int64 list of lengths names: unfit() for a negative one.
Shape shape_named_by(const Type& lengths, std::string_view what = "lengths");
/// An integer type whose numbers are these lengths, where they are given; its shape must have rank 0 or 1.
Type integers_type(DType dtype, Shape shape, std::optional<std::vector<Dim>> dims);

/// dy for input i of a broadcasting op: summed over what was spread.
Value to_input(const Node& node, size_t i, Value dy);
/// The rank of x; unfit() where it is not known.
size_t rank_of(Value x);
/// A list along one axis of a value of that rank: with axes of length 1 around it.
Value along_axis(Value list, size_t axis, size_t rank);

}  // namespace causeway::ops
