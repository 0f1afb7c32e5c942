#include "causeway/formats/atomic_file.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "causeway/base/fault.h"

namespace causeway::formats {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "causeway-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream file(root_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(root_), fs::directory_iterator()));
  }

  fs::path root_;
};

TEST_F(AtomicFileTest, PutsTheWholeFileInItsPlace) {
  AtomicFile file(path("a"));
  file.write("head");
  file.fill(70'000, ' ');
  file.write(std::string(100'000, 'x'));
  EXPECT_EQ(file.size(), 170'004u);
  EXPECT_FALSE(fs::exists(path("a")));
  file.commit();
  EXPECT_EQ(content("a"), "head" + std::string(70'000, ' ') + std::string(100'000, 'x'));
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, KeepsTheOldFileUntilItIsDone) {
  write_file(path("a"), "old");
  {
    AtomicFile file(path("a"));
    file.write("new");
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, ReplacesWhatALinkLeadsTo) {
  fs::create_directory(root_ / "disk");
  write_file(path("disk/a"), "old");
  fs::permissions(root_ / "disk/a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("disk/a", root_ / "a");
  write_file(path("a"), "new");
  EXPECT_TRUE(fs::is_symlink(root_ / "a"));
  EXPECT_EQ(content("disk/a"), "new");
  EXPECT_EQ(fs::status(root_ / "disk/a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, MakesWhatALinkLeadsTo) {
  fs::create_directory(root_ / "disk");
  fs::create_symlink("disk/a", root_ / "b");
  fs::create_symlink(root_ / "b", root_ / "a");
  write_file(path("a"), "new");
  EXPECT_TRUE(fs::is_symlink(root_ / "a"));
  EXPECT_TRUE(fs::is_symlink(root_ / "b"));
  EXPECT_EQ(content("disk/a"), "new");
}

// The descriptors of a process that is ended are closed, and no more happens to it.
TEST_F(AtomicFileTest, LeavesNothingOfAProcessThatIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path("a"));
    file.write(std::string(200'000, 'x'));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFileTest, RefusesAPlaceThatCannotHoldAFile) {
  EXPECT_THROW(write_file(path("nowhere/a"), ""), Refused);
  EXPECT_THROW(write_file("/dev/null", ""), Refused);
  EXPECT_THROW(write_file(path(""), ""), Refused);
  EXPECT_THROW(write_file("", ""), Refused);
}

}  // namespace
}  // namespace causeway::formats
