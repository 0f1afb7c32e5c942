#include "causeway/formats/pytorch/archive.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/pickled_state.h"
#include "causeway/formats/pytorch/unpickler.h"
#include "causeway/formats/zip.h"

namespace causeway::formats::pytorch {
namespace {

constexpr uint64_t kMostPickle = uint64_t{256} << 20;
constexpr uint64_t kMostInflation = 8;
constexpr int kOldestVersion = 1, kNewestVersion = 10;
constexpr std::string_view kPickle = "data.pkl";

/// The archive, its one folder, and how much may still be read from it.
class Records {
 public:
  explicit Records(const ByteSource& source)
      : source_(source),
        zip_(source.bytes(), {.case_blind_names = true}),
        left_deflated_(source.size() * kMostInflation) {
    if (zip_.members().empty()) throw Refused(escaped(source.file_name()), "the archive is empty.");
    const std::string& first = zip_.members().front().name;
    folder_ = first.substr(0, first.find('/') + 1);
    for (const ZipMember& member : zip_.members()) {
      if (folder_.empty() || member.name.compare(0, folder_.size(), folder_) != 0) {
        throw Refused("member " + quoted(member.name), "it lies outside the one folder of a torch.save archive.");
      }
    }
  }

  const ZipMember* find(std::string_view name) const { return zip_.find(folder_ + std::string(name)); }
  bool has_folder(std::string_view name) const {
    const std::string begin = folder_ + std::string(name) + "/";
    return std::any_of(zip_.members().begin(), zip_.members().end(),
                       [&](const ZipMember& member) { return member.name.compare(0, begin.size(), begin) == 0; });
  }

  OwnedBytes read(const ZipMember& member) {
    // Stored members lie apart in the file, so only what is inflated needs a count.
    const uint64_t most = member.is_deflated ? left_deflated_ : source_.size();
    const ZipBytes read = zip_.read(member, most);
    if (member.is_deflated) left_deflated_ -= member.size_bytes;
    return {read.bytes, read.owner ? read.owner : source_.owner()};
  }
  std::string text(const ZipMember& member) {
    const OwnedBytes read = this->read(member);
    return {reinterpret_cast<const char*>(read.bytes.data()), read.bytes.size()};
  }

 private:
  ByteSource source_;
  ZipArchive zip_;
  std::string folder_;
  uint64_t left_deflated_;
};

void refuse_other_archives(Records& records, const std::string& file) {
  const ZipMember* const format = records.find("archive_format");
  if (format) {
    throw Refused(
        file,
        "this is a torch.export archive: a program with its numbers. Save torch.export.load(f).state_dict on its "
        "own, or export the model as ONNX.");
  }
  if (records.find("constants.pkl") || records.has_folder("code")) {
    throw Refused(
        file,
        "this is a TorchScript archive: a program with its numbers. Save torch.jit.load(f).state_dict() on its "
        "own, or export the model as ONNX.");
  }
  if (!records.find(kPickle))
    throw Refused(file, "the archive holds no data.pkl, in which torch.save puts what it saves.");
}

void check_version(Records& records, const std::string& file) {
  const ZipMember* member = records.find("version");
  if (!member) member = records.find(".data/version");
  if (!member) throw Refused(file, "the archive holds no version.");
  const std::string text = records.text(*member);
  int version = 0;
  for (size_t i = 0; i < text.size() && text[i] >= '0' && text[i] <= '9' && version <= kNewestVersion; ++i) {
    version = version * 10 + (text[i] - '0');
  }
  if (version < kOldestVersion || version > kNewestVersion) {
    throw Refused(file, "the archive's version is " + quoted(text) + ", and " + std::to_string(kOldestVersion) +
                            " to " + std::to_string(kNewestVersion) + " are read.");
  }
}

bool is_big_endian(Records& records, const std::string& file) {
  const ZipMember* const member = records.find("byteorder");
  if (!member) return false;
  const std::string order = records.text(*member);
  if (order != "little" && order != "big") {
    throw Refused(file, "the archive's byteorder is " + quoted(order) + ", and little and big are read.");
  }
  return order == "big";
}

void check_record(const Records& records, const StorageRecord& storage) {
  const std::string name = "data/" + std::string(storage.key);
  const ZipMember* const member = records.find(name);
  if (!member) throw Refused("record " + quoted(name), "it is not in the archive, and data.pkl speaks of it.");
  if (member->size_bytes != static_cast<uint64_t>(storage.size_bytes)) {
    throw Refused("record " + quoted(name), "it is " + std::to_string(member->size_bytes) +
                                                " bytes, and data.pkl says " + std::to_string(storage.size_bytes) +
                                                ".");
  }
}

}  // namespace

bool claims_archive(const ByteSource& source) {
  if (!ZipArchive::claims(source.bytes())) return false;
  // The first record's name, in its local header: every member of PyTorch's archives lies in one folder.
  constexpr size_t kNameLengthAt = 26, kNameAt = 30;
  const std::string_view bytes = source.text();
  if (bytes.size() < kNameAt) return false;
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + kNameLengthAt, sizeof length);
  const std::string_view name = bytes.substr(kNameAt, length);
  const size_t slash = name.find('/');
  return slash != std::string_view::npos && slash != 0 && slash + 1 < name.size();
}

StateDictionary read_archive(const ByteSource& source, std::string_view key) {
  const std::string file = escaped(source.file_name());
  const auto records = std::make_shared<Records>(source);
  refuse_other_archives(*records, file);
  check_version(*records, file);
  const bool is_swapped = is_big_endian(*records, file);

  const ZipMember& member = *records->find(kPickle);
  if (member.size_bytes > kMostPickle) {
    throw Refused(std::string(kPickle), "it is " + std::to_string(member.size_bytes) + " bytes, and at most " +
                                            std::to_string(kMostPickle) + " are read.");
  }
  const OwnedBytes pickle = records->read(member);
  const std::string_view text(reinterpret_cast<const char*>(pickle.bytes.data()), pickle.bytes.size());
  PickleHeap heap(text);
  std::vector<std::shared_ptr<Storage>> storages;
  UnpickleRules rules{.where = std::string(kPickle)};
  rules.on_storage = [&](const StorageRecord& storage) {
    check_record(*records, storage);
    const ZipMember* const place = records->find("data/" + std::string(storage.key));
    storages.push_back(std::make_shared<Storage>([records, place] { return records->read(*place); }));
  };
  Unpickler unpickler(text, 0, heap, std::move(rules));
  const PickleValue root = unpickler.run();
  if (unpickler.end() != text.size()) {
    throw Refused(std::string(kPickle),
                  "byte " + std::to_string(unpickler.end()) + " stands behind STOP, and a pickle ends with it.");
  }
  StateDictionary state = state_of(heap, root, key, std::string(kPickle), storages);
  state.faults.insert(state.faults.begin(), unpickler.doubled().begin(), unpickler.doubled().end());
  for (StateTensor& tensor : state.tensors) tensor.is_swapped = is_swapped;
  return state;
}

}  // namespace causeway::formats::pytorch
