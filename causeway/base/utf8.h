#pragma once

#include <cstddef>
#include <string_view>

namespace causeway {

/// One character of UTF-8: its code point and its bytes; 0 bytes where what stands there is no UTF-8 (an overlong form,
/// half a surrogate pair, a sequence cut short).
struct Utf8Character {
  char32_t code = 0;
  size_t size_bytes = 0;
};

/// The character at byte `at`, which lies inside the text.
Utf8Character utf8_at(std::string_view text, size_t at);

bool is_utf8(std::string_view text);

/// Whether a character can be shown in a line as it is: no control, line break, bidirectional mark or invisible one.
bool shows_plainly(char32_t code);

}  // namespace causeway
