#include "causeway/ops/layer_norm.h"
#include "tests/ops/case_list.h"

namespace causeway::tests {
namespace {

void over_axes(OpCases& cases) {
  struct Over {
    const char* name;
    std::vector<int64_t> lengths, axes, normalized;
  };
  const Over kPlaces[] = {
      {"rows", {3, 7}, {-1}, {7}},
      {"just off a vector", {2, 3, 17}, {2}, {17}},
      {"fifteen", {5, 15}, {1}, {15}},
      {"two axes", {2, 3, 4}, {-2, -1}, {3, 4}},
      {"axes in any order", {2, 3, 4}, {2, 1}, {3, 4}},
      {"an inner axis", {2, 5, 3}, {1}, {5}},
      {"first and last", {4, 2, 3}, {0, -1}, {4, 3}},
      {"one list", {9}, {0}, {9}},
      {"no rows", {0, 4}, {-1}, {4}},
  };
  for (const auto& [name, lengths, axes, normalized] : kPlaces) {
    for (const bool rms : {false, true}) {
      const std::string of = (rms ? " by rms " : " ") + std::string(name);
      const InputCase x = floats(lengths), weight = floats(normalized, 0.5, 1.5), bias = floats(normalized, -1, 1);
      const ops::LayerNorm norm{.axes = axes, .epsilon = 1e-3f, .rms = rms};
      std::vector<InputCase> all = {x, weight};
      if (!rms) all.push_back(bias);
      cases.push_back({.name = "layer_norm" + of, .op = norm, .inputs = all, .bound = kNormalization});
      cases.push_back({.name = "layer_norm bare" + of, .op = norm, .inputs = {x}, .bound = kNormalization});
      cases.push_back({.name = "layer_norm_gradient" + of,
                       .op = ops::LayerNormGradient{.axes = axes, .epsilon = 1e-3f, .rms = rms},
                       .inputs = {floats(lengths), x, weight},
                       .bound = {.relative = 1e-5, .absolute = 4e-5}});
    }
  }
}

/// What falls into several pieces, and sums so long that they do.
void in_pieces(OpCases& cases) {
  struct Large {
    const char* name;
    std::vector<int64_t> lengths, axes, normalized;
  };
  const Large kLarge[] = {
      {"257 each", {130, 257}, {-1}, {257}},
      {"9001 each", {3, 9001}, {-1}, {9001}},
      {"channels over places", {2, 331, 90}, {1}, {331}},
      {"channels over few places", {300, 7, 19}, {1}, {7}},
      {"groups of channels", {3, 70, 4, 5}, {1, 3}, {70, 5}},
      {"one group beside an axis of one", {3, 70, 1, 5}, {1, 3}, {70, 5}},
  };
  for (const auto& [name, lengths, axes, normalized] : kLarge) {
    for (const bool rms : {false, true}) {
      const InputCase x = floats(lengths, -2, 6), weight = floats(normalized, 0.5, 1.5), dy = floats(lengths);
      const std::string of = (rms ? " by rms of " : " of ") + std::string(name);
      const ops::LayerNorm norm{.axes = axes, .rms = rms};
      const ops::LayerNormGradient gradient{.axes = axes, .rms = rms};
      const Bound bound{.relative = 1e-5, .absolute = 4e-5};
      cases.push_back({.name = "layer_norm" + of,
                       .op = norm,
                       .inputs = {x, weight},
                       .bound = kNormalization,
                       .check_gradient = false});
      cases.push_back({.name = "layer_norm_gradient" + of, .op = gradient, .inputs = {dy, x, weight}, .bound = bound});
      cases.push_back({.name = "layer_norm_gradient bare" + of, .op = gradient, .inputs = {dy, x}, .bound = bound});
    }
  }
}

}  // namespace

OpCases layer_norm_cases() {
  OpCases cases = {
      {.name = "layer_norm stated",
       .op = ops::LayerNorm{.epsilon = 1e-5f},
       .inputs = {floats_of({4}, {1, 2, 4, 9})},
       .bound = kNormalization,
       .expected = {{-0.973328, -0.648885, 0, 1.62221}}},
      {.name = "layer_norm stated, keras's epsilon",
       .op = ops::LayerNorm{.epsilon = 1e-3f},
       .inputs = {floats_of({4}, {1, 2, 4, 9})},
       .bound = kNormalization,
       .expected = {{-0.973277, -0.648852, 0, 1.62213}}},
      {.name = "layer_norm by rms stated",
       .op = ops::LayerNorm{.epsilon = 1e-6f, .rms = true},
       .inputs = {floats_of({4}, {1, 2, 4, 9})},
       .bound = kNormalization,
       .expected = {{0.198030, 0.396059, 0.792118, 1.78227}}},
      // So small that a difference of 0.001 says nothing of their slope.
      {.name = "layer_norm by rms of small numbers",
       .op = ops::LayerNorm{.epsilon = 1e-6f, .rms = true},
       .inputs = {floats_of({2}, {1e-4, 2e-4})},
       .bound = kNormalization,
       .expected = {{0.0987730, 0.197546}},
       .check_gradient = false},
      {.name = "layer_norm by rms of small numbers, pytorch's epsilon",
       .op = ops::LayerNorm{.epsilon = 0x1p-23f, .rms = true},
       .inputs = {floats_of({2}, {1e-4, 2e-4})},
       .bound = kNormalization,
       .expected = {{0.263332, 0.526664}},
       .check_gradient = false},
      {.name = "layer_norm with bias alone",
       .op = ops::LayerNorm{},
       .inputs = {floats({3, 5}), absent(), floats({5})},
       .bound = kNormalization},
  };
  over_axes(cases);
  in_pieces(cases);
  return cases;
}

}  // namespace causeway::tests
