#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace causeway {

/// A JSON value that knows where it stands in its text (line and column from 1; 0 where it was made in code). Objects
/// keep the order of their keys. Numbers written without a point or an exponent that fit int64 are Integer, all others
/// Real.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(int value) : value_(int64_t{value}) {}
  Json(int64_t value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(Array items) : value_(std::move(items)) {}
  Json(Object members) : value_(std::move(members)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(value_); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  /// Each is a mistake of the program where the value is of another kind (std::bad_variant_access).
  bool boolean() const { return std::get<bool>(value_); }
  int64_t integer() const { return std::get<int64_t>(value_); }
  double number() const { return is_integer() ? static_cast<double>(integer()) : std::get<double>(value_); }
  const std::string& text() const { return std::get<std::string>(value_); }
  const Array& items() const { return std::get<Array>(value_); }
  Array& items() { return std::get<Array>(value_); }
  const Object& members() const { return std::get<Object>(value_); }
  Object& members() { return std::get<Object>(value_); }

  /// The member of that key, or null where this is no object or has none.
  const Json* find(std::string_view key) const;
  /// Sets a member, at the end where it is new; makes an object of null.
  Json& set(std::string_view key, Json value);
  void push(Json value);

  /// "a number", "an object", … for messages.
  std::string_view kind_name() const;

  int line() const { return line_; }
  int column() const { return column_; }
  /// "line 14:27".
  std::string place() const;
  void set_place(int line, int column) { line_ = line, column_ = column; }

  /// One line, no spaces, keys in their order; a Real shortest, and so that it is read back as one (1.0). NaN and
  /// infinities are a mistake of the program; bytes of a text that are no UTF-8 become U+FFFD.
  std::string dump() const;
  /// With `indent` spaces a level.
  std::string pretty(int indent = 2) const;
  /// RFC 8785: keys sorted, no spaces, every number as ECMAScript prints its float64.
  std::string canonical() const;

  friend bool operator==(const Json& a, const Json& b) { return a.value_ == b.value_; }

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> value_;
  int line_ = 0, column_ = 0;
};

struct JsonLimits {
  size_t size_bytes = size_t{16} << 20;
  int depth = 64;
};

/// Reads one JSON text. Refused (all with `where` + line and column where known): no UTF-8, no JSON, a key twice in one
/// object at any depth, deeper or longer than the limits, anything but spaces after the value, comments, NaN.
/// `where` is the place named in the fault: `line 3:14`, with "where, " in front if it is not empty.
Json parse_json(std::string_view text, const std::string& where, JsonLimits limits = {});

}  // namespace causeway
