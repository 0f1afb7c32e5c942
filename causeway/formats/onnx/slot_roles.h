#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/graph/slot.h"

namespace causeway::formats::onnx {

/// What an initializer is by those who read it.
struct SlotUseInFile {
  Role role = Role::Constant;
  /// What its first reader calls it: "weight", "bias".
  std::string what = {};
  /// The layer of its first reader.
  std::string layer = {};
  /// Learned only because arithmetic reads it: with an infinity in it, it is a mask and constant.
  bool by_arithmetic = false;
  /// The file says so itself, and its name is the slot's.
  bool is_stated = false;
};

/// The role of every value that an initializer can reach without arithmetic (turned, reshaped, cast), by name.
///
/// Learned where a layer's op reads it as its numbers, where it is a list added to a product, or where arithmetic reads
/// more than one floating number of it; measured as the mean or variance of a batch normalisation; constant elsewhere.
std::unordered_map<std::string, SlotUseInFile> slot_uses(const GraphPlan& plan);

/// Names that the bodies of a node read of the values around it, each once.
std::vector<std::string> captured_names(const FileNode& node);

}  // namespace causeway::formats::onnx
