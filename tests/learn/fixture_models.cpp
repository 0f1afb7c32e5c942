#include "tests/learn/fixture_models.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/words.h"
#include "tests/support/files.h"

namespace causeway::tests {
namespace {

// The files of a folder that are models; numbers alone come with the words NAME.network.json.
std::vector<FixtureModel> models_in(const std::string& folder) {
  constexpr std::array<std::string_view, 5> kSuffixes{".safetensors", ".pt", ".onnx", ".keras", ".h5"};
  std::vector<FixtureModel> models;
  for (const auto& entry : std::filesystem::directory_iterator(fixture(folder))) {
    const std::filesystem::path& path = entry.path();
    const std::string suffix = path.extension().string();
    if (std::find(kSuffixes.begin(), kSuffixes.end(), suffix) == kSuffixes.end()) continue;
    FixtureModel model{folder + "/" + path.filename().string()};
    const bool numbers_alone = suffix == ".safetensors" || suffix == ".pt";
    if (numbers_alone) {
      model.words = folder + "/" + path.stem().string() + ".network.json";
      // Rows and answers are arrays and no models.
      if (!std::filesystem::exists(fixture(model.words))) continue;
    }
    models.push_back(std::move(model));
  }
  std::sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return models;
}

int64_t ulps_between(float a, float b) {
  const auto ordered = [](float number) {
    const auto bits = std::bit_cast<int32_t>(number);
    return int64_t{bits < 0 ? std::numeric_limits<int32_t>::min() - bits : bits};
  };
  return std::abs(ordered(a) - ordered(b));
}

}  // namespace

std::vector<FixtureModel> titanic_models() { return models_in("titanic"); }
std::vector<FixtureModel> convolution_models() { return models_in("convolution"); }

SavedNetwork read_fixture(const FixtureModel& model) {
  ReadOptions options;
  SavedNetwork named;
  if (!model.words.empty()) {
    named = network_of_words(bytes_of(fixture(model.words)), model.words);
    options.network = &named.network;
    options.losses = {named.losses.begin(), named.losses.end()};
  }
  const bool exported_by_torch = model.file.ends_with(".onnx") && model.file.find("keras") == std::string::npos;
  if (exported_by_torch && model.file.starts_with("titanic/")) options.loss = BinaryCrossentropy{};
  return read_model(fixture(model.file), options);
}

Tensor array_of(std::string_view file, std::string_view name) {
  const auto read = formats::safetensors::read_safetensors(formats::ByteSource::open(fixture(file)));
  for (const auto& stored : read.tensors) {
    if (stored.name == name) return stored.tensor();
  }
  ADD_FAILURE() << name << " is not in " << file;
  return {};
}

int64_t most_ulps(const Tensor& a, const Tensor& b) {
  int64_t most = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    most = std::max(most, ulps_between(static_cast<float>(a.number_at(i)), static_cast<float>(b.number_at(i))));
  }
  return most;
}

double most_apart(const Tensor& a, const Tensor& b) {
  double most = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    const double apart = std::fabs(a.number_at(i) - b.number_at(i));
    // A NaN is as far as anything can be.
    most = apart <= most ? most : std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
  }
  return most;
}

double largest(const Tensor& tensor) {
  double most = 0;
  for (int64_t i = 0; i < tensor.size(); ++i) most = std::max(most, std::fabs(tensor.number_at(i)));
  return most;
}

std::vector<std::pair<std::string, std::string>> bits_by_path(const Network& network) {
  std::vector<std::pair<std::string, std::string>> all;
  for (size_t i = 0; i < network.slots().size(); ++i) {
    const Slot& slot = network.slots()[i];
    all.emplace_back(slot.path, std::string(static_cast<const char*>(slot.numbers.data()), slot.numbers.size_bytes()));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace causeway::tests
