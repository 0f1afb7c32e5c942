#include "causeway/base/philox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace causeway {
namespace {

using testing::ElementsAre;

// The first two rows of Random123's known answers, and its third.
TEST(NetworkSection13Philox, GivesThePublishedWords) {
  EXPECT_THAT(philox4x32({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(NetworkSection13Philox, HashesAPurpose) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("shuffle"), 0x477c62bf680bf6aeu);
}

TEST(NetworkSection13Draws, HaveAnAddress) {
  const Draws draws(7, "shuffle", 0);
  EXPECT_THAT((std::array{draws.word(0), draws.word(1), draws.word(2), draws.word(3)}),
              ElementsAre(0x528f21fe, 0xd42983f7, 0x5fa7b1e8, 0xb36d22c5));
  EXPECT_EQ(draws.key(), 7 ^ fnv1a("shuffle"));
  EXPECT_NE(draws.word(0, 1), draws.word(0, 0));
  EXPECT_NE(draws.word(0), Draws(7, "shuffle", uint64_t{1} << 32).word(0));
}

struct PermutationCase {
  uint64_t seed, epoch;
  std::vector<int64_t> order;
};

TEST(NetworkSection13Draws, PermuteAsWritten) {
  const PermutationCase cases[] = {
      {7, 0, {0, 8, 9, 5, 1, 6, 4, 2, 7, 3}},
      {7, 1, {1, 5, 8, 9, 2, 0, 4, 7, 3, 6}},
      {(uint64_t{1} << 53) - 1, 0, {4, 1, 2, 6, 0, 8, 7, 3, 9, 5}},
  };
  for (const PermutationCase& one : cases) EXPECT_EQ(Draws(one.seed, "shuffle", one.epoch).permutation(10), one.order);
}

TEST(NetworkSection13Draws, PermuteEveryPlaceOnce) {
  for (const int64_t n : {0, 1, 2, 3, 891, 10007}) {
    std::vector<int64_t> order = Draws(1, "shuffle", 2).permutation(n);
    ASSERT_EQ(order.size(), static_cast<size_t>(n));
    std::sort(order.begin(), order.end());
    for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int64_t>(i));
  }
}

TEST(NetworkSection13Draws, PermuteAsTheDrawsBelowSay) {
  const Draws draws(3, "shuffle", 5);
  std::vector<int64_t> order(101);
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[draws.below(order.size() - 1 - i, i + 1)]);
  EXPECT_EQ(draws.permutation(101), order);
}

TEST(NetworkSection13Draws, AreUniformIn24Bits) {
  const Draws draws(7, "dropout:1", 3);
  constexpr float kUniform[] = {.761201203f, .685072958f, .862005532f, .739487767f,
                                .491834641f, .125825882f, .304513812f, .520090878f};
  for (uint64_t i = 0; i < std::size(kUniform); ++i) {
    EXPECT_EQ(draws.uniform(i), kUniform[i]);
    EXPECT_EQ(draws.uniform(i, 0, 1), kUniform[i]);
    EXPECT_EQ(draws.uniform(i, -2, 2), static_cast<float>(-2 + 4 * static_cast<double>(kUniform[i])));
  }
}

TEST(NetworkSection13Draws, AreNormal) {
  const Draws draws(7, "init:0.weight", 0);
  constexpr float kNormal[] = {-.772169173f, .610907376f, 1.60744047f, -1.62786341f};
  for (uint64_t i = 0; i < std::size(kNormal); ++i) EXPECT_EQ(static_cast<float>(draws.normal(i)), kNormal[i]);
  EXPECT_EQ(static_cast<float>(draws.normal(30)), -2.18387842f);
  EXPECT_EQ(static_cast<float>(draws.truncated_normal(30)), -1.83839369f);
  EXPECT_EQ(draws.truncated_normal(0), draws.normal(0));
}

TEST(NetworkSection13Draws, StayBelow) {
  const Draws draws(11, "search:units", 0);
  EXPECT_EQ(draws.below(0, 1), 0u);
  EXPECT_EQ(draws.below(0, uint64_t{1} << 32), draws.word(0));
  // Just above 2^31 about half of all words are redrawn.
  constexpr uint64_t kUneven = (uint64_t{1} << 31) + 1;
  double total = 0;
  constexpr uint64_t kDraws = 20000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    const uint64_t drawn = draws.below(i, kUneven);
    ASSERT_LT(drawn, kUneven);
    total += static_cast<double>(drawn);
  }
  // The mean of so many lies within five of its standard deviations, 0.29 / sqrt(20000) of the range.
  EXPECT_NEAR(total / kDraws / kUneven, 0.5, 5 * 0.29 / std::sqrt(kDraws));
}

}  // namespace
}  // namespace causeway
