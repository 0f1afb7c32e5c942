#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "causeway/nn/flow.h"

namespace causeway::nn {

/// What becomes of the masks that come with the values a layer is handed. Every layer's rule stands in the one table of
/// mask_rules.cpp, and Layer::build keeps to it: a layer never hands a mask on that its row does not say.
enum class MaskRule {
  /// Steps are mixed or gone, so no mask goes on.
  Stops,
  /// Every step stays what it was: the mask of the first value goes on.
  Passes,
  /// A step is real that is real in any of the values; known where each of them carries a mask.
  OfAll,
  /// A mask of the layer's own making, or one that its settings let pass.
  OfLayer,
};

struct MaskRow {
  MaskRule rule = MaskRule::Stops;
  /// The rule, and whether the layer reads the mask, as docs/layers.md says it.
  std::string_view says = {};
  std::vector<std::string_view> words = {};
};

/// The rows of the table. A word in none of them is a layer at which masks stop unread.
std::span<const MaskRow> mask_rows();
/// The row of a word.
const MaskRow& mask_row(std::string_view word);

/// Where any of the values' masks is true; empty where one of them carries none.
Value mask_of_all(std::span<const Flow> from);
/// What a layer made, with the mask that its word's rule lets go on.
Flow with_mask_by_rule(std::string_view word, Flow made, std::span<const Flow> from);

}  // namespace causeway::nn
