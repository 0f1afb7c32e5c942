#pragma once

#include <string>
#include <vector>

#include "causeway/graph/network.h"

namespace causeway::nn {

/// One layer as a person sees it. Its parameters are the numbers of its learned slots, held ones too; a layer that is
/// called again is listed for each call and counted once.
struct LayerSummary {
  std::string path, kind;
  /// Of its last value that other layers or the network's outputs read.
  Shape output_shape;
  int64_t parameters = 0;
  /// Whether every learned slot of it is held; false where it has none.
  bool held = false;
  /// Whether it reads a mask beside its other values, and whether it makes one that other layers read.
  bool reads_mask = false, makes_mask = false;
  /// Its learned slots, in the order in which it reads them.
  std::vector<std::string> slots = {};
};

/// How a slot is trained beside the loss: "l1 0.1, l2 0.2, norm at most 3"; "" where nothing is stated.
std::string training_rules(const Slot& slot);

/// The layers in the order in which they compute.
std::vector<LayerSummary> summary_of(const Network& network);

/// The numbers of all learned slots.
int64_t parameter_count(const Network& network);

}  // namespace causeway::nn
