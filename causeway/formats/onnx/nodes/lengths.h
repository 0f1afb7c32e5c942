#pragma once

// Lists of lengths as graph values, for ops that are spelled out as reshapes: numbers where the lengths are known when
// the file is read, shape arithmetic where they are still open.

#include <optional>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// One entry of a list: a number; or the product of some lengths of a value, times and over a number.
struct Length {
  int64_t number = 1;
  int64_t divisor = 1;
  std::vector<size_t> axes = {};

  static Length of(int64_t number) { return {.number = number}; }
  static Length axis(size_t axis, int64_t times = 1, int64_t over = 1) {
    return {.number = times, .divisor = over, .axes = {axis}};
  }
  static Length product(std::vector<size_t> axes) { return {.axes = std::move(axes)}; }
};

/// An int64 list of lengths of x.
Value lengths_of(const Value& x, const std::vector<Length>& lengths);
/// One length of x as an int64 scalar.
Value length_of(const Value& x, const Length& length);
/// x under these lengths of its own.
Value reshaped(const Value& x, const std::vector<Length>& lengths);
/// 0, 1 … count - 1, an int64 list; `count` is a scalar.
Value counted(const Value& count);
/// A list as a value of that rank, along one axis.
Value along(const Value& list, size_t axis, size_t rank);
/// The rank of x; NotKnownYet where it is not known.
size_t known_rank(const Value& x);
/// Its dtype; NotKnownYet where it is not known.
DType known_dtype(const Value& x);

}  // namespace causeway::formats::onnx
