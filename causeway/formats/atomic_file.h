#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace causeway::formats {

/// A file written beside its place and renamed over it by commit(), so that a crash leaves the old file or the new one
/// and nothing between. Without commit() the old file stays and what was written is removed: where the system has files
/// without a name, it has none until commit(), and a process that is ended leaves nothing behind. A link is followed:
/// what it leads to is replaced, under its own permissions, or made where it is not there yet.
///
/// Refused    a folder that is not there, a full disk, a place that is no regular file; `where` is the path.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
  /// `count` times the byte.
  void fill(uint64_t count, char byte);
  /// Bytes written so far.
  uint64_t size() const { return written_; }

  /// Brings everything to the disk and the file to its place. Called once, last.
  void commit();

 private:
  [[noreturn]] void refuse(int error) const;
  std::string name_beside(int attempt) const;
  void give_name();
  void flush();
  void put(std::span<const std::byte> bytes);

  std::string path_, place_, temporary_, pending_;
  uint64_t written_ = 0;
  int descriptor_ = -1;
};

/// The whole of a file at once.
void write_file(const std::string& path, std::string_view content);

}  // namespace causeway::formats
