#include <charconv>
#include <system_error>

#include "causeway/tensor/dim.h"

namespace causeway {

namespace {

/// sum = [-] product {(+|-) product}, product = factor {(*|/) factor}, factor = number, name or a sum in parentheses;
/// the first sign belongs to the first factor. Each step gives nothing where the text is no expression, or is one that
/// no Dim holds.
class DimParser {
 public:
  explicit DimParser(std::string_view text) : text_(text) {}

  std::optional<Dim> whole() {
    const std::optional<Dim> dim = sum(0);
    skip_spaces();
    return at_ == text_.size() ? dim : std::nullopt;
  }

 private:
  using Parsed = std::optional<Dim>;

  static Parsed known(Dim dim) { return dim.is_unknown() ? std::nullopt : Parsed(std::move(dim)); }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(char letter) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }

  Parsed sum(int depth) {
    Parsed total = product(depth, take('-'));
    while (total) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      const Parsed next = product(depth, false);
      if (!next) return std::nullopt;
      total = known(plus ? *total + *next : *total - *next);
    }
    return total;
  }

  Parsed product(int depth, bool negative) {
    Parsed total = factor(depth, negative);
    while (total) {
      const bool times = take('*');
      if (!times && !take('/')) break;
      if (!times) take('/');
      const Parsed next = factor(depth, false);
      if (!next) return std::nullopt;
      total = known(times ? *total * *next : *total / *next);
    }
    return total;
  }

  bool digit_follows() {
    skip_spaces();
    return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9';
  }

  Parsed factor(int depth, bool negative) {
    if (digit_follows()) return number(negative);  // with its sign, since the least int64 has none without
    Parsed dim = take('(') ? parenthesized(depth) : take('\'') ? quoted_name() : word();
    return dim && negative ? known(0 - *dim) : dim;
  }

  Parsed parenthesized(int depth) {
    constexpr int kDeepest = 64;
    if (depth >= kDeepest) return std::nullopt;
    Parsed inside = sum(depth + 1);
    return inside && take(')') ? inside : std::nullopt;
  }

  Parsed number(bool negative) {
    uint64_t size = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
    const uint64_t most = (uint64_t{1} << 63) - (negative ? 0 : 1);
    if (error != std::errc() || size > most) return std::nullopt;
    at_ = static_cast<size_t>(end - text_.data());
    return Dim(static_cast<int64_t>(negative ? 0 - size : size));
  }

  Parsed word() {
    const size_t start = at_;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      const bool later = (letter >= '0' && letter <= '9') || letter == '.';
      if (!is_letter(letter) && !(at_ > start && later)) break;
      ++at_;
    }
    if (at_ == start) return std::nullopt;
    return known(Dim::named(text_.substr(start, at_ - start)));
  }

  Parsed quoted_name() {
    std::string name;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\'') {
        ++at_;
        return known(Dim::named(name));
      }
      if (text_[at_] != '\\') {
        name += text_[at_];
        continue;
      }
      const std::string_view escape = text_.substr(at_, 4);
      unsigned byte = 0;
      if (escape.size() < 4 || escape[1] != 'x') return std::nullopt;
      const auto [end, error] = std::from_chars(escape.data() + 2, escape.data() + 4, byte, 16);
      if (error != std::errc() || end != escape.data() + 4) return std::nullopt;
      name += static_cast<char>(byte);
      at_ += 3;
    }
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<Dim> Dim::parse(std::string_view text) {
  constexpr size_t kMostBytes = 4096;
  if (text == "?") return Dim();
  if (text.size() > kMostBytes) return std::nullopt;
  return DimParser(text).whole();
}

}  // namespace causeway
