#include "causeway/formats/pytorch/writer.h"

#include <utility>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/layouts.h"
#include "causeway/formats/safetensors/writer.h"
#include "causeway/ops/recurrent.h"

namespace causeway::formats::pytorch {
namespace {

using safetensors::WrittenTensor;

/// PReLU's share is one number or one a channel in PyTorch.
void check_shares(const Graph& graph, std::vector<Fault>& faults) {
  for (const Node* node : graph.nodes()) {
    if (node->op.name() != "PRelu") continue;
    const Value share = node->input(1);
    int long_axes = 0;
    for (size_t axis = 0; axis < share.shape().rank(); ++axis) long_axes += share.shape()[axis] == Dim(1) ? 0 : 1;
    if (long_axes < 2) continue;
    faults.push_back({"slot " + quoted(share.name()),
                      "its shares are " + share.shape().text() + ", and PyTorch's PReLU has one, or one a channel."});
  }
}

/// PyTorch's cells take tanh and sigmoid (an RNN relu too), and its GRU resets behind the product.
void check_cells(const Graph& graph, std::vector<Fault>& faults) {
  using ops::CellFunctionKind, ops::CellKind;
  for (const Node* node : graph.nodes()) {
    const auto* op = node->op.as<ops::Recurrent>();
    if (!op) continue;
    const auto refuse = [&](std::string what) {
      faults.push_back({"layer " + quoted(node->scope->path) + " (" + node->scope->kind + ")", std::move(what)});
    };
    const auto word = [](const ops::CellFunction& function) {
      return std::string(words_of(function.kind)[static_cast<size_t>(function.kind)]);
    };
    const bool is_simple = op->cell == CellKind::SimpleRnn;
    if (op->cell == CellKind::Gru && !op->reset_after) {
      refuse("it resets its state before the product, and PyTorch's GRU resets behind it.");
    }
    const bool may_be_relu = is_simple && op->activation.kind == CellFunctionKind::Relu;
    if (op->activation.kind != CellFunctionKind::Tanh && !may_be_relu) {
      refuse("its activation is " + word(op->activation) + ", and PyTorch has tanh there.");
    }
    if (!is_simple && op->recurrent_activation.kind != CellFunctionKind::Sigmoid) {
      refuse("its recurrent activation is " + word(op->recurrent_activation) + ", and PyTorch has sigmoid there.");
    }
  }
}

/// PyTorch's cells have a bias for the state wherever they have one for the input: zeros where there is none here.
void add_missing_biases(const Network& network, std::vector<WrittenTensor>& tensors) {
  constexpr std::string_view kWeight = "weight_hh_l";
  for (const Node* node : network.graph().nodes()) {
    if (!node->op.is<ops::Recurrent>() || node->input(2)) continue;
    const std::string& weight = node->input(1).name();
    const size_t at = weight.rfind(kWeight);
    if (at == std::string::npos) continue;
    const std::string layer = weight.substr(0, at), rest = weight.substr(at + kWeight.size());
    const Slot* bias = network.slots().find(layer + "bias_ih_l" + rest);
    if (bias) tensors.push_back({layer + "bias_hh_l" + rest, Tensor(DType::Float32, bias->numbers.lengths()), {}});
  }
}

}  // namespace

void write_state(const Network& network, const std::string& path,
                 const std::map<std::string, std::string, std::less<>>& flattened) {
  const Layouts layouts = layouts_of(network, flattened);
  std::vector<Fault> faults = layouts.faults;
  check_shares(network.graph(), faults);
  check_cells(network.graph(), faults);
  refuse_if_any(std::move(faults));

  constexpr std::string_view kMean = ".running_mean";
  std::vector<WrittenTensor> tensors;
  for (size_t i = 0; i < network.slots().size(); ++i) {
    const Slot& slot = network.slots()[i];
    if (slot.role == Role::Constant) continue;
    const auto turn = layouts.turns.find(slot.path);
    WrittenTensor tensor{slot.path, slot.numbers.converted(DType::Float32),
                         turn == layouts.turns.end() ? Turn() : turn->second};
    for (const std::string& name : slot.also) tensors.push_back({name, tensor.numbers, tensor.turn});
    tensors.push_back(std::move(tensor));
    if (!slot.path.ends_with(kMean)) continue;
    const std::string layer = slot.path.substr(0, slot.path.size() - kMean.size());
    tensors.push_back({layer + ".num_batches_tracked", Tensor::scalar<int64_t>(0), {}});
  }
  add_missing_biases(network, tensors);
  safetensors::write_safetensors(path, {{"format", "pt"}}, tensors);
}

}  // namespace causeway::formats::pytorch
