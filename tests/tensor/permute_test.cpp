#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "causeway/tensor/dtype_switch.h"
#include "causeway/tensor/tensor.h"

namespace causeway {
namespace {

using testing::ElementsAre;

/// Element by element, by the definition.
template <class T>
std::vector<T> permuted_plainly(const Tensor& tensor, const std::vector<size_t>& axes) {
  const std::vector<int64_t> strides = dense_strides(tensor.lengths());
  std::vector<int64_t> lengths, steps;
  for (const size_t axis : axes) {
    lengths.push_back(tensor.lengths()[axis]);
    steps.push_back(strides[axis]);
  }
  std::vector<T> made;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    int64_t rest = i, from = 0;
    for (size_t axis = axes.size(); axis-- > 0;) {
      from += rest % lengths[axis] * steps[axis];
      rest /= lengths[axis];
    }
    made.push_back(tensor.values<T>()[static_cast<size_t>(from)]);
  }
  return made;
}

template <class T>
Tensor counted(std::vector<int64_t> lengths) {
  Tensor made(dtype_of<T>, std::move(lengths));
  int64_t count = 0;
  for (T& value : made.mutable_values<T>()) value = static_cast<T>(count++);
  return made;
}

TEST(Permute, TransposesAMatrix) {
  const Tensor made = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}).permuted(std::vector<size_t>{1, 0});
  EXPECT_THAT(made.lengths(), ElementsAre(3, 2));
  EXPECT_THAT(made.values<float>(), ElementsAre(1, 4, 2, 5, 3, 6));
}

struct SharedCase {
  std::vector<int64_t> lengths;
  std::vector<size_t> axes;
};

TEST(Permute, SharesWhereNoElementMoves) {
  const SharedCase cases[] = {
      {{2, 3}, {0, 1}}, {{1, 5, 1}, {1, 2, 0}}, {{}, {}}, {{0, 3}, {1, 0}}, {{4, 1, 2}, {1, 0, 2}}};
  for (const SharedCase& one : cases) {
    const Tensor tensor(DType::Float32, one.lengths);
    EXPECT_TRUE(tensor.permuted(one.axes).shares_memory_with(tensor));
  }
  const Tensor tensor(DType::Float32, {0, 3});
  EXPECT_THAT(tensor.permuted(std::vector<size_t>{1, 0}).lengths(), ElementsAre(3, 0));
}

TEST(Permute, NamesEveryAxisOnce) {
  const Tensor tensor(DType::Float32, {2, 3});
  for (const std::vector<size_t>& axes : {std::vector<size_t>{0}, {0, 0}, {0, 2}, {0, 1, 2}}) {
    EXPECT_THROW(tensor.permuted(axes), std::logic_error);
  }
}

TEST(PermuteProperty, AgreesWithTheDefinition) {
  constexpr uint64_t kSeed = 5;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  constexpr int64_t kLengths[] = {1, 2, 3, 5, 31, 32, 33, 67};
  for (int i = 0; i < 600; ++i) {
    std::vector<int64_t> lengths;
    int64_t size = 1;
    for (size_t rank = random() % 6; lengths.size() < rank;) {
      int64_t length = kLengths[random() % std::size(kLengths)];
      if (size * length > 40000) length = 1;
      lengths.push_back(length);
      size *= length;
    }
    std::vector<size_t> axes(lengths.size());
    std::iota(axes.begin(), axes.end(), size_t{0});
    std::shuffle(axes.begin(), axes.end(), random);
    constexpr DType kSizes[] = {DType::UInt8, DType::Int16, DType::Float32, DType::Float64};
    with_type(kSizes[i % 4], [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        const Tensor tensor = counted<T>(lengths);
        const Tensor made = tensor.permuted(axes);
        const std::vector<T> expected = permuted_plainly<T>(tensor, axes);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), made.values<T>().begin(), made.values<T>().end()))
            << text_of(lengths);
      }
    });
  }
}

}  // namespace
}  // namespace causeway
