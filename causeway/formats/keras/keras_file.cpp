#include "causeway/formats/keras/keras_file.h"

#include <algorithm>
#include <charconv>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/zip.h"

namespace causeway::formats::keras {
namespace {

constexpr char kMetadata[] = "metadata.json", kConfig[] = "config.json", kWeights[] = "model.weights.h5";
constexpr uint64_t kMostMetadata = uint64_t{1} << 20, kMostConfig = uint64_t{64} << 20, kMostGrowth = 100;
constexpr JsonLimits kJsonLimits = {.size_bytes = kMostConfig, .depth = 200};
constexpr std::string_view kNumbersAlone = "this file holds numbers and no network. Save the model whole, as .keras.";

// The name in the local header that an archive begins with: enough to tell Keras's from other archives, even when the
// archive is cut short and its directory is gone.
std::string_view first_name(std::string_view file) {
  constexpr size_t kHeaderBytes = 30, kNameAt = 26;
  if (file.size() < kHeaderBytes) return {};
  const size_t bytes = static_cast<unsigned char>(file[kNameAt]) + 256u * static_cast<unsigned char>(file[kNameAt + 1]);
  return file.substr(kHeaderBytes, bytes);
}

bool is_keras_member(std::string_view name) { return name == kMetadata || name == kConfig || name == kWeights; }

ZipBytes read_member(const ZipArchive& archive, const char* name, uint64_t most_bytes) {
  const ZipMember* member = archive.find(name);
  if (member == nullptr) throw Refused(name, "the archive has no member of this name, and Keras writes one.");
  // Beyond this a member is no text or number, but an attempt to fill the memory.
  return archive.read(*member,
                      std::min(most_bytes, std::max(member->stored_bytes, kMostGrowth * member->stored_bytes)));
}

const Json& member_of(const Json& object, std::string_view key, const std::string& where) {
  const Json* found = object.find(key);
  if (found == nullptr) throw Refused(where, "'" + std::string(key) + "' is missing.");
  return *found;
}

int major_of(const std::string& version, const std::string& where) {
  int major = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), major);
  if (error != std::errc() || (end != version.data() + version.size() && *end != '.')) {
    throw Refused(where, quoted(version) + " is no version of Keras.");
  }
  return major;
}

std::string with_member(const std::string& path) {
  // A path from the root on, or a place in words, such as a byte.
  const bool is_below_root = path.size() > 1 && path.front() == '/';
  return std::string(kWeights) + ", " + path.substr(is_below_root ? 1 : 0);
}

KerasFile open_archive(const ByteSource& source, bool mapped) {
  const ZipArchive archive(source.bytes());
  const Json metadata = parse_json(read_member(archive, kMetadata, kMostMetadata).text(), kMetadata, kJsonLimits);
  const Json& version = member_of(metadata, "keras_version", kMetadata);
  if (!version.is_text())
    throw Refused(kMetadata, "'keras_version' is " + std::string(version.kind_name()) + ", and a text is read.");
  const int major = major_of(version.text(), kMetadata);
  if (major < 3) {
    throw Refused(kMetadata, "this archive was written by Keras " + escaped(version.text()) +
                                 ", and archives are read from Keras 3 on. Save it as .h5 there.");
  }
  Json config = parse_json(read_member(archive, kConfig, kMostConfig).text(), kConfig, kJsonLimits);
  const ZipBytes weights = read_member(archive, kWeights, UINT64_MAX);
  std::shared_ptr<const void> owner = weights.owner ? weights.owner : mapped ? source.owner() : nullptr;
  try {
    Hdf5File numbers = Hdf5File::open(weights.bytes, std::move(owner));
    KerasFile file{true, version.text(), major, {}, {}, false, std::move(numbers)};
    if (const Json* compiled = config.find("compile_config")) file.compiled = *compiled;
    file.has_optimizer = file.numbers.root().find("optimizer").has_value();
    file.model = std::move(config);
    return file;
  } catch (const Refused& refused) {
    std::vector<Fault> faults = refused.faults();
    for (Fault& fault : faults) fault.where = with_member(fault.where);
    throw Refused(std::move(faults));
  }
}

KerasFile open_h5(const ByteSource& source, bool mapped) {
  Hdf5File numbers = Hdf5File::open(source.bytes(), mapped ? source.owner() : nullptr);
  const Hdf5Object root = numbers.root();
  if (!root.has_attribute("model_config")) {
    const bool is_kerass =
        root.find("layers") || root.find("vars") || root.find("model_weights") || root.has_attribute("layer_names");
    throw Refused(escaped(source.name()),
                  is_kerass ? std::string(kNumbersAlone)
                            : "this HDF5 file has no attribute 'model_config', so Keras wrote no model into it.");
  }
  // Keras before 2.0 did not say its version.
  const std::string version = root.has_attribute("keras_version") ? root.text("keras_version") : "1";
  const int major = major_of(version, "keras_version");
  if (major < 2)
    throw Refused("keras_version",
                  "this file was written by Keras " + escaped(version) + ", and files are read from Keras 2 on.");
  Json model = parse_json(root.text("model_config"), "model_config", kJsonLimits);
  Json compiled;
  if (root.has_attribute("training_config")) {
    compiled = parse_json(root.text("training_config"), "training_config", kJsonLimits);
  }
  const bool has_optimizer = root.find("optimizer_weights").has_value();
  return {false, version, major, std::move(model), std::move(compiled), has_optimizer, std::move(numbers)};
}

}  // namespace

std::string KerasFile::place_of(const std::string& path) const {
  return is_archive ? with_member(escaped(path)) : escaped(path);
}

bool looks_like_keras(const ByteSource& source) {
  if (Hdf5File::claims(source.bytes())) return true;
  if (!ZipArchive::claims(source.bytes())) return false;
  if (is_keras_member(first_name(source.text()))) return true;
  try {
    const ZipArchive archive(source.bytes());
    return archive.find(kConfig) != nullptr && archive.find(kWeights) != nullptr;
  } catch (const Refused&) {
    return false;
  }
}

KerasFile open_keras(const ByteSource& source, bool mapped) {
  return Hdf5File::claims(source.bytes()) ? open_h5(source, mapped) : open_archive(source, mapped);
}

std::vector<std::string> split_texts(const Hdf5Object& object, const std::string& attribute) {
  const bool is_split = object.has_attribute(attribute + "0");
  if (object.has_attribute(attribute)) {
    if (is_split) {
      throw Refused(escaped(object.path()),
                    "it has both '" + attribute + "' and '" + attribute + "0', and one list of names is read.");
    }
    return object.texts(attribute);
  }
  std::vector<std::string> all;
  for (int piece = 0; object.has_attribute(attribute + std::to_string(piece)); ++piece) {
    for (std::string& text : object.texts(attribute + std::to_string(piece))) all.push_back(std::move(text));
  }
  if (!is_split)
    throw Refused(escaped(object.path()), "it has no attribute '" + attribute + "', and Keras writes one.");
  return all;
}

}  // namespace causeway::formats::keras
