#include "causeway/formats/pytorch/writer.h"

#include <utility>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/layouts.h"
#include "causeway/formats/safetensors/writer.h"

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

}  // namespace

void write_state(const Network& network, const std::string& path,
                 const std::map<std::string, std::string, std::less<>>& flattened) {
  const Layouts layouts = layouts_of(network, flattened);
  std::vector<Fault> faults = layouts.faults;
  check_shares(network.graph(), faults);
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
  safetensors::write_safetensors(path, {{"format", "pt"}}, tensors);
}

}  // namespace causeway::formats::pytorch
