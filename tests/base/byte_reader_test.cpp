#include "causeway/base/byte_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "causeway/base/checked_size.h"

namespace causeway {
namespace {

constexpr std::array kBytes{std::byte{0x01}, std::byte{0x02}, std::byte{0x03},
                            std::byte{0x04}, std::byte{'o'},  std::byte{'k'}};

TEST(ByteReader, ReadsLittleEndianNumbersInTurn) {
  ByteReader reader(kBytes);
  EXPECT_EQ(reader.u8(), 0x01);
  EXPECT_EQ(reader.u16(), 0x0302);
  reader.seek(0);
  EXPECT_EQ(reader.u32(), 0x04030201u);
  EXPECT_EQ(reader.text(2), "ok");
  EXPECT_TRUE(reader.done());
}

TEST(ByteReader, SaysTheByteWhereTooFewAreLeft) {
  ByteReader reader(kBytes, 2);
  try {
    reader.u64();
    FAIL() << "eight bytes were read from four";
  } catch (const Unfit& unfit) {
    EXPECT_STREQ(unfit.what(), "byte 2: 8 bytes are read here, and 4 are left.");
  }
  EXPECT_EQ(reader.at(), 2u);
  reader.seek(100);
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_THROW(reader.skip(SIZE_MAX), Unfit);
}

struct ProductCase {
  std::vector<int64_t> lengths;
  std::optional<int64_t> product;
};

TEST(CheckedSize, GivesNothingPastInt64) {
  constexpr int64_t kMost = INT64_MAX;
  const ProductCase cases[] = {
      {{}, 1},
      {{2, 3}, 6},
      {{2, 0, 3}, 0},
      {{kMost}, kMost},
      {{kMost, 2}, std::nullopt},
      {{0, kMost, 2}, std::nullopt},
      {{kMost, 2, 0}, std::nullopt},
      {{-1}, std::nullopt},
      {{0, -1}, std::nullopt},
  };
  for (const ProductCase& one : cases) EXPECT_EQ(checked_product(one.lengths), one.product);
  EXPECT_EQ(checked_add(kMost, 1), std::nullopt);
  EXPECT_EQ(checked_multiply(kMost, -1), -kMost);
}

}  // namespace
}  // namespace causeway
