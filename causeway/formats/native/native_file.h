#pragma once

// formats/native/ reads and writes the file of this library: one safetensors file whose tensors are a network's slots
// under their paths, with the graph, the losses and further documents in its metadata. What a document means is its
// owner's affair (train/ the run, learn/ the pipeline).

#include <map>
#include <string>

#include "causeway/base/json.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/importer.h"
#include "causeway/nn/saved_network.h"

namespace causeway::formats::native {

/// Everything a native file holds.
struct NativeFile {
  SavedNetwork saved;
  /// Beside the slots: `@memory/SLOT/NAME`, `@best/SLOT`.
  std::map<std::string, Tensor, std::less<>> tensors = {};
  /// By the last part of their key: "training", "history", "rows", "pipeline".
  std::map<std::string, Json, std::less<>> documents = {};
};

struct WriteNativeOptions {
  /// Learned and measured slots as float16, rounded to nearest even.
  bool half = false;
};

/// Writes beside its place and renames over it; the same contents give the same bytes.
/// Refused: a learned or measured number that is not finite (or, by half, passes float16); an op that only a reader of
/// another format has.
void write_native(const NativeFile& file, const std::string& path, const WriteNativeOptions& options = {});

/// Refused, all faults at once where the header can be read: what is no safetensors file, a version above this one, a
/// wrong checksum (before anything else is believed), an unknown key, op, kind or setting, a slot missing, extra,
/// misshapen or not finite, a tensor that no part of the file mentions.
NativeFile read_native(const ByteSource& source, bool mapped = true);

/// Whether a safetensors file is a native one.
bool claims_native(const ByteSource& source);
/// Whether it is one whose header names that document; nothing is checked yet.
bool names_document(const ByteSource& source, std::string_view name);

/// The documents of a native file alone, whose checksum is not looked at. Refused: what is no safetensors file, and a
/// document that is no JSON.
std::map<std::string, Json, std::less<>> documents_of(const ByteSource& source);

/// The network and losses of a native file, its documents left unread.
class NativeImporter final : public Importer {
 public:
  std::string_view format() const override { return "causeway"; }
  bool claims(const ByteSource& source) const override { return claims_native(source); }
  SavedNetwork read(const ByteSource& source, const ReadOptions& options) const override;
};

}  // namespace causeway::formats::native

namespace causeway {

/// A network and its losses as one .causeway file.
void save(const SavedNetwork& saved, const std::string& path);

}  // namespace causeway
