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

/// The word of `known` nearest to `word` by edit distance, or "" where none is within a third of its length (at
/// least 2 letters).
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace causeway
