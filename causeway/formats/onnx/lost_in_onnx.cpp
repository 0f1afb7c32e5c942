#include "causeway/formats/onnx/lost_in_onnx.h"

#include <algorithm>
#include <string_view>

#include "causeway/base/quoted.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

// Those of one kind: how many, and the first by name.
struct Found {
  size_t count = 0;
  std::string first = {};

  void add(const std::string& path) {
    if (count++ == 0) first = path;
  }
  std::string said() const { return quoted(first) + (count == 1 ? "" : " and " + std::to_string(count - 1) + " more"); }
};

bool drops(const Op& op) {
  if (const auto* dropout = op.as<ops::Dropout>()) return dropout->rate > 0;
  if (const auto* dropout = op.as<ops::GaussianDropout>()) return dropout->rate > 0;
  if (const auto* dropout = op.as<ops::AlphaDropout>()) return dropout->rate > 0;
  const auto* attention = op.as<ops::Attention>();
  return attention && attention->dropout_rate > 0;
}

bool adds_noise(const Op& op) {
  const auto* noise = op.as<ops::GaussianNoise>();
  return noise && std::any_of(noise->stddev.begin(), noise->stddev.end(), [](float size) { return size > 0; });
}

bool measures_unbiased(const Op& op) {
  const auto* norm = op.as<ops::BatchNorm>();
  return norm && norm->running_variance == ops::RunningVariance::Unbiased;
}

// Whether a mask can have a real step behind one that is not: one worked out of lengths cannot.
bool may_have_holes(const Node& node) {
  const Value mask = node.input(4);
  if (!mask) return false;
  const Node* made_by = mask.node();
  return !made_by || !made_by->op.as<ops::Less>() || !made_by->input(0).node() ||
         !made_by->input(0).node()->op.as<ops::Range>();
}

}  // namespace

std::vector<std::string> lost_in_onnx(const SavedNetwork& saved) {
  Found penalized, bounded, held, dropping, noisy, unbiased, masked;
  for (const SlotUse& use : saved.network.graph().slots()) {
    const Slot& slot = saved.network.slots().at(use.path);
    if (!slot.penalty.is_none()) penalized.add(slot.path);
    if (slot.max_norm) bounded.add(slot.path);
    if (slot.held && slot.role != Role::Constant) held.add(slot.path);
  }
  for (const Node* node : saved.network.graph().nodes()) {
    if (drops(node->op)) dropping.add(node->scope->path);
    if (adds_noise(node->op)) noisy.add(node->scope->path);
    if (node->op.as<ops::Recurrent>() && may_have_holes(*node)) masked.add(node->scope->path);
    if (measures_unbiased(node->op)) unbiased.add(node->scope->path);
  }
  std::vector<std::string> lost;
  const auto say = [&](const Found& found, std::string_view what) {
    if (found.count == 0) return;
    lost.push_back("ONNX has no place for " + std::string(what) + " of " + found.said() +
                   ", and what is trained from the file learns without. A .causeway file keeps it.");
  };
  say(penalized, "the penalty");
  say(bounded, "the norm bound");
  say(held, "the hold");
  say(dropping, "the dropout rate");
  say(noisy, "the noise");
  say(unbiased, "the unbiased running variance");
  if (masked.count > 0) {
    lost.push_back("ONNX has lengths in place of the mask of " + masked.said() +
                   ": the file answers the same where every real step stands before those that are not, and does not "
                   "check that they do.");
  }
  return lost;
}

}  // namespace causeway::formats::onnx
