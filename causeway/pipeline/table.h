#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "causeway/pipeline/gaps.h"
#include "causeway/pipeline/kind.h"
#include "causeway/pipeline/words.h"

namespace causeway::pipeline {

/// The cells of a category or text column, as numbers of words.
struct Texts {
  std::vector<uint32_t> numbers;
  std::shared_ptr<Words> words = std::make_shared<Words>();

  std::string_view at(size_t row) const { return (*words)[numbers[row]]; }
};

/// One named column: values of its kind and gaps. It holds finite values and gaps, never NaN; what is stored at a gap
/// means nothing.
struct Column {
  using Values = std::variant<std::vector<double>, std::vector<int64_t>, std::vector<uint8_t>, Texts>;

  std::string name;
  Kind kind = Kind::Number;
  Values values;
  Gaps gaps;
  std::string origin = {};  ///< the declared column it was made from; its own name for those
  bool id = false, target = false;
  bool optional = false;  ///< may hold gaps, whether or not it does

  /// A column without rows, with storage for its kind.
  static Column empty(std::string name, Kind kind);

  size_t rows() const;
  bool gap(size_t row) const { return gaps.any() && gaps.at(row); }
  /// The value as a double, of a number, integer, boolean or timestamp.
  double number(size_t row) const;
  /// Of a category or text.
  std::string_view text(size_t row) const { return std::get<Texts>(values).at(row); }
  /// The value as it would stand in a CSV: the shortest number that reads back the same; "" for a gap.
  std::string cell(size_t row) const;

  const std::vector<double>& doubles() const { return std::get<std::vector<double>>(values); }
  std::vector<double>& doubles() { return std::get<std::vector<double>>(values); }

  /// Makes a number of an integer or a boolean, and changes nothing else.
  void become_number();
  /// Row i becomes the row order[i] of before; rows may repeat or be left out.
  void reorder(const std::vector<uint32_t>& order);
};

/// Columns of equal length.
class Table {
 public:
  Table() = default;
  Table(std::vector<Column> columns, size_t rows) : columns_(std::move(columns)), rows_(rows) {}

  size_t rows() const { return rows_; }
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<Column>& columns() { return columns_; }

  const Column* find(std::string_view name) const;
  Column* find(std::string_view name);
  /// The column of that name, which the checks before have promised.
  Column& at(std::string_view name);
  const Column& at(std::string_view name) const;

  /// Puts a column directly after another one.
  void insert_after(std::string_view name, Column made);
  /// Puts columns in the place of one.
  void replace(std::string_view name, std::vector<Column> made);
  void reorder(const std::vector<uint32_t>& order);

 private:
  std::vector<Column>::iterator place_of(std::string_view name);

  std::vector<Column> columns_;
  size_t rows_ = 0;
};

}  // namespace causeway::pipeline
