#include "causeway/formats/pytorch/containers.h"

#include <memory>
#include <string>
#include <utility>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/archive.h"
#include "causeway/formats/pytorch/before_1_6.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/formats/safetensors/index.h"

namespace causeway::formats::pytorch {
namespace {

StateDictionary state_of(safetensors::SafetensorsFile file, std::string where) {
  StateDictionary state;
  state.where = std::move(where);
  for (const auto& [name, value] : file.metadata) {
    if (name == "format" && value != "pt") {
      throw Refused("header", "'format' is " + quoted(value) + ", and only PyTorch's layout, 'pt', is read.");
    }
  }
  state.metadata = std::move(file.metadata);
  for (safetensors::StoredTensor& stored : file.tensors) {
    StateTensor tensor;
    tensor.name = std::move(stored.name);
    tensor.kind = stored.kind;
    tensor.lengths = std::move(stored.lengths);
    tensor.storage = std::make_shared<Storage>([bytes = stored.bytes, owner = std::move(stored.owner)] {
      return OwnedBytes{bytes, owner};
    });
    state.tensors.push_back(std::move(tensor));
  }
  return state;
}

}  // namespace

Container container_of(const ByteSource& source) {
  constexpr size_t kTarMagicAt = 257;
  if (claims_archive(source)) return Container::Archive;
  if (claims_before_1_6(source)) return Container::BeforeOnePointSix;
  if (source.size() > kTarMagicAt && source.text().substr(kTarMagicAt, 5) == "ustar") return Container::Tar;
  if (safetensors::claims_index(source)) return Container::SafetensorsIndex;
  if (safetensors::claims_safetensors(source)) return Container::Safetensors;
  return Container::None;
}

std::string_view format_of(Container container) {
  return container == Container::Safetensors || container == Container::SafetensorsIndex ? "safetensors" : "pytorch";
}

StateDictionary read_state(const ByteSource& source, std::string_view key) {
  const std::string file = escaped(source.file_name());
  const Container container = container_of(source);
  switch (container) {
    case Container::Archive:
      return read_archive(source, key);
    case Container::BeforeOnePointSix:
      return read_before_1_6(source, key);
    case Container::Tar:
      throw Refused(file,
                    "this is a tar of PyTorch before 0.1.10, which is not read. Load it in PyTorch and save it again.");
    case Container::Safetensors:
    case Container::SafetensorsIndex:
      if (!key.empty()) throw Refused(file, "a safetensors file has no keys, and " + quoted(key) + " is asked for.");
      return container == Container::Safetensors ? state_of(safetensors::read_safetensors(source), file)
                                                 : state_of(safetensors::read_sharded(source), file);
    case Container::None:
      break;
  }
  throw Refused(file, "this is neither a safetensors file nor one that torch.save wrote.");
}

}  // namespace causeway::formats::pytorch
