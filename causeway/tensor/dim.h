#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace causeway {

/// One length of a shape: a number, an expression over named lengths (`L`, `(L-1)/2+1`; `/` rounds down), or unknown.
///
/// Expressions are kept in one canonical form (a sum of products of names and of rounded quotients), so that two ways
/// to the same length compare equal.
class Dim {
 public:
  Dim() = default;                          ///< Unknown.
  Dim(int64_t number) : number_(number) {}  // NOLINT(google-explicit-constructor): a number is a length
  Dim(int number) : number_(number) {}      // NOLINT(google-explicit-constructor): a number is a length
  /// A name that is no plain word (letters, digits, `_`, `.`) stands in single quotes in text().
  static Dim named(std::string_view name);
  /// The reverse of text(); none where it is no expression. Spaces are read, and `//` as `/`.
  static std::optional<Dim> parse(std::string_view text);

  bool is_number() const { return number_.has_value(); }
  bool is_unknown() const { return !number_ && !sum_; }
  bool is_symbolic() const { return sum_ != nullptr; }
  /// A mistake of the program where it is no number.
  int64_t number() const;
  std::optional<int64_t> if_number() const { return number_; }

  /// Whether the two are the same length: none where it is not known (an unknown one, or two that differ by more than a
  /// number: `L` and `N`).
  std::optional<bool> equals(const Dim& other) const;
  /// Same number, or same expression; two unknown ones are not told apart.
  friend bool operator==(const Dim& a, const Dim& b);

  /// Unknown where either is, where a number passes int64, or where the expression's text would pass 1,000 characters.
  /// Division rounds down; by a symbolic or zero length it is unknown.
  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  friend Dim operator/(const Dim& a, const Dim& b);

  /// With every name replaced; names not in `lengths` stay.
  Dim bound(const std::map<std::string, int64_t, std::less<>>& lengths) const;
  /// The names it speaks of, each once, sorted.
  std::vector<std::string> names() const;
  /// "3", "(L-1)/2+1", "?" where unknown.
  std::string text() const;

 private:
  struct Sum;
  struct Atom;
  static Dim of(Sum sum);
  static Dim quotient(const Sum& top, int64_t divisor);
  Sum sum() const;

  std::optional<int64_t> number_;
  std::shared_ptr<const Sum> sum_;
};

}  // namespace causeway
