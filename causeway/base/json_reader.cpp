#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <system_error>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"

namespace causeway {
namespace {

/// More doubled keys than these are not listed.
constexpr size_t kMostFaults = 100;

/// What a string holds as it is: ASCII but for controls, the quote and the backslash.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

void append_utf8(std::string& to, uint32_t code) {
  const auto tail = [&](int shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    to += static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    to += static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

/// A recursive descent whose depth is the limit's. Each value is made where it will stay.
class Reader {
 public:
  Reader(std::string_view text, const std::string& where, JsonLimits limits)
      : text_(text), where_(where), limits_(limits) {}

  Json read() {
    Json value;
    read_value(value, 0);
    skip_spaces();
    if (at_ < text_.size()) fail(seen() + " stands after the value.");
    refuse_if_any(std::move(faults_));
    return value;
  }

 private:
  struct Place {
    int line, column;
  };

  Place place() const { return {line_, static_cast<int>(at_ - line_start_ - line_tails_) + 1}; }

  void add_fault(const Place& place, std::string what) {
    std::string where = where_.empty() ? "line " : where_ + ", line ";
    where += std::to_string(place.line) + ":" + std::to_string(place.column);
    faults_.push_back({std::move(where), std::move(what)});
  }

  /// What is no JSON ends the reading: what follows could be anything.
  [[noreturn]] void fail(std::string what) {
    add_fault(place(), std::move(what));
    throw Refused(std::move(faults_));
  }

  /// The character at hand, for messages.
  std::string seen() const {
    if (at_ >= text_.size()) return "the end of the text";
    return quoted(text_.substr(at_, std::max<size_t>(1, utf8_at(text_, at_).size_bytes)));
  }

  bool next_is(char letter) const { return at_ < text_.size() && text_[at_] == letter; }

  void skip_spaces() {
    for (; at_ < text_.size(); ++at_) {
      const char letter = text_[at_];
      if (letter == '\n') {
        ++line_;
        line_start_ = at_ + 1;
        line_tails_ = 0;
      } else if (letter != ' ' && letter != '\t' && letter != '\r') {
        return;
      }
    }
  }

  void read_value(Json& to, int depth) {
    skip_spaces();
    const Place start = place();
    if (at_ == text_.size()) fail("the text ends where a value is expected.");
    switch (text_[at_]) {
      case '{':
        to = read_object(depth + 1);
        break;
      case '[':
        to = read_array(depth + 1);
        break;
      case '"':
        to = Json(read_text());
        break;
      case 't':
        to = read_word("true", true);
        break;
      case 'f':
        to = read_word("false", false);
        break;
      case 'n':
        to = read_word("null", nullptr);
        break;
      default:
        to = read_number();
    }
    to.set_place(start.line, start.column);
  }

  Json read_word(std::string_view word, Json value) {
    if (text_.substr(at_, word.size()) != word) fail("no JSON value begins so; the words are true, false and null.");
    at_ += word.size();
    return value;
  }

  void enter(int depth) {
    if (depth > limits_.depth) {
      fail("the value is nested deeper than the " + std::to_string(limits_.depth) + " levels that are read.");
    }
    ++at_;
    skip_spaces();
  }

  /// Whether another item follows; what stands between is a comma, or else the end.
  bool more(char end, std::string_view inside) {
    skip_spaces();
    if (next_is(end)) {
      ++at_;
      return false;
    }
    if (!next_is(',')) {
      fail(seen() + " stands where ',' or '" + end + "' is expected in " + std::string(inside) + ".");
    }
    ++at_;
    skip_spaces();
    if (next_is(end)) fail("a comma stands before the end of " + std::string(inside) + ".");
    return true;
  }

  Json read_array(int depth) {
    enter(depth);
    Json::Array items;
    if (next_is(']')) {
      ++at_;
      return items;
    }
    do {
      read_value(items.emplace_back(), depth);
    } while (more(']', "an array"));
    return items;
  }

  Json read_object(int depth) {
    enter(depth);
    Json::Object members;
    if (next_is('}')) {
      ++at_;
      return members;
    }
    const size_t first_place = key_places_.size();
    do {
      if (!next_is('"')) fail(seen() + " stands where a key in double quotes is expected.");
      key_places_.push_back(place());
      Json::Member& member = members.emplace_back(read_text(), Json());
      skip_spaces();
      if (!next_is(':')) fail(seen() + " stands where ':' is expected after a key.");
      ++at_;
      read_value(member.second, depth);
    } while (more('}', "an object"));
    find_doubled(members, first_place);
    key_places_.resize(first_place);
    return members;
  }

  void add_doubled(const std::string& key, size_t first, size_t again) {
    const Place& place = key_places_[first];
    add_fault(key_places_[again], "the key " + quoted(key) + " stands in this object already, at line " +
                                      std::to_string(place.line) + ":" + std::to_string(place.column) + ".");
    if (faults_.size() >= kMostFaults) throw Refused(std::move(faults_));
  }

  void find_doubled(const Json::Object& members, size_t first_place) {
    constexpr size_t kFew = 8;  // comparing all pairs is quicker than sorting
    if (members.size() <= kFew) {
      for (size_t i = 1; i < members.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (members[i].first != members[j].first) continue;
          add_doubled(members[i].first, first_place + j, first_place + i);
          break;
        }
      }
      return;
    }
    std::vector<size_t> order(members.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const int compared = members[a].first.compare(members[b].first);
      return compared != 0 ? compared < 0 : a < b;
    });
    for (size_t i = 1, first = 0; i < order.size(); ++i) {
      if (members[order[i]].first != members[order[first]].first) {
        first = i;
      } else {
        add_doubled(members[order[i]].first, first_place + order[first], first_place + order[i]);
      }
    }
  }

  std::string read_text() {
    std::string read;
    size_t plain = ++at_;  // where the bytes begin that are taken as they are
    while (true) {
      while (at_ < text_.size() && kPlain[static_cast<unsigned char>(text_[at_])]) ++at_;
      if (at_ == text_.size()) fail("the text ends inside a string.");
      const char letter = text_[at_];
      if (letter == '"') {
        read.append(text_, plain, at_ - plain);
        ++at_;
        return read;
      }
      if (letter == '\\') {
        read.append(text_, plain, at_ - plain);
        read_escape(read);
        plain = at_;
        continue;
      }
      if (static_cast<unsigned char>(letter) < 0x20) {
        fail(seen() + " stands in a string as it is; it is written escaped.");
      }
      const size_t size = utf8_at(text_, at_).size_bytes;
      if (size == 0) fail(seen() + " is no UTF-8.");
      at_ += size;
      line_tails_ += size - 1;
    }
  }

  void read_escape(std::string& to) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kCharacters = "\"\\/\b\f\n\r\t";
    ++at_;
    if (next_is('u')) {
      append_utf8(to, read_code());
      return;
    }
    const size_t named = at_ < text_.size() ? kNames.find(text_[at_]) : std::string_view::npos;
    if (named == std::string_view::npos) fail(seen() + " stands after a backslash, and no escape is written so.");
    to += kCharacters[named];
    ++at_;
  }

  /// From the u of an escape, past the escape's end: a character, of two escapes where it lies past U+FFFF.
  uint32_t read_code() {
    const uint32_t unit = read_hex();
    const bool high = unit >= 0xD800 && unit <= 0xDBFF;
    if (high && text_.substr(at_, 2) == "\\u") {
      ++at_;
      const uint32_t low = read_hex();
      if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    if (unit >= 0xD800 && unit <= 0xDFFF) fail("an escape gives half a surrogate pair.");
    return unit;
  }

  uint32_t read_hex() {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    uint32_t unit = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) {
      fail("four hexadecimal digits are expected after '\\u'.");
    }
    at_ += 5;
    return unit;
  }

  Json read_number() {
    const size_t start = at_;
    size_t end = at_;
    const auto letter = [&] { return end < text_.size() ? text_[end] : '\0'; };
    const auto digits = [&] {
      if (!is_digit(letter())) {
        if (end == start) fail(seen() + " stands where a value is expected.");
        fail("a number is not written to its end.");
      }
      while (is_digit(letter())) ++end;
    };
    if (letter() == '-') ++end;
    const bool zero = letter() == '0';
    const size_t first_digit = end;
    digits();
    if (zero && end - first_digit > 1) fail("a number begins with a 0 too many.");
    bool whole = true;
    if (letter() == '.') whole = false, ++end, digits();
    if (letter() == 'e' || letter() == 'E') {
      whole = false;
      ++end;
      if (letter() == '+' || letter() == '-') ++end;
      digits();
    }
    const std::string_view number = text_.substr(start, end - start);
    if (whole) {
      int64_t integer = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), integer).ec == std::errc()) {
        at_ = end;
        return integer;
      }
    }
    double real = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), real);
    if (read.ec == std::errc::result_out_of_range) {
      if (!rounds_to_zero(number)) fail(quoted(number) + " is larger than a float64 holds.");
      real = number.front() == '-' ? -0.0 : 0.0;
    }
    at_ = end;
    return real;
  }

  /// Of a number that no float64 is near: whether it is too small, and not too large. Its digits without the point, and
  /// where the first that is not 0 stands, say so.
  static bool rounds_to_zero(std::string_view number) {
    const size_t e = std::min(number.find_first_of("eE"), number.size());
    const size_t point = std::min(number.find('.'), e);
    const size_t first = number.find_first_of("123456789");
    if (first >= e) return true;
    const int64_t place = static_cast<int64_t>(point) - static_cast<int64_t>(first);
    if (e == number.size()) return place <= 0;
    const bool negative = number[e + 1] == '-';
    const size_t exponent_start = e + 1 + (negative || number[e + 1] == '+' ? 1 : 0);
    int64_t exponent = 0;
    const auto read = std::from_chars(number.data() + exponent_start, number.data() + number.size(), exponent);
    if (read.ec != std::errc()) return negative;
    // Texts are far shorter than 2^62, so only the exponent could make the sum pass int64.
    constexpr int64_t kFar = int64_t{1} << 62;
    exponent = std::min(exponent, kFar);
    return place + (negative ? -exponent : exponent) <= 0;
  }

  std::string_view text_;
  const std::string& where_;
  JsonLimits limits_;
  size_t at_ = 0;
  int line_ = 1;
  size_t line_start_ = 0;  // the byte that the line begins at
  size_t line_tails_ = 0;  // bytes of the line so far that only continue a character
  std::vector<Place> key_places_;
  std::vector<Fault> faults_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& where, JsonLimits limits) {
  if (text.size() > limits.size_bytes) {
    throw Refused(where, "the JSON text has " + std::to_string(text.size()) + " bytes, and at most " +
                             std::to_string(limits.size_bytes) + " are read.");
  }
  return Reader(text, where, limits).read();
}

}  // namespace causeway
