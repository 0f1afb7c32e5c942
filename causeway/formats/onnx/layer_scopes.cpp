#include "causeway/formats/onnx/layer_scopes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace causeway::formats::onnx {
namespace {

// The weight of ops that any layer may be written with: they name one that has no other node.
constexpr int kAlone = -1;

struct KindRow {
  std::string_view op, kind;
  bool per_axis = false;  // the kind ends in 1D, 2D or 3D
  int weight = 1;         // which of a layer's nodes names it: the heaviest
};

// By op; those that read learned numbers name a layer before those that read none.
constexpr KindRow kKinds[] = {
    {"Gemm", "Dense", false, 3},
    {"MatMul", "Dense", false, 3},
    {"Conv", "Conv", true, 4},
    {"ConvTranspose", "ConvTranspose", true, 4},
    {"BatchNormalization", "BatchNormalization", false, 2},
    {"LayerNormalization", "LayerNormalization", false, 2},
    {"GroupNormalization", "GroupNormalization", false, 2},
    {"InstanceNormalization", "InstanceNormalization", false, 2},
    {"RMSNormalization", "RMSNormalization", false, 2},
    {"LSTM", "LSTM", false, 5},
    {"GRU", "GRU", false, 5},
    {"RNN", "SimpleRNN", false, 5},
    {"Gather", "Embedding", false, 2},
    {"PRelu", "PReLU", false, 2},
    {"Relu", "ReLU"},
    {"LeakyRelu", "LeakyReLU"},
    {"Elu", "ELU"},
    {"Celu", "CELU"},
    {"Gelu", "GELU"},
    {"Selu", "SELU"},
    {"Sigmoid", "Sigmoid"},
    {"Tanh", "Tanh"},
    {"HardSigmoid", "HardSigmoid"},
    {"HardSwish", "HardSilu"},
    {"Mish", "Mish"},
    {"Softplus", "Softplus"},
    {"Softsign", "Softsign"},
    {"Softmax", "Softmax"},
    {"LogSoftmax", "LogSoftmax"},
    {"Flatten", "Flatten"},
    {"Reshape", "Reshape", false, 0},
    {"MaxPool", "MaxPooling", true},
    {"AveragePool", "AveragePooling", true},
    {"Dropout", "Dropout"},
    {"Concat", "Concatenate", false, 0},
    {"Transpose", "Permute", false, kAlone},
    {"Add", "Add", false, kAlone},
    {"Sub", "Subtract", false, kAlone},
    {"Mul", "Multiply", false, kAlone},
    {"Max", "Maximum", false, kAlone},
    {"Min", "Minimum", false, kAlone},
};

// Layers that exporters write as several nodes: their ops in order, constants aside.
constexpr std::pair<std::string_view, std::string_view> kChains[] = {
    {"Div Erf Add Mul Mul", "GELU"},
    {"Mul Mul Mul Add Mul Tanh Add Mul Mul", "GELU"},
    {"Pow Mul Add Mul Tanh Add Mul Mul", "GELU"},
    {"Sigmoid Mul", "SiLU"},
    {"Mul Sigmoid Mul", "Activation"},
    {"Softplus Tanh Mul", "Mish"},
    {"HardSigmoid Mul", "HardSilu"},
    {"Abs Add Div", "Softsign"},
    {"Sigmoid Log", "LogSigmoid"},
    {"ReduceMean Sub Pow ReduceMean Add Sqrt Div", "LayerNormalization"},
    {"ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add", "LayerNormalization"},
    {"ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul Add", "LayerNormalization"},
    {"Pow ReduceMean Add Sqrt Reciprocal Mul Mul", "RMSNormalization"},
    {"Reshape InstanceNormalization Shape Reshape Mul Add", "GroupNormalization"},
    {"Shape Gather Unsqueeze Concat Reshape", "Flatten"},
};

// PyTorch's classes under the kinds they have here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kClasses = {{
    {"Linear", "Dense"},
    {"Conv1d", "Conv1D"},
    {"Conv2d", "Conv2D"},
    {"Conv3d", "Conv3D"},
    {"BatchNorm1d", "BatchNormalization"},
    {"BatchNorm2d", "BatchNormalization"},
    {"BatchNorm3d", "BatchNormalization"},
    {"LayerNorm", "LayerNormalization"},
    {"GroupNorm", "GroupNormalization"},
    {"MaxPool2d", "MaxPooling2D"},
    {"AvgPool2d", "AveragePooling2D"},
    {"Sequential", "graph"},
}};

/// The weight of a kind that the file states.
constexpr int kStated = 9;

struct Kind {
  std::string name = "graph";
  int weight = kAlone - 1;
};

// The weight of the op that makes a layer of that kind; -1 where none does.
int weight_of(std::string_view kind) {
  int weight = -1;
  for (const KindRow& row : kKinds) {
    if (kind.compare(0, row.kind.size(), row.kind) == 0) weight = std::max(weight, row.weight);
  }
  return weight;
}

Kind kind_of(const FileNode& node) {
  const auto row =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindRow& r) { return r.op == node.op; });
  if (row == std::end(kKinds) || !node.domain.empty()) return {};
  Kind kind{std::string(row->kind), row->weight};
  if (!row->per_axis) return kind;
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name != "kernel_shape") continue;
    const std::string rank = std::to_string(attribute.integers.size()) + "D";
    kind.name = row->op == "ConvTranspose" ? "Conv" + rank + "Transpose" : kind.name + rank;
  }
  return kind;
}

// A Python list of texts as it prints: ['', 'layers.0', 'linear'].
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> items;
  for (size_t at = 0; at < text.size();) {
    const char quote = text[at++];
    if (quote != '\'' && quote != '"') continue;
    const size_t end = text.find(quote, at);
    if (end == std::string::npos) break;
    items.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return items;
}

// What a node says of its layer itself.
std::optional<Scope> stated_layer(const FileNode& node, const LayerKinds& stated) {
  if (const std::string* path = find(node.metadata, kLayerKey)) {
    const std::string* kind = find(node.metadata, kKindKey);
    return Scope{*path, kind ? *kind : "graph", ""};
  }
  if (const std::string* scopes = find(node.metadata, "pkg.torch.onnx.name_scopes")) {
    // The first is the whole model's, empty; the last the call itself. Each in between has its path from the top.
    const std::vector<std::string> names = listed(*scopes);
    if (names.size() < 3 || names[names.size() - 2].empty()) return std::nullopt;
    Scope scope{names[names.size() - 2], "", ""};
    if (const std::string* classes = find(node.metadata, "pkg.torch.onnx.class_hierarchy")) {
      const std::vector<std::string> hierarchy = listed(*classes);
      if (hierarchy.size() < 2) return scope;
      const std::string& last = hierarchy[hierarchy.size() - 2];
      const std::string name = last.substr(last.rfind('.') + 1);
      const auto known = std::find_if(kClasses.begin(), kClasses.end(), [&](const auto& c) { return c.first == name; });
      scope.kind = known == kClasses.end() ? name : std::string(known->second);
    }
    return scope;
  }
  if (const auto known = stated.find(std::string_view(node.name).substr(0, node.name.rfind('/')));
      known != stated.end()) {
    return Scope{known->first, known->second, ""};
  }
  // TorchScript: /encoder/0/linear/Gemm; tf2onnx: model/dense/MatMul.
  std::string path = node.name;
  if (!path.empty() && path[0] == '/') path.erase(0, 1);
  const size_t own = path.rfind('/');
  if (own == std::string::npos || own == 0) return std::nullopt;
  path.resize(own);
  std::replace(path.begin(), path.end(), '/', '.');
  return Scope{path, "", ""};
}

std::string layer_of_numbers(const std::string& name) {
  if (is_made_up(name) || name.find('/') != std::string::npos) return "";
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

// TorchScript calls the second use of `fc` by the name fc_1; its numbers still lie at fc.
std::string called_again(const FileNode& node, const Scope& layer, const GraphPlan& plan) {
  const size_t mark = layer.path.find_last_not_of("0123456789");
  if (mark == std::string::npos || mark + 1 == layer.path.size() || layer.path[mark] != '_') return layer.path;
  for (const std::string& input : node.inputs) {
    if (plan.initializer(input) && layer_of_numbers(input) == layer.path.substr(0, mark))
      return layer.path.substr(0, mark);
  }
  return layer.path;
}

// A layer called again reads the same numbers at the same place once more: from there on its nodes are path#2.
void number_further_uses(GraphPlan& plan) {
  struct Use {
    int number = 1;
    std::set<std::string> reads;
  };
  std::map<std::string, Use> uses;
  for (PlannedNode& planned : plan.nodes) {
    if (planned.scope.path.empty()) continue;
    Use& use = uses[planned.scope.path];
    std::set<std::string> reads;
    for (size_t i = 0; i < planned.node.inputs.size(); ++i) {
      const FileTensor* tensor = plan.initializer(planned.node.inputs[i]);
      if (!tensor || !tensor->numbers || tensor->numbers->size() <= 1 || !is_floating(tensor->numbers->dtype()))
        continue;
      reads.insert(planned.node.op + " " + std::to_string(i) + " " + tensor->name);
    }
    const bool again =
        std::any_of(reads.begin(), reads.end(), [&](const std::string& read) { return use.reads.count(read); });
    if (again) {
      ++use.number;
      use.reads.clear();
    }
    use.reads.merge(reads);
    if (use.number > 1) planned.scope.path += "#" + std::to_string(use.number);
  }
}

}  // namespace

bool is_made_up(const std::string& name) {
  for (const std::string_view begin : {"onnx::", "val_", "const_", "Const_", "/Constant", "_val_", "scalar_tensor"}) {
    if (name.compare(0, begin.size(), begin) == 0) return true;
  }
  return name.find("/Constant_") != std::string::npos;
}

void name_layers(GraphPlan& plan, const Scope& around, const LayerKinds& stated) {
  std::unordered_map<std::string, std::string> maker_layers;
  for (PlannedNode& planned : plan.nodes) {
    std::optional<Scope> layer = stated_layer(planned.node, stated);
    if (layer) layer->path = called_again(planned.node, *layer, plan);
    if (!layer) {
      layer.emplace();
      for (const std::string& input : planned.node.inputs) {
        if (layer->path.empty() && plan.initializer(input)) layer->path = layer_of_numbers(input);
      }
      for (const std::string& input : planned.node.inputs) {
        const auto maker = maker_layers.find(input);
        if (layer->path.empty() && maker != maker_layers.end()) layer->path = maker->second;
      }
    }
    if (layer->path.empty()) *layer = around;
    for (const std::string& output : planned.node.outputs) maker_layers[output] = layer->path;
    planned.scope = *std::move(layer);
  }
  // One kind a path: what the file says, else what its heaviest op is. A class whose layer an exporter folded into
  // another's op, as a batch normalization into a convolution, holds a heavier op than its own, and is that op's layer.
  std::map<std::string, Kind> kinds, held;
  for (const PlannedNode& planned : plan.nodes) {
    Kind &kind = kinds[planned.scope.path], &heaviest = held[planned.scope.path];
    const Kind of_op = kind_of(planned.node);
    if (of_op.weight > heaviest.weight) heaviest = of_op;
    const Kind own = planned.scope.kind.empty() ? of_op : Kind{planned.scope.kind, kStated};
    if (own.weight > kind.weight) kind = own;
  }
  for (auto& [path, kind] : kinds) {
    const int stated = kind.weight == kStated ? weight_of(kind.name) : -1;
    if (stated >= 0 && held[path].weight > stated) kind.name = held[path].name;
  }
  std::map<std::string, std::string> chains;
  for (const PlannedNode& planned : plan.nodes) {
    std::string& chain = chains[planned.scope.path];
    chain += (chain.empty() ? "" : " ") + planned.node.op;
  }
  for (const auto& [path, chain] : chains) {
    if (kinds[path].weight == kAlone && chain.find(' ') != std::string::npos) kinds[path] = {};
    for (const auto& [ops, kind] : kChains) {
      if (ops == chain && kinds[path].weight < kStated) kinds[path].name = kind;
    }
  }
  for (PlannedNode& planned : plan.nodes) {
    planned.scope.kind = planned.scope.path.empty() ? "" : kinds[planned.scope.path].name;
  }
  number_further_uses(plan);
}

}  // namespace causeway::formats::onnx
