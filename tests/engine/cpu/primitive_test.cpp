#include "causeway/engine/cpu/primitive.h"

#include <gtest/gtest.h>

#include <string>

namespace causeway::engine::cpu {
namespace {

using Pass = ConvProblem::Pass;

ConvProblem problem(size_t places, int64_t size, int64_t stride, int64_t dilation) {
  ConvProblem p;
  p.places = places;
  p.rows = 2;
  for (size_t i = 3 - places; i < 3; ++i) {
    const int64_t reach = (size - 1) * dilation;
    p.in_lengths[i] = 9;
    p.size[i] = size;
    p.stride[i] = stride;
    p.dilation[i] = dilation;
    p.before[i] = p.after[i] = reach / 2;
    p.out_lengths[i] = (9 + 2 * (reach / 2) - reach - 1) / stride + 1;
  }
  return p;
}

std::string said(const ConvProblem& p) {
  return std::to_string(p.in) + " -> " + std::to_string(p.out) + " in " + std::to_string(p.groups) + ", " +
         std::to_string(p.places) + " place axes of " + std::to_string(p.size[2]) + " by " +
         std::to_string(p.stride[2]) + ", dilation " + std::to_string(p.dilation[2]) + ", pass " +
         std::to_string(static_cast<int>(p.pass));
}

void expect_none_walks(ConvProblem p) {
  for (const Pass pass : {Pass::Forward, Pass::InputGradient, Pass::WeightGradient}) {
    p.pass = pass;
    const std::shared_ptr<const ConvPrimitive> made = ConvPrimitive::make(p);
    ASSERT_TRUE(made) << said(p);
    EXPECT_NE(made->form().substr(0, 3), "ref") << said(p);
  }
}

// Windows and strides; the reference's take a hundred times as long as others.
struct WindowCase {
  const char* name;
  int64_t size, stride, dilation;
};
constexpr WindowCase kWindows[] = {
    {"one", 1, 1, 1},  {"one_by_two", 1, 2, 1},  {"three", 3, 1, 1},         {"three_by_two", 3, 2, 1},
    {"five", 5, 1, 1}, {"five_by_two", 5, 2, 1}, {"three_dilated", 3, 1, 2},
};
class ConvForms : public testing::TestWithParam<WindowCase> {};

TEST_P(ConvForms, NoneIsTheReferenceForAnyNumberOfChannels) {
  const auto& [name, size, stride, dilation] = GetParam();
  constexpr int64_t kChannels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 24, 31, 40};
  for (const size_t places : {1u, 2u, 3u}) {
    for (const int64_t in : kChannels) {
      ConvProblem p = problem(places, size, stride, dilation);
      p.in = in;
      for (const int64_t out : {1, 8, 17}) {
        p.out = out;
        expect_none_walks(p);
      }
    }
  }
}

TEST_P(ConvForms, NoneIsTheReferenceInGroups) {
  const auto& [name, size, stride, dilation] = GetParam();
  for (const size_t places : {1u, 2u, 3u}) {
    for (const int64_t each : {1, 3, 8, 16}) {
      ConvProblem p = problem(places, size, stride, dilation);
      p.groups = 3;
      p.in = 3 * each;
      for (const int64_t out : {1, 4, 16}) {
        p.out = 3 * out;
        expect_none_walks(p);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, ConvForms, testing::ValuesIn(kWindows),
                         [](const testing::TestParamInfo<WindowCase>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace causeway::engine::cpu
