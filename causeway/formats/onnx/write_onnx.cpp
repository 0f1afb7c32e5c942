#include "causeway/formats/onnx/write_onnx.h"

#include <filesystem>
#include <limits>
#include <map>

#include "causeway/base/fault.h"
#include "causeway/base/sha256.h"
#include "causeway/formats/atomic_file.h"
#include "causeway/formats/onnx/graph_writer.h"
#include "causeway/formats/onnx/lost_in_onnx.h"
#include "causeway/formats/onnx/serialize.h"

namespace causeway {
namespace {

using namespace formats::onnx;

constexpr uint64_t kMostMessageBytes = std::numeric_limits<int32_t>::max();
constexpr uint64_t kLeastExternalBytes = 1024, kAlignment = 4096;

struct DataFile {
  std::map<size_t, DataPlace> places;
  uint64_t size = 0;
};

DataFile laid_out(const FileGraph& graph) {
  DataFile data;
  for (size_t i = 0; i < graph.initializers.size(); ++i) {
    const uint64_t length = graph.initializers[i].numbers->size_bytes();
    if (length < kLeastExternalBytes) continue;
    const uint64_t offset = (data.size + kAlignment - 1) / kAlignment * kAlignment;
    data.places[i] = {offset, length};
    data.size = offset + length;
  }
  return data;
}

// Calls `put` with the pieces of the data file, first to last.
template <class Put, class Fill>
void put_data(const FileGraph& graph, const DataFile& data, const Put& put, const Fill& fill) {
  uint64_t at = 0;
  for (const auto& [i, place] : data.places) {
    fill(place.offset - at);
    put(graph.initializers[i].numbers->bytes());
    at = place.offset + place.length;
  }
}

// The data file is called after its content, so that an old graph beside it keeps its own.
std::string data_name(const std::string& path, const FileGraph& graph, const DataFile& data) {
  Sha256 sha;
  const std::string zeros(kAlignment, '\0');
  put_data(
      graph, data, [&](std::span<const std::byte> bytes) { sha.add(bytes); },
      [&](uint64_t count) { sha.add(std::string_view(zeros).substr(0, count)); });
  const Digest digest = sha.finish();
  return std::filesystem::path(path).filename().string() + "." + hex(std::span(digest).first(4)) + ".data";
}

}  // namespace

std::vector<std::string> write_onnx(const SavedNetwork& saved, const std::string& path,
                                    const WriteOnnxOptions& options) {
  const FileModel model = written_model(saved, options);
  const DataFile data = laid_out(model.graph);
  if (data.places.empty() || (!options.external_data && message_size(model) <= kMostMessageBytes)) {
    formats::write_file(path, serialized(model));
    return lost_in_onnx(saved);
  }
  const std::string name = data_name(path, model.graph, data);
  const std::string graph = serialized(model, name, data.places);
  formats::AtomicFile numbers((std::filesystem::path(path).parent_path() / name).string());
  put_data(
      model.graph, data, [&](std::span<const std::byte> bytes) { numbers.write(bytes); },
      [&](uint64_t count) { numbers.fill(count, '\0'); });
  numbers.commit();
  formats::write_file(path, graph);
  return lost_in_onnx(saved);
}

}  // namespace causeway
