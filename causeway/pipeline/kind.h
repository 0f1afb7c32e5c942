#pragma once

// pipeline/ reads rows, splits them, learns what its steps need from the training rows alone, and hands every part over
// as float32 numbers; what it learned prepares later rows the same way, to the bit. It knows rows, columns and steps,
// and nothing of networks: a `learn.*` step is kept as a piece of JSON that learn/ reads. Start with pipeline.h (a
// declaration), fit.h (what it learned) and verb_table.h (every verb there is).

#include <array>
#include <optional>
#include <string_view>

namespace causeway::pipeline {

/// What a column holds. Whatever its kind, a cell may also be a gap.
enum class Kind {
  Number,     ///< a finite double
  Integer,    ///< int64
  Boolean,    ///< true or false, 1 or 0 as a number
  Category,   ///< one of few texts, to be encoded
  Text,       ///< any text
  Timestamp,  ///< microseconds since 1970 in UTC, as int64
};

inline constexpr std::array<std::string_view, 6> kKindWords = {"number",   "integer", "boolean",
                                                               "category", "text",    "timestamp"};

constexpr std::string_view word_of(Kind kind) { return kKindWords[static_cast<size_t>(kind)]; }

constexpr std::optional<Kind> kind_of(std::string_view word) {
  for (size_t i = 0; i < kKindWords.size(); ++i) {
    if (kKindWords[i] == word) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

/// Whether cells of this kind are numbers, and texts.
constexpr bool holds_numbers(Kind kind) {
  return kind == Kind::Number || kind == Kind::Integer || kind == Kind::Boolean;
}
constexpr bool holds_texts(Kind kind) { return kind == Kind::Category || kind == Kind::Text; }

}  // namespace causeway::pipeline
