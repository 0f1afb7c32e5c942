#include "causeway/tensor/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/base/fault.h"

namespace causeway {
namespace {

using testing::ElementsAre;

const Dim kL = Dim::named("L");
const Dim kN = Dim::named("N");

template <class Body>
std::string unfit_of(const Body& body) {
  try {
    body();
  } catch (const Unfit& unfit) {
    return unfit.what();
  }
  return "it fits";
}

TEST(Shape, PrintsItsLengths) {
  EXPECT_EQ(Shape().text(), "[…]");
  EXPECT_EQ(Shape({}).text(), "[]");
  EXPECT_EQ(Shape({kN, 3, (kL - 1) / 2 + 1, Dim()}).text(), "[N, 3, (L-1)/2+1, ?]");
  EXPECT_EQ(text_of(std::vector<int64_t>{2, 3}), "[2, 3]");
}

TEST(Shape, KnowsWhatItKnows) {
  const Shape image = {kN, 3, 4};
  EXPECT_EQ(image.rank(), 3u);
  EXPECT_EQ(image.at(-1), Dim(4));
  EXPECT_EQ(image.at(0), kN);
  EXPECT_THROW(image.at(3), std::logic_error);
  EXPECT_EQ(image.count(), 12 * kN);
  EXPECT_FALSE(image.is_bound());
  EXPECT_FALSE(Shape().is_bound());
  EXPECT_TRUE(Shape().count().is_unknown());
  EXPECT_TRUE(Shape::of_rank(2)[1].is_unknown());
  EXPECT_EQ(Shape(std::vector<Dim>{}).count(), Dim(1));
  EXPECT_THAT(Shape({2, 3}).lengths(), ElementsAre(2, 3));
  EXPECT_THROW(image.lengths(), std::logic_error);
}

TEST(Shape, CountsAxesFromTheEndToo) {
  EXPECT_EQ(axis_in(-1, 3), 2u);
  EXPECT_EQ(axis_in(0, 1), 0u);
  EXPECT_EQ(unfit_of([] { axis_in(3, 3); }), "'axis' is 3, and the range here is [-3, 2].");
  EXPECT_EQ(unfit_of([] { axis_in(-2, 1, "dim"); }), "'dim' is -2, and the range here is [-1, 0].");
  EXPECT_EQ(unfit_of([] { axis_in(0, 0); }), "'axis' is 0, and a value of rank 0 has no axis.");
}

struct PairCase {
  Shape a, b;
  std::string_view broadcast, merged;
};

TEST(Shape, BroadcastsAndMerges) {
  constexpr std::string_view kUnfit = "";
  const PairCase cases[] = {
      {{2, 3}, {2, 3}, "[2, 3]", "[2, 3]"},
      {{2, 3}, {3}, "[2, 3]", kUnfit},
      {{2, 3}, Shape({}), "[2, 3]", kUnfit},
      {{2, 1}, {1, 3}, "[2, 3]", kUnfit},
      {{2}, {3}, kUnfit, kUnfit},
      {{0}, {1}, "[0]", kUnfit},
      {{0}, {2}, kUnfit, kUnfit},
      {{kN, 1}, {1, kL}, "[N, L]", "[1, 1]"},
      {{kN}, {3}, "[3]", "[3]"},
      {{kN}, {1}, "[N]", "[1]"},
      {{kN}, {kL}, "[?]", "[N]"},
      {{kN}, {kN + 1}, "[?]", kUnfit},
      {{kN}, {kN}, "[N]", "[N]"},
      {{Dim()}, {3}, "[3]", "[3]"},
      {{Dim()}, {1}, "[?]", "[1]"},
      {{Dim()}, {kN}, "[?]", "[N]"},
      {Shape(), {3}, "[…]", "[3]"},
  };
  for (const PairCase& one : cases) {
    for (const bool swapped : {false, true}) {
      const Shape& a = swapped ? one.b : one.a;
      const Shape& b = swapped ? one.a : one.b;
      std::string broadcast_text, merged_text;
      EXPECT_EQ(unfit_of([&] { broadcast_text = broadcast(a, b).text(); }) == "it fits", one.broadcast != kUnfit);
      EXPECT_EQ(unfit_of([&] { merged_text = merged(a, b).text(); }) == "it fits", one.merged != kUnfit);
      EXPECT_EQ(broadcast_text, one.broadcast);
      // Two names for one length: the first is kept.
      if (a == Shape({kL})) continue;
      EXPECT_EQ(merged_text, one.merged);
    }
  }
  EXPECT_THAT(broadcast(std::vector<int64_t>{4, 1}, std::vector<int64_t>{5}), ElementsAre(4, 5));
  EXPECT_EQ(unfit_of([] { broadcast(Shape({2}), Shape({3})); }),
            "[2] and [3] do not broadcast: counted from the last axis, two lengths are the same or one is 1.");
  EXPECT_EQ(unfit_of([] { merged(Shape({2}), Shape({2, 1})); }), "the shape is [2] here and [2, 1] there.");
}

TEST(Shape, HasDenseStrides) {
  EXPECT_THAT(dense_strides(std::vector<int64_t>{2, 3, 4}), ElementsAre(12, 4, 1));
  EXPECT_THAT(dense_strides(std::vector<int64_t>{2, 0, 4}), ElementsAre(4, 4, 1));
  EXPECT_THAT(dense_strides(std::vector<int64_t>{}), ElementsAre());
}

}  // namespace
}  // namespace causeway
