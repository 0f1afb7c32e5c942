#pragma once

#include "causeway/graph/graph.h"

namespace causeway::passes {

/// Whether a flatten is passed. Where it is not, the transpose stands before it, and what is behind keeps its order.
enum class AtFlatten { Pass, Stop };

/// Takes every transpose out of where it stands and pushes it towards the outputs, through each op whose `turned` rule
/// lets it pass, until it meets another that undoes it, a slot it can be put on, or an op it cannot pass; there it
/// stands again. A flatten makes an order of places and channels an order of one axis; that passes on likewise, and
/// ends in the rows of the matrix that reads it. What is put on a slot is a Transpose or Gather node on the slot's own
/// value: an engine works it once (a slot's numbers are its own), and fold_slot_turns() puts it into the numbers.
///
/// The answers are the same to the bit; the doors keep their axes.
Graph sunk_transposes(const Graph& graph, Slots& slots, AtFlatten at_flatten = AtFlatten::Pass);

/// Puts a Transpose or Gather that is the only reader of a slot, or stands in the same way before all its readers, into
/// the slot's numbers, which changes the slot's shape for good. Others stay.
Graph folded_slot_turns(const Graph& graph, Slots& slots);

}  // namespace causeway::passes
