#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "causeway/pipeline/table.h"

namespace causeway::pipeline {

/// A column as `declare` states it.
struct DeclaredColumn {
  std::string name, was;
  Kind kind = Kind::Number;
  bool optional = false, id = false;
  std::vector<std::string> missing = {};  ///< words that mean a gap, beside the empty cell
  std::string format = {};                ///< of timestamps; "" is ISO 8601
};

/// Reads the cells of one column into values of its kind. Cells are trimmed of spaces and tabs, except text.
class CellReader {
 public:
  CellReader(const DeclaredColumn& declared, char decimal_mark, bool takes_gaps);

  /// Adds a row. Where the cell does not fit, the row is added as a gap and `fault` says why in a sentence.
  bool take(std::string_view cell, std::string& fault);
  /// For as many rows in all.
  void make_room(size_t rows);
  Column finish() && { return std::move(column_); }

 private:
  bool take_value(std::string_view cell, std::string& fault);
  bool take_number(std::string_view cell, std::string& fault);
  bool take_integer(std::string_view cell, std::string& fault);
  bool take_boolean(std::string_view cell, std::string& fault);
  bool take_moment(std::string_view cell, std::string& fault);
  void add_gap();

  DeclaredColumn declared_;
  char decimal_mark_;
  bool takes_gaps_;
  Column column_;
  std::string scratch_;
  size_t row_ = 0;
};

}  // namespace causeway::pipeline
