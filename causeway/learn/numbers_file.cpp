#include "causeway/learn/numbers_file.h"

#include "causeway/base/quoted.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/formats/pytorch/containers.h"
#include "causeway/formats/pytorch/wrapping.h"

namespace causeway {
namespace {

using formats::ByteSource;
using formats::pytorch::Container;
using formats::pytorch::StateDictionary;

// The dotted parts that every name begins with; "" where there are none.
std::string common_prefix(const StateDictionary& state) {
  if (state.tensors.size() < 2) return "";
  std::string prefix = state.tensors[0].name;
  for (const auto& tensor : state.tensors) {
    while (!prefix.empty() && !tensor.name.starts_with(prefix)) prefix.pop_back();
  }
  const size_t dot = prefix.rfind('.');
  return dot == std::string::npos ? "" : prefix.substr(0, dot + 1);
}

}  // namespace

bool is_numbers_file(const std::string& path) {
  const ByteSource source = ByteSource::open(path);
  return formats::pytorch::container_of(source) != Container::None && !formats::native::claims_native(source);
}

NumbersFile read_numbers(const std::string& path, const ReadOptions& options) {
  const ByteSource source = ByteSource::open(path);
  const Container container = formats::pytorch::container_of(source);
  NumbersFile numbers{.format = std::string(formats::pytorch::format_of(container)), .tensors = {}, .notes = {}};
  StateDictionary state = formats::pytorch::read_state(source, options.key);
  if (!options.strip_prefix.empty()) formats::pytorch::strip_prefix(state, options.strip_prefix);
  for (const auto& tensor : state.tensors) {
    numbers.tensors.push_back(
        {tensor.name, std::string(tensor.kind ? tensor.kind->torch_name : "unknown"), tensor.lengths});
  }
  const std::string prefix = common_prefix(state);
  if (!prefix.empty()) {
    numbers.notes.push_back("all " + std::to_string(state.tensors.size()) + " names begin with " + quoted(prefix) +
                            ". Where the network's own do not, read it with --strip-prefix " + escaped(prefix) + ".");
  }
  for (const Fault& fault : state.faults) numbers.notes.push_back(fault.where + ": " + fault.what);
  return numbers;
}

}  // namespace causeway
