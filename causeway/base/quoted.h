#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace causeway {

/// A name from a file as it may be shown: in single quotes, with control characters, line breaks, bidirectional marks
/// and broken UTF-8 escaped, and cut past 200 characters, so that no file can write a line of its own into a log.
std::string quoted(std::string_view name);

/// The same without the quotes.
std::string escaped(std::string_view name);

/// Names as a sentence lists them: 'a', 'b'; past the first twenty they are counted.
std::string quoted_list(const std::vector<std::string_view>& names);

/// The word of `known` nearest to `word` by edit distance, or "" where none is within a third of its length (at
/// least 2 letters).
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known);

/// The sentence, with a space in front, that leads from an unknown word to the known ones: the nearest, or all of them
/// where none is near. "" where none is known.
std::string nearest_or_all(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace causeway
