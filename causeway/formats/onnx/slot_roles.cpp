#include "causeway/formats/onnx/slot_roles.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <unordered_set>

namespace causeway::formats::onnx {
namespace {

struct Row {
  std::string_view op;
  size_t input;
  Role role;
  std::string_view what;
};

constexpr Row kRoles[] = {
    {"Gemm", 0, Role::Learned, "weight"},
    {"Gemm", 1, Role::Learned, "weight"},
    {"Gemm", 2, Role::Learned, "bias"},
    {"MatMul", 0, Role::Learned, "weight"},
    {"MatMul", 1, Role::Learned, "weight"},
    {"Conv", 1, Role::Learned, "weight"},
    {"Conv", 2, Role::Learned, "bias"},
    {"ConvTranspose", 1, Role::Learned, "weight"},
    {"ConvTranspose", 2, Role::Learned, "bias"},
    {"BatchNormalization", 1, Role::Learned, "weight"},
    {"BatchNormalization", 2, Role::Learned, "bias"},
    {"BatchNormalization", 3, Role::Measured, "running_mean"},
    {"BatchNormalization", 4, Role::Measured, "running_var"},
    {"LayerNormalization", 1, Role::Learned, "weight"},
    {"LayerNormalization", 2, Role::Learned, "bias"},
    {"GroupNormalization", 1, Role::Learned, "weight"},
    {"GroupNormalization", 2, Role::Learned, "bias"},
    {"InstanceNormalization", 1, Role::Learned, "weight"},
    {"InstanceNormalization", 2, Role::Learned, "bias"},
    {"RMSNormalization", 1, Role::Learned, "weight"},
    {"PRelu", 1, Role::Learned, "weight"},
    {"Gather", 0, Role::Learned, "weight"},
    {"LSTM", 1, Role::Learned, "weight"},
    {"LSTM", 2, Role::Learned, "recurrent_weight"},
    {"LSTM", 3, Role::Learned, "bias"},
    {"LSTM", 7, Role::Learned, "peepholes"},
    {"GRU", 1, Role::Learned, "weight"},
    {"GRU", 2, Role::Learned, "recurrent_weight"},
    {"GRU", 3, Role::Learned, "bias"},
    {"RNN", 1, Role::Learned, "weight"},
    {"RNN", 2, Role::Learned, "recurrent_weight"},
    {"RNN", 3, Role::Learned, "bias"},
};

// Arithmetic: more than one floating number of it is learned.
constexpr Row kArithmetic[] = {
    {"Add", 0, Role::Learned, "bias"},      {"Add", 1, Role::Learned, "bias"},  {"Sub", 0, Role::Learned, "bias"},
    {"Sub", 1, Role::Learned, "bias"},      {"Mul", 0, Role::Learned, "scale"}, {"Mul", 1, Role::Learned, "scale"},
    {"Div", 0, Role::Learned, "scale"},     {"Div", 1, Role::Learned, "scale"}, {"Einsum", 0, Role::Learned, "weight"},
    {"Einsum", 1, Role::Learned, "weight"},
};

// What only moves numbers: the role of what it makes is that of what it reads.
constexpr std::string_view kMoving[] = {"Transpose", "Reshape", "Cast",   "Identity", "Squeeze",
                                        "Unsqueeze", "Flatten", "Expand", "Slice",    "Split"};

const Row* row_of(const FileNode& node, size_t input, bool is_single) {
  for (const Row& row : kRoles) {
    if (row.op == node.op && row.input == input) return &row;
  }
  if (is_single) return nullptr;
  for (const Row& row : kArithmetic) {
    if (row.op == node.op && row.input == input) return &row;
  }
  return nullptr;
}

bool is_arithmetic(const Row& row) { return &row >= std::begin(kArithmetic) && &row < std::end(kArithmetic); }

bool moves(const FileNode& node, size_t input) {
  if (node.op == "Concat" || node.op == "Sum") return true;
  for (const std::string_view op : kMoving) {
    if (node.op == op) return input == 0;
  }
  return false;
}

// What sums over learned numbers: a list added to it is a bias, one number long too.
std::unordered_set<std::string_view> made_by_products(const GraphPlan& plan) {
  constexpr std::array<std::string_view, 5> kProducts{"Conv", "ConvTranspose", "Einsum", "Gemm", "MatMul"};
  std::unordered_set<std::string_view> made;
  for (const PlannedNode& planned : plan.nodes) {
    const FileNode& node = planned.node;
    if (!node.domain.empty() || std::find(kProducts.begin(), kProducts.end(), node.op) == kProducts.end()) continue;
    made.insert(node.outputs.begin(), node.outputs.end());
  }
  return made;
}

int rank_of(Role role) { return role == Role::Learned ? 2 : role == Role::Measured ? 1 : 0; }

using Uses = std::unordered_map<std::string, SlotUseInFile>;

// The first reader names it; the strongest role wins. (Readers come from last to first.)
void merge(Uses& uses, const std::string& name, const SlotUseInFile& use) {
  const auto [at, is_new] = uses.emplace(name, use);
  if (!is_new && rank_of(use.role) >= rank_of(at->second.role)) at->second = use;
}

// What the bodies of a node read of the values around them, and of what the node hands them, input by input.
void merge_bodies(Uses& uses, const PlannedNode& planned) {
  for (const Attribute& attribute : planned.node.attributes) {
    if (!attribute.graph) continue;
    GraphPlan inner;
    for (const FileNode& node : attribute.graph->nodes) inner.nodes.push_back({.node = node, .scope = planned.scope});
    for (const auto& [name, use] : slot_uses(inner)) merge(uses, name, use);
    const bool hands_over = planned.node.op == "Loop" || planned.node.op == "Scan";
    for (size_t i = 0; hands_over && i < attribute.graph->inputs.size() && i < planned.node.inputs.size(); ++i) {
      const auto inside = uses.find(attribute.graph->inputs[i].name);
      if (inside != uses.end()) merge(uses, planned.node.inputs[i], SlotUseInFile(inside->second));
    }
  }
}

}  // namespace

std::unordered_map<std::string, SlotUseInFile> slot_uses(const GraphPlan& plan) {
  std::unordered_map<std::string, SlotUseInFile> uses;
  const std::unordered_set<std::string_view> products = made_by_products(plan);
  // From the last node to the first, so that what reads a moved value is known before what it was moved from.
  for (auto planned = plan.nodes.rbegin(); planned != plan.nodes.rend(); ++planned) {
    const FileNode& node = planned->node;
    for (size_t i = node.inputs.size(); i-- > 0;) {
      const std::string& name = node.inputs[i];
      const FileTensor* tensor = plan.initializer(name);
      const bool is_bias = node.op == "Add" && node.inputs.size() == 2 && products.contains(node.inputs[1 - i]) &&
                           tensor && tensor->numbers && tensor->numbers->rank() > 0;
      const bool is_single = tensor && tensor->numbers && tensor->numbers->size() <= 1 && !is_bias;
      const bool is_scalar = tensor && tensor->numbers && tensor->numbers->rank() == 0;
      SlotUseInFile use{Role::Constant, "value", planned->scope.path};
      if (const Row* row = node.domain.empty() ? row_of(node, i, is_single) : nullptr) {
        use = {row->role, std::string(row->what), planned->scope.path, is_arithmetic(*row)};
      } else if (moves(node, i) && !is_scalar) {
        for (const std::string& output : node.outputs) {
          const auto moved = uses.find(output);
          if (moved != uses.end() && rank_of(moved->second.role) > rank_of(use.role)) use = moved->second;
        }
      }
      merge(uses, name, use);
    }
    merge_bodies(uses, *planned);
  }
  return uses;
}

namespace {

void capture(const FileNode& node, const std::set<std::string>& around, std::set<std::string>& captured) {
  for (const Attribute& attribute : node.attributes) {
    if (!attribute.graph) continue;
    std::set<std::string> own = around;
    for (const FileDoor& input : attribute.graph->inputs) own.insert(input.name);
    for (const FileTensor& initializer : attribute.graph->initializers) own.insert(initializer.name);
    for (const FileNode& inner : attribute.graph->nodes) own.insert(inner.outputs.begin(), inner.outputs.end());
    for (const FileNode& inner : attribute.graph->nodes) {
      for (const std::string& input : inner.inputs) {
        if (!own.count(input)) captured.insert(input);
      }
      capture(inner, own, captured);
    }
    for (const FileDoor& output : attribute.graph->outputs) {
      if (!own.count(output.name)) captured.insert(output.name);
    }
  }
}

}  // namespace

std::vector<std::string> captured_names(const FileNode& node) {
  std::set<std::string> captured;
  capture(node, {""}, captured);
  return {captured.begin(), captured.end()};
}

}  // namespace causeway::formats::onnx
