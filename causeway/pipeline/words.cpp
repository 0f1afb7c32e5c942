#include "causeway/pipeline/words.h"

#include <functional>

#include "causeway/base/fault.h"

namespace causeway::pipeline {
namespace {

constexpr size_t kShort = 7;

/// Different for different texts of at most seven bytes, so that most categories are told apart by one comparison.
uint64_t mark_of(std::string_view text) {
  if (text.size() > kShort) return std::hash<std::string_view>()(text) | 0xff;
  uint64_t mark = text.size();
  for (size_t i = 0; i < text.size(); ++i) mark |= uint64_t{static_cast<unsigned char>(text[i])} << (8 * (i + 1));
  return mark;
}

size_t place_of(uint64_t mark, size_t mask) { return (mark * 0x9E3779B97F4A7C15u >> 32) & mask; }

}  // namespace

uint32_t Words::number_of(std::string_view text) {
  if (texts_.size() * 2 >= places_.size()) grow();
  const uint64_t mark = mark_of(text);
  const size_t mask = places_.size() - 1;
  for (size_t at = place_of(mark, mask);; at = (at + 1) & mask) {
    Place& place = places_[at];
    if (place.number == kEmpty) {
      if (texts_.size() >= kEmpty) unfit("a column holds 2^32 - 1 distinct texts or more.");
      place = {mark, static_cast<uint32_t>(texts_.size())};
      texts_.emplace_back(text);
      return place.number;
    }
    if (place.mark == mark && (text.size() <= kShort || texts_[place.number] == text)) return place.number;
  }
}

void Words::grow() {
  const std::vector<Place> old = std::move(places_);
  places_.assign(old.empty() ? 16 : old.size() * 2, Place());
  const size_t mask = places_.size() - 1;
  for (const Place& place : old) {
    if (place.number == kEmpty) continue;
    size_t at = place_of(place.mark, mask);
    while (places_[at].number != kEmpty) at = (at + 1) & mask;
    places_[at] = place;
  }
}

}  // namespace causeway::pipeline
