#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/train/optimizer.h"
#include "causeway/train/optimizers/adagrad.h"
#include "causeway/train/optimizers/adam.h"
#include "causeway/train/optimizers/adamax.h"
#include "causeway/train/optimizers/lion.h"
#include "causeway/train/optimizers/nadam.h"
#include "causeway/train/optimizers/rmsprop.h"
#include "causeway/train/optimizers/sgd.h"

namespace causeway::train {

/// What can be said of an optimizer by its word.
struct OptimizerRow {
  std::string_view word;
  /// The optimizer that a JSON object's members state, `others` being members that are not its settings; faults go to
  /// `faults`, each at its place in `where`.
  Optimizer (*read)(const Json& object, const std::string& where, const std::vector<std::string_view>& others,
                    std::vector<Fault>& faults);
  /// With every setting at its default.
  Optimizer (*plain)();
};

/// One row a word, in the order of the words.
std::span<const OptimizerRow> all_optimizers();

}  // namespace causeway::train
