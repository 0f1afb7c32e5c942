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
};

/// The layers in the order in which they compute.
std::vector<LayerSummary> summary_of(const Network& network);

/// The numbers of all learned slots.
int64_t parameter_count(const Network& network);

}  // namespace causeway::nn
