#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace causeway::formats {

/// One member of a zip archive: where its bytes lie in the file, and what they must be.
struct ZipMember {
  std::string name;  ///< As the directory has it, in bytes; it is never a path to open.
  bool is_deflated = false;
  uint64_t stored_bytes = 0;  ///< In the file.
  uint64_t size_bytes = 0;    ///< As declared, once inflated.
  uint32_t crc32 = 0;
  uint64_t offset = 0;         ///< Of its first byte in the file, past its local header.
  uint64_t header_offset = 0;  ///< Of its local header.
};

struct ZipRules {
  bool case_blind_names = false;  ///< Whether `A` and `a` are one name, twice.
  size_t most_members = 1'000'000;
};

/// The bytes of a member: the archive's own where it is stored, else inflated into memory that `owner` keeps, aligned
/// to 64 bytes.
struct ZipBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

/// A zip archive that lies whole in memory or in a mapped file, read by its central directory (with the records of
/// ZIP64). Nothing is extracted, and a name is only ever compared.
///
/// Source     https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 6.3.10, section 4.
class ZipArchive {
 public:
  /// Whether the bytes begin as an archive does.
  static bool claims(std::span<const std::byte> file);

  /// Walks the directory and every local header; `file` must outlive the archive.
  ///
  /// Refused    a broken or doubled record (`where` is its byte), a member that is encrypted or packed by another
  /// method
  ///            than deflate, one name twice, a local header that says otherwise than the directory, members that
  ///            overlap, anything before the first or behind the last (`where` is `member 'name'`).
  explicit ZipArchive(std::span<const std::byte> file, const ZipRules& rules = {});

  /// In the directory's order.
  const std::vector<ZipMember>& members() const { return members_; }
  const ZipMember* find(std::string_view name) const;

  /// The member's bytes, their CRC-32 checked.
  ///
  /// Refused    one that declares more than `most_bytes`, before any memory is taken; one that inflates to another size
  ///            than it declares, at the first byte past it; a wrong CRC-32.
  ZipBytes read(const ZipMember& member, uint64_t most_bytes) const;

 private:
  std::span<const std::byte> file_;
  std::vector<ZipMember> members_;
  std::vector<size_t> by_name_;
};

}  // namespace causeway::formats
