#pragma once

#include <map>
#include <string>

#include "causeway/graph/rewrite.h"
#include "causeway/nn/saved_network.h"

namespace causeway::train {

/// How a batch hands over what an output is judged by.
struct AnswerForm {
  /// int64 class numbers without the logits' last axis; float32 of the logits' shape otherwise.
  bool are_class_numbers = false;
  /// Whether each row's loss has a weight.
  bool are_weighted = false;
};
/// By output; one that is not named has float32 answers without weights.
using AnswerForms = std::map<std::string, AnswerForm, std::less<>>;

/// The names under which a graph takes them, beside the network's own inputs. No network has an input of such a name.
std::string answers_input(std::string_view output);
std::string weights_input(std::string_view output);

/// The loss of a batch, a scalar: for each output with a loss its weight times the rows' mean (each row times its weight,
/// where it has one, and over the rows or over their weights, as the loss says), and the penalties of the slots that
/// learn. `made` gives what stands in the graph for the network's own values.
/// Refused: no loss of an output of this network; a loss that the output's shape, or its own settings, do not fit.
Value batch_loss(GraphBuilder& graph, const SavedNetwork& saved, const ValueMap& made, const AnswerForms& forms);

}  // namespace causeway::train
