#include "causeway/learn/numbers_file.h"

#include "causeway/formats/native/native_file.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/formats/pytorch/summary.h"

namespace causeway {
namespace {

using formats::ByteSource;
using formats::pytorch::Container;

}  // namespace

bool is_numbers_file(const std::string& path) {
  const ByteSource source = ByteSource::open(path);
  return formats::pytorch::container_of(source) != Container::None && !formats::native::claims_native(source);
}

NumbersFile read_numbers(const std::string& path, const ReadOptions& options) {
  const formats::pytorch::StateSummary summary = formats::pytorch::summary_of(ByteSource::open(path), options.key);
  NumbersFile numbers{.format = summary.format, .tensors = {}, .notes = summary.notes};
  for (const auto& tensor : summary.tensors) {
    numbers.tensors.push_back({tensor.name, std::string(tensor.kind ? tensor.kind->torch_name : "unknown"), tensor.lengths});
  }
  return numbers;
}

}  // namespace causeway
