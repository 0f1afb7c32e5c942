#include "causeway/ops/op_list.h"

#include <gtest/gtest.h>

#include "tests/support/refusal.h"

namespace causeway::ops {
namespace {

TEST(OpList, IsInTheOrderOfNames) {
  const std::span<const OpRow> rows = all_ops();
  for (size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].name, rows[i].name);
}

TEST(OpList, MakesAnOpByItsName) {
  for (const OpRow& row : all_ops()) {
    const std::optional<Op> made = make_op(row.name, {});
    ASSERT_TRUE(made) << row.name;
    EXPECT_EQ(made->name(), row.name);
    EXPECT_EQ(make_op(row.name, made->settings()), made) << row.name;
  }
}

TEST(OpList, MakesAnOpOfItsSettings) {
  const Conv conv{.window = Window::of({3, 3}), .groups = 2, .layout = Layout::ChannelsFirst};
  const std::optional<Op> made = make_op("Conv", Op(conv).settings());
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, Op(conv));
}

TEST(OpList, HasNoOpOfAnotherName) { EXPECT_FALSE(make_op("Foo", {})); }

TEST(OpList, RefusesASettingThatAnOpHasNot) {
  EXPECT_EQ(tests::unfit_of([] { make_op("Softmax", {{"slope", 1.0}}); }), "setting 'slope' is none of this kind.");
}

}  // namespace
}  // namespace causeway::ops
