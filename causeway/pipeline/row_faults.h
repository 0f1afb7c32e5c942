#pragma once

#include <string>
#include <vector>

#include "causeway/base/fault.h"

namespace causeway::pipeline {

/// Faults of single cells and rows: the first hundred are kept, the rest are counted, so a file of a million bad rows
/// gives a message that can be read.
class RowFaults {
 public:
  static constexpr size_t kListed = 100;

  void add(std::string where, std::string what) {
    if (faults_.size() < kListed) faults_.push_back({std::move(where), std::move(what)});
    ++count_;
  }
  bool any() const { return count_ > 0; }
  /// Whether a fault would still be listed: its text need not be made otherwise.
  bool lists_more() const { return count_ < kListed; }
  void count_one() { ++count_; }

  std::vector<Fault> all() const {
    std::vector<Fault> made = faults_;
    if (count_ > made.size()) {
      made.push_back(
          {"rows", std::to_string(count_ - made.size()) + " more faults of rows were found and not listed."});
    }
    return made;
  }
  void refuse_if_any() const {
    if (any()) throw Refused(all());
  }

 private:
  std::vector<Fault> faults_;
  size_t count_ = 0;
};

}  // namespace causeway::pipeline
