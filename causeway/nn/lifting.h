#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causeway/nn/saved_network.h"

namespace causeway::nn {

/// Gives an output of a network its loss. A loss owns its activation: where the output ends in exactly that, and
/// nothing else reads it, the activation is taken off, and predict() puts it back. `from_logits` is what the file says of
/// it: told chances without that end, or logits with it, is a fault at the layer that ends the network, and so is the
/// end of another loss (a softmax before a binary one).
///
/// A loss that the output has already is taken away first, as by take_loss().
///
/// Gives the fault, with nothing changed, or nothing. `where` is the place of the fault if no layer has one.
std::optional<Fault> give_loss(SavedNetwork& saved, std::string output, const Loss& loss,
                               std::optional<bool> from_logits, const std::string& where = "loss");

/// Takes an output's loss away, where it has one: the network itself ends in the loss's activation from then on, and
/// answers as before.
void take_loss(SavedNetwork& saved, std::string output);

}  // namespace causeway::nn
