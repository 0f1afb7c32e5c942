#include "causeway/ops/batch_norm.h"
#include "causeway/ops/layer_norm.h"
#include "causeway/ops/pad.h"
#include "tests/ops/case_list.h"

// Numbers that the formulas of normalizations and paddings give, worked by hand, in double or by PyTorch and Keras.

namespace causeway::tests {
namespace {

/// Four rows of one feature.
InputCase column() { return floats_of({4, 1}, {1, 2, 4, 9}); }
InputCase one(double number) { return floats_of({1}, {number}); }
InputCase row() { return floats_of({1, 4}, {1, 2, 4, 9}); }

OpCase padded(const std::string& name, ops::PadMode mode, std::vector<double> expected) {
  return {.name = "pad " + name + " of 1 2 3 4 stated",
          .op = ops::Pad{.mode = mode},
          .inputs = {floats_of({4}, {1, 2, 3, 4}), known({2, 1})},
          .expected = {std::move(expected)}};
}

}  // namespace

OpCases stated_cases() {
  return {
      {.name = "batch_norm by its batch stated",
       .op = ops::BatchNormTraining{.axis = -1, .epsilon = 1e-5f},
       .inputs = {column(), absent(), absent()},
       .bound = kNormalization,
       .expected = {{-0.973328, -0.648885, 0, 1.62221}, {4}, {9.5}},
       .gradient_from = {0}},
      {.name = "batch_norm by its batch, Keras's epsilon",
       .op = ops::BatchNormTraining{.axis = -1, .epsilon = 1e-3f},
       .inputs = {column(), one(1), one(0)},
       .bound = kNormalization,
       .expected = {{-0.973277, -0.648852, 0, 1.62213}, {4}, {9.5}},
       .gradient_from = {0}},
      {.name = "batch_norm of one value gives the bias",
       .op = ops::BatchNormTraining{.axis = -1, .epsilon = 1e-3f},
       .inputs = {floats_of({1, 2}, {3, -4}), floats_of({2}, {2, 2}), floats_of({2}, {0.5, -1})},
       .bound = kNormalization,
       .expected = {{0.5, -1}, {3, -4}, {0, 0}},
       .gradient_from = {0}},
      {.name = "batch_norm by running statistics stated",
       .op = ops::BatchNorm{.axis = -1, .epsilon = 1e-5f},
       .inputs = {column(), absent(), absent(), one(0.4), one(1.85)},
       .bound = kNormalization,
       .expected = {{0.441128, 1.17634, 2.64677, 6.32283}},
       .no_gradient_to = {3, 4}},

      {.name = "layer_norm stated",
       .op = ops::LayerNorm{.axes = {-1}, .epsilon = 1e-5f},
       .inputs = {row()},
       .bound = kNormalization,
       .expected = {{-0.973328, -0.648885, 0, 1.62221}}},
      {.name = "layer_norm, Keras's epsilon",
       .op = ops::LayerNorm{.axes = {-1}, .epsilon = 1e-3f},
       .inputs = {row()},
       .bound = kNormalization,
       .expected = {{-0.973277, -0.648852, 0, 1.62213}}},
      {.name = "rms_norm stated",
       .op = ops::LayerNorm{.axes = {-1}, .epsilon = 1e-6f, .rms = true},
       .inputs = {row()},
       .bound = kNormalization,
       .expected = {{0.198030, 0.396059, 0.792118, 1.78227}}},
      // The numbers are so small that a difference of 0.001 says nothing of their slope.
      {.name = "rms_norm of small numbers",
       .op = ops::LayerNorm{.axes = {-1}, .epsilon = 1e-6f, .rms = true},
       .inputs = {floats_of({1, 2}, {1e-4, 2e-4})},
       .bound = kNormalization,
       .expected = {{0.0987730, 0.197546}},
       .check_gradient = false},
      {.name = "rms_norm of small numbers, PyTorch's epsilon",
       .op = ops::LayerNorm{.axes = {-1}, .epsilon = 0x1p-23f, .rms = true},
       .inputs = {floats_of({1, 2}, {1e-4, 2e-4})},
       .bound = kNormalization,
       .expected = {{0.263332, 0.526664}},
       .check_gradient = false},

      padded("reflect", ops::PadMode::Reflect, {3, 2, 1, 2, 3, 4, 3}),
      padded("edge", ops::PadMode::Edge, {1, 1, 1, 2, 3, 4, 4}),
      padded("wrap", ops::PadMode::Wrap, {3, 4, 1, 2, 3, 4, 1}),
      padded("constant", ops::PadMode::Constant, {0, 0, 1, 2, 3, 4, 0}),
  };
}

}  // namespace causeway::tests
