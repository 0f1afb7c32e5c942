#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "causeway/pipeline/row_faults.h"
#include "causeway/pipeline/row_places.h"

namespace causeway::pipeline {

/// Takes the cells of a source, row by row and from left to right.
class CellSink {
 public:
  virtual ~CellSink() = default;
  /// `text` lives until the call returns; the empty text is a gap.
  virtual void cell(size_t column, std::string_view text) = 0;
  virtual void end_row() = 0;
};

/// Named columns of cells: a file, a query, or rows handed over in code. Read once, from front to back.
class Source {
 public:
  virtual ~Source() = default;
  /// The columns there are, all different.
  virtual const std::vector<std::string>& names() const = 0;
  /// What stands between a number's whole part and its fraction.
  virtual char decimal_mark() const { return '.'; }
  /// Hands every row over. Faults of rows go to `faults`, and reading goes on where it can.
  virtual void read(CellSink& sink, RowFaults& faults) = 0;
  /// Where the cell stands that was handed over last: "titanic.csv, line 3:5".
  virtual std::string place() const = 0;
  /// About how many rows there are, told after `read` of them; 0 where that is unknown.
  virtual size_t rows_expected(size_t) const { return 0; }
  /// Where each row stands that has been handed over.
  virtual RowPlaces row_places() const { return {}; }
  /// Where the columns' names stand, for faults about them.
  virtual std::string header_place() const = 0;
};

}  // namespace causeway::pipeline
