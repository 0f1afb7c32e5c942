#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace causeway::pipeline {

/// Without the spaces and tabs at both ends.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// How many characters of UTF-8 begin in these bytes.
inline size_t characters_in(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace causeway::pipeline
