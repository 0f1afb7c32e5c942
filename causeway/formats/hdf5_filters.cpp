#include "causeway/formats/hdf5_filters.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::formats::hdf5 {
namespace {

using Piece = std::vector<std::byte>;

constexpr uint16_t kDeflate = 1, kShuffle = 2, kFletcher32 = 3;
constexpr size_t kChecksumBytes = 4, kMostFilters = 32;

// The names that HDF5 and its registered plug-ins go by.
std::string_view known_name(uint16_t id) {
  switch (id) {
    case 4:
      return "szip";
    case 5:
      return "nbit";
    case 6:
      return "scale-offset";
    case 307:
      return "bzip2";
    case 32000:
      return "lzf";
    case 32001:
      return "blosc";
    case 32004:
      return "lz4";
    case 32008:
      return "bitshuffle";
    case 32015:
      return "zstd";
    default:
      return "";
  }
}

// To at most `most_bytes`, since what a chunk must come to is known beforehand.
Piece inflated(std::span<const std::byte> packed, size_t most_bytes) {
  Piece into(most_bytes);
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closing(&stream, inflateEnd);
  if (packed.size() > UINT32_MAX || most_bytes >= UINT32_MAX) unfit("a chunk of 4 GiB or more is deflated.");
  // zlib does not write through next_in, though its type says so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(into.data());
  stream.avail_out = static_cast<uInt>(most_bytes);
  const int status = inflate(&stream, Z_FINISH);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status == Z_BUF_ERROR && stream.avail_out == 0) {
    unfit("a chunk inflates to more than its " + std::to_string(most_bytes) + " bytes.");
  }
  if (status != Z_STREAM_END) unfit("a chunk's deflated bytes are broken.");
  into.resize(most_bytes - stream.avail_out);
  return into;
}

// Shuffled, the first bytes of all elements stand together, then the second ones, and so on; a rest stays at the end.
Piece unshuffled(const Piece& shuffled, size_t element_bytes) {
  const size_t count = element_bytes > 1 ? shuffled.size() / element_bytes : 0;
  Piece into(shuffled);
  for (size_t byte = 0; byte < element_bytes && count > 0; ++byte) {
    for (size_t i = 0; i < count; ++i) into[i * element_bytes + byte] = shuffled[byte * count + i];
  }
  return into;
}

Piece checked(Piece piece) {
  if (piece.size() < kChecksumBytes) unfit("a chunk is shorter than its Fletcher-32 checksum.");
  const size_t size = piece.size() - kChecksumBytes;
  const uint32_t expected = ByteReader(piece, size).u32();
  piece.resize(size);
  if (fletcher32(piece) != expected) unfit("a chunk does not fit its Fletcher-32 checksum.");
  return piece;
}

}  // namespace

std::vector<Filter> read_filters(Reader reader, std::string_view dataset) {
  const size_t at = reader.at();
  const uint8_t version = reader.u8();
  if (version != 1 && version != 2) unfit_at(at, "filters of version " + std::to_string(version) + " stand here.");
  const uint8_t count = reader.u8();
  if (count > kMostFilters) unfit_at(at, std::to_string(count) + " filters stand here.");
  if (version == 1) reader.skip(6);
  std::vector<Filter> filters;
  for (uint8_t i = 0; i < count; ++i) {
    Filter filter;
    filter.id = reader.u16();
    const bool is_named = version == 1 || filter.id >= 256;
    const uint16_t name_bytes = is_named ? reader.u16() : uint16_t{0};
    reader.skip(2);
    const uint16_t values = reader.u16();
    reader.skip(version == 1 ? (name_bytes + size_t{7}) / 8 * 8 : name_bytes);
    for (uint16_t v = 0; v < values; ++v) {
      const uint32_t value = reader.u32();
      if (v == 0) filter.first_value = value;
    }
    if (version == 1 && values % 2 == 1) reader.skip(4);
    if (filter.id != kDeflate && filter.id != kShuffle && filter.id != kFletcher32) {
      const std::string_view name = known_name(filter.id);
      unfit(quoted(dataset) + " is packed by filter " + std::to_string(filter.id) +
            (name.empty() ? "" : " (" + std::string(name) + ")") +
            ", and only deflate, shuffle and Fletcher-32 are read.");
    }
    filters.push_back(filter);
  }
  return filters;
}

std::vector<std::byte> unpacked(std::span<const std::byte> packed, const std::vector<Filter>& filters, uint32_t skipped,
                                size_t size_bytes) {
  const auto is_applied = [&](size_t i) { return (skipped >> i & 1) == 0; };
  // A checksum that was added before deflating is inflated with the chunk.
  size_t room = size_bytes;
  for (size_t i = 0; i < filters.size(); ++i)
    room += is_applied(i) && filters[i].id == kFletcher32 ? kChecksumBytes : 0;

  const bool has_any = [&] {
    for (size_t i = 0; i < filters.size(); ++i) {
      if (is_applied(i)) return true;
    }
    return false;
  }();
  if (!has_any && packed.size() != size_bytes) {
    unfit("a chunk has " + std::to_string(packed.size()) + " bytes, and " + std::to_string(size_bytes) +
          " are expected.");
  }
  std::span<const std::byte> now = packed;
  Piece piece;
  for (size_t i = filters.size(); i-- > 0;) {
    if (!is_applied(i)) continue;
    if (filters[i].id == kDeflate) {
      piece = inflated(now, room);
    } else {
      if (piece.data() != now.data()) piece.assign(now.begin(), now.end());
      piece = filters[i].id == kShuffle ? unshuffled(piece, filters[i].first_value) : checked(std::move(piece));
    }
    now = piece;
  }
  if (now.size() != size_bytes) {
    unfit("a chunk comes to " + std::to_string(now.size()) + " bytes, and " + std::to_string(size_bytes) +
          " are expected.");
  }
  if (!has_any) piece.assign(now.begin(), now.end());
  return piece;
}

uint32_t fletcher32(std::span<const std::byte> bytes) {
  uint32_t sum = 0, sum_of_sums = 0;
  const auto fold = [](uint32_t x) { return (x & 0xFFFF) + (x >> 16); };
  for (size_t at = 0; at < bytes.size();) {
    // 360 words are as many as are added before 32 bits overflow.
    const size_t end = std::min(bytes.size(), at + 720);
    for (; at < end; at += 2) {
      const uint32_t low = at + 1 < bytes.size() ? std::to_integer<uint32_t>(bytes[at + 1]) : 0;
      sum += std::to_integer<uint32_t>(bytes[at]) << 8 | low;
      sum_of_sums += sum;
    }
    sum = fold(sum), sum_of_sums = fold(sum_of_sums);
  }
  return fold(sum_of_sums) << 16 | fold(sum);
}

}  // namespace causeway::formats::hdf5
