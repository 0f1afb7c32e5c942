#include "causeway/ops/rules.h"

#include <algorithm>
#include <limits>
#include <string>

#include "causeway/ops/build.h"

namespace causeway::ops {
namespace {

std::string counted_inputs(size_t count) { return std::to_string(count) + (count == 1 ? " input" : " inputs"); }

Type of_kind(const Type& x, bool fits, std::string_view what, std::string_view expected) {
  if (x.dtype != DType::Unknown && !fits) {
    unfit(std::string(what) + " is " + std::string(name_of(x.dtype)) + ", and " + std::string(expected) +
          " is expected.");
  }
  return {x.dtype, x.shape};
}

/// The numbers of a list type, where each is known and fits the dtype.
std::optional<Tensor> numbers_of(DType dtype, const Shape& shape, const std::vector<Dim>& dims) {
  if (static_cast<int64_t>(dims.size()) > Type::kKnownNumbers || !shape.is_bound()) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Dim& dim : dims) {
    if (!dim.is_number()) return std::nullopt;
    numbers.push_back(dim.number());
  }
  const Tensor wide = Tensor::of<int64_t>(shape.lengths(), numbers);
  return dtype == DType::Int64 ? wide : wide.converted(dtype);
}

}  // namespace

void expect_inputs(std::span<const Type> inputs, size_t least, size_t most) {
  if (inputs.size() >= least && inputs.size() <= most) return;
  const std::string expected =
      least == most ? counted_inputs(least) : std::to_string(least) + " to " + std::to_string(most) + " inputs";
  unfit("it has " + counted_inputs(inputs.size()) + ", and " + expected + " are expected.");
}

Type input_or_unknown(std::span<const Type> inputs, size_t i) { return i < inputs.size() ? inputs[i] : Type{}; }

Type floating(const Type& x, std::string_view what) {
  return of_kind(x, is_floating(x.dtype), what, "a floating dtype");
}

Type numeric(const Type& x, std::string_view what) {
  return of_kind(x, is_floating(x.dtype) || is_integer(x.dtype), what, "a floating or integer dtype");
}

Type truth(const Type& x, std::string_view what) { return of_kind(x, x.dtype == DType::Bool, what, "bool"); }

Type indexing(const Type& x, std::string_view what) {
  return of_kind(x, x.dtype == DType::Int64 || x.dtype == DType::Int32, what, "int64 or int32");
}

DType common_dtype(std::span<const Type> operands) {
  DType common = DType::Unknown;
  for (const Type& operand : operands) {
    if (operand.dtype == DType::Unknown) continue;
    if (common != DType::Unknown && common != operand.dtype) {
      unfit("its operands are " + std::string(name_of(common)) + " and " + std::string(name_of(operand.dtype)) +
            ", and one dtype is expected.");
    }
    common = operand.dtype;
  }
  return common;
}

Shape broadcast_all(std::span<const Type> operands) {
  Shape shape = operands[0].shape;
  for (const Type& operand : operands.subspan(1)) shape = broadcast(shape, operand.shape);
  return shape;
}

Shape spread_to(const Shape& from, const Shape& to, std::string_view what) {
  if (!from.has_rank() || !to.has_rank()) return to;
  bool fits = from.rank() <= to.rank();
  for (size_t i = 0; fits && i < from.rank(); ++i) {
    const Dim& length = from[from.rank() - 1 - i];
    fits = length == Dim(1) || length.equals(to[to.rank() - 1 - i]) != std::optional(false);
  }
  if (!fits) unfit(std::string(what) + " is " + from.text() + ", which does not spread to " + to.text() + ".");
  return to;
}

Type spread(std::span<const Type> operands) {
  return floating({common_dtype(operands), broadcast_all(operands)}, "its first operand");
}

Shape with_rank(const Type& x, size_t rank, std::string_view what) {
  if (!x.shape.has_rank()) return Shape::of_rank(rank);
  if (x.shape.rank() != rank) {
    unfit(std::string(what) + " is " + x.shape.text() + ", and rank " + std::to_string(rank) + " is expected.");
  }
  return x.shape;
}

Dim same_length(const Dim& a, const Dim& b, std::string_view what_a, std::string_view what_b) {
  if (a.equals(b) == std::optional(false)) {
    unfit(std::string(what_a) + " is " + a.text() + ", and " + std::string(what_b) + " is " + b.text() + ".");
  }
  return a.is_number() || b.is_unknown() ? a : b.is_number() || a.is_unknown() ? b : a;
}

std::vector<size_t> axes_in(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<size_t> found;
  for (const int64_t axis : axes) found.push_back(axis_in(axis, rank, "axes"));
  std::sort(found.begin(), found.end());
  const auto twice = std::adjacent_find(found.begin(), found.end());
  if (twice != found.end()) unfit("'axes' names axis " + std::to_string(*twice) + " twice.");
  return found;
}

std::vector<size_t> axes_or_all(const std::vector<int64_t>& axes, size_t rank) {
  if (!axes.empty()) return axes_in(axes, rank);
  std::vector<size_t> all(rank);
  for (size_t axis = 0; axis < rank; ++axis) all[axis] = axis;
  return all;
}

std::optional<std::vector<Dim>> dims_of(const Type& list) {
  if (list.known_dims) return list.known_dims;
  if (!list.known || !is_integer(list.known->dtype()) || list.known->rank() > 1) return std::nullopt;
  std::vector<Dim> dims;
  for (int64_t i = 0; i < list.known->size(); ++i) dims.emplace_back(list.known->integer_at(i));
  return dims;
}

std::optional<std::vector<int64_t>> integers_of(const Type& list) {
  const std::optional<std::vector<Dim>> dims = dims_of(list);
  if (!dims) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Dim& dim : *dims) {
    if (!dim.is_number()) return std::nullopt;
    numbers.push_back(dim.number());
  }
  return numbers;
}

Dim entries_of(const Type& list, std::string_view what) {
  if (!list.shape.has_rank()) {
    return list.known_dims ? Dim(static_cast<int64_t>(list.known_dims->size())) : Dim();
  }
  return with_rank(list, 1, what)[0];
}

Shape shape_named_by(const Type& lengths, std::string_view what) {
  indexing(lengths, what);
  const Dim entries = entries_of(lengths, what);
  if (!entries.is_number()) return {};
  if (entries.number() > kMostAxes) {
    unfit(std::string(what) + " names a shape of " + entries.text() + " axes, and " + std::to_string(kMostAxes) +
          " are the most.");
  }
  const std::optional<std::vector<Dim>> dims = dims_of(lengths);
  if (!dims) return Shape::of_rank(static_cast<size_t>(entries.number()));
  for (const Dim& dim : *dims) {
    if (dim.is_number() && dim.number() < 0) {
      unfit(std::string(what) + " is " + Shape(*dims).text() + ", and no length is negative.");
    }
  }
  return *dims;
}

Type integers_type(DType dtype, Shape shape, std::optional<std::vector<Dim>> dims) {
  Type type{dtype, std::move(shape)};
  if (!dims || (dtype != DType::Int64 && dtype != DType::Int32)) return type;
  if (static_cast<int64_t>(dims->size()) > Type::kKnownNumbers) return type;
  type.known = numbers_of(dtype, type.shape, *dims);
  type.known_dims = std::move(dims);
  return type;
}

Value to_input(const Node& node, size_t i, Value dy) { return sum_to(dy, node.input(i)); }

size_t rank_of(Value x) {
  if (!x.shape().has_rank()) unfit("its gradient needs the rank of its input, which is not known.");
  return x.shape().rank();
}

Value along_axis(Value list, size_t axis, size_t rank) {
  std::vector<int64_t> around;
  for (size_t i = 0; i < rank; ++i) {
    if (i != axis) around.push_back(static_cast<int64_t>(i));
  }
  return around.empty() ? list : unsqueeze(list, around);
}

}  // namespace causeway::ops
