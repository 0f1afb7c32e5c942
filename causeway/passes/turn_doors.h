#pragma once

#include <span>
#include <string>

#include "causeway/graph/network.h"

namespace causeway::passes {

enum class Doors { ChannelsFirst, ChannelsLast };

/// What the axes of an input mean ("NCHW", "NLC"), as told by the first window that reads it through element-wise ops
/// and transposes; "" where none does. `nodes` stand below what they read.
std::string axes_of_input(std::span<const Node* const> nodes, const Value& input);
/// The same of an output, as told by the window that makes it.
std::string axes_of_output(const Value& output);

/// The same network with its doors turned: an image's channels behind its places, or before them. A transpose at the
/// door is pushed along and cancelled, what falls on slots is put into their numbers, and what is left stays as a
/// transpose; the answers are the same. A door of rows has no places, and one of truths (a mask) no channels:
/// both stay as they are.
///
/// Refused    a door of rank 3 to 5 whose axes neither the network nor a window tells, by name.
Network turned(const Network& network, Doors doors);

}  // namespace causeway::passes
