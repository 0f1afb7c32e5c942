#pragma once

#include <map>
#include <string>
#include <vector>

#include "causeway/graph/network.h"
#include "causeway/nn/loss.h"

namespace causeway {

/// A network and what it answers through: a loss an output, none being allowed. The network ends in logits where there
/// is a loss; predict() applies the loss's activation.
struct SavedNetwork {
  Network network;
  /// By output.
  std::map<std::string, Loss, std::less<>> losses = {};
  /// Names of the columns of its input, where the file says them.
  std::vector<std::string> features = {};
  /// What reading noticed, a sentence each.
  std::vector<std::string> notes = {};
  /// Whether its file keeps the numbers in half precision: they were widened, and are not trained until convert has
  /// written them so.
  bool kept_in_half = false;
  /// "keras", "onnx" …, and the program that wrote the file, as it says.
  std::string format = {}, producer = {};
  /// The words the network was made from (NET.json), as a JSON text; "" where it was not.
  std::string words = {};
};

}  // namespace causeway
