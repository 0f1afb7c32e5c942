#include "causeway/tensor/dim.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

#include "causeway/base/check.h"
#include "causeway/base/checked_size.h"
#include "causeway/base/utf8.h"

namespace causeway {
namespace {

constexpr size_t kMostTextBytes = 1000;
constexpr size_t kMostTerms = 64;

bool is_word(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto further = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), further);
}

/// A name as an expression shows it: a word as it is, another in quotes, with the bytes of what cannot be shown in hex.
std::string shown_name(std::string_view name) {
  if (is_word(name)) return std::string(name);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "'";
  for (size_t at = 0; at < name.size();) {
    const Utf8Character character = utf8_at(name, at);
    const size_t size = std::max<size_t>(1, character.size_bytes);
    const bool plain =
        character.size_bytes > 0 && shows_plainly(character.code) && character.code != '\'' && character.code != '\\';
    for (const char byte : name.substr(at, size)) {
      if (plain) {
        text += byte;
      } else {
        text += "\\x";
        text += kDigits[static_cast<unsigned char>(byte) >> 4];
        text += kDigits[static_cast<unsigned char>(byte) & 0xF];
      }
    }
    at += size;
  }
  return text + "'";
}

int64_t floored(int64_t a, int64_t b) {  // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

int64_t floored_rest(int64_t a, int64_t b) {  // in [0, b)
  const int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

}  // namespace

/// What a product is made of: a name, or a sum divided by a number and rounded down. `text` is unique to it.
struct Dim::Atom {
  std::string text{};
  std::string name{};                // of a name
  std::shared_ptr<const Sum> top{};  // of a quotient
  int64_t divisor = 0;

  bool is_quotient() const { return top != nullptr; }
  friend bool operator<(const Atom& a, const Atom& b) { return a.text < b.text; }
};

/// A number plus products of atoms, each with its factor. The products are sorted, none has factor 0, and the atoms of
/// one are sorted, so equal sums have equal texts.
struct Dim::Sum {
  using Product = std::vector<Atom>;

  std::map<Product, int64_t> products;
  int64_t number = 0;
  std::string text;       // set once the sum is complete
  bool overflow = false;  // some number passed int64: the length is unknown

  void add_number(std::optional<int64_t> more) {
    const std::optional<int64_t> total = more ? checked_add(number, *more) : std::nullopt;
    overflow |= !total;
    number = total.value_or(0);
  }

  void add(const Product& product, std::optional<int64_t> factor) {
    if (product.empty()) return add_number(factor);
    int64_t& total = products[product];
    const std::optional<int64_t> after = factor ? checked_add(total, *factor) : std::nullopt;
    overflow |= !after;
    total = after.value_or(0);
    if (total == 0) products.erase(product);
  }

  void add(const Sum& other, int64_t factor) {
    overflow |= other.overflow;
    for (const auto& [product, other_factor] : other.products) add(product, checked_multiply(other_factor, factor));
    add_number(checked_multiply(other.number, factor));
  }

  /// A quotient that is not the whole term stands in parentheses: 2*L/3 would be (2*L)/3.
  static std::string text_of_term(const Product& product, int64_t size, bool behind_sign) {
    std::string shown = size == 1 ? "" : std::to_string(size);
    const bool alone = size == 1 && product.size() == 1 && !behind_sign;
    for (const Atom& atom : product) {
      if (!shown.empty()) shown += '*';
      shown += atom.is_quotient() && !alone ? "(" + atom.text + ")" : atom.text;
    }
    return shown;
  }

  /// Terms that are added, terms that are taken away, the number.
  std::string make_text() const {
    std::string shown;
    for (const auto& [product, factor] : products) {
      if (factor < 0) continue;
      if (!shown.empty()) shown += '+';
      shown += text_of_term(product, factor, false);
    }
    for (const auto& [product, factor] : products) {
      if (factor > 0) continue;
      const bool leads = shown.empty();  // -L/2 would be (-L)/2
      shown += '-' + text_of_term(product, -factor, leads);
    }
    if (number > 0) shown += '+';
    if (number != 0) shown += std::to_string(number);
    return shown;
  }

  /// As the upper part of a quotient.
  std::string text_above() const {
    const bool one_name = number == 0 && products.size() == 1 && products.begin()->second == 1 &&
                          products.begin()->first.size() == 1 && !products.begin()->first.front().is_quotient();
    return one_name ? text : "(" + text + ")";
  }
};

Dim Dim::named(std::string_view name) {
  Sum sum;
  sum.add({Atom{.text = shown_name(name), .name = std::string(name)}}, 1);
  return of(std::move(sum));
}

Dim Dim::of(Sum sum) {
  if (sum.overflow || sum.products.size() > kMostTerms) return {};
  if (sum.products.empty()) return sum.number;
  // The least int64 has no size that parse() could read behind a sign.
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  if (sum.number == kLeast) return {};
  for (const auto& [product, factor] : sum.products) {
    if (factor == kLeast) return {};
  }
  sum.text = sum.make_text();
  if (sum.text.size() > kMostTextBytes) return {};
  Dim dim;
  dim.sum_ = std::make_shared<const Sum>(std::move(sum));
  return dim;
}

Dim::Sum Dim::sum() const {
  if (sum_) return *sum_;
  Sum sum;
  sum.number = *number_;
  return sum;
}

/// floor(top / divisor), divisor > 0, in the one form it has here:
/// - what divides leaves: every factor is brought into [0, d), the number into (-d, 0];
/// - what the factors and the divisor share is divided out: floor((g*Y + n) / (g*d)) is floor((Y + floor(n/g)) / d);
/// - floor((T + floor(X/a)) / d) is floor((a*T + X) / (a*d)), where only one quotient stands alone with factor 1.
Dim Dim::quotient(const Sum& top, int64_t divisor) {
  Sum outside, inside;
  outside.overflow = top.overflow;
  int64_t shared = divisor;
  for (const auto& [product, factor] : top.products) {
    const int64_t rest = floored_rest(factor, divisor);
    outside.add(product, floored(factor, divisor));
    inside.add(product, rest);
    shared = std::gcd(shared, rest);
  }
  for (auto& [product, factor] : inside.products) factor /= shared;
  divisor /= shared;
  const int64_t number = floored(top.number, shared);
  // Of the numbers that are the same to the divisor, the one that windows have: (L-1)/2+1.
  const int64_t whole = -floored(-number, divisor);
  outside.add_number(whole);
  inside.add_number(number - whole * divisor);
  if (divisor == 1) return of(std::move(outside));  // everything divided

  const auto is_lone_quotient = [](const auto& term) {
    return term.second == 1 && term.first.size() == 1 && term.first.front().is_quotient();
  };
  if (std::count_if(inside.products.begin(), inside.products.end(), is_lone_quotient) == 1) {
    const auto lone = std::find_if(inside.products.begin(), inside.products.end(), is_lone_quotient);
    const Atom inner = lone->first.front();
    inside.products.erase(lone);
    const std::optional<int64_t> joined = checked_multiply(inner.divisor, divisor);
    if (!joined) return {};
    Sum above = *inner.top;
    above.add(inside, inner.divisor);
    return of(std::move(outside)) + quotient(above, *joined);
  }
  const Dim above = of(std::move(inside));
  if (above.is_unknown()) return {};
  outside.add(
      {Atom{.text = above.sum_->text_above() + "/" + std::to_string(divisor), .top = above.sum_, .divisor = divisor}},
      1);
  return of(std::move(outside));
}

int64_t Dim::number() const {
  CAUSEWAY_CHECK(is_number(), "the length is a number");
  return *number_;
}

std::optional<bool> Dim::equals(const Dim& other) const {
  if (is_unknown() || other.is_unknown()) return std::nullopt;
  if (*this == other) return true;
  if ((*this - other).is_number()) return false;
  return std::nullopt;
}

bool operator==(const Dim& a, const Dim& b) {
  if (a.number_ != b.number_ || a.is_symbolic() != b.is_symbolic()) return false;
  return a.sum_ == b.sum_ || a.sum_->text == b.sum_->text;
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown()) return {};
  Dim::Sum total = a.sum();
  total.add(b.sum(), 1);
  return Dim::of(std::move(total));
}

Dim operator-(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown()) return {};
  Dim::Sum total = a.sum();
  // Not a sum of -b: -1 times the least number passes int64, and taking it away may not.
  if (b.is_number()) {
    int64_t number = 0;
    total.overflow |= __builtin_sub_overflow(total.number, b.number(), &number);
    total.number = number;
  } else {
    total.add(b.sum(), -1);
  }
  return Dim::of(std::move(total));
}

Dim operator*(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown()) return {};
  const Dim::Sum left = a.sum(), right = b.sum();
  if ((left.products.size() + 1) * (right.products.size() + 1) > 4 * kMostTerms) return {};
  Dim::Sum total;
  for (const auto& [product, factor] : left.products) {
    total.add(product, checked_multiply(factor, right.number));
    for (const auto& [other, other_factor] : right.products) {
      Dim::Sum::Product both;
      std::merge(product.begin(), product.end(), other.begin(), other.end(), std::back_inserter(both));
      total.add(both, checked_multiply(factor, other_factor));
    }
  }
  for (const auto& [product, factor] : right.products) total.add(product, checked_multiply(factor, left.number));
  total.add_number(checked_multiply(left.number, right.number));
  return Dim::of(std::move(total));
}

Dim operator/(const Dim& a, const Dim& b) {
  if (a.is_unknown() || !b.is_number() || b.number() == 0) return {};
  const Dim::Sum top = a.sum();
  if (b.number() > 0) return Dim::quotient(top, b.number());
  const std::optional<int64_t> divisor = checked_multiply(b.number(), -1);
  if (!divisor) return {};
  Dim::Sum negative;
  negative.add(top, -1);
  return Dim::quotient(negative, *divisor);
}

Dim Dim::bound(const std::map<std::string, int64_t, std::less<>>& lengths) const {
  if (!is_symbolic()) return *this;
  Dim total = sum_->number;
  for (const auto& [product, factor] : sum_->products) {
    Dim term = factor;
    for (const Atom& atom : product) {
      Dim value;
      if (atom.is_quotient()) {
        Dim above;
        above.sum_ = atom.top;
        value = above.bound(lengths) / atom.divisor;
      } else {
        const auto length = lengths.find(atom.name);
        value = length == lengths.end() ? named(atom.name) : Dim(length->second);
      }
      term = term * value;
    }
    total = total + term;
  }
  return total;
}

std::vector<std::string> Dim::names() const {
  if (!is_symbolic()) return {};
  std::set<std::string> found;
  for (const auto& [product, factor] : sum_->products) {
    for (const Atom& atom : product) {
      if (!atom.is_quotient()) {
        found.insert(atom.name);
        continue;
      }
      Dim above;
      above.sum_ = atom.top;
      for (std::string& name : above.names()) found.insert(std::move(name));
    }
  }
  return {found.begin(), found.end()};
}

std::string Dim::text() const {
  if (number_) return std::to_string(*number_);
  return sum_ ? sum_->text : "?";
}

}  // namespace causeway
