#include "causeway/base/sha256.h"

#include <gtest/gtest.h>

namespace causeway {
namespace {

struct ShaCase {
  std::string text, digest;
};

// FIPS 180-4's examples.
TEST(Sha256, GivesThePublishedDigests) {
  const ShaCase cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const ShaCase& one : cases) EXPECT_EQ(hex(sha256(one.text)), one.digest);
}

TEST(Sha256, GivesShortTextsWhatTheirPiecesGive) {
  for (size_t length = 0; length <= 130; ++length) {
    const std::string text(length, static_cast<char>('a' + length % 26));
    Sha256 pieces;
    pieces.add(text);
    EXPECT_EQ(sha256(text), pieces.finish()) << length;
  }
}

TEST(Sha256, DoesNotSeeThePieces) {
  Sha256 pieces;
  pieces.add("a");
  pieces.add("");
  pieces.add("bc");
  EXPECT_EQ(pieces.finish(), sha256("abc"));

  using namespace std::string_view_literals;
  Sha256 number;
  number.add_u64(0x0807060504030201);
  EXPECT_EQ(number.finish(), sha256("\x01\x02\x03\x04\x05\x06\x07\x08"sv));
}

}  // namespace
}  // namespace causeway
