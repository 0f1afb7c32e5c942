#include "causeway/pipeline/row_key.h"

#include <algorithm>
#include <cstring>

#include "causeway/base/fault.h"
#include "causeway/pipeline/trimmed.h"

namespace causeway::pipeline {
namespace {

// A row of 10 000 columns of 1 MiB would need ten gigabytes to name.
constexpr size_t kLongestKey = size_t{8} << 20;

void append_text(std::string& bytes, std::string_view text) {
  const auto length = static_cast<uint32_t>(text.size());
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(text);
}

struct Ranked {
  uint64_t front;  // the first eight bytes, so that comparing numbers compares bytes
  uint32_t row;
};

uint64_t front_of(const Digest& digest) {
  uint64_t front;
  std::memcpy(&front, digest.data(), sizeof front);
  return __builtin_bswap64(front);
}

/// Sorts by the fronts and asks `rest` (the whole digest of a row) only where two fronts agree. Digests are spread
/// evenly, so dealing them by their leading bits leaves next to nothing to sort.
template <class Rest>
RowOrder sorted_rows(const std::vector<Ranked>& ranked, const Rest& rest) {
  const auto less = [&](const Ranked& a, const Ranked& b) {
    if (a.front != b.front) return a.front < b.front;
    const Digest left = rest(a.row), right = rest(b.row);
    return left != right ? left < right : a.row < b.row;
  };
  int bits = 0;
  while (bits < 20 && (size_t{4} << bits) < ranked.size()) ++bits;
  const auto bucket = [&](const Ranked& one) { return bits == 0 ? 0 : static_cast<size_t>(one.front >> (64 - bits)); };

  std::vector<uint32_t> starts((size_t{1} << bits) + 1, 0);
  for (const Ranked& one : ranked) ++starts[bucket(one) + 1];
  for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<Ranked> dealt(ranked.size());
  std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
  for (const Ranked& one : ranked) dealt[next[bucket(one)]++] = one;
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    std::sort(dealt.begin() + starts[i], dealt.begin() + starts[i + 1], less);
  }

  RowOrder order;
  order.rows.resize(dealt.size());
  order.repeats.resize(dealt.size(), false);
  for (size_t i = 0; i < dealt.size(); ++i) {
    order.rows[i] = dealt[i].row;
    if (i == 0 || dealt[i].front != dealt[i - 1].front || rest(dealt[i].row) != rest(dealt[i - 1].row)) continue;
    order.repeats[i] = order.any_repeat = true;
  }
  return order;
}

}  // namespace

RowKey::RowKey(std::vector<std::string> names) : names_(std::move(names)) {
  std::ranges::sort(names_);
  texts_.resize(names_.size());
}

void RowKey::set(size_t place, std::string_view text) { texts_[place].assign(trimmed(text)); }

const std::string& RowKey::bytes() {
  bytes_.clear();
  for (size_t i = 0; i < names_.size(); ++i) {
    append_text(bytes_, names_[i]);
    if (texts_[i].empty()) {
      bytes_.push_back('\0');
      continue;
    }
    bytes_.push_back('\1');
    append_text(bytes_, texts_[i]);
    if (bytes_.size() > kLongestKey) {
      unfit("The key columns of one row hold more than 8 MiB. Declare an id, so that a row is named by less.");
    }
  }
  return bytes_;
}

Digest rank_of(uint64_t seed, const Digest& key) {
  char bytes[sizeof seed + sizeof key];
  std::memcpy(bytes, &seed, sizeof seed);
  std::memcpy(bytes + sizeof seed, key.data(), sizeof key);
  return sha256({bytes, sizeof bytes});
}

RowOrder in_rank_order(const std::vector<Digest>& keys, uint64_t seed) {
  std::vector<Ranked> ranked(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) ranked[i] = {front_of(rank_of(seed, keys[i])), static_cast<uint32_t>(i)};
  return sorted_rows(ranked, [&](uint32_t row) { return rank_of(seed, keys[row]); });
}

RowOrder in_key_order(const std::vector<Digest>& keys) {
  std::vector<Ranked> ranked(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) ranked[i] = {front_of(keys[i]), static_cast<uint32_t>(i)};
  return sorted_rows(ranked, [&](uint32_t row) { return keys[row]; });
}

}  // namespace causeway::pipeline
