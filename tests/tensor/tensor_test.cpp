#include "causeway/tensor/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace causeway {
namespace {

using testing::ElementsAre;

bool is_aligned(const Tensor& tensor) { return reinterpret_cast<uintptr_t>(tensor.data()) % 64 == 0; }

TEST(Tensor, HoldsZerosAtFirst) {
  EXPECT_THAT(Tensor().values<float>(), ElementsAre(0));
  EXPECT_THAT(Tensor(DType::Int64, {3}).values<int64_t>(), ElementsAre(0, 0, 0));
  EXPECT_EQ(Tensor(DType::Bool, {2, 0, 5}).size(), 0);
  EXPECT_EQ(Tensor(DType::Float16, {2, 3}).size_bytes(), 12u);
  EXPECT_EQ(Tensor(DType::Float64, {2, 3}).shape(), Shape({2, 3}));
}

TEST(Tensor, OwnsAlignedMemory) {
  for (const int64_t length : {0, 1, 63, 64, 65, 1000}) {
    EXPECT_TRUE(is_aligned(Tensor(DType::UInt8, {length})));
    EXPECT_NE(Tensor(DType::UInt8, {length}).data(), nullptr);
  }
}

TEST(Tensor, ChecksItsSizeBeforeTakingMemory) {
  EXPECT_THROW(Tensor(DType::Float32, {-1}), std::logic_error);
  EXPECT_THROW(Tensor(DType::Float32, {INT64_MAX, 2}), std::logic_error);
  EXPECT_THROW(Tensor(DType::Float32, {INT64_MAX / 2}), std::logic_error);
  EXPECT_THROW(Tensor(DType::Unknown, {1}), std::logic_error);
  EXPECT_THROW(Tensor(DType::Float32, {1}).values<double>(), std::logic_error);
}

TEST(Tensor, SharesUntilWritten) {
  Tensor first = Tensor::of<float>({2}, {1, 2});
  Tensor second = first;
  EXPECT_TRUE(second.shares_memory_with(first));
  second.mutable_values<float>()[0] = 5;
  EXPECT_FALSE(second.shares_memory_with(first));
  EXPECT_THAT(first.values<float>(), ElementsAre(1, 2));
  EXPECT_THAT(second.values<float>(), ElementsAre(5, 2));

  const void* own = second.data();
  second.mutable_values<float>()[1] = 6;
  EXPECT_EQ(second.data(), own) << "memory of its own is not copied again";

  Tensor zero, other;
  zero.mutable_values<float>()[0] = 1;
  EXPECT_EQ(other.number_at(0), 0);
}

TEST(Tensor, LeavesMappedBytesAsTheyAre) {
  auto bytes = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const std::weak_ptr<std::vector<float>> watched = bytes;
  const float* data = bytes->data();
  Tensor mapped = Tensor::over(DType::Float32, {2, 2}, data, std::move(bytes));
  EXPECT_TRUE(mapped.is_mapped());
  EXPECT_EQ(mapped.data(), data);
  Tensor row = mapped.reshaped({4});
  EXPECT_TRUE(row.is_mapped());
  EXPECT_TRUE(row.shares_memory_with(mapped));
  mapped.mutable_values<float>()[0] = 9;
  EXPECT_FALSE(mapped.is_mapped());
  EXPECT_THAT(row.values<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(watched.expired()) << "the bytes live as long as a tensor over them";
  row = Tensor();
  EXPECT_TRUE(watched.expired());
  EXPECT_THROW(Tensor::over(DType::Float32, {1}, reinterpret_cast<const char*>(&data) + 1, nullptr), std::logic_error);
}

TEST(Tensor, IsMadeOfValues) {
  EXPECT_THAT(Tensor::of_integers({2, 3}).values<int64_t>(), ElementsAre(2, 3));
  EXPECT_THAT(Tensor::of<bool>({3}, {true, false, true}).values<bool>(), ElementsAre(true, false, true));
  EXPECT_EQ(Tensor::scalar(2.5).rank(), 0u);
  EXPECT_THROW(Tensor::of<float>({3}, {1, 2}), std::logic_error);
}

TEST(Tensor, GivesElementsWhateverTheirDType) {
  EXPECT_EQ(Tensor::scalar(Half{0x3C00}).number_at(0), 1);
  EXPECT_EQ(Tensor::scalar(BFloat16{0x3FC0}).number_at(0), 1.5);
  EXPECT_EQ(Tensor::scalar(int8_t{-3}).number_at(0), -3);
  EXPECT_EQ(Tensor::scalar(true).number_at(0), 1);
  EXPECT_EQ(Tensor::scalar(INT64_MIN).integer_at(0), INT64_MIN);
  EXPECT_EQ(Tensor::scalar(uint8_t{200}).integer_at(0), 200);
  EXPECT_EQ(Tensor::scalar(true).integer_at(0), 1);
  EXPECT_THROW(Tensor::scalar(1.0f).integer_at(0), std::logic_error);
  EXPECT_THROW(Tensor::scalar(1.0f).number_at(1), std::logic_error);
  const uint8_t odd_bool = 7;
  EXPECT_EQ(Tensor::over(DType::Bool, {}, &odd_bool, nullptr).number_at(0), 1);
}

TEST(Tensor, ComparesBits) {
  const Tensor zero = Tensor::scalar(0.0f);
  EXPECT_TRUE(zero.same_bits(Tensor()));
  EXPECT_FALSE(zero.same_bits(Tensor::scalar(-0.0f)));
  EXPECT_FALSE(zero.same_bits(Tensor(DType::Float32, {1})));
  EXPECT_FALSE(zero.same_bits(Tensor::scalar(int32_t{0})));
  EXPECT_THROW(zero.reshaped({2}), std::logic_error);
}

TEST(TensorView, ShowsAndCopies) {
  const Tensor tensor = Tensor::of<float>({2, 1}, {1, 2});
  const TensorView view = view_of(tensor);
  EXPECT_EQ(view.data, tensor.data());
  EXPECT_EQ(view.size(), 2);
  const Tensor copy = copy_of(view);
  EXPECT_TRUE(copy.same_bits(tensor));
  EXPECT_FALSE(copy.shares_memory_with(tensor));
  EXPECT_EQ(copy_of(view_of(Tensor(DType::Float32, {0}))).size(), 0);
}

}  // namespace
}  // namespace causeway
