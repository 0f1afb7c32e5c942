#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "causeway/base/json.h"
#include "causeway/nn/saved_network.h"

namespace causeway {

struct WordsOptions {
  /// Named lengths that are numbers here.
  std::map<std::string, int64_t, std::less<>> dims = {};
  /// First numbers are drawn by it; without a seed every slot is 0, for a file to fill.
  std::optional<uint64_t> seed = std::nullopt;
};

/// The network that words state (NET.json): inputs, layers, outputs and loss in Keras's words. `where` is what the text
/// is called in faults.
/// Refused, all at once, each with its line and column: an unknown word, setting or value with the nearest known one; a
/// name that nothing above has, or that is taken; shapes that cannot meet.
SavedNetwork network_of_words(std::string_view text, const std::string& where, const WordsOptions& options = {});
/// The same of a JSON value that is read already.
SavedNetwork network_of_json(const Json& json, const std::string& where, const WordsOptions& options = {});

}  // namespace causeway
