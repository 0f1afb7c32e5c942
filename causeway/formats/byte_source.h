#pragma once

// formats/ holds what every reader and writer of a file stands on: the bytes of a file, mapped where that is possible;
// the files a format allows beside it; a file written whole or not at all; containers that two formats share (zip,
// HDF5); and load(), the one door every read number passes. What a format means lies in its own folder below.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/tensor/tensor.h"

namespace causeway::formats {

/// The bytes of one file: mapped, read into memory, or handed over in memory. Copies share the bytes, which live as
/// long as a source or a tensor over them does. (A file that another process cuts short while it is mapped ends ours,
/// as with every mapped file; reading with `mapped = false` copies.)
class ByteSource {
 public:
  /// Opens a file, or reads a pipe to its end; a pipe has no folder, and nothing lies beside it. With `mapped` false
  /// the bytes are copied into memory of ours, aligned to 64 bytes.
  ///
  /// Refused    what is not there, cannot be read, or is neither a regular file nor a pipe.
  static ByteSource open(const std::string& path, bool mapped = true);
  /// Bytes from anywhere, under a name for messages; nothing lies beside them.
  static ByteSource in_memory(std::string name, std::span<const std::byte> bytes);
  /// A part of this source as a source of its own, sharing its bytes. Nothing lies beside it.
  ByteSource part(std::string name, size_t offset, size_t size) const;

  std::span<const std::byte> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }
  /// Whether the bytes begin with `magic`.
  bool begins_with(std::string_view magic) const { return text().substr(0, magic.size()) == magic; }
  /// As it was opened: a path, or what the caller named.
  const std::string& name() const { return name_; }
  /// The name without its folder, unescaped.
  std::string file_name() const;
  bool is_mapped() const { return mapped_; }
  /// Keeps the bytes alive; for Tensor::over.
  const std::shared_ptr<const void>& owner() const { return owner_; }

  /// Numbers at `offset`, which lie within the bytes: over the bytes where they are aligned to the element, else a
  /// copy.
  Tensor tensor(DType dtype, std::vector<int64_t> lengths, size_t offset) const;

  /// Whether there is a folder to look into.
  bool has_folder() const { return folder_ != nullptr; }
  /// A file under this one's folder, named by a relative path with `/` between its parts. Every part is opened from the
  /// one before it without following a link, and the end is a regular file with one link, so nothing outside the folder
  /// is reached. Calls unfit() with a sentence that names the location; without a folder as well.
  ByteSource open_beside(std::string_view location) const;
  /// A file of a plain name in this one's folder. It may be a link, as in a cache of links into one folder, if what it
  /// leads to lies in this file's folder, named or real. Calls unfit() with a sentence that names it.
  ByteSource open_sibling(std::string_view name) const;

 private:
  struct Folder;

  ByteSource() = default;
  static ByteSource of_descriptor(int descriptor, std::string name, bool mapped);

  std::string name_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Folder> folder_;
  bool mapped_ = false;
  bool asked_mapped_ = true;
};

}  // namespace causeway::formats
