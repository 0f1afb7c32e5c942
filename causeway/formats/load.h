#pragma once

#include <span>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/graph/network.h"
#include "causeway/tensor/tensor.h"
#include "causeway/tensor/turn.h"

namespace causeway::formats {

/// One tensor that a file holds for a network, as the file holds it.
struct Entry {
  std::string path;     ///< Of the slot: its path, or one of its further names.
  Tensor numbers = {};  ///< In the file's layout and dtype.
  Turn turn = {};       ///< Brings them to the slot's layout.
  std::string where;    ///< In the file's own words: `tensor '0.weight'`.
  /// A sentence where the reader knows already why the entry is not taken; its numbers are not looked at then.
  std::string refused = {};
};

/// The one door into a network's slots: every learned and measured slot takes its numbers, or all keep what they held.
/// Constants are no slots here. Numbers stay mapped where dtype and layout are the slot's; half widths are widened
/// exactly, float64 is rounded once to nearest.
///
/// Refused    every fault at once, behind those `found_already`: in the entries' order a path written twice, one that is
///            no slot, another dtype or shape, a number that is not finite, two names of one slot with other bits; then
///            slots that no entry names, in the network's order. Shapes and places are those of the file's layout.
void load(Network& network, std::span<const Entry> entries, std::vector<Fault> found_already = {});

}  // namespace causeway::formats
