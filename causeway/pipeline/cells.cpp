#include "causeway/pipeline/cells.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/timestamp.h"
#include "causeway/pipeline/trimmed.h"

namespace causeway::pipeline {
namespace {

// What std::from_chars calls out of range is either past the largest double or nearer to 0 than the least: the first
// has no value, the second has one.
bool rounds_to_a_value(const std::string& number, double& value) {
  std::istringstream in(number);
  in.imbue(std::locale::classic());
  in >> value;
  return std::isfinite(value) && std::abs(value) < 1;
}

/// A number of at most 15 digits without an exponent: two whole numbers that are exact, divided once, so that the result
/// is the nearest double as well. False where the text is none of that kind.
bool plain_decimal(std::string_view text, double& value) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 16 || text.front() == '.' || text.back() == '.') return false;
  uint64_t digits = 0;
  size_t point = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      digits = digits * 10 + static_cast<uint64_t>(text[i] - '0');
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return false;
    }
  }
  if (point == text.size() && text.size() == 16) return false;
  const size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
  value = static_cast<double>(digits) / kPowers[decimals];
  if (negative) value = -value;
  return true;
}

bool equals_ignoring_case(std::string_view cell, std::string_view word) {
  return cell.size() == word.size() && std::equal(cell.begin(), cell.end(), word.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

}  // namespace

CellReader::CellReader(const DeclaredColumn& declared, char decimal_mark, bool takes_gaps)
    : declared_(declared),
      decimal_mark_(decimal_mark),
      takes_gaps_(takes_gaps),
      column_(Column::empty(declared.name, declared.kind)) {
  column_.id = declared.id;
  column_.optional = declared.optional;
}

bool CellReader::take(std::string_view cell, std::string& fault) {
  if (declared_.kind != Kind::Text) cell = trimmed(cell);
  const bool gap = cell.empty() || std::ranges::find(declared_.missing, cell) != declared_.missing.end();
  bool fits = true;
  if (gap) {
    add_gap();
    fits = takes_gaps_;
    if (!fits) fault = "The cell is a gap, and the column is required. Declare it optional, or fill it in the source.";
  } else if (!take_value(cell, fault)) {
    add_gap();
    fits = false;
  }
  ++row_;
  return fits;
}

bool CellReader::take_value(std::string_view cell, std::string& fault) {
  switch (declared_.kind) {
    case Kind::Number:
      return take_number(cell, fault);
    case Kind::Integer:
      return take_integer(cell, fault);
    case Kind::Boolean:
      return take_boolean(cell, fault);
    case Kind::Timestamp:
      return take_moment(cell, fault);
    case Kind::Category:
    case Kind::Text:
      break;
  }
  Texts& texts = std::get<Texts>(column_.values);
  texts.numbers.push_back(texts.words->number_of(cell));
  return true;
}

bool CellReader::take_number(std::string_view cell, std::string& fault) {
  std::string_view number = cell;
  if (decimal_mark_ != '.') {
    scratch_ = cell;
    // The point is no mark of this dialect: it becomes what no number holds.
    for (char& c : scratch_) c = c == decimal_mark_ ? '.' : c == '.' ? '?' : c;
    number = scratch_;
  }
  double value = 0;
  if (plain_decimal(number, value)) {
    column_.doubles().push_back(value);
    return true;
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = end == number.data() + number.size();
  if (whole && error == std::errc::result_out_of_range && !rounds_to_a_value(std::string(number), value)) {
    fault = quoted(cell) + " is past the largest double.";
    return false;
  }
  if (!whole || error == std::errc::invalid_argument || !std::isfinite(value)) {
    fault = quoted(cell) + " is no finite number. A word that means a gap is listed in the column's 'missing'.";
    return false;
  }
  column_.doubles().push_back(value);
  return true;
}

bool CellReader::take_integer(std::string_view cell, std::string& fault) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) {
    fault = quoted(cell) + (error == std::errc::result_out_of_range ? " is past int64."
                                                                    : " is no whole number. Declare the column as "
                                                                      "'number' if it holds fractions.");
    return false;
  }
  std::get<std::vector<int64_t>>(column_.values).push_back(value);
  return true;
}

bool CellReader::take_boolean(std::string_view cell, std::string& fault) {
  const bool yes = cell == "1" || equals_ignoring_case(cell, "true");
  if (!yes && cell != "0" && !equals_ignoring_case(cell, "false")) {
    fault = quoted(cell) + " is no boolean. Read are true, false, 1 and 0.";
    return false;
  }
  std::get<std::vector<uint8_t>>(column_.values).push_back(yes ? 1 : 0);
  return true;
}

bool CellReader::take_moment(std::string_view cell, std::string& fault) {
  const std::optional<int64_t> moment = moment_of(cell, declared_.format);
  if (!moment) {
    fault = quoted(cell) + (declared_.format.empty() ? " is no moment as ISO 8601 writes it (2024-02-29T08:30:00Z)."
                                                     : " does not follow the format " + quoted(declared_.format) + ".");
    return false;
  }
  std::get<std::vector<int64_t>>(column_.values).push_back(*moment);
  return true;
}

void CellReader::make_room(size_t rows) {
  if (auto* texts = std::get_if<Texts>(&column_.values)) texts->numbers.reserve(rows);
  if (auto* wholes = std::get_if<std::vector<int64_t>>(&column_.values)) wholes->reserve(rows);
  if (auto* flags = std::get_if<std::vector<uint8_t>>(&column_.values)) flags->reserve(rows);
  if (auto* reals = std::get_if<std::vector<double>>(&column_.values)) reals->reserve(rows);
}

void CellReader::add_gap() {
  column_.gaps.set(row_);
  if (auto* texts = std::get_if<Texts>(&column_.values)) texts->numbers.push_back(texts->words->number_of(""));
  if (auto* wholes = std::get_if<std::vector<int64_t>>(&column_.values)) wholes->push_back(0);
  if (auto* flags = std::get_if<std::vector<uint8_t>>(&column_.values)) flags->push_back(0);
  if (auto* reals = std::get_if<std::vector<double>>(&column_.values)) reals->push_back(0);
}

}  // namespace causeway::pipeline
