#include "causeway/formats/byte_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/base/not_opened.h"
#include "causeway/base/quoted.h"

namespace causeway::formats {
namespace {

constexpr size_t kAlignment = 64;

std::string reason_of(int error) { return std::system_category().message(error); }

/// An open file, closed with it.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

struct Memory {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// `size` bytes that `fill` writes, aligned as an owned tensor is.
template <class Fill>
Memory copied(size_t size, const Fill& fill) {
  const std::shared_ptr<std::byte> memory(
      static_cast<std::byte*>(::operator new (std::max<size_t>(size, 1), std::align_val_t{kAlignment})),
      [](std::byte* bytes) { ::operator delete (bytes, std::align_val_t{kAlignment}); });
  fill(memory.get());
  return {memory, {memory.get(), size}};
}

/// Reads until `size` bytes are there or the file ends; the count read, or none where reading fails (errno says why).
std::optional<size_t> read_fully(int descriptor, std::byte* to, size_t size) {
  size_t count = 0;
  while (count < size) {
    const ssize_t got = ::read(descriptor, to + count, size - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    count += static_cast<size_t>(got);
  }
  return count;
}

Memory mapped_file(int descriptor, size_t size) {
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) unfit("cannot be mapped: " + reason_of(errno) + ".");
  // Every number of a model is looked at once; pages brought in together cost a fraction of those that are missed one by
  // one. Where that cannot be, they come as they are touched; of a large file only what is needed does.
  constexpr size_t kBroughtInWhole = size_t{64} << 20;
#ifdef MADV_POPULATE_READ
  if (size <= kBroughtInWhole) ::madvise(address, size, MADV_POPULATE_READ);
#endif
  return {std::shared_ptr<const void>(address, [size](const void* at) { ::munmap(const_cast<void*>(at), size); }),
          {static_cast<const std::byte*>(address), size}};
}

Memory read_file(int descriptor, size_t size) {
  return copied(size, [&](std::byte* to) {
    const std::optional<size_t> count = read_fully(descriptor, to, size);
    if (!count) unfit("cannot be read: " + reason_of(errno) + ".");
    if (*count != size) unfit("grew shorter while it was read.");
  });
}

/// A pipe tells no size: what comes is gathered until it ends.
Memory read_pipe(int descriptor) {
  constexpr size_t kPiece = size_t{1} << 16;
  std::vector<std::byte> all;
  while (true) {
    const size_t before = all.size();
    all.resize(before + kPiece);
    const std::optional<size_t> count = read_fully(descriptor, all.data() + before, kPiece);
    if (!count) unfit("cannot be read: " + reason_of(errno) + ".");
    all.resize(before + *count);
    if (*count < kPiece) break;
  }
  return copied(all.size(), [&](std::byte* to) { std::copy(all.begin(), all.end(), to); });
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return path.substr(0, std::max<size_t>(slash, 1));
}

std::vector<std::string> parts_of(std::string_view location) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= location.size(); ++i) {
    if (i < location.size() && location[i] != '/') continue;
    parts.emplace_back(location.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

bool holds_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

}  // namespace

/// The folder a file was opened from, held open so that what its name leads to later changes nothing.
struct ByteSource::Folder {
  std::string path, real_path_of_file;
  Descriptor descriptor{-1};
};

ByteSource ByteSource::of_descriptor(int descriptor, std::string name, bool mapped) {
  struct stat about = {};
  if (::fstat(descriptor, &about) != 0) unfit("cannot be read: " + reason_of(errno) + ".");
  ByteSource source;
  source.name_ = std::move(name);
  source.asked_mapped_ = mapped;
  Memory memory;
  if (S_ISREG(about.st_mode)) {
    const size_t size = static_cast<size_t>(about.st_size);
    source.mapped_ = mapped && size > 0;
    memory = source.mapped_ ? mapped_file(descriptor, size) : read_file(descriptor, size);
  } else if (S_ISFIFO(about.st_mode)) {
    memory = read_pipe(descriptor);
  } else {
    unfit(S_ISDIR(about.st_mode) ? "is a folder, and a file is read here."
                                 : "is neither a regular file nor a pipe, and nothing else is read.");
  }
  source.owner_ = std::move(memory.owner);
  source.bytes_ = memory.bytes;
  return source;
}

ByteSource ByteSource::open(const std::string& path, bool mapped) {
  try {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
      unfit(not_opened(errno));
    }
    ByteSource source = of_descriptor(file.number(), path, mapped);
    struct stat about = {};
    if (::fstat(file.number(), &about) == 0 && S_ISREG(about.st_mode)) {
      Folder folder;
      folder.path = folder_of(path);
      folder.descriptor = Descriptor(::open(folder.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      std::error_code ignored;
      folder.real_path_of_file = std::filesystem::canonical(path, ignored).string();
      if (folder.descriptor) source.folder_ = std::make_shared<const Folder>(std::move(folder));
    }
    return source;
  } catch (const Unfit& fault) {
    throw Refused(escaped(path), fault.what());
  }
}

ByteSource ByteSource::in_memory(std::string name, std::span<const std::byte> bytes) {
  ByteSource source;
  source.name_ = std::move(name);
  Memory memory = copied(bytes.size(), [&](std::byte* to) { std::copy(bytes.begin(), bytes.end(), to); });
  source.owner_ = std::move(memory.owner);
  source.bytes_ = memory.bytes;
  return source;
}

ByteSource ByteSource::part(std::string name, size_t offset, size_t size) const {
  CAUSEWAY_CHECK(offset <= bytes_.size() && size <= bytes_.size() - offset, "a part lies within its source");
  ByteSource source = *this;
  source.name_ = std::move(name);
  source.bytes_ = bytes_.subspan(offset, size);
  source.folder_ = nullptr;
  return source;
}

std::string ByteSource::file_name() const { return name_.substr(name_.rfind('/') + 1); }

Tensor ByteSource::tensor(DType dtype, std::vector<int64_t> lengths, size_t offset) const {
  const std::optional<int64_t> count = checked_product(lengths);
  CAUSEWAY_CHECK(
      count && offset <= bytes_.size() && static_cast<size_t>(*count) <= (bytes_.size() - offset) / size_of(dtype),
      "the numbers lie within the bytes");
  const std::byte* const from = bytes_.data() + offset;
  if (reinterpret_cast<uintptr_t>(from) % size_of(dtype) == 0) {
    return Tensor::over(dtype, std::move(lengths), from, owner_);
  }
  Tensor copy = Tensor::uninitialized(dtype, std::move(lengths));
  if (copy.size_bytes() > 0) std::memcpy(copy.mutable_data(), from, copy.size_bytes());
  return copy;
}

ByteSource ByteSource::open_beside(std::string_view location) const {
  const std::string named = quoted(location);
  if (!folder_) unfit(named + " is beside no file.");
  if (location.substr(0, 2) == "./") location.remove_prefix(2);
  const bool has_drive = location.size() >= 2 && location[1] == ':';
  if (location.empty() || location.front() == '/' || has_drive || holds_control_character(location) ||
      location.find('\\') != std::string_view::npos) {
    unfit(named + " is no relative path of plain names with '/' between them.");
  }
  const std::vector<std::string> parts = parts_of(location);
  for (const std::string& part : parts) {
    if (part == "..") unfit(named + " leads out of the file's folder.");
    if (part.empty() || part == ".") unfit(named + " is no relative path of plain names with '/' between them.");
  }

  Descriptor folder(::openat(folder_->descriptor.number(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (size_t i = 0; folder && i + 1 < parts.size(); ++i) {
    folder = Descriptor(::openat(folder.number(), parts[i].c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  // Not blocking, so that a pipe of that name is met by the check below and not waited for.
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const Descriptor file(folder ? ::openat(folder.number(), parts.back().c_str(), flags) : -1);
  if (!file) {
    if (errno == ENOENT) unfit(named + " is not there.");
    if (errno == ELOOP || errno == ENOTDIR)
      unfit(named + " is a link or leads through what is no folder, and no link is followed.");
    unfit(named + " cannot be opened: " + reason_of(errno) + ".");
  }
  struct stat about = {};
  if (::fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode)) unfit(named + " is no regular file.");
  // A second hard link cannot be told from an escape out of the folder.
  if (about.st_nlink != 1) unfit(named + " has another hard link, and a file beside has one name alone.");
  return of_descriptor(file.number(), folder_->path + "/" + std::string(location), asked_mapped_);
}

ByteSource ByteSource::open_sibling(std::string_view name) const {
  const std::string named = quoted(name);
  if (!folder_) unfit(named + " is beside no file.");
  if (name.empty() || name == "." || name == ".." || name.find_first_of("/\\") != std::string_view::npos ||
      holds_control_character(name)) {
    unfit(named + " is no plain name of a file in the same folder.");
  }
  const std::string part(name);
  const std::string path = folder_->path + "/" + part;
  const Descriptor file(::openat(folder_->descriptor.number(), part.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    if (errno == ENOENT) unfit(named + " is not there.");
    unfit(named + " cannot be opened: " + reason_of(errno) + ".");
  }
  // The path of what is open, and not of what the name leads to by now.
  std::error_code failed;
  const std::filesystem::path real =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.number()), failed);
  const std::filesystem::path named_folder =
      failed ? std::filesystem::path() : std::filesystem::canonical(folder_->path, failed);
  const std::filesystem::path real_folder = std::filesystem::path(folder_->real_path_of_file).parent_path();
  if (failed || (real.parent_path() != named_folder && real.parent_path() != real_folder)) {
    unfit(named + " is a link out of the folder, and only links into the folder are followed.");
  }
  struct stat about = {};
  if (::fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode)) unfit(named + " is no regular file.");
  return of_descriptor(file.number(), path, asked_mapped_);
}

}  // namespace causeway::formats
