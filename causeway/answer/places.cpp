#include "causeway/answer/places.h"

#include <algorithm>
#include <set>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/passes/bind.h"

namespace causeway::answer {
namespace {

using Names = std::map<std::string, int64_t, std::less<>>;

bool speaks_of(const Dim& length, const std::set<std::string>& names) {
  const std::vector<std::string> spoken = length.names();
  return std::any_of(spoken.begin(), spoken.end(), [&](const std::string& name) { return names.contains(name); });
}

std::string told(const Dim& length, const Names& names) {
  std::string text;
  for (const std::string& name : length.names()) {
    text += (text.empty() ? "" : ", ") + quoted(name) + " being " + std::to_string(names.find(name)->second);
  }
  return text;
}

}  // namespace

void expect_places(const SavedNetwork& saved, const std::map<std::string, std::vector<int64_t>, std::less<>>& lengths) {
  if (saved.words.empty()) return;
  Names names;
  std::set<std::string> batches;
  for (const Door& door : saved.network.inputs()) {
    const auto given = lengths.find(door.name);
    const Shape& shape = door.value.shape();
    // What does not fit is said where the graph is bound.
    if (given == lengths.end() || !shape.has_rank() || given->second.size() != shape.rank()) return;
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      const Dim& length = shape[axis];
      if (!length.is_symbolic() || length.names() != std::vector{length.text()}) continue;
      names.emplace(length.text(), given->second[axis]);
      if (axis == 0) {
        batches.insert(length.text());
      } else if (given->second[axis] < 1) {
        throw Refused("input " + quoted(door.name), "its length " + quoted(length.text()) + " is " +
                                                        std::to_string(given->second[axis]) +
                                                        " here, and at least 1 is taken.");
      }
    }
  }
  for (const Node* node : saved.network.graph().nodes()) {
    const Value made = node->output();
    if (!made || !is_floating(made.dtype()) || !made.shape().has_rank()) continue;
    for (const Dim& length : *made.shape().dims) {
      if (!length.is_symbolic() || speaks_of(length, batches)) continue;
      const Dim bound = length.bound(names);
      if (!bound.is_number() || bound.number() > 0) continue;
      throw Refused(passes::place_of(*node),
                    "it makes " + made.shape().text() + ", and with " + told(length, names) + " it leaves no place.");
    }
  }
}

}  // namespace causeway::answer
