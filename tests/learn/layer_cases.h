#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "causeway/nn/saved_network.h"
#include "causeway/tensor/tensor.h"

namespace causeway::tests {

/// A network in words beside what a framework computes with it; tests/fixtures/layers/README.md says what its file holds.
struct LayerCase {
  using Tensors = std::map<std::string, Tensor, std::less<>>;

  /// "dense/torch_dense_5_3_7".
  std::string name;

  /// The words' network, every slot holding the file's number. A test failure where the slots are others.
  SavedNetwork network() const;
  /// The tensors under `KIND/`, by what stands behind it.
  Tensors tensors(const std::string& kind) const;
  /// "" where the file says nothing of it.
  std::string metadata(const std::string& key) const;
  std::string test_name() const;

  friend void PrintTo(const LayerCase& given, std::ostream* out) { *out << given.name; }
};

/// Every case below tests/fixtures/layers, by name.
std::vector<LayerCase> all_layer_cases();

}  // namespace causeway::tests
