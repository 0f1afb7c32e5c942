#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "causeway/formats/byte_source.h"
#include "causeway/nn/saved_network.h"
#include "causeway/nn/stated_loss.h"

namespace causeway {

struct ReadOptions {
  /// The network a file of numbers belongs to; a copy of it takes them.
  const Network* network = nullptr;
  /// In place of the loss the file names, or for one that names none; for several outputs see `losses`.
  std::optional<StatedLoss> loss = std::nullopt;
  std::map<std::string, StatedLoss, std::less<>> losses = {};
  /// The key a state dictionary lies under, and a prefix on every name of it.
  std::string key = {}, strip_prefix = {};
  /// What a flatten (by path) is handed: "26,26,4", "series" or "rows".
  std::map<std::string, std::string, std::less<>> flattened = {};
  /// Symbolic lengths bound before reading.
  std::map<std::string, int64_t, std::less<>> dims = {};
  bool recognise_layers = true;
  /// Numbers stay in the mapped file where the format allows; false copies them.
  bool mapped = true;
};

namespace formats {

/// The seam of a reader.
class Importer {
 public:
  virtual ~Importer() = default;

  virtual std::string_view format() const = 0;
  /// Whether the content begins like this format; reads little and throws nothing.
  virtual bool claims(const ByteSource& source) const = 0;
  /// Refused with every fault.
  virtual SavedNetwork read(const ByteSource& source, const ReadOptions& options) const = 0;
};

}  // namespace formats
}  // namespace causeway
