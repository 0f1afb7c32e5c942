#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace causeway::pipeline {

/// Where the rows of a source stand, known once they have been read. A row of a file stands at the line it begins on;
/// lines are kept only where they do not follow on from the row before, as behind a line break inside quotes.
class RowPlaces {
 public:
  /// Rows handed over in code.
  RowPlaces() = default;
  /// Rows of a file, by the name that faults show.
  explicit RowPlaces(std::string file) : file_(std::move(file)) {}

  /// Rows come in their order, counted from 0, and lines from 1.
  void begins(size_t row, size_t line) {
    if (jumps_.empty() || line - row != jumps_.back().line - jumps_.back().row) jumps_.push_back({row, line});
  }
  /// "titanic.csv, line 3"; of rows in code "row 3", counted from 1.
  std::string of(size_t row) const;

 private:
  struct Jump {
    size_t row, line;
  };
  std::string file_;
  std::vector<Jump> jumps_;
};

}  // namespace causeway::pipeline
