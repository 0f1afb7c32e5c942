#include "causeway/formats/safetensors/index.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/safetensors/json_walk.h"

namespace causeway::formats::safetensors {
namespace {

constexpr size_t kMostShards = 10'000;
constexpr std::string_view kMap = "weight_map";

/// Which shard holds which tensor, in the order of the index.
struct Index {
  struct Place {
    std::string name;
    size_t shard = 0;
  };
  std::vector<Place> places;
  std::vector<std::string> shards;
  std::vector<Fault> faults;
};

class IndexListener : public JsonListener {
 public:
  IndexListener(Index& index, std::string where) : index_(index), where_(std::move(where)) {}

  void key(int depth, std::string& name) override {
    if (depth == 1) begin_member(name);
    if (depth == 2 && in_map_) name_ = std::move(name);
  }
  void value(int depth, JsonPiece piece, uint64_t, std::string* text) override {
    if (depth == 1 && in_map_ && piece != JsonPiece::Object) fault("'weight_map' is no object of names.");
    if (depth < 2 || !in_map_) return;
    if (depth > 2 || piece != JsonPiece::Text) return fault("the shard of " + quoted(name_) + " is no text.");
    place(std::move(*text));
  }
  void end(int) override {}

  bool has_map() const { return seen_.count(std::string(kMap)) != 0; }

 private:
  void fault(std::string what) { index_.faults.push_back({where_, std::move(what)}); }

  void begin_member(const std::string& name) {
    in_map_ = name == kMap;
    if (!seen_.insert(name).second) fault("it states " + quoted(name) + " twice.");
    if (!in_map_ && name != "metadata") {
      fault("it states " + quoted(name) + ", and an index states 'metadata' and 'weight_map' alone.");
    }
  }

  void place(std::string shard) {
    if (!names_.insert(name_).second) {
      index_.faults.push_back(
          {"tensor " + quoted(name_), quoted(name_) + " is written twice, and only one of the two could be read."});
      return;
    }
    const auto [found, is_new] = shards_.emplace(std::move(shard), index_.shards.size());
    if (is_new) {
      if (index_.shards.size() == kMostShards) {
        throw Refused(where_, "it names more than " + std::to_string(kMostShards) + " shards.");
      }
      index_.shards.push_back(found->first);
    }
    index_.places.push_back({name_, found->second});
  }

  Index& index_;
  std::string where_, name_;
  bool in_map_ = false;
  std::set<std::string> seen_, names_;
  std::map<std::string, size_t> shards_;
};

Index parse_index(const ByteSource& source) {
  Index index;
  const std::string where = escaped(source.file_name());
  IndexListener listener(index, where);
  walk_json_object(source.text(), where, listener);
  if (!listener.has_map()) index.faults.push_back({where, "it has no 'weight_map'."});
  return index;
}

/// Reads each shard; what one of them lacks or is refused for joins `faults`.
std::vector<SafetensorsFile> read_shards(const ByteSource& source, const Index& index, std::vector<Fault>& faults) {
  std::vector<size_t> needed_by(index.shards.size(), 0);
  for (const Index::Place& place : index.places) ++needed_by[place.shard];
  std::vector<SafetensorsFile> shards(index.shards.size());
  for (size_t i = 0; i < shards.size(); ++i) {
    const std::string shard = escaped(index.shards[i]);
    try {
      shards[i] = read_safetensors(source.open_sibling(index.shards[i]));
    } catch (const Unfit& fault) {
      const std::string tensors =
          needed_by[i] == 1 ? "1 tensor needs it." : std::to_string(needed_by[i]) + " tensors need it.";
      faults.push_back({escaped(source.file_name()), std::string(fault.what()) + " " + tensors});
    } catch (const Refused& refused) {
      for (const Fault& fault : refused.faults()) faults.push_back({shard + ", " + fault.where, fault.what});
    }
  }
  return shards;
}

}  // namespace

bool claims_index(const ByteSource& source) {
  const std::string_view text = source.text();
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' && text.find("\"weight_map\"") != std::string_view::npos;
}

SafetensorsFile read_sharded(const ByteSource& source) {
  if (!source.has_folder()) {
    throw Refused(escaped(source.file_name()), "an index needs the folder its shards lie in. Read it by its path.");
  }
  const Index index = parse_index(source);
  refuse_if_any(index.faults);
  std::vector<Fault> faults;
  std::vector<SafetensorsFile> shards = read_shards(source, index, faults);
  refuse_if_any(faults);

  std::map<std::string_view, std::pair<size_t, StoredTensor*>> held;
  for (size_t i = 0; i < shards.size(); ++i) {
    for (StoredTensor& tensor : shards[i].tensors) {
      if (!held.emplace(tensor.name, std::pair(i, &tensor)).second) {
        faults.push_back({"tensor " + quoted(tensor.name),
                          quoted(tensor.name) + " is written twice, and only one of the two could be read."});
      }
    }
  }
  std::vector<StoredTensor*> in_order;
  for (const Index::Place& place : index.places) {
    const auto found = held.find(place.name);
    const bool is_anywhere = found != held.end();
    if (is_anywhere && found->second.first == place.shard) {
      in_order.push_back(found->second.second);
    } else {
      const std::string truth = is_anywhere ? "lies in " + quoted(index.shards[found->second.first]) : "is in no shard";
      faults.push_back(
          {"tensor " + quoted(place.name),
           quoted(place.name) + " is said to lie in " + quoted(index.shards[place.shard]) + ", and " + truth + "."});
    }
    if (is_anywhere) held.erase(found);
  }
  for (const auto& [name, place] : held) {
    faults.push_back({"tensor " + quoted(name), quoted(name) + " lies in " + quoted(index.shards[place.first]) +
                                                    ", and the index does not say so."});
  }
  refuse_if_any(std::move(faults));

  SafetensorsFile whole;
  for (StoredTensor* tensor : in_order) whole.tensors.push_back(std::move(*tensor));
  for (SafetensorsFile& shard : shards) {
    std::move(shard.metadata.begin(), shard.metadata.end(), std::back_inserter(whole.metadata));
  }
  return whole;
}

}  // namespace causeway::formats::safetensors
