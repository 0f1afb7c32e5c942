#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/pytorch/state.h"
#include "causeway/graph/slot.h"

namespace causeway::formats::pytorch {

/// The longest run of dotted parts that every name begins with, its dot included; "" where there is none.
std::string common_prefix(const StateDictionary& state);

/// Takes a prefix, a run of dotted parts, off every name; a name without it is a fault and goes.
void strip_prefix(StateDictionary& state, std::string_view prefix);

/// The prefix on every name that slots would match better without, such as `module.`; none where there is none.
std::optional<std::string> prefix_in_the_way(const StateDictionary& state, const Slots& slots);

/// A weight that the file keeps as two halves, weight = v * (g / |v|): the places of both among the tensors.
struct WeightNorm {
  std::string layer;
  size_t g = 0, v = 0;
};

/// A weight of a layer that the file keeps otherwise, and why it is not read.
struct OddWeight {
  std::string layer, fault;
};

/// What stands in a state dictionary for weights that a network has slots for.
struct Reparametrized {
  std::vector<WeightNorm> weight_norms;
  std::vector<OddWeight> refused;
  std::vector<bool> is_part;  ///< By tensor: it belongs to one of the above, and is no slot's own.
};
Reparametrized reparametrized(const StateDictionary& state, const Slots& slots);

/// The weight, worked in double and rounded once: the norm is over every axis but the one along which g is longer than 1.
/// Calls unfit() where the two do not fit.
Tensor normalized_weight(const StateTensor& g, const StateTensor& v);

}  // namespace causeway::formats::pytorch
