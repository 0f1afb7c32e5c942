#pragma once

#include <map>
#include <string>

#include "causeway/graph/value.h"

namespace causeway {

/// What one layer hands another while words or Keras layers are built. The mask ([N, L], true where a step is real) is
/// an ordinary value; it is empty where there is none.
struct Flow {
  Value value, mask = {};
};

/// Values by the names that layers below know them by: paths of layers, and inputs.
using NamedFlows = std::map<std::string, Flow, std::less<>>;

}  // namespace causeway
