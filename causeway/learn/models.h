#pragma once

// learn/ is where prepared rows meet a network: one trained thing, one file. It is also the first room that sees every
// file format, and so the one that tells them apart.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "causeway/formats/importer.h"
#include "causeway/nn/saved_network.h"

namespace causeway {

/// Every reader there is, in the order in which they are asked; what none claims is tried as ONNX, which has no mark of
/// its own.
std::span<const formats::Importer* const> importers();

/// The reader of a file, told by its content and never by its name. Refused where no format read here begins like it.
const formats::Importer& importer_of(const formats::ByteSource& source);

/// Reads a model. Refused with every fault.
SavedNetwork read_model(const std::string& path, const ReadOptions& options = {});
SavedNetwork read_model(const formats::ByteSource& source, const ReadOptions& options = {});

struct WriteModelOptions {
  /// The opset of an .onnx file; the oldest that holds every node where it is not given.
  std::optional<int> opset = std::nullopt;
  /// Weights in half precision (.onnx, .causeway).
  bool half = false;
};

/// Refused where no format that is written has the path's suffix: to be asked before work whose result goes there.
void expect_written_suffix(const std::string& path);

/// Writes a network in the format that the path's suffix names: .onnx, .safetensors or .causeway. Refused, before a byte
/// is written: any other suffix; what the format cannot say. Gives what of the network the format has no place for, a
/// sentence a kind: rules of training, which change no answer.
std::vector<std::string> write_model(const SavedNetwork& saved, const std::string& path,
                                     const WriteModelOptions& options = {});

}  // namespace causeway
