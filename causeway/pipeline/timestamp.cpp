#include "causeway/pipeline/timestamp.h"

#include <chrono>
#include <cstdio>

#include "causeway/base/quoted.h"

namespace causeway::pipeline {
namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kDay = 86'400 * kSecond;

/// Takes a moment's parts from the front of a text; every take fails for good once one has failed.
class Parts {
 public:
  explicit Parts(std::string_view text) : text_(text) {}

  bool word(char letter) {
    if (text_.empty() || text_.front() != letter) return false;
    text_.remove_prefix(1);
    return true;
  }
  void want(char letter) { good_ = word(letter) && good_; }

  /// Between `fewest` and `most` digits.
  int digits(size_t fewest, size_t most) {
    int value = 0;
    size_t taken = 0;
    while (taken < most && !text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
      value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
      ++taken;
    }
    good_ = good_ && taken >= fewest;
    digits_taken_ = taken;
    return value;
  }
  void fraction() {
    microsecond = digits(1, 6);
    for (size_t i = digits_taken_; i < 6; ++i) microsecond *= 10;
  }
  void zone(bool with_colon) {
    if (word('Z')) return;
    const bool west = word('-');
    if (!west) want('+');
    const int hours = digits(2, 2);
    good_ = (word(':') || !with_colon) && good_;
    const int minutes = digits(2, 2);
    good_ = good_ && hours < 24 && minutes < 60;
    zone_minutes = (west ? -1 : 1) * (hours * 60 + minutes);
  }
  bool done() const { return text_.empty(); }

  std::optional<int64_t> moment() const {
    const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day)));
    if (!good_ || !done() || !date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
    const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    return days * kDay + ((hour * 60 + minute - zone_minutes) * 60 + second) * kSecond + microsecond;
  }

  int year = 1970, month = 1, day = 1, zone_minutes = 0;
  int64_t hour = 0, minute = 0, second = 0, microsecond = 0;

 private:
  std::string_view text_;
  size_t digits_taken_ = 0;
  bool good_ = true;
};

std::optional<int64_t> iso_moment(std::string_view cell) {
  Parts parts(cell);
  parts.year = parts.digits(4, 4);
  parts.want('-');
  parts.month = parts.digits(2, 2);
  parts.want('-');
  parts.day = parts.digits(2, 2);
  if (parts.done()) return parts.moment();
  if (!parts.word('T')) parts.want(' ');
  parts.hour = parts.digits(2, 2);
  parts.want(':');
  parts.minute = parts.digits(2, 2);
  if (parts.word(':')) {
    parts.second = parts.digits(2, 2);
    if (parts.word('.')) parts.fraction();
  }
  if (!parts.done()) parts.zone(/*with_colon=*/true);
  return parts.moment();
}

}  // namespace

std::optional<int64_t> moment_of(std::string_view cell, std::string_view format) {
  if (format.empty()) return iso_moment(cell);
  Parts parts(cell);
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      parts.want(format[i]);
      continue;
    }
    switch (format[++i]) {
      case 'Y':
        parts.year = parts.digits(4, 4);
        break;
      case 'm':
        parts.month = parts.digits(1, 2);
        break;
      case 'd':
        parts.day = parts.digits(1, 2);
        break;
      case 'H':
        parts.hour = parts.digits(1, 2);
        break;
      case 'M':
        parts.minute = parts.digits(1, 2);
        break;
      case 'S':
        parts.second = parts.digits(1, 2);
        break;
      case 'f':
        parts.fraction();
        break;
      case 'z':
        parts.zone(/*with_colon=*/false);
        break;
      default:
        parts.want(format[i]);
    }
  }
  return parts.moment();
}

std::string format_fault(std::string_view format) {
  if (format.empty()) return "The format is empty. Leave it out for ISO 8601.";
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    const std::string_view piece = format.substr(i, 2);
    if (piece.size() < 2 || std::string_view("YmdHMSfz%").find(piece[1]) == std::string_view::npos) {
      return quoted(piece) + " is no part of a moment that is read. Known are %Y %m %d %H %M %S %f %z and plain text.";
    }
    ++i;
  }
  return "";
}

std::string moment_text(int64_t microseconds) {
  int64_t days = microseconds / kDay, rest = microseconds % kDay;
  if (rest < 0) --days, rest += kDay;
  // Dates are read for the years 0 to 9999, so days fits; arithmetic on int keeps a hostile one from overflowing.
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  char text[64];
  int length = std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                             static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (rest == 0) return std::string(text, static_cast<size_t>(length));
  const int seconds = static_cast<int>(rest / kSecond), fraction = static_cast<int>(rest % kSecond);
  std::string made(text, static_cast<size_t>(length));
  length = std::snprintf(text, sizeof text, "T%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  made.append(text, static_cast<size_t>(length));
  if (fraction != 0) {
    length = std::snprintf(text, sizeof text, ".%06d", fraction);
    made.append(text, static_cast<size_t>(length));
    while (made.back() == '0') made.pop_back();
  }
  return made + "Z";
}

}  // namespace causeway::pipeline
