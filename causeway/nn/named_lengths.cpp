#include "causeway/nn/named_lengths.h"

#include "causeway/base/quoted.h"

namespace causeway::nn {

std::vector<Fault> unknown_lengths(const std::map<std::string, int64_t, std::less<>>& bound,
                                   const std::set<std::string>& open) {
  std::string names;
  for (const std::string& name : open) names += (names.empty() ? "" : ", ") + quoted(name);
  std::vector<Fault> faults;
  for (const auto& [name, length] : bound) {
    if (open.count(name)) continue;
    faults.push_back({"length " + quoted(name), "no input has a length of this name that could be bound: " +
                                                    (names.empty() ? "none is open." : "they have " + names + ".")});
  }
  return faults;
}

}  // namespace causeway::nn
