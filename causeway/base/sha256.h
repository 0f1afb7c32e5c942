#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace causeway {

using Digest = std::array<uint8_t, 32>;

/// SHA-256 of what is handed in, piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }
  /// A whole number as 8 little-endian bytes.
  void add_u64(uint64_t number);
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest sha256(std::string_view text);
std::string hex(std::span<const uint8_t> bytes);

}  // namespace causeway
