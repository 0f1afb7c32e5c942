#include "causeway/learn/models.h"

#include <array>
#include <filesystem>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/base/quoted.h"
#include "causeway/base/within.h"
#include "causeway/formats/keras/keras.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/formats/onnx/onnx_importer.h"
#include "causeway/formats/onnx/write_onnx.h"
#include "causeway/formats/pytorch/reader.h"
#include "causeway/formats/pytorch/writer.h"

namespace causeway {

std::span<const formats::Importer* const> importers() {
  static const formats::native::NativeImporter native;
  static const formats::pytorch::PytorchReader pytorch;
  static const formats::keras::KerasImporter keras;
  static const formats::onnx::OnnxImporter onnx;
  static const std::array<const formats::Importer*, 4> kAll{&native, &pytorch, &keras, &onnx};
  return kAll;
}

namespace {

// Whether it is a NET.json: an object with layers.
bool says_a_network(const formats::ByteSource& source) {
  const std::string_view text = source.text();
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  try {
    const Json json = parse_json(text, source.name());
    return json.is_object() && json.find("layers");
  } catch (const Refused&) {
    return false;
  }
}

}  // namespace

const formats::Importer& importer_of(const formats::ByteSource& source) {
  for (const formats::Importer* importer : importers()) {
    if (importer->claims(source)) return *importer;
  }
  if (says_a_network(source)) {
    throw Refused(escaped(source.name()),
                  "it says a network in words, and holds no numbers. Name it with --network beside the file of its "
                  "numbers; to train it from its first numbers, state it as 'learn.network' of a pipeline and use "
                  "causeway run, or read it in C++ with network_of_words().");
  }
  throw Refused(escaped(source.name()),
                "no format read here begins like this. Safetensors, torch.save's archives, .keras, "
                ".h5, ONNX and .causeway are read.");
}

SavedNetwork read_model(const std::string& path, const ReadOptions& options) {
  return read_model(formats::ByteSource::open(path, options.mapped), options);
}

SavedNetwork read_model(const formats::ByteSource& source, const ReadOptions& options) {
  const formats::Importer& importer = importer_of(source);
  try {
    return importer.read(source, options);
  } catch (const Refused& refused) {
    throw naming(escaped(source.name()), refused);
  }
}

void expect_written_suffix(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".onnx" || suffix == ".causeway" || suffix == ".safetensors") return;
  const bool pickle = suffix == ".pt" || suffix == ".pth";
  throw Refused(escaped(path),
                (pickle ? "a pickle is a program and is never written. "
                        : "no format that is written has the suffix " + causeway::quoted(suffix) + ". ") +
                    std::string("Write .onnx, .safetensors or .causeway."));
}

std::vector<std::string> write_model(const SavedNetwork& saved, const std::string& path,
                                     const WriteModelOptions& options) {
  expect_written_suffix(path);
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".onnx") {
    return write_onnx(saved, path, {.opset = options.opset, .half = options.half});
  }
  if (suffix == ".causeway") {
    formats::native::write_native({.saved = saved}, path, {.half = options.half});
  } else {
    formats::pytorch::write_state(saved.network, path);
  }
  return {};
}

}  // namespace causeway
