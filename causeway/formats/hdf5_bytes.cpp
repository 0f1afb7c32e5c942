#include "causeway/formats/hdf5_bytes.h"

#include "causeway/base/fault.h"

namespace causeway::formats::hdf5 {
namespace {

uint32_t rotated(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }

}  // namespace

void unfit_at(uint64_t byte, std::string what) { unfit("byte " + std::to_string(byte) + ": " + what); }

uint64_t Reader::sized(size_t bytes) {
  uint64_t value = 0;
  const std::span<const std::byte> taken = take(bytes);
  for (size_t i = taken.size(); i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(taken[i]);
  return value;
}

uint64_t Reader::wide(uint8_t bytes) {
  const uint64_t value = sized(bytes);
  const uint64_t all = bytes >= 8 ? kNowhere : (uint64_t{1} << (8 * bytes)) - 1;
  return value == all ? kNowhere : value;
}

void Reader::signature(std::string_view letters, std::string_view what) {
  const size_t here = at();
  if (text(letters.size()) != letters) unfit_at(here, std::string(what) + " is expected here.");
}

void Reader::version(uint8_t expected, std::string_view what) {
  const size_t here = at();
  if (const uint8_t found = u8(); found != expected) {
    unfit_at(here, std::string(what) + " of version " + std::to_string(found) + " stands here, and version " +
                       std::to_string(expected) + " is read.");
  }
}

Extent Bytes::extent(uint64_t address, uint64_t size, std::string_view what) const {
  const uint64_t room = all.size() - base;
  if (address > room || size > room - address) {
    const std::string where = address == kNowhere ? "nowhere" : "at byte " + std::to_string(base + address);
    unfit(std::string(what) + " of " + std::to_string(size) + " bytes is said to lie " + where + ", and the file has " +
          std::to_string(all.size()) + " bytes.");
  }
  return {base + address, size};
}

Reader Bytes::reader(Extent piece) const {
  return {all.first(static_cast<size_t>(piece.start + piece.size)), static_cast<size_t>(piece.start), address_bytes,
          length_bytes};
}

Reader Bytes::checked(uint64_t address, uint64_t size, std::string_view what) const {
  const Extent piece = extent(address, size, what);
  if (size < 4) unfit_at(piece.start, std::string(what) + " is too short.");
  const Extent checked{piece.start, size - 4};
  if (reader({piece.start + size - 4, 4}).u32() != lookup3(view(checked))) {
    unfit_at(piece.start, std::string(what) + " does not fit its checksum.");
  }
  return reader(checked);
}

uint32_t lookup3(std::span<const std::byte> bytes) {
  uint32_t a = 0xdeadbeef + static_cast<uint32_t>(bytes.size()), b = a, c = a;
  const auto word = [&bytes](size_t at, size_t count) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4 && at + i < count; ++i) value |= std::to_integer<uint32_t>(bytes[at + i]) << (8 * i);
    return value;
  };
  size_t at = 0;
  for (; bytes.size() - at > 12; at += 12) {
    a += word(at, bytes.size()), b += word(at + 4, bytes.size()), c += word(at + 8, bytes.size());
    a -= c, a ^= rotated(c, 4), c += b;
    b -= a, b ^= rotated(a, 6), a += c;
    c -= b, c ^= rotated(b, 8), b += a;
    a -= c, a ^= rotated(c, 16), c += b;
    b -= a, b ^= rotated(a, 19), a += c;
    c -= b, c ^= rotated(b, 4), b += a;
  }
  if (at == bytes.size()) return c;
  a += word(at, bytes.size()), b += word(at + 4, bytes.size()), c += word(at + 8, bytes.size());
  c ^= b, c -= rotated(b, 14);
  a ^= c, a -= rotated(c, 11);
  b ^= a, b -= rotated(a, 25);
  c ^= b, c -= rotated(b, 16);
  a ^= c, a -= rotated(c, 4);
  b ^= a, b -= rotated(a, 14);
  c ^= b, c -= rotated(b, 24);
  return c;
}

}  // namespace causeway::formats::hdf5
