#include "causeway/tensor/dtype.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "causeway/tensor/dtype_switch.h"

namespace causeway {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DType, HasOneNameAndSize) {
  for (auto dtype = DType::Float32; dtype <= DType::Bool; dtype = static_cast<DType>(static_cast<int>(dtype) + 1)) {
    EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
    with_type(dtype, [&]<class T>(std::type_identity<T>) {
      EXPECT_EQ(dtype_of<T>, dtype);
      EXPECT_EQ(size_of(dtype), sizeof(T));
      EXPECT_EQ(is_integer(dtype), std::is_integral_v<T> && !(std::is_same_v<T, bool>));
    });
  }
  EXPECT_EQ(name_of(DType::BFloat16), "bfloat16");
  EXPECT_EQ(dtype_named("unknown"), std::nullopt);
  EXPECT_EQ(dtype_named("float8"), std::nullopt);
  EXPECT_EQ(size_of(DType::Unknown), 0u);
}

struct HalfCase {
  uint16_t bits;
  double number;
};

constexpr HalfCase kHalves[] = {
    {0x0000, 0.0},
    {0x0001, 5.9604644775390625e-08},  // the least subnormal
    {0x03FF, 1023 * 0x1p-24},
    {0x0400, 0x1p-14},  // the least normal
    {0x3C00, 1.0},
    {0xC000, -2.0},
    {0x3555, 0x1.554p-2},
    {0x7BFF, 65504.0},
    {0x7C00, kInfinity},
    {0xFC00, -kInfinity},
};

TEST(Half, WidensExactlyAndBack) {
  for (const HalfCase& one : kHalves) {
    EXPECT_EQ(widen(Half{one.bits}), static_cast<float>(one.number));
    EXPECT_EQ(to_half(one.number).bits, one.bits);
  }
  EXPECT_TRUE(std::signbit(widen(Half{0x8000})));
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    const bool nan = (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0;
    EXPECT_EQ(std::isnan(widen(half)), nan);
    // A signalling NaN comes back quiet.
    EXPECT_EQ(to_half(widen(half)).bits, nan ? bits | 0x200 : bits);
  }
}

TEST(BFloat16, WidensExactlyAndBack) {
  EXPECT_EQ(widen(BFloat16{0x3FC0}), 1.5f);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const BFloat16 number{static_cast<uint16_t>(bits)};
    const float wide = widen(number);
    const uint32_t back = std::isnan(wide) ? bits | 0x40 : bits;
    EXPECT_EQ(to_bfloat16(wide).bits, back);
    EXPECT_EQ(to_bfloat16(static_cast<double>(wide)).bits, back);
  }
}

struct RoundingCase {
  double number;
  uint16_t half, bfloat16;
};

TEST(Half, RoundsOnceToNearestEven) {
  const RoundingCase cases[] = {
      {1 + 0x1p-11, 0x3C00, 0x3F80},            // half way to the next half: to the even one
      {1 + 3 * 0x1p-11, 0x3C02, 0x3F80},        // half way: up to the even one
      {1 + 0x1p-11 + 0x1p-50, 0x3C01, 0x3F80},  // a float32 on the way would lose the little that decides
      {1 + 0x1p-8, 0x3C04, 0x3F80},             // half way between two bfloat16
      {1 + 0x1p-8 + 0x1p-50, 0x3C04, 0x3F81},   //
      {65519.99, 0x7BFF, 0x4780},               // just below the middle between the last half and infinity
      {65520, 0x7C00, 0x4780},                  // the middle is infinity
      {0x1p-25, 0x0000, 0x3300},                // half of the least subnormal: to the even 0
      {0x1p-25 + 0x1p-60, 0x0001, 0x3300},      //
      {-0x1p-26, 0x8000, 0xB280},               //
      {0x1p-14 - 0x1p-25, 0x0400, 0x3880},      // rounds up into the normal ones
      {0x1p-133, 0x0000, 0x0001},               // the least bfloat16
      {0x1p-134, 0x0000, 0x0000},               //
      {3.4028234663852886e38, 0x7C00, 0x7F80},  // the largest float32 is past the largest bfloat16
      {1e300, 0x7C00, 0x7F80},                  //
      {-1e-320, 0x8000, 0x8000},                //
      {std::bit_cast<double>(0x7FF0000000000001u), 0x7E00, 0x7FC0},  // NaN with the least payload
  };
  for (const RoundingCase& one : cases) {
    EXPECT_EQ(to_half(one.number).bits, one.half) << one.number;
    EXPECT_EQ(to_bfloat16(one.number).bits, one.bfloat16) << one.number;
  }
}

// Every half and what lies just around the middle to the next one.
TEST(Half, RoundsToTheNearerNeighbour) {
  for (uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const double below = widen(Half{bits});
    const double above = widen(Half{static_cast<uint16_t>(bits + 1)});
    const double middle = (below + above) / 2;
    EXPECT_EQ(to_half(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(to_half(std::nextafter(middle, 0.0)).bits, bits);
    EXPECT_EQ(to_half(std::nextafter(middle, kInfinity)).bits, bits + 1);
    EXPECT_EQ(to_half(static_cast<float>(middle)).bits, to_half(middle).bits);
  }
}

TEST(BFloat16, RoundsAFloatAsItsDouble) {
  for (uint32_t bits = 1; bits < 0x7F800000; bits += 9973) {
    const auto number = std::bit_cast<float>(bits);
    EXPECT_EQ(to_bfloat16(number).bits, to_bfloat16(static_cast<double>(number)).bits) << number;
    EXPECT_EQ(to_bfloat16(-number).bits, to_bfloat16(static_cast<double>(-number)).bits) << number;
  }
}

}  // namespace
}  // namespace causeway
