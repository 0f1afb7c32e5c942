#include "causeway/formats/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::formats {
namespace {

constexpr size_t kPending = size_t{1} << 16;
constexpr mode_t kNewFile = 0666;  // less what the process's umask takes away

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), place_(path_) {
  std::error_code absent;
  const std::filesystem::path real = std::filesystem::canonical(path_, absent);
  mode_t mode = kNewFile;
  bool replaces = false;
  if (!absent) {
    place_ = real.string();
    struct stat about = {};
    if (::stat(place_.c_str(), &about) != 0) refuse(errno);
    if (!S_ISREG(about.st_mode)) throw Refused(escaped(path_), "is no regular file, and is not written over.");
    mode = about.st_mode & 07777;
    replaces = true;
  }
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = place_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kNewFile);
    if (descriptor_ < 0 && errno != EEXIST) refuse(errno);
  }
  if (replaces) static_cast<void>(::fchmod(descriptor_, mode));  // best effort: the numbers matter more
  pending_.reserve(kPending);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::refuse(int error) const {
  throw Refused(escaped(path_), "cannot be written: " + std::system_category().message(error) + ".");
}

void AtomicFile::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(errno);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

void AtomicFile::flush() {
  put(std::as_bytes(std::span(pending_.data(), pending_.size())));
  pending_.clear();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  CAUSEWAY_CHECK(descriptor_ >= 0, "nothing is written after commit()");
  written_ += bytes.size();
  if (bytes.size() + pending_.size() > kPending) flush();
  if (bytes.size() > kPending) return put(bytes);
  pending_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void AtomicFile::fill(uint64_t count, char byte) {
  const std::string piece(static_cast<size_t>(std::min<uint64_t>(count, kPending)), byte);
  for (uint64_t left = count; left > 0;) {
    const size_t now = static_cast<size_t>(std::min<uint64_t>(left, kPending));
    write(std::string_view(piece).substr(0, now));
    left -= now;
  }
}

void AtomicFile::commit() {
  CAUSEWAY_CHECK(descriptor_ >= 0, "commit() is called once");
  flush();
  if (::fsync(descriptor_) != 0) refuse(errno);
  if (::rename(temporary_.c_str(), place_.c_str()) != 0) refuse(errno);
  ::close(std::exchange(descriptor_, -1));
  // The rename itself reaches the disk with the folder; not every file system lets a folder be synced.
  const std::string folder = std::filesystem::path(place_).parent_path().string();
  const int opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened >= 0) {
    static_cast<void>(::fsync(opened));
    ::close(opened);
  }
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

}  // namespace causeway::formats
