#pragma once

#include <cstdint>
#include <span>

namespace causeway::reference {

/// The lines of a dense tensor along one axis, in row-major order of the other axes.
struct Lines {
  int64_t outer = 1, length = 1, stride = 1;

  Lines(std::span<const int64_t> lengths, size_t axis) : length(lengths[axis]) {
    for (size_t i = 0; i < axis; ++i) outer *= lengths[i];
    for (size_t i = axis + 1; i < lengths.size(); ++i) stride *= lengths[i];
  }

  int64_t count() const { return outer * stride; }
  int64_t start(int64_t line) const { return line / stride * stride * length + line % stride; }
};

}  // namespace causeway::reference
