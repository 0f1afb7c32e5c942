#include "causeway/reference/reference.h"

#include <gmock/gmock.h>

#include "causeway/ops/op_list.h"
#include "causeway/reference/walk.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::reference {
namespace {

using testing::ElementsAre;

/// What only data can cause: the sentence, which its caller gives a place.
struct Unmet {
  const char* name;
  Op op;
  std::vector<Tensor> inputs;
  const char* what;
};
const Unmet kUnmet[] = {
    {"gather_past_the_end",
     ops::Gather{},
     {Tensor::of_integers({1, 2}), Tensor::of<int64_t>({1, 2}, {1, 2})},
     "the index 2 at [0, 1] lies outside the axis, which has 2 places."},
    {"gather_before_the_start",
     ops::Gather{},
     {Tensor::of_integers({1, 2}), Tensor::scalar(int64_t{-3})},
     "the index -3 at [] lies outside the axis, which has 2 places."},
    {"scatter_past_the_end",
     ops::ScatterAdd{},
     {Tensor::of_integers({5}), Tensor::of<float>({1}, {1}), Tensor::of_integers({5})},
     "the index 5 at [0] lies outside the axis, which has 5 places."},
    {"div_by_zero",
     ops::Div{},
     {Tensor::of_integers({1, 2}), Tensor::of_integers({1, 0})},
     "it divides by the whole number 0."},
    {"mod_by_zero",
     ops::Mod{},
     {Tensor::of_integers({1, 2}), Tensor::of_integers({1, 0})},
     "it divides by the whole number 0."},
    {"zero_to_a_negative_power",
     ops::Pow{},
     {Tensor::of_integers({0}), Tensor::of_integers({-1})},
     "it raises the whole number 0 to the power -1."},
};
class ReferenceUnmet : public testing::TestWithParam<Unmet> {};
TEST_P(ReferenceUnmet, SaysWhatAndWhere) {
  EXPECT_EQ(tests::unfit_of([] { compute(GetParam().op, GetParam().inputs); }), GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(Data, ReferenceUnmet, testing::ValuesIn(kUnmet), tests::by_name);

TEST(ReferenceCompute, TakesAnInputThatIsAbsent) {
  const Tensor x = Tensor::of<float>({1, 2}, {1, 3});
  const auto plain = compute_some(ops::LayerNorm{}, {x, std::nullopt, std::nullopt});
  const auto shifted = compute_some(ops::LayerNorm{}, {x, std::nullopt, Tensor::of<float>({2}, {1, 1})});
  EXPECT_NEAR(shifted[0].values<float>()[0], plain[0].values<float>()[0] + 1, 1e-6);
}

TEST(ReferenceCompute, WorksInTheDeclaredWidth) {
  const auto sum = compute(ops::Add{}, {Tensor::of<double>({1}, {1e9}), Tensor::of<double>({1}, {0.5})});
  EXPECT_EQ(sum[0].values<double>()[0], 1e9 + 0.5);
  const auto half =
      compute(ops::Mul{}, {Tensor::of<Half>({1}, {to_half(3.0f)}), Tensor::of<Half>({1}, {to_half(0.1f)})});
  EXPECT_EQ(widen(half[0].values<Half>()[0]), widen(to_half(3.0 * static_cast<double>(widen(to_half(0.1f))))));
}

TEST(ReferenceFolder, FoldsWhatStaysSmall) {
  const auto fold = folder();
  const auto folded = fold(ops::Add{}, {Tensor::of_integers({1, 2}), Tensor::of_integers({10, 20})});
  ASSERT_TRUE(folded);
  EXPECT_THAT((*folded)[0].values<int64_t>(), ElementsAre(11, 22));
  EXPECT_FALSE(fold(ops::ConstantOfShape{}, {Tensor::of_integers({Type::kKnownNumbers + 1})}));
  EXPECT_FALSE(fold(ops::ConstantOfShape{}, {Tensor::of_integers({int64_t{1} << 40, int64_t{1} << 40})}));
  EXPECT_FALSE(fold(ops::Div{}, {Tensor::of_integers({1}), Tensor::of_integers({0})}));
}

TEST(ReferenceWalk, PassesEveryPlaceInOrder) {
  std::vector<int64_t> offsets;
  for (Walk<1> at(PerAxis(2, 3), {broadcast_strides(std::vector<int64_t>{3, 1}, std::vector<int64_t>{3, 3})}); at;
       ++at) {
    offsets.push_back(at[0]);
  }
  EXPECT_THAT(offsets, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2));
}

TEST(ReferenceWalk, RefusesRanksWithoutEnd) {
  const Tensor x(DType::Float32, std::vector<int64_t>(kMaxRank + 1, 1));
  EXPECT_EQ(tests::unfit_of([&] { compute(ops::Transpose{}, {x}); }),
            "a tensor of more than 32 axes is not computed here.");
}

}  // namespace
}  // namespace causeway::reference
