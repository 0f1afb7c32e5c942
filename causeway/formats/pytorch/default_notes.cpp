#include "causeway/formats/pytorch/default_notes.h"

#include <optional>
#include <set>
#include <string_view>
#include <variant>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::pytorch {
namespace {

struct Default {
  std::string_view op, setting;
  float keras = 0, torch = 0;
};
constexpr Default kDefaults[] = {
    {"BatchNormalization", "epsilon", 1e-3f, 1e-5f},
    {"GroupNormalization", "epsilon", 1e-3f, 1e-5f},
    {"InstanceNormalization", "epsilon", 1e-3f, 1e-5f},
    {"LayerNormalization", "epsilon", 1e-3f, 1e-5f},
    {"LeakyRelu", "slope", 0.2f, 0.01f},
};
/// Of a LayerNorm by the root mean square: PyTorch takes float32's own epsilon.
constexpr Default kRms = {"LayerNormalization", "epsilon", 1e-6f, 1.1920929e-07f};

bool takes_kerass(const Op& op, const Default& row) {
  if (op.name() != row.op) return false;
  for (const NamedSetting& setting : op.settings()) {
    const double* const value = std::get_if<double>(&setting.value);
    if (setting.name == row.setting && value && static_cast<float>(*value) == row.keras) return true;
  }
  return false;
}

std::optional<Default> default_of(const Op& op) {
  const auto* norm = op.as<ops::LayerNorm>();
  if (norm && norm->rms) return takes_kerass(op, kRms) ? std::optional(kRms) : std::nullopt;
  for (const Default& row : kDefaults) {
    if (takes_kerass(op, row)) return row;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> default_notes(const Graph& graph) {
  std::vector<std::string> notes;
  std::set<std::string_view> told;
  for (const Node* node : graph.nodes()) {
    const std::optional<Default> row = default_of(node->op);
    if (!row || !told.insert(node->scope->slot_path()).second) continue;
    notes.push_back("layer " + quoted(node->scope->slot_path()) + " (" + node->scope->kind + ") takes " +
                    std::string(row->setting == "slope" ? "negative_slope" : row->setting) + " " + text_of(row->keras) +
                    ", Keras's default; PyTorch's is " + text_of(row->torch) + ", and the file does not say.");
  }
  return notes;
}

}  // namespace causeway::formats::pytorch
