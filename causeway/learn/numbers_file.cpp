#include "causeway/learn/numbers_file.h"

#include "causeway/formats/native/native_file.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/formats/pytorch/summary.h"

namespace causeway {
namespace {

using formats::ByteSource;
using formats::pytorch::Container;

}  // namespace

bool is_numbers_file(const ByteSource& source) {
  return formats::pytorch::container_of(source) != Container::None && !formats::native::claims_native(source);
}

NumbersFile read_numbers(const ByteSource& source, const ReadOptions& options) {
  const formats::pytorch::StateSummary summary = formats::pytorch::summary_of(source, options.key);
  NumbersFile numbers{.format = summary.format, .tensors = {}, .notes = summary.notes};
  for (const auto& tensor : summary.tensors) {
    numbers.tensors.push_back(
        {tensor.name, std::string(tensor.kind ? tensor.kind->torch_name : "unknown"), tensor.lengths});
  }
  return numbers;
}

}  // namespace causeway
