#include "causeway/tensor/dim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace causeway {
namespace {

using testing::ElementsAre;
using Lengths = std::map<std::string, int64_t, std::less<>>;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

const Dim kL = Dim::named("L");
const Dim kN = Dim::named("N");

struct TextCase {
  Dim dim;
  std::string_view text;
};

TEST(Dim, PrintsItsCanonicalForm) {
  const TextCase cases[] = {
      {Dim(), "?"},
      {3, "3"},
      {kL, "L"},
      {(kL - 1) / 2 + 1, "(L-1)/2+1"},
      {(kL + 2 - 3) / 2 + 1, "(L-1)/2+1"},
      {(kL + 1) / 2, "(L-1)/2+1"},
      {((kL - 1) / 2 + 1 - 1) / 2 + 1, "(L-1)/4+1"},
      {(kL - 2) / 2 + 1, "L/2"},
      {kL / 2 / 3, "L/6"},
      {(2 * kL + 3) / 2, "L+1"},
      {(4 * kL + 2) / 6, "(2*L-2)/3+1"},
      {5 * kL / 2, "2*L+L/2"},
      {2 * (kL / 2), "2*(L/2)"},
      {0 - kL / 2, "-(L/2)"},
      {kN - kL / 2, "N-L/2"},
      {kL / -2, "L/2-L"},
      {kL * kN / 2 * kN, "((L*N)/2)*N"},
      {(kL + kN) * (kL - kN), "L*L-N*N"},
      {kL - kL, "0"},
      {kL * 0 + 7, "7"},
      {3 - kL, "-L+3"},
      {Dim::named("batch size"), "'batch size'"},
      {Dim::named("it's\n\\"), R"('it\x27s\x0a\x5c')"},
      {Dim::named("2") + 1, "'2'+1"},
      {Dim::named("größe"), "'größe'"},
      {Dim::named("\xFF\u202E"), R"('\xff\xe2\x80\xae')"},
      {Dim::named(""), "''"},
  };
  for (const TextCase& one : cases) {
    EXPECT_EQ(one.dim.text(), one.text);
    const std::optional<Dim> read = Dim::parse(one.text);
    ASSERT_TRUE(read) << one.text;
    EXPECT_EQ(*read, one.dim) << one.text;
  }
}

struct ParseCase {
  std::string_view text, read;  // nothing read where empty
};

TEST(Dim, ReadsExpressionsAlone) {
  const ParseCase cases[] = {
      {" 2 * ( L + 1 ) ", "2*L+2"},
      {"((s0 - 1)//2) + 1", "(s0-1)/2+1"},
      {"-7/2", "-4"},
      {"-L/2", "L/2-L"},
      {"7-2-1", "4"},
      {"8/2/2", "2"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", ""},
      {"9223372036854775807+1", ""},
      {"", ""},
      {" ", ""},
      {"L L", ""},
      {"L+", ""},
      {"--L", ""},
      {"+L", ""},
      {"(L", ""},
      {"L)", ""},
      {"L/0", ""},
      {"L/N", ""},
      {"L%2", ""},
      {"2L", ""},
      {"'L", ""},
      {"'\\n'", ""},
      {"'\\x4'", ""},
      {"??", ""},
      {"?+1", ""},
  };
  for (const ParseCase& one : cases) {
    const std::optional<Dim> read = Dim::parse(one.text);
    EXPECT_EQ(read ? read->text() : "", one.read) << one.text;
  }
  EXPECT_EQ(Dim::parse(std::string(1000, '(') + "L" + std::string(1000, ')')), std::nullopt);
  EXPECT_EQ(Dim::parse(std::string(60, '(') + "L" + std::string(60, ')')), kL);
  EXPECT_EQ(Dim::parse(std::string(5000, 'L')), std::nullopt);
}

TEST(Dim, ComparesAsFarAsKnown) {
  EXPECT_EQ(Dim(2).equals(2), true);
  EXPECT_EQ(Dim(2).equals(3), false);
  EXPECT_EQ(kL.equals(kL), true);
  EXPECT_EQ(kL.equals(kL + 1), false);
  EXPECT_EQ(kL.equals(kN), std::nullopt);
  EXPECT_EQ(kL.equals(3), std::nullopt);
  EXPECT_EQ(Dim().equals(3), std::nullopt);
  EXPECT_EQ(Dim().equals(Dim()), std::nullopt);
  EXPECT_EQ(Dim(), Dim());
  EXPECT_FALSE(Dim() == Dim(0));
  EXPECT_FALSE(kL == Dim(0));
  EXPECT_THROW(kL.number(), std::logic_error);
}

TEST(Dim, IsUnknownPastItsBounds) {
  const Dim unknown[] = {Dim() + 1,           3 - Dim(),        Dim() * 0,       Dim(kMost) + 1, Dim(kLeast) - 1,
                         Dim(kMost) * 2,      Dim(kLeast) / -1, Dim(7) / 0,      Dim(7) / kL,    kL / 0,
                         kL * kMost * kL * 2, kL + kLeast,      kL * kMost + kL, kL / kLeast};
  for (const Dim& dim : unknown) EXPECT_TRUE(dim.is_unknown()) << dim.text();
  EXPECT_EQ(Dim(-7) / 2, Dim(-4));
  EXPECT_EQ(Dim(7) / -2, Dim(-4));
  EXPECT_EQ(Dim(0) - kLeast + kLeast, Dim());
  EXPECT_EQ(Dim(-1) - kLeast, Dim(kMost));
}

TEST(Dim, GrowsToABound) {
  Dim product = 1;
  for (int i = 0; i < 40; ++i) product = product * (Dim::named("x" + std::to_string(i)) + 1);
  EXPECT_TRUE(product.is_unknown());
  Dim power = kL;
  for (int i = 0; i < 64; ++i) power = power * power;
  EXPECT_TRUE(power.is_unknown());
  Dim nested = kL;
  for (int i = 0; i < 10000; ++i) nested = (nested + nested / 3 * kN) / 5;
  EXPECT_TRUE(nested.is_unknown());
  EXPECT_TRUE(Dim::named(std::string(2000, 'x')).is_unknown());
}

TEST(Dim, IsBoundByName) {
  const Dim dim = (kL - 1) / 2 + kN * kL;
  EXPECT_THAT(dim.names(), ElementsAre("L", "N"));
  EXPECT_EQ(dim.bound({{"L", 7}, {"N", 2}}), Dim(17));
  EXPECT_EQ(dim.bound({{"L", 7}}), 7 * kN + 3);
  EXPECT_EQ(dim.bound({{"M", 7}}), dim);
  EXPECT_EQ(Dim().bound({{"L", 7}}), Dim());
  EXPECT_EQ(Dim(3).bound({{"L", 7}}), Dim(3));
  EXPECT_TRUE((kL * kN).bound({{"L", kMost}, {"N", 2}}).is_unknown());
  EXPECT_THAT(Dim(3).names(), ElementsAre());
}

/// Random lengths, and beside each what it is at one choice of the names.
class RandomDims {
 public:
  RandomDims(uint64_t seed, Lengths lengths) : random_(seed), lengths_(std::move(lengths)) {}

  struct Pair {
    Dim dim, value;
  };

  Pair next(int depth) {
    if (depth == 0) return leaf();
    const Pair left = next(depth - 1);
    const Pair right = below(3) == 0 ? next(depth - 1) : leaf();
    switch (below(4)) {
      case 0:
        return {left.dim + right.dim, left.value + right.value};
      case 1:
        return {left.dim - right.dim, left.value - right.value};
      case 2:
        return {left.dim * right.dim, left.value * right.value};
      default:
        break;
    }
    const int64_t divisor = below(2) == 0 ? 1 + below(6) : -1 - below(6);
    return {left.dim / divisor, left.value / divisor};
  }

 private:
  int64_t below(uint64_t n) { return static_cast<int64_t>(random_() % n); }

  Pair leaf() {
    const auto name = std::next(lengths_.begin(), below(2 * lengths_.size()) / 2);
    if (below(2) == 0) return {Dim::named(name->first), Dim(name->second)};
    const int64_t number = below(13) - 6;
    return {number, number};
  }

  std::mt19937_64 random_;
  Lengths lengths_;
};

TEST(DimProperty, BindsToWhatTheNumbersGiveAndReadsItsText) {
  constexpr uint64_t kSeed = 20240611;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  int symbolic = 0;
  for (int i = 0; i < 4000; ++i) {
    const Lengths lengths = {{"L", random() % 100}, {"N", random() % 10}, {"a b", random() % 3}};
    const RandomDims::Pair made = RandomDims(random(), lengths).next(1 + i % 5);
    if (made.dim.is_unknown()) continue;
    symbolic += made.dim.is_symbolic() ? 1 : 0;
    ASSERT_EQ(made.dim.bound(lengths), made.value) << made.dim.text();
    const std::optional<Dim> read = Dim::parse(made.dim.text());
    ASSERT_TRUE(read) << made.dim.text();
    ASSERT_EQ(*read, made.dim) << made.dim.text() << " was read as " << read->text();
    ASSERT_EQ((made.dim - made.dim), Dim(0));
    ASSERT_EQ((made.dim * 3 + 2) / 3, made.dim) << made.dim.text();
  }
  EXPECT_GT(symbolic, 2000);
}

TEST(DimProperty, ReadsAnyBytesOrNone) {
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  constexpr std::string_view kLetters = "LN12905()+-*/'\\x ?._%\x80";
  for (int i = 0; i < 50000; ++i) {
    std::string text(random() % 24, ' ');
    for (char& letter : text) letter = kLetters[random() % kLetters.size()];
    const std::optional<Dim> read = Dim::parse(text);
    if (read) {
      ASSERT_EQ(Dim::parse(read->text()), *read) << text;
    }
  }
}

}  // namespace
}  // namespace causeway
