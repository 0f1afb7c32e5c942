#pragma once

#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/importer.h"
#include "causeway/formats/onnx/model.h"

namespace causeway::formats::onnx {

/// A file's graph as a network, node by node through node_table.h.
///
/// Refused    every fault of the graph, behind those found already.
SavedNetwork read_graph(FileModel model, const ReadOptions& options, std::vector<Fault> faults,
                        std::vector<std::string> notes);

}  // namespace causeway::formats::onnx
