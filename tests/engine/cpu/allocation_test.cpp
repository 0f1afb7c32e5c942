#include <gtest/gtest.h>

#include "causeway/engine/cpu/cpu_engine.h"
#include "tests/engine/cpu/counted_new.h"
#include "tests/engine/cpu/sample_networks.h"
#include "tests/engine/cpu/stepping.h"

namespace causeway::engine::cpu {
namespace {

struct Case {
  const char* name;
  SavedNetwork (*make)();
};
// Networks that do not pass through oneDNN, whose execute() allocates.
constexpr Case kCases[] = {
    {"titanic",
     [] {
       return samples::mlp({14, 16, 1});
     }},
    {"mlp",
     [] {
       return samples::mlp({100, 83, 64, 10});
     }},
};
class Allocation : public testing::TestWithParam<Case> {};

TEST_P(Allocation, ThereIsNoneInAnAnswer) {
  SavedNetwork saved = GetParam().make();
  std::vector<int64_t> lengths = samples::row_lengths(saved);
  lengths.insert(lengths.begin(), 33);
  const auto context = CpuEngine()
                           .compile(saved.network.graph(), saved.network.slots(), Binding{.lengths = {{"x", lengths}}})
                           ->context();
  const Tensor x = samples::random_tensor(lengths, 3);
  const TensorView input = view_of(x);
  EXPECT_EQ(tests::allocations_in([&] { context->run({&input, 1}); }), 0);
}

TEST_P(Allocation, ThereIsNoneInATrainingStep) {
  samples::Stepping stepping(GetParam().make(), 33, CpuEngine());
  stepping.run(1);  // a slot that shares its numbers gets its own
  EXPECT_EQ(tests::allocations_in([&] { stepping.run(2); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Networks, Allocation, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace causeway::engine::cpu
