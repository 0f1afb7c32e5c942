#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/pipeline/gaps.h"
#include "causeway/pipeline/row_faults.h"
#include "causeway/pipeline/row_places.h"

namespace causeway::pipeline {

/// Something about a row that no training row had. It is answered all the same.
struct Unfamiliar {
  size_t row = 0;  ///< counted from 0 as the rows came
  std::string column, what;

  /// "row 3: sex: 'x' was in no training row." Rows count from 1 here.
  std::string text() const { return "row " + std::to_string(row + 1) + ": " + column + ": " + what; }
};

/// Rows on their way through the steps: which row of the source each is, what is unfamiliar about it, what refuses it.
class Walk {
 public:
  /// Notes kept beyond this many are only counted.
  static constexpr size_t kNotesKept = 10'000;

  struct Note {
    uint32_t row;  ///< as the rows stand in the table
    std::string column, what;
  };

  /// `sources[i]` is the source's row that stands at row i; empty while rows stand as they came.
  void set_order(std::vector<uint32_t> sources) { sources_ = std::move(sources); }
  uint32_t source_row(size_t row) const { return sources_.empty() ? static_cast<uint32_t>(row) : sources_[row]; }

  /// `column` is a declared one's name. A row is noted once for a column: the first note says it best.
  void note(size_t row, std::string_view column, std::string what) {
    unfamiliar_.set(row);
    if (notes_.size() >= kNotesKept || !noted_.emplace(static_cast<uint32_t>(row), column).second) return;
    notes_.push_back({static_cast<uint32_t>(row), std::string(column), std::move(what)});
  }
  bool is_unfamiliar(size_t row) const { return unfamiliar_.at(row); }
  const std::vector<Note>& notes() const { return notes_; }

  void refuse(size_t row, std::string_view column, std::string what) {
    faults.add(places.of(source_row(row)) + ": " + std::string(column), std::move(what));
  }
  RowFaults faults;
  RowPlaces places;  ///< of the source's rows

 private:
  std::vector<uint32_t> sources_;
  std::vector<Note> notes_;
  std::set<std::pair<uint32_t, std::string>> noted_;
  Gaps unfamiliar_;
};

}  // namespace causeway::pipeline
