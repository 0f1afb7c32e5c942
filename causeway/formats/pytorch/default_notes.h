#pragma once

#include <string>
#include <vector>

#include "causeway/graph/graph.h"

namespace causeway::formats::pytorch {

/// A sentence for each layer that takes Keras's default where PyTorch's is another number: a file of numbers cannot say
/// which of the two it was trained with.
std::vector<std::string> default_notes(const Graph& graph);

}  // namespace causeway::formats::pytorch
