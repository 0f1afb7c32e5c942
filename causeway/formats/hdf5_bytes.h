#pragma once

// The hdf5_* files read one structure of HDF5's file format each, and hdf5.h is what others see of them. Each is checked
// where it is read: what does not fit calls unfit() with its byte, and hdf5.cpp adds the object's path.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "causeway/base/byte_reader.h"

namespace causeway::formats::hdf5 {

/// An address or length that is not set.
constexpr uint64_t kNowhere = ~uint64_t{0};

/// A piece of the file, in bytes from its very beginning.
struct Extent {
  uint64_t start = 0, size = 0;
};

[[noreturn]] void unfit_at(uint64_t byte, std::string what);

/// Reads numbers whose sizes the superblock says.
class Reader : public ByteReader {
 public:
  Reader(std::span<const std::byte> bytes, size_t start, uint8_t address_bytes, uint8_t length_bytes)
      : ByteReader(bytes, start), address_bytes_(address_bytes), length_bytes_(length_bytes) {}

  /// A whole number of 0 to 8 bytes.
  uint64_t sized(size_t bytes);
  /// kNowhere where every bit is set.
  uint64_t address() { return wide(address_bytes_); }
  uint64_t length() { return wide(length_bytes_); }
  /// Four letters that a structure begins with.
  void signature(std::string_view letters, std::string_view what);
  /// One byte that is read only as `version`.
  void version(uint8_t version, std::string_view what);

 private:
  uint64_t wide(uint8_t bytes);

  uint8_t address_bytes_, length_bytes_;
};

/// How much of the file its structures may take up: each stands in it once, so together they are no longer than it is.
/// That keeps structures that point at one another from being read without end.
class Budget {
 public:
  explicit Budget(uint64_t bytes) : left_(bytes) {}
  void spend(uint64_t bytes, uint64_t at) {
    if (bytes > left_) unfit_at(at, "the structures read so far are larger than the file, so they overlap.");
    left_ -= bytes;
  }

 private:
  uint64_t left_;
};

/// The bytes of a file and the sizes its superblock states. Addresses count from the superblock.
struct Bytes {
  std::span<const std::byte> all;
  std::shared_ptr<const void> owner;
  uint64_t base = 0;  ///< Where the superblock stands, past a user block.
  uint8_t address_bytes = 8, length_bytes = 8;

  /// Where a piece lies that an address points to; unfit() where it is not inside the file.
  Extent extent(uint64_t address, uint64_t size, std::string_view what) const;
  Reader reader(Extent piece) const;
  Reader reader(uint64_t address, uint64_t size, std::string_view what) const {
    return reader(extent(address, size, what));
  }
  /// A structure that ends in a checksum of its own, which is checked and left out.
  Reader checked(uint64_t address, uint64_t size, std::string_view what) const;
  std::span<const std::byte> view(Extent piece) const {
    return all.subspan(static_cast<size_t>(piece.start), static_cast<size_t>(piece.size));
  }
};

/// Bob Jenkins's lookup3 (2006), HDF5's checksum of its structures.
uint32_t lookup3(std::span<const std::byte> bytes);

/// Bytes that a number up to `largest` takes.
constexpr size_t bytes_for(uint64_t largest) {
  size_t bytes = 1;
  while (largest >>= 8) ++bytes;
  return bytes;
}
constexpr unsigned log2_of(uint64_t number) {
  unsigned log = 0;
  while (number >>= 1) ++log;
  return log;
}

}  // namespace causeway::formats::hdf5
