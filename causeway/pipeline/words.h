#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace causeway::pipeline {

/// The distinct texts of a column, numbered in the order they came: what makes a category 4 bytes a row.
class Words {
 public:
  /// The number of this text, a new one where it was not seen before.
  uint32_t number_of(std::string_view text);
  std::string_view operator[](uint32_t number) const { return texts_[number]; }
  size_t size() const { return texts_.size(); }

 private:
  struct Place {
    uint64_t mark = 0;  // of short texts the text itself, else a hash
    uint32_t number = kEmpty;
  };
  static constexpr uint32_t kEmpty = 0xffffffff;

  void grow();

  std::deque<std::string> texts_;
  std::vector<Place> places_;  // open addressing over a power of two, at most half full
};

}  // namespace causeway::pipeline
