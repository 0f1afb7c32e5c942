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

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Where a path leads, behind every link, whether or not a file is there yet; the path itself where links go in a ring.
std::string led_to(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path at = path;
  std::error_code failed;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(at, failed); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(at, failed);
    if (failed) return path;
    at = at.parent_path() / next;  // an absolute one stands alone
  }
  return at.string();
}

std::string place_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

// A file in that folder without a name, which a process that is ended leaves nothing of; below 0 where the system has
// none such, or no way to name it later.
int opened_without_name(const std::string& place) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder_of(place).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kNewFile);
  if (descriptor < 0 || ::access(place_of(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
#endif
  return -1;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), place_(led_to(path_)) {
  if (path_.empty()) throw Refused("a file to be written", "its name is empty.");
  mode_t mode = kNewFile;
  bool replaces = false;
  struct stat about = {};
  if (::stat(place_.c_str(), &about) == 0) {
    if (!S_ISREG(about.st_mode)) throw Refused(escaped(path_), "is no regular file, and is not written over.");
    mode = about.st_mode & 07777;
    replaces = true;
  } else if (errno != ENOENT) {
    refuse(errno);
  }
  descriptor_ = opened_without_name(place_);
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = name_beside(attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kNewFile);
    if (descriptor_ < 0 && errno != EEXIST) refuse(errno);
  }
  if (replaces) static_cast<void>(::fchmod(descriptor_, mode));  // best effort: the numbers matter more
  pending_.reserve(kPending);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

std::string AtomicFile::name_beside(int attempt) const {
  return place_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
}

// A file without a name gets one for the moment between here and the rename, which no call makes of both.
void AtomicFile::give_name() {
  for (int attempt = 0; temporary_.empty(); ++attempt) {
    const std::string name = name_beside(attempt);
    if (::linkat(AT_FDCWD, place_of(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
    } else if (errno != EEXIST) {
      refuse(errno);
    }
  }
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
  give_name();
  if (::rename(temporary_.c_str(), place_.c_str()) != 0) refuse(errno);
  ::close(std::exchange(descriptor_, -1));
  // The rename itself reaches the disk with the folder; not every file system lets a folder be synced.
  const int opened = ::open(folder_of(place_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
