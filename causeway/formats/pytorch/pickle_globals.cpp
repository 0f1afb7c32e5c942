#include "causeway/formats/pytorch/pickle_globals.h"

#include <array>
#include <vector>

namespace causeway::formats::pytorch {
namespace {

struct StorageName {
  std::string_view name, torch_name;
};

constexpr StorageName kStorages[] = {
    {"torch.FloatStorage", "float32"},
    {"torch.DoubleStorage", "float64"},
    {"torch.HalfStorage", "float16"},
    {"torch.BFloat16Storage", "bfloat16"},
    {"torch.LongStorage", "int64"},
    {"torch.IntStorage", "int32"},
    {"torch.ShortStorage", "int16"},
    {"torch.CharStorage", "int8"},
    {"torch.ByteStorage", "uint8"},
    {"torch.BoolStorage", "bool"},
    {"torch.ComplexFloatStorage", "complex64"},
    {"torch.ComplexDoubleStorage", "complex128"},
};

constexpr Global kOthers[] = {
    {"collections.OrderedDict", GlobalRole::OrderedDictionary},
    {"torch._utils._rebuild_tensor_v2", GlobalRole::RebuildTensorV2},
    {"torch._utils._rebuild_tensor_v3", GlobalRole::RebuildTensorV3},
    {"torch._utils._rebuild_parameter", GlobalRole::RebuildParameter},
    {"torch._utils._rebuild_parameter_with_state", GlobalRole::RebuildParameterWithState},
    {"torch._tensor._rebuild_from_type_v2", GlobalRole::RebuildFromType},
    {"torch.Tensor", GlobalRole::TensorType},
    {"torch.storage.UntypedStorage", GlobalRole::Storage},
    {"torch.Size", GlobalRole::Inert},
    {"torch.device", GlobalRole::Inert},
    {"collections.Counter", GlobalRole::Inert},
    {"__builtin__.set", GlobalRole::Inert},
    {"builtins.set", GlobalRole::Inert},
    {"_codecs.encode", GlobalRole::Inert},
};

struct Reason {
  std::string_view name, what;
};

constexpr Reason kReasons[] = {
    {"torch._utils._rebuild_sparse_tensor", "a sparse tensor keeps no number for most places. Save a.to_dense()."},
    {"torch._utils._rebuild_sparse_csr_tensor", "a sparse tensor keeps no number for most places. Save a.to_dense()."},
    {"torch._utils._rebuild_qtensor", "a quantised tensor is not read. Save a.dequantize()."},
    {"torch._utils._rebuild_meta_tensor_no_storage",
     "a meta tensor holds no numbers. Save the module once it has some."},
    {"torch._utils._rebuild_nested_tensor", "a nested tensor has no one shape. Save its parts by name."},
    {"torch._utils._rebuild_wrapper_subclass", "a tensor of a class of its own is not read. Save plain tensors."},
    {"torch._tensor._rebuild_from_type", "a tensor of a class of its own is not read. Save plain tensors."},
    {"torch.nn.parameter.UninitializedParameter",
     "a parameter without a shape holds no numbers. Run the module once before it is saved."},
    {"torch.nn.parameter.UninitializedBuffer",
     "a buffer without a shape holds no numbers. Run the module once before it is saved."},
};

/// A name as the table's rows have it: "torch.FloatStorage", "torch.float32" …
const std::vector<std::string>& dtype_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> made;
    for (const safetensors::ElementKind& kind : safetensors::element_kinds()) {
      made.push_back("torch." + std::string(kind.torch_name));
    }
    return made;
  }();
  return kNames;
}

const std::vector<Global>& table() {
  static const std::vector<Global> kTable = [] {
    std::vector<Global> made(std::begin(kOthers), std::end(kOthers));
    for (const StorageName& row : kStorages) {
      made.push_back({row.name, GlobalRole::Storage, safetensors::kind_of_torch(row.torch_name)});
    }
    for (size_t i = 0; i < dtype_names().size(); ++i) {
      made.push_back({dtype_names()[i], GlobalRole::Dtype, &safetensors::element_kinds()[i]});
    }
    return made;
  }();
  return kTable;
}

/// As people write classes: the last part of the name, behind underscores, begins with a capital.
bool names_a_class(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  const size_t letter = last.find_first_not_of('_');
  return letter != std::string_view::npos && last[letter] >= 'A' && last[letter] <= 'Z';
}

}  // namespace

int global_named(std::string_view name) {
  const std::vector<Global>& globals = table();
  for (size_t i = 0; i < globals.size(); ++i) {
    if (globals[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

const Global& global_at(uint32_t index) { return table()[index]; }

std::string reason_against(std::string_view name) {
  for (const Reason& row : kReasons) {
    if (row.name == name) return std::string(row.what);
  }
  if (names_a_class(name)) return "a state dictionary names no class. Save model.state_dict() on its own.";
  return "nothing but tensors is built from a file.";
}

}  // namespace causeway::formats::pytorch
