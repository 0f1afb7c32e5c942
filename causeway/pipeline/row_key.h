#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/base/sha256.h"

namespace causeway::pipeline {

/// Gathers the key columns of a row and gives the row's key: SHA-256 over them, sorted by the bytes of their names; for
/// each the length of its name (uint32, little-endian), the name, then 0, or 1 and the same of its trimmed text. The
/// text is the source's, so a change of kind moves no row.
class RowKey {
 public:
  explicit RowKey(std::vector<std::string> names);

  /// Names in the order `set` counts them by.
  const std::vector<std::string>& names() const { return names_; }
  /// Each once, in any order. Calls unfit() where a row's texts are too long to be held.
  void set(size_t place, std::string_view text);
  /// The bytes that are hashed. The next `set` begins a row.
  const std::string& bytes();
  Digest digest() { return sha256(bytes()); }

 private:
  std::vector<std::string> names_;  // sorted
  std::vector<std::string> texts_;
  std::string bytes_;
  size_t text_bytes_ = 0;
};

/// SHA-256 of the seed (uint64, little-endian) and the key: rows are dealt in the order of their ranks.
Digest rank_of(uint64_t seed, const Digest& key);

/// Rows in the order of a digest of theirs.
struct RowOrder {
  std::vector<uint32_t> rows;
  std::vector<bool> repeats;  ///< whether the digest at a place is that of the place before

  bool any_repeat = false;
};

/// In ascending order of their ranks; equal ranks keep the order of the rows.
RowOrder in_rank_order(const std::vector<Digest>& keys, uint64_t seed);
/// In ascending order of their keys.
RowOrder in_key_order(const std::vector<Digest>& keys);

}  // namespace causeway::pipeline
