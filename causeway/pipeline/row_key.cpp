#include "causeway/pipeline/row_key.h"

#include <algorithm>
#include <compare>
#include <cstring>

#include "causeway/base/fault.h"
#include "causeway/pipeline/trimmed.h"

namespace causeway::pipeline {
namespace {

// A row of 10 000 columns of 1 MiB would need ten gigabytes to name.
constexpr size_t kLongestKey = size_t{8} << 20;

/// Writes the length as uint32, little-endian, and the text; gives what stands behind them.
char* put_text(char* to, std::string_view text) {
  const auto length = static_cast<uint32_t>(text.size());
  std::memcpy(to, &length, sizeof length);
  return std::copy(text.begin(), text.end(), to + sizeof length);
}

/// The first eight bytes as a number, so that comparing numbers compares bytes.
uint64_t front_of(const Digest& digest) {
  uint64_t front;
  std::memcpy(&front, digest.data(), sizeof front);
  return __builtin_bswap64(front);
}

/// A row and its digest's front, in 12 bytes.
struct Ranked {
  Ranked() = default;
  Ranked(uint64_t front, uint32_t of_row)
      : high(static_cast<uint32_t>(front >> 32)), low(static_cast<uint32_t>(front)), row(of_row) {}
  uint64_t front() const { return uint64_t{high} << 32 | low; }

  uint32_t high = 0, low = 0, row = 0;
};

/// Sorts rows by their digests: `front(row)` says how one begins, and `compare(a, b)` tells two apart that begin alike.
/// Digests are spread evenly, so dealing them by their leading bits leaves next to nothing to sort.
template <class Front, class Compare>
RowOrder sorted_rows(size_t count, const Front& front, const Compare& compare) {
  int bits = 0;
  while (bits < 20 && (size_t{4} << bits) < count) ++bits;
  const auto bucket = [&](uint64_t of) { return bits == 0 ? 0 : static_cast<size_t>(of >> (64 - bits)); };

  std::vector<uint32_t> ends((size_t{1} << bits) + 1, 0);  // first of each bucket's beginning, then of its end
  for (uint32_t row = 0; row < count; ++row) ++ends[bucket(front(row)) + 1];
  for (size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::vector<Ranked> dealt(count);
  for (uint32_t row = 0; row < count; ++row) dealt[ends[bucket(front(row))]++] = Ranked(front(row), row);
  const auto less = [&](const Ranked& a, const Ranked& b) {
    if (a.front() != b.front()) return a.front() < b.front();
    const std::strong_ordering order = compare(a.row, b.row);
    return std::is_eq(order) ? a.row < b.row : std::is_lt(order);
  };
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    std::sort(dealt.begin() + (i == 0 ? 0 : ends[i - 1]), dealt.begin() + ends[i], less);
  }

  RowOrder order;
  order.rows.resize(count);
  order.repeats.resize(count, false);
  for (size_t i = 0; i < count; ++i) {
    order.rows[i] = dealt[i].row;
    if (i == 0 || dealt[i].front() != dealt[i - 1].front() || std::is_neq(compare(dealt[i].row, dealt[i - 1].row)))
      continue;
    order.repeats[i] = order.any_repeat = true;
  }
  return order;
}

}  // namespace

RowKey::RowKey(std::vector<std::string> names) : names_(std::move(names)) {
  std::ranges::sort(names_);
  texts_.resize(names_.size());
}

void RowKey::set(size_t place, std::string_view text) {
  text = trimmed(text);
  text_bytes_ += text.size();
  if (text_bytes_ > kLongestKey) {
    unfit("The key columns of one row hold more than 8 MiB. Declare an id, so that a row is named by less.");
  }
  texts_[place].assign(text);
}

const std::string& RowKey::bytes() {
  size_t size = 0;
  for (const std::string& name : names_) size += sizeof(uint32_t) + name.size() + 1;
  for (const std::string& text : texts_) size += text.empty() ? 0 : sizeof(uint32_t) + text.size();
  bytes_.resize(size);
  char* to = bytes_.data();
  for (size_t i = 0; i < names_.size(); ++i) {
    to = put_text(to, names_[i]);
    *to++ = texts_[i].empty() ? '\0' : '\1';
    if (!texts_[i].empty()) to = put_text(to, texts_[i]);
  }
  text_bytes_ = 0;
  return bytes_;
}

Digest rank_of(uint64_t seed, const Digest& key) {
  char bytes[sizeof seed + sizeof key];
  std::memcpy(bytes, &seed, sizeof seed);
  std::memcpy(bytes + sizeof seed, key.data(), sizeof key);
  return sha256({bytes, sizeof bytes});
}

RowOrder in_rank_order(const std::vector<Digest>& keys, uint64_t seed) {
  std::vector<uint64_t> fronts(keys.size());
  for (size_t row = 0; row < keys.size(); ++row) fronts[row] = front_of(rank_of(seed, keys[row]));
  // Equal keys have equal ranks: asking them first spares a file of equal rows a hash at each comparison.
  return sorted_rows(
      keys.size(), [&](uint32_t row) { return fronts[row]; },
      [&](uint32_t a, uint32_t b) {
        if (keys[a] == keys[b]) return std::strong_ordering::equal;
        return rank_of(seed, keys[a]) <=> rank_of(seed, keys[b]);
      });
}

RowOrder in_key_order(const std::vector<Digest>& keys) {
  return sorted_rows(
      keys.size(), [&](uint32_t row) { return front_of(keys[row]); },
      [&](uint32_t a, uint32_t b) { return keys[a] <=> keys[b]; });
}

}  // namespace causeway::pipeline
