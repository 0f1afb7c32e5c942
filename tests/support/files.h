#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace causeway::tests {

/// The path of a file below tests/fixtures, such as `titanic/dense.pt`.
inline std::string fixture(std::string_view path) { return std::string(CAUSEWAY_FIXTURES "/").append(path); }

/// The path of a file below data.
inline std::string data_file(std::string_view path) { return std::string(CAUSEWAY_DATA "/").append(path); }

inline std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) ADD_FAILURE() << path << " cannot be read.";
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// A folder of the test's own, gone with everything in it when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "causeway-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "No folder can be made at " << name << ".";
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::string file(std::string_view name) const { return (path_ / name).string(); }

  /// Writes a file into it, and gives the file's path.
  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace causeway::tests
