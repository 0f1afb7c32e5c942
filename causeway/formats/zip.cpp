#include "causeway/formats/zip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "causeway/base/byte_reader.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/tensor/tensor.h"

namespace causeway::formats {
namespace {

using Bytes = std::span<const std::byte>;

constexpr uint32_t kLocalHeader = 0x04034b50, kDirectoryHeader = 0x02014b50, kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50;
constexpr size_t kEndBytes = 22, kLocatorBytes = 20, kLocalHeaderBytes = 30, kDirectoryHeaderBytes = 46;
constexpr size_t kLongestComment = 0xFFFF;
constexpr uint16_t kZip64Field = 0x0001;
constexpr uint16_t kEncryptedFlags = 1u << 0 | 1u << 6 | 1u << 13, kPatchFlag = 1u << 5, kSizesFollowFlag = 1u << 3;
constexpr uint16_t kAll16 = 0xFFFF;
constexpr uint32_t kAll32 = 0xFFFFFFFF;

[[noreturn]] void refuse_byte(uint64_t byte, std::string what) {
  throw Refused("byte " + std::to_string(byte), std::move(what));
}

[[noreturn]] void refuse_member(std::string_view name, std::string what) {
  throw Refused("member " + quoted(name), std::move(what));
}

bool in_file(uint64_t start, uint64_t count, uint64_t size) { return start <= size && count <= size - start; }

struct Directory {
  uint64_t offset = 0, size_bytes = 0, members = 0;
  uint64_t next = 0;  // where the record behind it begins
};

// Ends the file; a comment of its own may follow, whose length must fit.
size_t find_end(Bytes file) {
  if (file.size() < kEndBytes) refuse_byte(0, "these are too few bytes for a zip archive.");
  const size_t last = file.size() - kEndBytes, first = last - std::min(last, kLongestComment);
  for (size_t at = last + 1; at-- > first;) {
    ByteReader reader(file, at);
    if (reader.u32() != kEnd) continue;
    reader.skip(16);
    if (reader.u16() == file.size() - at - kEndBytes) return at;
  }
  refuse_byte(file.size(), "the archive's end record is missing: the file was cut short, or is no zip archive.");
}

// The ZIP64 end record, where a locator stands right before the end record.
std::optional<Directory> find_end64(Bytes file, size_t end) {
  if (end < kLocatorBytes) return std::nullopt;
  ByteReader locator(file, end - kLocatorBytes);
  if (locator.u32() != kEnd64Locator) return std::nullopt;
  const uint32_t disk = locator.u32();
  const uint64_t at = locator.u64();
  if (disk != 0 || locator.u32() > 1) refuse_byte(end - kLocatorBytes, "the archive is one of several parts.");
  if (!in_file(at, 56, end - kLocatorBytes))
    refuse_byte(end - kLocatorBytes, "the ZIP64 end record lies outside the file.");

  ByteReader record(file, static_cast<size_t>(at));
  if (record.u32() != kEnd64) refuse_byte(at, "no ZIP64 end record stands where its locator says.");
  const uint64_t record_bytes = record.u64();
  if (record_bytes != end - kLocatorBytes - at - 12)
    refuse_byte(at, "the ZIP64 end record does not reach its locator.");
  record.skip(4);
  if (record.u32() != 0 || record.u32() != 0) refuse_byte(at, "the archive is one of several parts.");
  const uint64_t here = record.u64();
  Directory found;
  found.members = record.u64();
  found.size_bytes = record.u64();
  found.offset = record.u64();
  found.next = at;
  if (here != found.members) refuse_byte(at, "the archive is one of several parts.");
  return found;
}

Directory find_directory(Bytes file) {
  const size_t end = find_end(file);
  ByteReader record(file, end + 4);
  const uint16_t disk = record.u16(), directory_disk = record.u16(), here = record.u16(), members = record.u16();
  const uint32_t size_bytes = record.u32(), offset = record.u32();
  Directory found{offset, size_bytes, members, end};
  if (const std::optional<Directory> large = find_end64(file, end)) {
    const bool agree = (members == kAll16 || members == large->members) &&
                       (size_bytes == kAll32 || size_bytes == large->size_bytes) &&
                       (offset == kAll32 || offset == large->offset);
    if (!agree) refuse_byte(end, "the two end records say different things of the directory.");
    found = *large;
  } else if (disk != 0 || directory_disk != 0 || here != members) {
    refuse_byte(end, "the archive is one of several parts.");
  }
  if (!in_file(found.offset, found.size_bytes, found.next)) refuse_byte(end, "the directory lies outside the file.");
  if (found.offset + found.size_bytes != found.next) {
    refuse_byte(found.offset + found.size_bytes, "the directory ends here, and its end record does not follow.");
  }
  if (found.members > found.size_bytes / kDirectoryHeaderBytes) {
    refuse_byte(end, "the directory is declared to hold " + std::to_string(found.members) + " members, and has " +
                         std::to_string(found.size_bytes) + " bytes.");
  }
  return found;
}

// The 64-bit values of the ZIP64 field stand in this order, each only where its 32-bit place is all ones.
struct Large {
  std::optional<uint64_t> size_bytes, stored_bytes, offset;
};

Large zip64_of(Bytes extra, bool size_asked, bool stored_asked, bool offset_asked) {
  ByteReader fields(extra);
  Large found;
  while (fields.left() >= 4) {
    const uint16_t id = fields.u16(), bytes = fields.u16();
    if (id != kZip64Field) {
      fields.skip(bytes);
      continue;
    }
    ByteReader field(fields.take(bytes));
    if (size_asked) found.size_bytes = field.u64();
    if (stored_asked) found.stored_bytes = field.u64();
    if (offset_asked) found.offset = field.u64();
    break;
  }
  return found;
}

struct Header {  // what a directory entry and a local header both say
  uint16_t flags = 0, method = 0;
  uint32_t crc32 = 0;
  uint64_t stored_bytes = 0, size_bytes = 0;
  std::string_view name;
};

void check_readable(const Header& header) {
  if (header.flags & kEncryptedFlags) refuse_member(header.name, "it is encrypted, and only plain members are read.");
  if (header.flags & kPatchFlag)
    refuse_member(header.name, "it is a patch of another member, and only whole ones are read.");
  if (header.method != 0 && header.method != 8) {
    refuse_member(header.name, "it is packed by method " + std::to_string(header.method) +
                                   ", and only stored (0) and deflated (8) members are read.");
  }
  if (header.method == 0 && header.stored_bytes != header.size_bytes) {
    refuse_member(header.name, "it is stored in " + std::to_string(header.stored_bytes) +
                                   " bytes, and declared to be " + std::to_string(header.size_bytes) + ".");
  }
}

// Reads one directory entry, and moves on to the next.
std::pair<ZipMember, Header> directory_entry(ByteReader& reader) {
  const size_t at = reader.at();
  if (reader.u32() != kDirectoryHeader) refuse_byte(at, "a directory entry is expected here.");
  reader.skip(4);
  Header header;
  header.flags = reader.u16();
  header.method = reader.u16();
  reader.skip(4);
  header.crc32 = reader.u32();
  const uint32_t stored_bytes = reader.u32(), size_bytes = reader.u32();
  const uint16_t name_bytes = reader.u16(), extra_bytes = reader.u16(), comment_bytes = reader.u16();
  const uint16_t disk = reader.u16();
  reader.skip(6);
  const uint32_t offset = reader.u32();
  header.name = reader.text(name_bytes);
  const Large large =
      zip64_of(reader.take(extra_bytes), size_bytes == kAll32, stored_bytes == kAll32, offset == kAll32);
  reader.skip(comment_bytes);
  if (disk != 0 && disk != kAll16) refuse_member(header.name, "it lies in another part of the archive.");
  header.size_bytes = large.size_bytes.value_or(size_bytes);
  header.stored_bytes = large.stored_bytes.value_or(stored_bytes);
  check_readable(header);

  ZipMember member;
  member.name = header.name;
  member.is_deflated = header.method == 8;
  member.stored_bytes = header.stored_bytes;
  member.size_bytes = header.size_bytes;
  member.crc32 = header.crc32;
  member.header_offset = large.offset.value_or(offset);
  return {std::move(member), header};
}

// Compares a member's local header with its directory entry, and fills in where its bytes begin. Writers that do not
// know the sizes beforehand leave zeros there and set a flag.
void read_local_header(Bytes file, uint64_t directory, const Header& header, ZipMember& member) {
  if (!in_file(member.header_offset, kLocalHeaderBytes, directory)) {
    refuse_member(member.name, "its local header lies at byte " + std::to_string(member.header_offset) +
                                   ", outside the members' part of the file.");
  }
  ByteReader reader(file.first(static_cast<size_t>(directory)), static_cast<size_t>(member.header_offset));
  if (reader.u32() != kLocalHeader) {
    refuse_member(member.name, "no local header stands at byte " + std::to_string(member.header_offset) + ".");
  }
  reader.skip(2);
  const uint16_t flags = reader.u16(), method = reader.u16();
  reader.skip(4);
  const uint32_t crc = reader.u32(), stored_bytes = reader.u32(), size_bytes = reader.u32();
  const uint16_t name_bytes = reader.u16(), extra_bytes = reader.u16();
  const std::string_view name = reader.text(name_bytes);
  const Large large = zip64_of(reader.take(extra_bytes), size_bytes == kAll32, stored_bytes == kAll32, false);

  const bool may_be_left_out = flags & kSizesFollowFlag;
  const auto agrees = [&](uint64_t here, uint64_t there) { return here == there || (may_be_left_out && here == 0); };
  std::string_view differs;
  if (name != header.name) differs = "name";
  if (flags != header.flags) differs = "flags";
  if (method != header.method) differs = "method";
  if (!agrees(crc, header.crc32)) differs = "CRC-32";
  if (!agrees(large.stored_bytes.value_or(stored_bytes), header.stored_bytes)) differs = "stored size";
  if (!agrees(large.size_bytes.value_or(size_bytes), header.size_bytes)) differs = "size";
  if (!differs.empty()) {
    refuse_member(member.name, "its local header has another " + std::string(differs) + " than the directory.");
  }
  member.offset = reader.at();
  if (!in_file(member.offset, member.stored_bytes, directory)) {
    refuse_member(member.name, "it is declared to hold " + std::to_string(member.stored_bytes) + " bytes from byte " +
                                   std::to_string(member.offset) + " on, and the directory begins at byte " +
                                   std::to_string(directory) + ".");
  }
}

std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

void check_names(const std::vector<ZipMember>& members, const std::vector<size_t>& by_name, bool case_blind) {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const size_t i : by_name) names.push_back(case_blind ? lower_case(members[i].name) : members[i].name);
  if (case_blind) std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) refuse_member(*twice, "the archive holds two members of this name.");
}

// One range of bytes packed into many members is how a small file grows without bound.
void check_ranges(const std::vector<ZipMember>& members) {
  std::vector<const ZipMember*> in_order;
  in_order.reserve(members.size());
  for (const ZipMember& member : members) in_order.push_back(&member);
  std::sort(in_order.begin(), in_order.end(),
            [](const ZipMember* a, const ZipMember* b) { return a->header_offset < b->header_offset; });
  uint64_t end = 0;
  for (const ZipMember* member : in_order) {
    if (member->header_offset < end) refuse_member(member->name, "its bytes are those of another member, too.");
    end = member->offset + member->stored_bytes;
  }
  if (!in_order.empty() && in_order.front()->header_offset != 0) {
    refuse_byte(0, "the first member begins at byte " + std::to_string(in_order.front()->header_offset) +
                       ", and nothing may stand before it.");
  }
}

// zlib counts in 32 bits, so both sides are handed over in pieces.
Tensor inflated(Bytes packed, const ZipMember& member) {
  Tensor into = Tensor::uninitialized(DType::UInt8, {static_cast<int64_t>(member.size_bytes)});
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closing(&stream, inflateEnd);

  constexpr size_t kPiece = size_t{1} << 30;
  auto* to = static_cast<Bytef*>(into.mutable_data());
  size_t from = 0, made = 0;
  Bytef past = 0;  // where a first byte too many goes
  for (;;) {
    const size_t in = std::min(kPiece, packed.size() - from), room = std::min(kPiece, into.size_bytes() - made);
    // zlib does not write through next_in, though its type says so.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + from));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = room > 0 ? to + made : &past;
    stream.avail_out = room > 0 ? static_cast<uInt>(room) : 1;
    const int status = inflate(&stream, Z_NO_FLUSH);
    from += in - stream.avail_in;
    if (room == 0 && stream.avail_out == 0) {
      refuse_member(member.name,
                    "it inflates to more than the " + std::to_string(member.size_bytes) + " bytes it declares.");
    }
    if (room > 0) made += room - stream.avail_out;
    if (status == Z_STREAM_END) break;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK || (in == 0 && stream.avail_out > 0)) {
      refuse_member(member.name, "its deflated bytes are broken at byte " + std::to_string(member.offset + from) + ".");
    }
  }
  if (made != into.size_bytes()) {
    refuse_member(member.name, "it inflates to " + std::to_string(made) + " bytes, and declares " +
                                   std::to_string(member.size_bytes) + ".");
  }
  if (from != packed.size()) refuse_member(member.name, "bytes follow its deflated stream.");
  return into;
}

uint32_t crc32_of(Bytes bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

bool ZipArchive::claims(Bytes file) {
  if (file.size() < 4) return false;
  const uint32_t first = ByteReader(file).u32();
  return first == kLocalHeader || (first == kEnd && file.size() >= kEndBytes);
}

ZipArchive::ZipArchive(Bytes file, const ZipRules& rules) : file_(file) {
  const Directory directory = find_directory(file);
  if (directory.members > rules.most_members) {
    refuse_byte(directory.offset, "the archive holds " + std::to_string(directory.members) + " members, and at most " +
                                      std::to_string(rules.most_members) + " are read.");
  }
  const size_t end = static_cast<size_t>(directory.offset + directory.size_bytes);
  ByteReader reader(file.first(end), static_cast<size_t>(directory.offset));
  members_.reserve(static_cast<size_t>(directory.members));
  try {
    for (uint64_t i = 0; i < directory.members; ++i) {
      auto [member, header] = directory_entry(reader);
      read_local_header(file, directory.offset, header, member);
      members_.push_back(std::move(member));
    }
  } catch (const Unfit& cut) {
    throw Refused("the zip directory", cut.what());
  }
  if (!reader.done()) refuse_byte(reader.at(), "bytes follow the directory's last entry.");

  by_name_.resize(members_.size());
  for (size_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
  std::sort(by_name_.begin(), by_name_.end(), [&](size_t a, size_t b) { return members_[a].name < members_[b].name; });
  check_names(members_, by_name_, rules.case_blind_names);
  check_ranges(members_);
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](size_t i, std::string_view wanted) { return members_[i].name < wanted; });
  return found != by_name_.end() && members_[*found].name == name ? &members_[*found] : nullptr;
}

ZipBytes ZipArchive::read(const ZipMember& member, uint64_t most_bytes) const {
  constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();
  if (member.size_bytes > std::min(most_bytes, kLargest)) {
    refuse_member(member.name, "it declares " + std::to_string(member.size_bytes) + " bytes, and at most " +
                                   std::to_string(most_bytes) + " are read here.");
  }
  ZipBytes read{file_.subspan(static_cast<size_t>(member.offset), static_cast<size_t>(member.stored_bytes)), nullptr};
  if (member.is_deflated) {
    auto owner = std::make_shared<const Tensor>(inflated(read.bytes, member));
    read = {owner->bytes(), owner};
  }
  if (crc32_of(read.bytes) != member.crc32) refuse_member(member.name, "its bytes do not fit its CRC-32.");
  return read;
}

}  // namespace causeway::formats
