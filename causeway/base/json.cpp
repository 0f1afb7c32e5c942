#include "causeway/base/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <system_error>

#include "causeway/base/check.h"
#include "causeway/base/utf8.h"

namespace causeway {
namespace {

/// How a value is written: on one line or indented, plain or as RFC 8785 has it.
struct Style {
  int indent = -1;
  bool canonical = false;
};

void write_text(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kEscapeNames = "\"\\bfnrt";
  out += '"';
  size_t plain = 0;  // where the bytes begin that are copied as they are
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\') {
      ++at;
      continue;
    }
    const size_t size = utf8_at(text, at).size_bytes;
    if (size > 1) {
      at += size;
      continue;
    }
    out.append(text, plain, at - plain);
    plain = ++at;
    if (size == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD: JSON holds UTF-8 alone
    } else if (const size_t named = kEscaped.find(text[at - 1]); named != std::string_view::npos) {
      out += {'\\', kEscapeNames[named]};
    } else {
      out += "\\u00";
      out += {kDigits[byte >> 4], kDigits[byte & 0xF]};
    }
  }
  out.append(text, plain);
  out += '"';
}

/// As dump() has it: shortest, and with a point or an exponent, so that it is read back as a Real.
void write_real(std::string& out, double number) {
  CAUSEWAY_CHECK(std::isfinite(number), "JSON has finite numbers alone");
  std::array<char, 32> digits;
  const std::to_chars_result end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string_view text(digits.data(), static_cast<size_t>(end.ptr - digits.data()));
  out += text;
  if (text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

/// As ECMAScript prints a number (Number::toString), which RFC 8785 asks for.
void write_canonical_number(std::string& out, double number) {
  CAUSEWAY_CHECK(std::isfinite(number), "JSON has finite numbers alone");
  if (number == 0) {
    out += '0';
    return;
  }
  if (number < 0) out += '-';
  std::array<char, 32> buffer;
  const std::to_chars_result end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(number), std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<size_t>(end.ptr - buffer.data()));
  const size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 1) digits += text.substr(2, e - 2);
  int exponent = 0;
  const char* exponent_text = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent_text, text.data() + text.size(), exponent);

  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // the number is 0.DIGITS times ten to this
  const auto split = static_cast<size_t>(std::max(point, 0));
  if (count <= point && point <= 21) {
    out += digits + std::string(static_cast<size_t>(point - count), '0');
  } else if (0 < point && point <= 21) {
    out += digits.substr(0, split) + '.' + digits.substr(split);
  } else if (-6 < point && point <= 0) {
    out += "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  } else {
    out += digits.substr(0, 1);
    if (count > 1) out += '.' + digits.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    out += std::to_string(std::abs(exponent));
  }
}

/// The order of UTF-16's code units, as RFC 8785 sorts. It is the order of UTF-8's bytes but for one case: what lies
/// past U+FFFF begins with a surrogate, D800 to DFFF, and so stands before U+E000 to U+FFFF.
bool before_in_utf16(std::string_view a, std::string_view b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_b == b.end()) return false;
  if (in_a == a.end()) return true;
  const auto byte_a = static_cast<unsigned char>(*in_a);
  const auto byte_b = static_cast<unsigned char>(*in_b);
  if (byte_a >= 0xEE && byte_b >= 0xEE && (byte_a >= 0xF0) != (byte_b >= 0xF0)) return byte_a >= 0xF0;
  return byte_a < byte_b;
}

void write_line_end(std::string& out, const Style& style, int level) {
  if (style.indent < 0) return;
  out += '\n';
  out.append(static_cast<size_t>(style.indent) * static_cast<size_t>(level), ' ');
}

void write_value(std::string& out, const Json& value, const Style& style, int level);

void write_array(std::string& out, const Json::Array& items, const Style& style, int level) {
  out += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    write_line_end(out, style, level + 1);
    write_value(out, items[i], style, level + 1);
  }
  if (!items.empty()) write_line_end(out, style, level);
  out += ']';
}

void write_object(std::string& out, const Json::Object& members, const Style& style, int level) {
  std::vector<const Json::Member*> order;
  order.reserve(members.size());
  for (const Json::Member& member : members) order.push_back(&member);
  if (style.canonical) {
    std::sort(order.begin(), order.end(),
              [](const Json::Member* a, const Json::Member* b) { return before_in_utf16(a->first, b->first); });
  }
  out += '{';
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0) out += ',';
    write_line_end(out, style, level + 1);
    write_text(out, order[i]->first);
    out += style.indent < 0 ? ":" : ": ";
    write_value(out, order[i]->second, style, level + 1);
  }
  if (!order.empty()) write_line_end(out, style, level);
  out += '}';
}

void write_value(std::string& out, const Json& value, const Style& style, int level) {
  if (value.is_null()) {
    out += "null";
  } else if (value.is_bool()) {
    out += value.boolean() ? "true" : "false";
  } else if (value.is_number()) {
    if (style.canonical) {
      write_canonical_number(out, value.number());
    } else if (value.is_integer()) {
      out += std::to_string(value.integer());
    } else {
      write_real(out, value.number());
    }
  } else if (value.is_text()) {
    write_text(out, value.text());
  } else if (value.is_array()) {
    write_array(out, value.items(), style, level);
  } else {
    write_object(out, value.members(), style, level);
  }
}

std::string written(const Json& value, const Style& style) {
  std::string out;
  write_value(out, value, style, 0);
  return out;
}

}  // namespace

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (const Member& member : members()) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

Json& Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object();
  for (Member& member : members()) {
    if (member.first == key) return member.second = std::move(value);
  }
  return members().emplace_back(std::string(key), std::move(value)).second;
}

void Json::push(Json value) {
  if (is_null()) value_ = Array();
  items().push_back(std::move(value));
}

std::string_view Json::kind_name() const {
  if (is_null()) return "null";
  if (is_bool()) return "a truth value";
  if (is_number()) return "a number";
  if (is_text()) return "a text";
  return is_array() ? "an array" : "an object";
}

std::string Json::place() const { return "line " + std::to_string(line_) + ":" + std::to_string(column_); }

std::string Json::dump() const { return written(*this, {}); }

std::string Json::pretty(int indent) const { return written(*this, {.indent = indent}); }

std::string Json::canonical() const { return written(*this, {.canonical = true}); }

}  // namespace causeway
