#include "causeway/base/utf8.h"

#include <cstdint>

namespace causeway {
namespace {

uint32_t byte_at(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

}  // namespace

Utf8Character utf8_at(std::string_view text, size_t at) {
  const uint32_t lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1};
  // 80 to BF continue a character, C0 and C1 would begin overlong ones, and past F4 lies nothing.
  if (lead < 0xC2 || lead > 0xF4) return {};
  const size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < size) return {};
  uint32_t code = lead & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const uint32_t next = byte_at(text, at + i);
    if ((next & 0xC0u) != 0x80) return {};
    code = code << 6 | (next & 0x3Fu);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, size};
}

bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = utf8_at(text, at).size_bytes;
    if (size == 0) return false;
    at += size;
  }
  return true;
}

bool shows_plainly(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range kHidden[] = {
      {0x00, 0x1F},        // controls
      {0x7F, 0x9F},        // more of them, U+0085 (next line) among them
      {0xAD, 0xAD},        // soft hyphen
      {0x61C, 0x61C},      // Arabic letter mark
      {0x180E, 0x180E},    // Mongolian vowel separator
      {0x200B, 0x200F},    // zero widths, left-to-right and right-to-left marks
      {0x2028, 0x202E},    // line and paragraph separators, bidirectional embeddings and overrides
      {0x2060, 0x206F},    // word joiner, bidirectional isolates, other invisible ones
      {0xFEFF, 0xFEFF},    // byte order mark
      {0xFFF9, 0xFFFB},    // interlinear annotations
      {0xE0000, 0xE007F},  // tags
  };
  for (const Range& range : kHidden) {
    if (code >= range.first && code <= range.last) return false;
  }
  return true;
}

}  // namespace causeway
