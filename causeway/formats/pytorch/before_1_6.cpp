#include "causeway/formats/pytorch/before_1_6.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "causeway/base/byte_reader.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/pytorch/pickled_state.h"
#include "causeway/formats/pytorch/unpickler.h"

namespace causeway::formats::pytorch {
namespace {

// PROTO 2, LONG1 of 119547037146038801333356, STOP.
constexpr std::string_view kMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);
constexpr int64_t kProtocol = 1001;

/// The pickles of a file, one behind another over one heap.
class Pickles {
 public:
  explicit Pickles(std::string_view bytes) : bytes_(bytes), at_(kMagic.size()), heap_(bytes) {}

  PickleValue next(std::string where) {
    UnpickleRules rules{.where = std::move(where), .is_before_1_6 = true};
    Unpickler unpickler(bytes_, at_, heap_, std::move(rules));
    const PickleValue value = unpickler.run();
    at_ = unpickler.end();
    for (const Fault& fault : unpickler.doubled()) doubled_.push_back(fault);
    return value;
  }

  size_t at() const { return at_; }
  const PickleHeap& heap() const { return heap_; }
  const std::vector<Fault>& doubled() const { return doubled_; }

 private:
  std::string_view bytes_;
  size_t at_;
  PickleHeap heap_;
  std::vector<Fault> doubled_;
};

void check_version(Pickles& pickles) {
  const std::string where = "version pickle";
  const PickleValue version = pickles.next(where);
  if (!version.is(PickleKind::Integer) || version.integer() != kProtocol) {
    throw Refused(where, "it is another than " + std::to_string(kProtocol) + ", the only one there was.");
  }
}

void check_machine(Pickles& pickles) {
  const std::string where = "system pickle";
  const PickleValue system = pickles.next(where);
  std::optional<bool> is_little;
  if (system.is(PickleKind::Dictionary)) {
    for (const auto& [name, value] : pickles.heap().dictionary(system)) {
      if (pickles.heap().is_text(name, "little_endian") && value.is(PickleKind::Bool)) is_little = value.integer() != 0;
    }
  }
  if (!is_little) throw Refused(where, "it does not say whether the file is little-endian.");
  if (!*is_little)
    throw Refused(where, "the file is big-endian, and of this format only little-endian files are read.");
}

/// Where each storage of the heap lies, the keys' list telling the order.
std::vector<std::shared_ptr<Storage>> read_storages(const ByteSource& source, Pickles& pickles) {
  const std::string where = "key pickle";
  const PickleHeap& heap = pickles.heap();
  std::map<std::string_view, uint32_t> by_key;
  for (uint32_t i = 0; i < heap.storages(); ++i) by_key.emplace(heap.storage(i).key, i);
  const PickleValue keys = pickles.next(where);
  if (!keys.is(PickleKind::List) || heap.list(keys).size() != by_key.size()) {
    throw Refused(where, "it is no list of the " + std::to_string(by_key.size()) + " storages' keys.");
  }
  std::vector<std::shared_ptr<Storage>> storages(by_key.size());
  ByteReader reader(source.bytes(), pickles.at());
  for (const PickleValue& key : heap.list(keys)) {
    const auto found = key.is(PickleKind::Text) ? by_key.find(heap.text_of(key)) : by_key.end();
    if (found == by_key.end() || storages[found->second]) {
      throw Refused(where, "it is no list of the storages' keys, each once.");
    }
    const StorageRecord& record = heap.storage(found->second);
    try {
      const uint64_t count = reader.u64();
      if (count != static_cast<uint64_t>(record.count)) {
        unfit("it holds " + std::to_string(count) + " numbers, and the state pickle says " +
              std::to_string(record.count) + ".");
      }
      const std::span<const std::byte> bytes = reader.take(static_cast<size_t>(record.size_bytes));
      storages[found->second] = std::make_shared<Storage>([bytes, owner = source.owner()] {
        return OwnedBytes{bytes, owner};
      });
    } catch (const Unfit& fault) {
      throw Refused("storage " + quoted(record.key), fault.what());
    }
  }
  if (!reader.done()) {
    throw Refused(escaped(source.file_name()), std::to_string(reader.left()) + " bytes stand behind the last storage.");
  }
  return storages;
}

}  // namespace

bool claims_before_1_6(const ByteSource& source) { return source.begins_with(kMagic); }

StateDictionary read_before_1_6(const ByteSource& source, std::string_view key) {
  Pickles pickles(source.text());
  check_version(pickles);
  check_machine(pickles);
  const std::string where = "state pickle";
  const PickleValue root = pickles.next(where);
  const std::vector<std::shared_ptr<Storage>> storages = read_storages(source, pickles);
  StateDictionary state = state_of(pickles.heap(), root, key, where, storages);
  state.faults.insert(state.faults.begin(), pickles.doubled().begin(), pickles.doubled().end());
  return state;
}

}  // namespace causeway::formats::pytorch
