#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/nn/loss.h"
#include "causeway/nn/losses/crossentropy.h"
#include "causeway/nn/losses/earth_movers_distance.h"
#include "causeway/nn/losses/errors.h"
#include "causeway/nn/losses/focal.h"
#include "causeway/nn/losses/hinge.h"
#include "causeway/nn/stated_loss.h"

namespace causeway::nn {

/// What can be said of a loss by its word.
struct LossRow {
  std::string_view word;
  /// What a JSON object's members state, "kind" aside; faults go to `faults`, each at its place in `where`.
  std::function<StatedLoss(const Json& object, const std::string& where, std::vector<Fault>& faults)> read;
  /// With every setting at its default.
  Loss plain;
};

/// One row a word, in the order of the words.
std::span<const LossRow> all_losses();
/// The row of a word; null where there is none.
const LossRow* loss_row(std::string_view word);

/// A word, or an object with its "kind" and settings. Faults go to `faults` at their place in `where`, and nothing comes
/// back then.
std::optional<StatedLoss> read_loss(const Json& json, const std::string& where, std::vector<Fault>& faults);
/// An object with "kind" and every setting, the weight among them.
Json write_loss(const Loss& loss);

}  // namespace causeway::nn
