#pragma once

#include <functional>

#include "causeway/graph/graph.h"

namespace causeway::passes {

/// What a transpose is not pushed past.
struct SinkOptions {
  /// Otherwise it stands before a flatten, and what is behind keeps its order.
  bool past_flattens = true;
  /// Nodes whose axes stay as they are (a writer's whose op has one form alone).
  std::function<bool(const Node&)> keeps = {};
};

/// Takes every transpose out of where it stands and pushes it towards the outputs, through each op whose `turned` rule
/// lets it pass, until it meets another that undoes it, a slot it can be put on, or an op it cannot pass; there it
/// stands again. A flatten makes an order of places and channels an order of one axis; that passes on likewise, and
/// ends in the rows of the matrix that reads it. What is put on a slot is a Transpose or Gather node on the slot's own
/// value: an engine works it once (a slot's numbers are its own), and fold_slot_turns() puts it into the numbers.
///
/// The answers are the same to the bit; the doors keep their axes.
Graph sunk_transposes(const Graph& graph, Slots& slots, const SinkOptions& options = {});

/// Puts what only moves a slot's numbers (a Transpose, an Unsqueeze, a Gather of a whole axis in another order), where it
/// is the slot's only reader or stands in the same way before all of them, into the slot's numbers; that changes the
/// slot's shape for good. Others stay.
Graph folded_slot_turns(const Graph& graph, Slots& slots);

}  // namespace causeway::passes
