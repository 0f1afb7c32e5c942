#include "causeway/tensor/turn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace causeway {
namespace {

using testing::ElementsAre;

Tensor counted(std::vector<int64_t> lengths) {
  Tensor made(DType::Int32, std::move(lengths));
  std::iota(made.mutable_values<int32_t>().begin(), made.mutable_values<int32_t>().end(), 0);
  return made;
}

TEST(Turn, SwapsTheAxesOfADenseWeight) {
  const Turn turn = Turn::permute({1, 0});
  EXPECT_THAT(turn.to_slot(counted({2, 3})).values<int32_t>(), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(turn.lengths_in_file({3, 2}), ElementsAre(2, 3));
  EXPECT_EQ(turn.lengths_in_slot({2, 3}), (std::vector<int64_t>{3, 2}));
  EXPECT_FALSE(turn.is_identity());
  EXPECT_TRUE(Turn().to_slot(counted({2})).same_bits(counted({2})));
}

TEST(Turn, ReordersBlocks) {
  // Gates i f g o of two rows each, brought to i o f g.
  const Turn turn{{ReorderMove{0, {0, 3, 1, 2}}}};
  EXPECT_THAT(turn.to_slot(counted({8})).values<int32_t>(), ElementsAre(0, 1, 6, 7, 2, 3, 4, 5));
  EXPECT_THAT(turn.to_file(counted({8})).values<int32_t>(), ElementsAre(0, 1, 4, 5, 6, 7, 2, 3));
  const Turn inner{{ReorderMove{1, {1, 0}}}};
  EXPECT_THAT(inner.to_slot(counted({2, 2, 2})).values<int32_t>(), ElementsAre(2, 3, 0, 1, 6, 7, 4, 5));
  EXPECT_EQ(inner.to_slot(Tensor(DType::Float32, {0, 2})).size(), 0);
}

TEST(Turn, TakesItsMovesInTurn) {
  // The rows of a dense weight behind a flatten: channels first in the file, last in the slot.
  const Turn turn{{ReshapeMove{{12}, {3, 4}}, PermuteMove{{1, 0}}, ReshapeMove{{4, 3}, {12}}}};
  EXPECT_THAT(turn.to_slot(counted({12})).values<int32_t>(), ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
  EXPECT_EQ(turn.reversed().reversed(), turn);
}

struct MisfitCase {
  Move move;
  std::vector<int64_t> lengths;
};

TEST(Turn, FitsOrGivesNoShape) {
  const MisfitCase cases[] = {
      {PermuteMove{{1, 0}}, {2}},
      {PermuteMove{{0, 0}}, {2, 3}},
      {PermuteMove{{0, 2}}, {2, 3}},
      {ReshapeMove{{6}, {2, 3}}, {7}},
      {ReshapeMove{{6}, {2, 3}}, {2, 3}},
      {ReshapeMove{{6}, {2, 4}}, {6}},
      {ReshapeMove{{INT64_MAX, 2}, {INT64_MAX, 4}}, {INT64_MAX, 2}},
      {ReorderMove{1, {1, 0}}, {4}},
      {ReorderMove{0, {1, 0}}, {5}},
      {ReorderMove{0, {1, 1}}, {4}},
      {ReorderMove{0, {}}, {4}},
  };
  for (const MisfitCase& one : cases) EXPECT_EQ(Turn{{one.move}}.lengths_in_slot(one.lengths), std::nullopt);
  EXPECT_THROW(Turn::permute({1, 0}).to_slot(counted({4})), std::logic_error);
  EXPECT_THROW(Turn::permute({1, 0}).lengths_in_file({4}), std::logic_error);
}

/// A turn of a few random moves that fit these lengths.
Turn random_turn(std::vector<int64_t> lengths, std::mt19937_64& random) {
  Turn turn;
  for (uint64_t left = random() % 5; left > 0; --left) {
    const size_t before = turn.moves.size();
    std::vector<size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const size_t axis = random() % lengths.size();
    switch (random() % 4) {
      case 0:  // two axes become one
        if (axis > 0) {
          std::vector<int64_t> joined = lengths;
          joined[axis - 1] *= joined[axis];
          joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(axis));
          turn.moves.push_back(ReshapeMove{lengths, joined});
        }
        break;
      case 1:  // one axis becomes two
        if (lengths[axis] % 2 == 0) {
          std::vector<int64_t> split = lengths;
          split[axis] /= 2;
          split.insert(split.begin() + static_cast<std::ptrdiff_t>(axis), 2);
          turn.moves.push_back(ReshapeMove{lengths, split});
        }
        break;
      case 2:
        std::shuffle(order.begin(), order.end(), random);
        turn.moves.push_back(PermuteMove{order});
        break;
      default:
        order.resize(static_cast<size_t>(std::max<int64_t>(lengths[axis], 1)));
        std::iota(order.begin(), order.end(), size_t{0});
        std::shuffle(order.begin(), order.end(), random);
        turn.moves.push_back(ReorderMove{axis, order});
    }
    if (turn.moves.size() > before) lengths = Turn{{turn.moves.back()}}.lengths_in_slot(lengths).value();
  }
  return turn;
}

TEST(TurnProperty, MovesNumbersThereAndBack) {
  constexpr uint64_t kSeed = 42;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    std::vector<int64_t> lengths;
    for (size_t rank = 1 + random() % 4; lengths.size() < rank;) {
      lengths.push_back(static_cast<int64_t>(random() % 7));
    }
    const Turn turn = random_turn(lengths, random);
    const std::optional<std::vector<int64_t>> in_slot = turn.lengths_in_slot(lengths);
    ASSERT_TRUE(in_slot);
    const Tensor file = counted(lengths);
    const Tensor slot = turn.to_slot(file);
    ASSERT_EQ(slot.lengths(), *in_slot);
    ASSERT_EQ(turn.lengths_in_file(*in_slot), lengths);
    ASSERT_TRUE(turn.to_file(slot).same_bits(file));
    ASSERT_TRUE(turn.reversed().to_slot(slot).same_bits(file));
    std::vector<int32_t> numbers(slot.values<int32_t>().begin(), slot.values<int32_t>().end());
    std::sort(numbers.begin(), numbers.end());
    ASSERT_TRUE(std::equal(numbers.begin(), numbers.end(), file.values<int32_t>().begin()));
  }
}

}  // namespace
}  // namespace causeway
