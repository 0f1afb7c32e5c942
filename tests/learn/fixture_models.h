#pragma once

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/learn/models.h"

namespace causeway::tests {

/// A model among the fixtures: its file, and the words of its network where the file holds numbers alone; both below
/// tests/fixtures.
struct FixtureModel {
  std::string file, words = {};

  /// As GoogleTest allows names.
  std::string test_name() const {
    std::string name = file.substr(file.find('/') + 1);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
    return name;
  }
  friend void PrintTo(const FixtureModel& model, std::ostream* out) { *out << model.file; }
};

/// Every model of tests/fixtures/titanic and tests/fixtures/convolution, by name of file.
std::vector<FixtureModel> titanic_models();
std::vector<FixtureModel> convolution_models();

/// Options for a model's file. PyTorch's exporters write logits and name no loss: a Titanic network of theirs answers
/// through binary cross-entropy.
SavedNetwork read_fixture(const FixtureModel& model);

/// One array of a .safetensors file below tests/fixtures.
Tensor array_of(std::string_view file, std::string_view name);

/// The most roundings (float32) that two tensors of one shape lie apart.
int64_t most_ulps(const Tensor& a, const Tensor& b);

/// The most that two tensors of one shape lie apart, and the largest number of one.
double most_apart(const Tensor& a, const Tensor& b);
double largest(const Tensor& tensor);

/// The bytes of every slot by path.
std::vector<std::pair<std::string, std::string>> bits_by_path(const Network& network);

}  // namespace causeway::tests
