#include "causeway/tensor/shape.h"

#include <algorithm>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"

namespace causeway {
namespace {

/// Two lengths that stand at one axis of an operation that broadcasts; nothing where they do not fit.
std::optional<Dim> broadcast_dim(const Dim& a, const Dim& b) {
  if (a == Dim(1)) return b;
  if (b == Dim(1)) return a;
  if (a.is_number() && b.is_number()) return a == b ? std::optional(a) : std::nullopt;
  // The other one can only be 1 or the same, and gives way in both cases.
  if (a.is_number()) return a;
  if (b.is_number()) return b;
  return a == b ? a : Dim();
}

/// The more that two say of one length; nothing where they are known to differ.
std::optional<Dim> merged_dim(const Dim& a, const Dim& b) {
  if (a.equals(b) == std::optional(false)) return std::nullopt;
  if (a.is_number() || b.is_unknown()) return a;
  if (b.is_number() || a.is_unknown()) return b;
  return a;
}

template <class Lengths>
std::string listed(const Lengths& lengths, const auto& text_of_length) {
  std::string text = "[";
  for (const auto& length : lengths) {
    if (text.size() > 1) text += ", ";
    text += text_of_length(length);
  }
  return text + "]";
}

}  // namespace

Shape Shape::of(std::span<const int64_t> lengths) { return Shape(std::vector<Dim>(lengths.begin(), lengths.end())); }

const Dim& Shape::at(int64_t axis) const {
  const auto count = static_cast<int64_t>(rank());
  CAUSEWAY_CHECK(axis >= -count && axis < count, "an axis lies within the rank");
  return (*this)[static_cast<size_t>(axis < 0 ? axis + count : axis)];
}

bool Shape::is_bound() const {
  return dims && std::all_of(dims->begin(), dims->end(), [](const Dim& dim) { return dim.is_number(); });
}

std::vector<int64_t> Shape::lengths() const {
  CAUSEWAY_CHECK(is_bound(), "every length is a number");
  std::vector<int64_t> numbers;
  numbers.reserve(rank());
  for (const Dim& dim : *dims) numbers.push_back(dim.number());
  return numbers;
}

Dim Shape::count() const {
  if (!dims) return {};
  Dim product = 1;
  for (const Dim& dim : *dims) product = product * dim;
  return product;
}

std::string Shape::text() const {
  if (!dims) return "[…]";
  return listed(*dims, [](const Dim& dim) { return dim.text(); });
}

std::string text_of(std::span<const int64_t> lengths) {
  return listed(lengths, [](int64_t length) { return std::to_string(length); });
}

size_t axis_in(int64_t axis, size_t rank, std::string_view setting) {
  const auto count = static_cast<int64_t>(rank);
  if (axis >= -count && axis < count) return static_cast<size_t>(axis < 0 ? axis + count : axis);
  const std::string given = "'" + std::string(setting) + "' is " + std::to_string(axis);
  if (rank == 0) unfit(given + ", and a value of rank 0 has no axis.");
  unfit(given + ", and the range here is [" + std::to_string(-count) + ", " + std::to_string(count - 1) + "].");
}

Shape broadcast(const Shape& a, const Shape& b) {
  if (!a.has_rank() || !b.has_rank()) return {};
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  const size_t lead = longer.rank() - shorter.rank();
  std::vector<Dim> dims(longer.dims->begin(), longer.dims->begin() + static_cast<std::ptrdiff_t>(lead));
  for (size_t axis = 0; axis < shorter.rank(); ++axis) {
    std::optional<Dim> dim = broadcast_dim(longer[lead + axis], shorter[axis]);
    if (!dim) {
      unfit(a.text() + " and " + b.text() +
            " do not broadcast: counted from the last axis, two lengths are the same or one is 1.");
    }
    dims.push_back(*std::move(dim));
  }
  return dims;
}

std::vector<int64_t> broadcast(std::span<const int64_t> a, std::span<const int64_t> b) {
  return broadcast(Shape::of(a), Shape::of(b)).lengths();
}

Shape merged(const Shape& a, const Shape& b) {
  if (!a.has_rank()) return b;
  if (!b.has_rank()) return a;
  const auto differ = [&]() { unfit("the shape is " + a.text() + " here and " + b.text() + " there."); };
  if (a.rank() != b.rank()) differ();
  std::vector<Dim> dims;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    std::optional<Dim> dim = merged_dim(a[axis], b[axis]);
    if (!dim) differ();
    dims.push_back(*std::move(dim));
  }
  return dims;
}

std::vector<int64_t> dense_strides(std::span<const int64_t> lengths) {
  std::vector<int64_t> strides(lengths.size());
  int64_t stride = 1;
  for (size_t axis = lengths.size(); axis-- > 0;) {
    strides[axis] = stride;
    // An empty tensor has no element to step to, and its strides stay what they would be.
    stride *= std::max<int64_t>(lengths[axis], 1);
  }
  return strides;
}

}  // namespace causeway
