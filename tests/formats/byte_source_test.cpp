#include "causeway/formats/byte_source.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "causeway/base/fault.h"

namespace causeway::formats {
namespace {

namespace fs = std::filesystem;

/// A folder of its own: graph, d.bin, sub/d.bin, links of both kinds, and a secret outside.
class Beside : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "causeway-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
    fs::create_directories(root_ / "model/sub");
    write("secret", "secret");
    write("model/graph", "graph");
    write("model/d.bin", "12345678");
    write("model/sub/d.bin", "sub");
    write("model/twice", "twice");
    fs::create_hard_link(root_ / "model/twice", root_ / "model/twice-again");
    fs::create_symlink(root_ / "secret", root_ / "model/out");
    fs::create_symlink("d.bin", root_ / "model/in");
    fs::create_directory_symlink(root_ / "model/sub", root_ / "model/folder");
    ASSERT_EQ(mkfifo((root_ / "model/pipe").c_str(), 0600), 0);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, std::string_view content) const { std::ofstream(root_ / name) << content; }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  ByteSource graph() const { return ByteSource::open(path("model/graph")); }

  fs::path root_;
};

template <class Call>
std::string unfit_of(const Call& call) {
  try {
    call();
  } catch (const Unfit& fault) {
    return fault.what();
  }
  return "nothing is refused";
}

template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const Refused& refused) {
    return refused.faults().front().what;
  }
  return "nothing is refused";
}

TEST_F(Beside, OpensPlainNamesUnderTheFolder) {
  EXPECT_EQ(graph().open_beside("d.bin").text(), "12345678");
  EXPECT_EQ(graph().open_beside("./d.bin").text(), "12345678");
  EXPECT_EQ(graph().open_beside("sub/d.bin").text(), "sub");
}

TEST_F(Beside, RefusesWhatCouldLeadElsewhere) {
  const struct {
    const char *location, *what;
  } kCases[] = {
      {"../secret", "'../secret' leads out of the file's folder."},
      {"sub/../d.bin", "'sub/../d.bin' leads out of the file's folder."},
      {"/etc/passwd", "'/etc/passwd' is no relative path of plain names with '/' between them."},
      {"sub//d.bin", "'sub//d.bin' is no relative path of plain names with '/' between them."},
      {"sub/./d.bin", "'sub/./d.bin' is no relative path of plain names with '/' between them."},
      {"C:d.bin", "'C:d.bin' is no relative path of plain names with '/' between them."},
      {"\\\\host\\d.bin", "'\\\\host\\d.bin' is no relative path of plain names with '/' between them."},
      {"", "'' is no relative path of plain names with '/' between them."},
      {"out", "'out' is a link or leads through what is no folder, and no link is followed."},
      {"in", "'in' is a link or leads through what is no folder, and no link is followed."},
      {"folder/d.bin", "'folder/d.bin' is a link or leads through what is no folder, and no link is followed."},
      {"twice", "'twice' has another hard link, and a file beside has one name alone."},
      {"sub", "'sub' is no regular file."},
      {"pipe", "'pipe' is no regular file."},
      {"missing", "'missing' is not there."},
  };
  for (const auto& row : kCases) {
    const std::string what = unfit_of([&] { graph().open_beside(row.location); });
    if (std::string_view(row.location).find('\\') == std::string_view::npos) {
      EXPECT_EQ(what, row.what);
    } else {
      EXPECT_THAT(what, testing::HasSubstr("is no relative path"));
    }
  }
}

TEST_F(Beside, HasNothingBesideBytesInMemory) {
  const ByteSource memory = ByteSource::in_memory("bytes", {});
  EXPECT_FALSE(memory.has_folder());
  EXPECT_EQ(unfit_of([&] { memory.open_beside("d.bin"); }), "'d.bin' is beside no file.");
}

TEST_F(Beside, FollowsALinkToASiblingOnlyIntoTheFolder) {
  EXPECT_EQ(graph().open_sibling("in").text(), "12345678");
  EXPECT_EQ(unfit_of([&] { graph().open_sibling("out"); }),
            "'out' is a link out of the folder, and only links into the folder are followed.");
  EXPECT_EQ(unfit_of([&] { graph().open_sibling("sub/d.bin"); }),
            "'sub/d.bin' is no plain name of a file in the same folder.");
}

TEST_F(Beside, ReadsACacheOfLinksIntoOneFolder) {
  fs::create_directories(root_ / "snapshot");
  fs::create_symlink(root_ / "model/graph", root_ / "snapshot/index");
  fs::create_symlink(root_ / "model/d.bin", root_ / "snapshot/shard");
  EXPECT_EQ(ByteSource::open(path("snapshot/index")).open_sibling("shard").text(), "12345678");
}

TEST_F(Beside, RefusesWhatIsNoFile) {
  EXPECT_EQ(refusal_of([&] { ByteSource::open(path("nothing")); }), "there is no file of this name.");
  EXPECT_EQ(refusal_of([&] { ByteSource::open(path("model")); }), "is a folder, and a file is read here.");
  EXPECT_EQ(refusal_of([&] { ByteSource::open("/dev/zero"); }),
            "is neither a regular file nor a pipe, and nothing else is read.");
}

TEST_F(Beside, ReadsAPipeToItsEnd) {
  const std::string content(200'000, 'x');
  std::thread writer([&] { std::ofstream(path("model/pipe")) << content; });
  const ByteSource piped = ByteSource::open(path("model/pipe"));
  writer.join();
  EXPECT_EQ(piped.text(), content);
  EXPECT_FALSE(piped.has_folder());
}

TEST_F(Beside, MapsOrCopies) {
  EXPECT_TRUE(graph().is_mapped());
  const ByteSource copied = ByteSource::open(path("model/graph"), /*mapped=*/false);
  EXPECT_FALSE(copied.is_mapped());
  EXPECT_FALSE(copied.open_beside("d.bin").is_mapped());
  EXPECT_EQ(copied.text(), "graph");
}

TEST_F(Beside, NumbersStandOverTheMapWhereTheyAreAligned) {
  Tensor aligned, shifted;
  {
    const ByteSource source = graph().open_beside("d.bin");
    aligned = source.tensor(DType::Int32, {2}, 0);
    shifted = source.tensor(DType::Int32, {1}, 1);
    EXPECT_EQ(aligned.data(), static_cast<const void*>(source.bytes().data()));
  }
  EXPECT_EQ(aligned.integer_at(0), 0x34333231);
  EXPECT_EQ(shifted.integer_at(0), 0x35343332);
}

}  // namespace
}  // namespace causeway::formats
