#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "causeway/tensor/dtype_switch.h"
#include "causeway/tensor/tensor.h"

namespace causeway {
namespace {

using testing::ElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  const Tensor made = Tensor::of<From>({static_cast<int64_t>(values.size())}, values).converted(dtype_of<To>);
  return {made.values<To>().begin(), made.values<To>().end()};
}

TEST(Convert, TruncatesAndClampsFloats) {
  const std::vector<float> floats = {1.9f, -1.9f, 300, -300, kInfinity, -kInfinity, kNaN, 3e9f, 1e30f, -0.5f};
  EXPECT_THAT(converted<int8_t>(floats), ElementsAre(1, -1, 127, -128, 127, -128, 0, 127, 127, 0));
  EXPECT_THAT(converted<uint8_t>(floats), ElementsAre(1, 0, 255, 0, 255, 0, 0, 255, 255, 0));
  EXPECT_THAT(converted<int32_t>(floats),
              ElementsAre(1, -1, 300, -300, INT32_MAX, INT32_MIN, 0, INT32_MAX, INT32_MAX, 0));
  EXPECT_THAT(converted<int64_t>(floats),
              ElementsAre(1, -1, 300, -300, INT64_MAX, INT64_MIN, 0, 3000000000, INT64_MAX, 0));
  EXPECT_THAT(converted<uint64_t>(floats), ElementsAre(1, 0, 300, 0, UINT64_MAX, 0, 0, 3000000000, UINT64_MAX, 0));
  EXPECT_THAT(converted<bool>(floats), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(converted<int64_t>(std::vector<double>{9223372036854774784.0, 9223372036854775808.0,
                                                     -9223372036854775808.0, -9223372036854777856.0}),
              ElementsAre(9223372036854774784, INT64_MAX, INT64_MIN, INT64_MIN));
  EXPECT_THAT(converted<int32_t>(std::vector<double>{2147483647.9, -2147483648.9, 2147483648.0}),
              ElementsAre(INT32_MAX, INT32_MIN, INT32_MAX));
  EXPECT_THAT(converted<int16_t>(std::vector<Half>{{0x7C00}, {0x3E00}}), ElementsAre(INT16_MAX, 1));
}

TEST(Convert, WrapsWholeNumbers) {
  EXPECT_THAT(converted<int8_t>(std::vector<int64_t>{127, 128, 255, 256, -129}), ElementsAre(127, -128, -1, 0, 127));
  EXPECT_THAT(converted<uint32_t>(std::vector<int32_t>{-1}), ElementsAre(UINT32_MAX));
  EXPECT_THAT(converted<int64_t>(std::vector<uint64_t>{UINT64_MAX}), ElementsAre(-1));
  EXPECT_THAT(converted<bool>(std::vector<int32_t>{0, 256, -1}), ElementsAre(false, true, true));
  EXPECT_THAT(converted<float>(std::vector<bool>{true, false}), ElementsAre(1, 0));
  EXPECT_THAT(converted<bool>(std::vector<float>{0, -0.0f, kNaN, 1e-45f}), ElementsAre(false, false, true, true));
}

TEST(Convert, RoundsFloat64Once) {
  const std::vector<float> rounded = converted<float>(std::vector<double>{
      0.1, 3.4028235677973362e38, 3.4028235677973366e38, 1 + 0x1p-24, 1 + 3 * 0x1p-24, 1 + 0x1p-24 + 0x1p-52, 1e-46});
  EXPECT_EQ(std::bit_cast<uint32_t>(rounded[0]), 0x3dcccccdu);
  EXPECT_THAT(rounded,
              ElementsAre(0.1f, std::numeric_limits<float>::max(), kInfinity, 1, 1 + 0x1p-22f, 1 + 0x1p-23f, 0));
  EXPECT_THAT(converted<float>(std::vector<int64_t>{16777217, 16777219, INT64_MAX}),
              ElementsAre(16777216, 16777220, 0x1p63f));
}

TEST(Convert, RoundsToSixteenBitsOnce) {
  const Tensor doubles = Tensor::of<double>({2}, {1 + 0x1p-11 + 0x1p-50, 1 + 0x1p-8 + 0x1p-50});
  EXPECT_EQ(doubles.converted(DType::Float16).values<Half>()[0].bits, 0x3C01);
  EXPECT_EQ(doubles.converted(DType::BFloat16).values<BFloat16>()[1].bits, 0x3F81);
  // 2^62 + 2^54 is half way between two bfloat16, and 1 more decides; a float64 on the way would lose that 1.
  const Tensor large = Tensor::of<int64_t>(
      {3}, {(int64_t{1} << 62) + (int64_t{1} << 54), (int64_t{1} << 62) + (int64_t{1} << 54) + 1, INT64_MIN});
  const auto narrow = large.converted(DType::BFloat16);
  EXPECT_EQ(narrow.values<BFloat16>()[0].bits, 0x5E80);
  EXPECT_EQ(narrow.values<BFloat16>()[1].bits, 0x5E81);
  EXPECT_EQ(narrow.values<BFloat16>()[2].bits, 0xDF00);
  EXPECT_EQ(Tensor::scalar(int32_t{70000}).converted(DType::Float16).values<Half>()[0].bits, 0x7C00);
  EXPECT_EQ(Tensor::scalar(Half{1}).converted(DType::Float32).values<float>()[0], 5.9604645e-08f);
}

TEST(Convert, ReadsABoolOfAFileAsNotZero) {
  const uint8_t bytes[] = {0, 1, 7};
  const Tensor odd = Tensor::over(DType::Bool, {3}, bytes, nullptr);
  EXPECT_THAT(odd.converted(DType::UInt8).values<uint8_t>(), ElementsAre(0, 1, 1));
}

TEST(Convert, SharesWhereNothingChanges) {
  const Tensor floats = Tensor::of<float>({2}, {1, kNaN});
  EXPECT_TRUE(floats.converted(DType::Float32).shares_memory_with(floats));
}

TEST(Convert, KeepsSmallWholeNumbersBetweenAllDTypes) {
  for (auto from = DType::Float32; from <= DType::UInt8; from = static_cast<DType>(static_cast<int>(from) + 1)) {
    for (auto to = DType::Float32; to <= DType::UInt8; to = static_cast<DType>(static_cast<int>(to) + 1)) {
      const Tensor made = Tensor::of_integers({0, 1, 2, 100, 127}).converted(from).converted(to);
      for (int64_t i = 0; i < made.size(); ++i) {
        EXPECT_EQ(made.number_at(i), (std::array{0, 1, 2, 100, 127})[static_cast<size_t>(i)]);
      }
    }
  }
}

}  // namespace
}  // namespace causeway
