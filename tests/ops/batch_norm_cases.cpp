#include "causeway/ops/batch_norm.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

/// Over shapes whose channels stand last, in the middle and first, with and without weight and bias.
void over_channels(OpCases& cases) {
  struct At {
    const char* name;
    std::vector<int64_t> lengths;
    int64_t axis, channels;
  };
  const At kPlaces[] = {
      {"rows", {7, 3}, -1, 3},
      {"one row", {1, 5}, 1, 5},
      {"one channel", {17, 1}, -1, 1},
      {"image", {2, 3, 5, 7}, -1, 7},
      {"series", {3, 9, 17}, 2, 17},
      {"channels first", {2, 15, 3, 3}, 1, 15},
      {"channels of volume", {2, 8, 2, 3, 1}, -4, 8},
      {"no rows", {0, 4}, -1, 4},
      {"leading axis", {5, 4}, 0, 5},
  };
  for (const auto& [name, lengths, axis, channels] : kPlaces) {
    const InputCase x = floats(lengths), weight = floats({channels}, 0.5, 1.5), bias = floats({channels}, -1, 1);
    const InputCase variance = floats({channels}, 0.2, 2);
    const std::string of = " " + std::string(name);
    cases.push_back({.name = "batch_norm" + of,
                     .op = ops::BatchNorm{.axis = axis, .epsilon = 1e-3f},
                     .inputs = {x, weight, bias, floats({channels}), variance},
                     .bound = kNormalization,
                     .no_gradient_to = {3, 4}});
    cases.push_back({.name = "batch_norm bare" + of,
                     .op = ops::BatchNorm{.axis = axis},
                     .inputs = {x, absent(), absent(), floats({channels}), variance},
                     .bound = kNormalization,
                     .no_gradient_to = {3, 4}});
    const bool spreads = lengths != std::vector<int64_t>{1, 5} && lengths[0] > 0;
    cases.push_back({.name = "batch_norm_training" + of,
                     .op = ops::BatchNormTraining{.axis = axis, .epsilon = 1e-3f},
                     .inputs = {x, weight, bias},
                     .bound = kNormalization,
                     .gradient_from = {0},
                     .check_gradient = spreads});
    cases.push_back({.name = "batch_norm_gradient" + of,
                     .op = ops::BatchNormGradient{.axis = axis, .epsilon = 1e-3f},
                     .inputs = {x, floats(lengths), weight, floats({channels}, -0.5, 0.5), variance},
                     .bound = {.relative = 1e-5, .absolute = 4e-5}});
  }
}

}  // namespace

OpCases batch_norm_cases() {
  // From the specification: one feature, 1 2 4 9.
  const InputCase x = floats_of({4, 1}, {1, 2, 4, 9});
  OpCases cases = {
      {.name = "batch_norm_training stated",
       .op = ops::BatchNormTraining{.epsilon = 1e-5f},
       .inputs = {x},
       .bound = kNormalization,
       .expected = {{-0.973328, -0.648885, 0, 1.62221}, {4}, {9.5}},
       .gradient_from = {0}},
      {.name = "batch_norm_training stated, keras's epsilon",
       .op = ops::BatchNormTraining{.epsilon = 1e-3f},
       .inputs = {x},
       .bound = kNormalization,
       .expected = {{-0.973277, -0.648852, 0, 1.62213}},
       .gradient_from = {0}},
      {.name = "batch_norm_training of one value gives the bias",
       .op = ops::BatchNormTraining{},
       .inputs = {floats_of({1, 2}, {3, 7}), floats_of({2}, {2, 3}), floats_of({2}, {0.5, -1})},
       .bound = kNormalization,
       .expected = {{0.5, -1}, {3, 7}, {0, 0}},
       .gradient_from = {0},
       .check_gradient = false},
      {.name = "batch_norm stated, held",
       .op = ops::BatchNorm{.epsilon = 1e-5f},
       .inputs = {x, absent(), absent(), floats_of({1}, {0.4}), floats_of({1}, {1.85})},
       .bound = kNormalization,
       .expected = {{0.441128, 1.17634, 2.64677, 6.32283}},
       .no_gradient_to = {3, 4}},
      {.name = "batch_norm of three channels",
       .op = ops::BatchNorm{.axis = 1},
       .inputs = {floats_of({1, 3}, {3, 8, 1}), absent(), absent(), floats_of({3}, {1, 2, 3}),
                  floats_of({3}, {4, 9, 16})},
       .bound = kNormalization,
       .expected = {{0.999999, 1.999999, -0.5}},
       .no_gradient_to = {3, 4}},
  };
  over_channels(cases);
  return cases;
}

}  // namespace causeway::tests
