#include "causeway/formats/zip.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::by_name;
using tests::refusal_of;

constexpr uint64_t kMuch = 1 << 20;

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string number(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

std::string deflated(const std::string& content) {
  std::string packed(compressBound(content.size()) + 16, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string source = content;
  stream.next_in = reinterpret_cast<Bytef*>(source.data());
  stream.avail_in = static_cast<uInt>(source.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A member as it is written, with whatever the row wants to be wrong about it.
struct Member {
  std::string name, content;
  uint16_t method = 0, flags = 0, local_flags = 0xFFFF, local_method = 0xFFFF;
  std::string local_name = {};
  int64_t declared = -1, crc_change = 0, local_crc_change = 0;
  bool sizes_follow = false, large = false;
};

/// What an archive's writer writes, with the records of ZIP64 where asked.
struct Archive {
  std::vector<Member> members;
  bool large = false;
  std::string before = {}, behind_directory = {}, comment = {};
  int64_t members_change = 0;

  std::string written() const {
    std::string file = before, directory;
    for (const Member& m : members) {
      const std::string packed = m.method == 8 ? deflated(m.content) : m.content;
      const uint64_t size = m.declared >= 0 ? static_cast<uint64_t>(m.declared) : m.content.size();
      const uint64_t crc =
          crc32(0, reinterpret_cast<const Bytef*>(m.content.data()), static_cast<uInt>(m.content.size()));
      const uint16_t flags = static_cast<uint16_t>(m.flags | (m.sizes_follow ? 8 : 0));
      const std::string all = number(0xFFFFFFFF, 4);
      const std::string sizes = m.large ? all + all : number(packed.size(), 4) + number(size, 4);
      const std::string extra =
          m.large ? number(1, 2) + number(16, 2) + number(size, 8) + number(packed.size(), 8) : std::string();
      const uint64_t at = file.size();
      const std::string local_name = m.local_name.empty() ? m.name : m.local_name;
      file += "PK\3\4" + number(20, 2) + number(m.local_flags == 0xFFFF ? flags : m.local_flags, 2) +
              number(m.local_method == 0xFFFF ? m.method : m.local_method, 2) + number(0, 4);
      file += m.sizes_follow ? std::string(12, '\0')
                             : number(crc + static_cast<uint64_t>(m.crc_change + m.local_crc_change), 4) + sizes;
      file += number(local_name.size(), 2) + number(m.sizes_follow ? 0 : extra.size(), 2) + local_name +
              (m.sizes_follow ? "" : extra) + packed;
      if (m.sizes_follow) file += "PK\7\x8" + number(crc, 4) + number(packed.size(), 4) + number(size, 4);
      directory += "PK\1\2" + number(20, 2) + number(20, 2) + number(flags, 2) + number(m.method, 2) + number(0, 4) +
                   number(crc + static_cast<uint64_t>(m.crc_change), 4) + sizes + number(m.name.size(), 2) +
                   number(extra.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(at, 4) +
                   m.name + extra;
    }
    const uint64_t offset = file.size(), count = members.size() + static_cast<uint64_t>(members_change);
    file += directory + behind_directory;
    if (large) {
      const uint64_t at = file.size();
      file += "PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 4) + number(0, 4) +
              number(count, 8) + number(count, 8) + number(directory.size(), 8) + number(offset, 8);
      file += "PK\6\7" + number(0, 4) + number(at, 8) + number(1, 4);
    }
    file += "PK\5\6" + number(0, 4) + number(large ? 0xFFFF : count, 2) + number(large ? 0xFFFF : count, 2) +
            number(directory.size(), 4) + number(large ? 0xFFFFFFFF : offset, 4) + number(comment.size(), 2) + comment;
    return file;
  }
};

const std::string kLong(5000, 'x');

TEST(Zip, ViewsStoredMembersAndInflatesOthers) {
  Member stored{"stored", "as it is"}, packed{"a/packed", kLong, 8}, streamed{"streamed", kLong, 8},
      large{"large", "64"};
  streamed.sizes_follow = true;
  large.large = true;
  for (const bool zip64 : {false, true}) {
    Archive archive{{stored, packed, streamed, large}, zip64};
    archive.comment = "said at the end";
    const std::string file = archive.written();
    EXPECT_TRUE(ZipArchive::claims(as_bytes(file)));
    const ZipArchive zip(as_bytes(file));
    ASSERT_EQ(zip.members().size(), 4u);
    EXPECT_EQ(zip.members()[1].name, "a/packed");
    EXPECT_EQ(zip.find("absent"), nullptr);

    const ZipBytes view = zip.read(*zip.find("stored"), kMuch);
    EXPECT_EQ(view.text(), "as it is");
    EXPECT_EQ(view.owner, nullptr);
    EXPECT_EQ(static_cast<const void*>(view.bytes.data()), file.data() + zip.find("stored")->offset);
    EXPECT_EQ(zip.read(*zip.find("a/packed"), kMuch).text(), kLong);
    EXPECT_EQ(zip.read(*zip.find("streamed"), kMuch).text(), kLong);
    EXPECT_EQ(zip.read(*zip.find("large"), kMuch).text(), "64");
  }
}

TEST(Zip, AnEmptyArchiveHasNoMembers) {
  const std::string file = Archive{}.written();
  EXPECT_TRUE(ZipArchive(as_bytes(file)).members().empty());
}

TEST(Zip, NamesAreOneWhateverTheirCaseOnlyWhereAsked) {
  const std::string file = Archive{{{"Data", "1"}, {"data", "2"}}}.written();
  EXPECT_EQ(ZipArchive(as_bytes(file)).members().size(), 2u);
  ZipRules rules;
  rules.case_blind_names = true;
  EXPECT_THAT(refusal_of([&] { ZipArchive(as_bytes(file), rules); }),
              ElementsAre("member 'data': the archive holds two members of this name."));
}

struct RefusedRow {
  const char* name;
  Archive archive;
  const char* line;
};
void PrintTo(const RefusedRow& row, std::ostream* out) { *out << row.name; }

Member changed(void (*change)(Member&)) {
  Member member{"m", kLong, 8};
  change(member);
  return member;
}

const RefusedRow kRefused[] = {
    {"doubled", {{{"m", "1"}, {"m", "2"}}}, "member 'm': the archive holds two members of this name."},
    {"encrypted",
     {{changed([](Member& m) { m.flags = 1; })}},
     "member 'm': it is encrypted, and only plain members are read."},
    {"patched",
     {{changed([](Member& m) { m.flags = 32; })}},
     "member 'm': it is a patch of another member, and only whole ones are read."},
    {"method",
     {{changed([](Member& m) { m.method = 12; })}},
     "member 'm': it is packed by method 12, and only stored (0) and deflated (8) members are read."},
    {"stored_sizes",
     {{changed([](Member& m) { m.method = 0, m.declared = 10; })}},
     "member 'm': it is stored in 5000 bytes, and declared to be 10."},
    {"local_name",
     {{changed([](Member& m) { m.local_name = "n"; })}},
     "member 'm': its local header has another name than the directory."},
    {"local_flags",
     {{changed([](Member& m) { m.local_flags = 2048; })}},
     "member 'm': its local header has another flags than the directory."},
    {"local_method",
     {{changed([](Member& m) { m.local_method = 0; })}},
     "member 'm': its local header has another method than the directory."},
    {"local_crc",
     {{changed([](Member& m) { m.local_crc_change = 1; })}},
     "member 'm': its local header has another CRC-32 than the directory."},
    {"crc", {{changed([](Member& m) { m.crc_change = 1; })}}, "member 'm': its bytes do not fit its CRC-32."},
    {"declares_less",
     {{changed([](Member& m) { m.declared = 10; })}},
     "member 'm': it inflates to more than the 10 bytes it declares."},
    {"declares_nothing",
     {{changed([](Member& m) { m.declared = 0; })}},
     "member 'm': it inflates to more than the 0 bytes it declares."},
    {"declares_more",
     {{changed([](Member& m) { m.declared = 6000; })}},
     "member 'm': it inflates to 5000 bytes, and declares 6000."},
    {"declares_too_much",
     {{changed([](Member& m) { m.declared = 1 << 30; })}},
     "member 'm': it declares 1073741824 bytes, and at most 1048576 are read here."},
    {"prefix",
     {{{"m", "1"}}, false, "MZ"},
     "byte 0: the first member begins at byte 2, and nothing may stand before it."},
    {"gap", {{{"m", "1"}}, false, "", "gap"}, "byte 79: the directory ends here, and its end record does not follow."},
    {"too_many_declared",
     {{{"m", "1"}}, true, "", "", "", 1'000'000'000},
     "byte 155: the directory is declared to hold 1000000001 members, and has 47 bytes."},
    {"too_few_declared",
     {{{"m", "1"}, {"n", "2"}}, false, "", "", "", -1},
     "byte 111: bytes follow the directory's last entry."},
};

class ZipRefused : public testing::TestWithParam<RefusedRow> {};

TEST_P(ZipRefused, NamesTheMemberOrTheByte) {
  const std::string file = GetParam().archive.written();
  EXPECT_THAT(refusal_of([&] {
                const ZipArchive zip(as_bytes(file));
                for (const ZipMember& member : zip.members()) zip.read(member, kMuch);
              }),
              ElementsAre(GetParam().line));
}

INSTANTIATE_TEST_SUITE_P(Archives, ZipRefused, testing::ValuesIn(kRefused), by_name);

TEST(Zip, MembersThatShareBytesAreRefused) {
  std::string file = Archive{{{"m", "1"}, {"n", "2"}}}.written();
  // The second entry of the directory is given the first one's place and name.
  const size_t second = file.rfind("PK\1\2");
  file.replace(second + 42, 4, number(0, 4));
  EXPECT_THAT(refusal_of([&] { ZipArchive(as_bytes(file)); }),
              ElementsAre(HasSubstr("member 'n': its local header has another")));
}

TEST(Zip, IsRefusedCutAtEveryLengthAndSafeWithAnyBitFlipped) {
  Member packed{"packed", "abcabcabc", 8}, large{"large", "64"};
  large.large = true;
  std::string file = Archive{{packed, large}, true}.written();
  for (size_t length = 0; length < file.size(); ++length) {
    const std::string cut(file.data(), length);
    EXPECT_THROW(ZipArchive{as_bytes(cut)}, Refused) << length;
  }
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    const auto flip = [&] { file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << (bit % 8))); };
    flip();
    try {
      const ZipArchive zip(as_bytes(file));
      for (const ZipMember& member : zip.members()) zip.read(member, kMuch);
    } catch (const Refused&) {
    }
    flip();
  }
}

}  // namespace
}  // namespace causeway::formats
