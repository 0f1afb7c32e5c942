#include "causeway/formats/onnx/onnx_importer.h"

#include <utility>

#include "causeway/formats/onnx/graph_reader.h"
#include "causeway/formats/onnx/parse.h"

namespace causeway::formats::onnx {

bool OnnxImporter::claims(const ByteSource& source) const { return looks_like_model(source); }

SavedNetwork OnnxImporter::read(const ByteSource& source, const ReadOptions& options) const {
  std::vector<Fault> faults;
  std::vector<std::string> notes;
  FileModel model = parse_model(source, faults, notes);
  return read_graph(std::move(model), options, std::move(faults), std::move(notes));
}

}  // namespace causeway::formats::onnx
