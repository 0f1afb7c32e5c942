#include "tests/learn/layer_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/nn/words.h"
#include "tests/support/files.h"

namespace causeway::tests {
namespace {

formats::safetensors::SafetensorsFile file_of(const LayerCase& given) {
  return formats::safetensors::read_safetensors(
      formats::ByteSource::open(fixture("layers/" + given.name + ".answers.safetensors")));
}

}  // namespace

LayerCase::Tensors LayerCase::tensors(const std::string& kind) const {
  Tensors found;
  for (const auto& stored : file_of(*this).tensors) {
    if (stored.name.starts_with(kind + "/")) found.emplace(stored.name.substr(kind.size() + 1), stored.tensor());
  }
  return found;
}

std::string LayerCase::metadata(const std::string& key) const {
  const auto file = file_of(*this);
  const std::string* value = file.find_metadata(key);
  return value ? *value : "";
}

SavedNetwork LayerCase::network() const {
  const std::string words = name + ".network.json";
  SavedNetwork saved = network_of_words(bytes_of(fixture("layers/" + words)), words);
  Tensors numbers = tensors("slot");
  Slots& slots = saved.network.slots();
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].role == Role::Constant) continue;
    const auto at = numbers.find(slots[i].path);
    if (at == numbers.end() || at->second.lengths() != slots[i].numbers.lengths()) {
      ADD_FAILURE() << slots[i].path << " " << slots[i].numbers.shape().text()
                    << (at == numbers.end() ? " is not in the file" : " is " + at->second.shape().text());
      continue;
    }
    slots[i].assign(at->second);
    numbers.erase(at);
  }
  for (const auto& [path, tensor] : numbers) ADD_FAILURE() << "the network has no slot " << path;
  return saved;
}

std::string LayerCase::test_name() const {
  std::string made = name;
  std::replace_if(
      made.begin(), made.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return made;
}

std::vector<LayerCase> all_layer_cases() {
  const std::string root = fixture("layers"), suffix = ".network.json";
  std::vector<LayerCase> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = std::filesystem::relative(entry.path(), root).string();
    if (path.ends_with(suffix)) cases.push_back({path.substr(0, path.size() - suffix.size())});
  }
  std::sort(cases.begin(), cases.end(), [](const LayerCase& a, const LayerCase& b) { return a.name < b.name; });
  return cases;
}

}  // namespace causeway::tests
