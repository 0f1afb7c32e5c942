#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "causeway/tensor/dim.h"

namespace causeway {

/// The lengths of a tensor's axes, slowest first. Without `dims` not even the rank is known.
struct Shape {
  std::optional<std::vector<Dim>> dims;

  Shape() = default;
  Shape(std::vector<Dim> lengths) : dims(std::move(lengths)) {}                // NOLINT(google-explicit-constructor)
  Shape(std::initializer_list<Dim> lengths) : dims(std::in_place, lengths) {}  // NOLINT(google-explicit-constructor)
  static Shape of(std::span<const int64_t> lengths);
  /// A shape of that rank whose lengths are unknown.
  static Shape of_rank(size_t rank) { return Shape(std::vector<Dim>(rank)); }

  bool has_rank() const { return dims.has_value(); }
  size_t rank() const { return dims.value().size(); }
  const Dim& operator[](size_t axis) const { return dims.value()[axis]; }
  Dim& operator[](size_t axis) { return dims.value()[axis]; }
  /// From the end where negative; the axis must exist.
  const Dim& at(int64_t axis) const;

  /// Whether every length is a number.
  bool is_bound() const;
  /// Every length; a mistake of the program where it is not bound.
  std::vector<int64_t> lengths() const;
  /// The product of the lengths; unknown where one is.
  Dim count() const;
  /// "[N, 3, (L-1)/2+1]"; "[…]" without a rank.
  std::string text() const;

  friend bool operator==(const Shape&, const Shape&) = default;
};

std::string text_of(std::span<const int64_t> lengths);
/// Among the overloads a vector would otherwise fit a Setting as well.
inline std::string text_of(const std::vector<int64_t>& lengths) { return text_of(std::span<const int64_t>(lengths)); }

/// `axis` counted from the end where negative; unfit() outside [-rank, rank), naming `setting` and the range.
size_t axis_in(int64_t axis, size_t rank, std::string_view setting = "axis");

/// As NumPy broadcasts two shapes; unfit() where two lengths are known to differ and neither is 1. A length met by an
/// unknown one is that length where it is known not to be 1, else unknown.
Shape broadcast(const Shape& a, const Shape& b);
/// Of numbers alone.
std::vector<int64_t> broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

/// What both shapes say of one value: known lengths win; unfit() where they are known to differ.
Shape merged(const Shape& a, const Shape& b);

/// Strides of a dense row-major tensor, in elements.
std::vector<int64_t> dense_strides(std::span<const int64_t> lengths);

}  // namespace causeway
