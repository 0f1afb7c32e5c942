#include "causeway/pipeline/words.h"

#include <functional>

#include "causeway/base/fault.h"

namespace causeway::pipeline {

uint32_t Words::number_of(std::string_view text) {
  if (texts_.size() * 2 >= places_.size()) grow();
  const uint64_t hash = std::hash<std::string_view>()(text);
  const size_t mask = places_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Place& place = places_[at];
    if (place.number == kEmpty) {
      if (texts_.size() >= kEmpty) unfit("a column holds 2^32 - 1 distinct texts or more.");
      place = {hash, static_cast<uint32_t>(texts_.size())};
      texts_.emplace_back(text);
      return place.number;
    }
    if (place.hash == hash && texts_[place.number] == text) return place.number;
  }
}

void Words::grow() {
  const std::vector<Place> old = std::move(places_);
  places_.assign(old.empty() ? 16 : old.size() * 2, Place());
  const size_t mask = places_.size() - 1;
  for (const Place& place : old) {
    if (place.number == kEmpty) continue;
    size_t at = place.hash & mask;
    while (places_[at].number != kEmpty) at = (at + 1) & mask;
    places_[at] = place;
  }
}

}  // namespace causeway::pipeline
