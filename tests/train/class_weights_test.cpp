#include "causeway/train/class_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/base/fault.h"

namespace causeway {
namespace {

TEST(ClassWeights, AreReadByClass) {
  ClassWeights weights;
  read_setting(parse_json(R"({"0": 1, "12": 2.5})", ""), weights);
  EXPECT_THAT(weights, testing::ElementsAre(testing::Pair(0, 1), testing::Pair(12, 2.5)));
}

TEST(ClassWeights, OfNoClassAreRefused) {
  for (const char* name : {"01", "00", "-1", "+1", " 1", "1x", "1.0", "", "9223372036854775808"}) {
    ClassWeights weights;
    const Json json = parse_json(std::string(R"({")") + name + R"(": 1})", "");
    try {
      read_setting(json, weights);
      ADD_FAILURE() << name << " is taken";
    } catch (const Unfit& unfit) {
      EXPECT_THAT(unfit.what(), testing::HasSubstr("which is no class: a whole number is.")) << name;
    }
  }
}

}  // namespace
}  // namespace causeway
