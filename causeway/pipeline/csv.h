#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/source.h"

namespace causeway::pipeline {

/// What stands between fields, and inside numbers.
struct Dialect {
  std::string_view name = "rfc4180";
  char separator = ',', decimal_mark = '.';
};

inline constexpr Dialect kDialects[] = {{"rfc4180", ',', '.'}, {"semicolon", ';', ','}, {"tab", '\t', '.'}};

/// Reads CSV as RFC 4180 says it, in a stream: memory stays within a few fields whatever the file. A header line; quotes
/// doubled inside quotes; CRLF or LF; line breaks inside quotes; a byte order mark is skipped; empty lines at the end
/// are skipped. Nothing is sniffed.
///
/// Refused   with line and column: a ragged row, text after a closing quote, a quote inside an unquoted field, an
///           unclosed quote, a lone CR, invalid UTF-8, a zero byte, an empty or doubled header name, a field over 1 MiB,
///           over 10 000 columns.
/// Source    https://www.rfc-editor.org/rfc/rfc4180
class CsvSource : public Source {
 public:
  static constexpr size_t kLongestField = size_t{1} << 20;
  static constexpr size_t kMostColumns = 10'000;

  /// From a file; `shown` names it in faults. Refused where it cannot be opened.
  static std::unique_ptr<CsvSource> open(const std::string& path, const std::string& shown, Dialect dialect = {});
  /// From text in memory, which outlives the source.
  static std::unique_ptr<CsvSource> over(std::string_view text, const std::string& shown, Dialect dialect = {});

  const std::vector<std::string>& names() const override { return names_; }
  char decimal_mark() const override { return dialect_.decimal_mark; }
  void read(CellSink& sink, RowFaults& faults) override;
  std::string place() const override;
  RowPlaces row_places() const override { return row_places_; }
  std::string header_place() const override { return place_of(1, 1); }
  size_t rows_expected(size_t read) const override;

 private:
  enum class End { Separator, Line, File };
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  CsvSource(std::string shown, Dialect dialect)
      : shown_(std::move(shown)),
        dialect_(dialect),
        separators_(0x0101010101010101 * static_cast<unsigned char>(dialect.separator)),
        row_places_(escaped(shown_)) {}

  void read_header();
  void read_row(CellSink& sink, RowFaults& faults);
  void hand_over_empty_lines(CellSink& sink, RowFaults& faults);
  void end_row(size_t cells, CellSink& sink, RowFaults& faults);

  /// Reads one field into text_ and says what ended it. Throws Refused.
  End field();
  bool short_field(End& end);
  uint64_t stops_in(uint64_t bytes) const;
  void pass_plain();
  void pass_ordinary(uint64_t& seen);
  void pass_quoted();
  End ending();
  void take_text(const char* first, size_t size);

  bool at_end() { return at_ == end_ && !refill(); }
  bool refill();
  void next_line();
  std::string place_of(size_t line, size_t column) const;
  std::string here() const;
  size_t column_of(size_t offset) const;
  [[noreturn]] void refuse_at(size_t offset, std::string what) const;

  std::string shown_;
  Dialect dialect_;
  uint64_t separators_;  ///< the separator in each byte
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<char> buffer_;
  std::vector<std::string> names_;
  RowPlaces row_places_;
  size_t rows_ = 0;  ///< handed over

  // Offsets into data_: the bytes at hand. What stands before field_ is given up when more are read.
  const char* data_ = nullptr;
  size_t at_ = 0, end_ = 0, field_ = 0, line_start_ = 0;
  uint64_t size_ = 0, passed_ = 0;  ///< of the whole text, 0 where unknown; of it, what is no longer at hand
  size_t line_ = 1;
  size_t column_base_ = 0;                  ///< characters of this line that are no longer at hand
  size_t cell_line_ = 1, cell_column_ = 0;  ///< column 0: to be counted from line_start_ when it is asked for
  size_t empty_lines_ = 0;                  ///< seen since the last row, and not yet known to be the last of the file
  bool quoted_ = false, doubled_quotes_ = false, beyond_ascii_ = false;  ///< of the field that was read last
  std::string_view text_;
  std::string unescaped_;
};

}  // namespace causeway::pipeline
