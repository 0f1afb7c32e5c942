#include "causeway/base/quoted.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "causeway/base/utf8.h"

namespace causeway {
namespace {

constexpr size_t kMostShown = 200;
constexpr std::string_view kCut = "…";

std::string in_hex(char32_t code, size_t digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(digits, '0');
  for (size_t i = digits; i-- > 0; code >>= 4) text[i] = kDigits[code & 0xF];
  return text;
}

std::string escape_of(char32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (code < 0x100) return "\\x" + in_hex(code, 2);
  return code < 0x10000 ? "\\u" + in_hex(code, 4) : "\\U" + in_hex(code, 8);
}

/// What stands for the character at `at` (whose bytes it tells), and how many characters are shown for it.
struct Shown {
  std::string text;
  size_t characters, size_bytes;
};

Shown shown_at(std::string_view name, size_t at, bool in_quotes) {
  const Utf8Character character = utf8_at(name, at);
  if (character.size_bytes == 0) return {"\\x" + in_hex(static_cast<unsigned char>(name[at]), 2), 4, 1};
  // Doubled backslashes and escaped quotes keep two names that differ apart, and no name can end its own quotes.
  if (character.code == '\\' || (in_quotes && character.code == '\'')) return {std::string{'\\', name[at]}, 2, 1};
  if (shows_plainly(character.code)) {
    return {std::string(name.substr(at, character.size_bytes)), 1, character.size_bytes};
  }
  std::string escape = escape_of(character.code);
  const size_t characters = escape.size();
  return {std::move(escape), characters, character.size_bytes};
}

std::string shown(std::string_view name, bool in_quotes) {
  std::string text;
  size_t characters = 0;
  size_t room_for_cut = 0;  // bytes of `text` that leave room for the sign of the cut
  for (size_t at = 0; at < name.size();) {
    const Shown next = shown_at(name, at, in_quotes);
    if (characters + next.characters > kMostShown) {
      text.resize(room_for_cut);
      return text.append(kCut);
    }
    text += next.text;
    characters += next.characters;
    at += next.size_bytes;
    if (characters < kMostShown) room_for_cut = text.size();
  }
  return text;
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<size_t> two_back(to.size() + 1), back(to.size() + 1), row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= from.size(); ++i) {
    std::swap(two_back, back);
    std::swap(back, row);
    row[0] = i;
    for (size_t j = 1; j <= to.size(); ++j) {
      row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], two_back[j - 2] + 1);
      }
    }
  }
  return row[to.size()];
}

}  // namespace

std::string quoted(std::string_view name) { return "'" + shown(name, true) + "'"; }

std::string escaped(std::string_view name) { return shown(name, false); }

std::string quoted_list(const std::vector<std::string_view>& names) {
  constexpr size_t kListed = 20;
  std::string all;
  for (size_t i = 0; i < std::min(names.size(), kListed); ++i) all += (i ? ", " : "") + quoted(names[i]);
  return names.size() > kListed ? all + " and " + std::to_string(names.size() - kListed) + " more" : all;
}

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  const size_t most = std::max<size_t>(2, word.size() / 3);
  size_t best = most + 1;
  std::string_view nearest;
  for (const std::string_view candidate : known) {
    const size_t longer = std::max(word.size(), candidate.size());
    // The distance is at least the difference in length: a huge word from a file costs nothing.
    if (longer - std::min(word.size(), candidate.size()) >= best) continue;
    const size_t distance = edit_distance(word, candidate);
    // Two words that share no letter are not near, however short.
    if (distance < best && distance < longer) {
      best = distance;
      nearest = candidate;
    }
  }
  return std::string(nearest);
}

std::string nearest_or_all(std::string_view word, const std::vector<std::string_view>& known) {
  if (const std::string nearest = nearest_word(word, known); !nearest.empty()) {
    return " The nearest is " + quoted(nearest) + ".";
  }
  return known.empty() ? "" : " Known are " + quoted_list(known) + ".";
}

}  // namespace causeway
