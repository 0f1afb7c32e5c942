#pragma once

#include <map>
#include <string>

#include "causeway/formats/onnx/graph_plan.h"

namespace causeway::formats::onnx {

/// The kinds of layers by path, as a file's metadata may say them.
using LayerKinds = std::map<std::string, std::string, std::less<>>;

/// Gives every node the layer it belongs to: what the file says of it (metadata of PyTorch's default exporter and of
/// files written here, node names of the others), else the layer of the numbers it reads, else that of the node it
/// reads from. Layers are only names: no answer depends on them.
/// `around`: the layer of a node whose body this is; what has no layer of its own is of that one.
/// `stated`: what the whole file says of its layers; a node's name begins with its layer's path there.
void name_layers(GraphPlan& plan, const Scope& around = {}, const LayerKinds& stated = {});

/// Whether an exporter made a name up, so that it tells nothing: `onnx::MatMul_6`, `val_3`, `const_fold_opt__251`.
bool is_made_up(const std::string& name);

/// What writing calls the metadata of a node's layer.
inline constexpr const char* kLayerKey = "causeway.layer";
inline constexpr const char* kKindKey = "causeway.kind";
/// And of the whole file's layers, {path: kind}, where nodes have no metadata yet (before IR 10).
inline constexpr const char* kLayersKey = "causeway.layers";

}  // namespace causeway::formats::onnx
