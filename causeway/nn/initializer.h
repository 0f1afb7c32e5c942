#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "causeway/tensor/tensor.h"

namespace causeway::nn {

/// How a slot's first numbers are drawn: a word of the table in `initializer.cpp` and its settings (only those the word
/// has are read).
struct Initializer {
  std::string word = "zeros";
  double value = 0;                      ///< constant
  double minval = -0.05, maxval = 0.05;  ///< random_uniform
  double mean = 0, stddev = 0.05;        ///< random_normal, truncated_normal
  double cut = 2;                        ///< truncated_normal: redrawn outside ± cut standard deviations
  double gain = 1;                       ///< orthogonal, identity

  friend bool operator==(const Initializer&, const Initializer&) = default;
};

/// How many numbers a unit reads and feeds; given where a weight's shape alone does not tell.
struct Fans {
  double in = 0, out = 0;
};
/// Of a weight: the last two axes times the window before them.
Fans fans_of(const std::vector<int64_t>& lengths);

/// A slot's first numbers: element i of the slot in storage order is draw i of purpose `init:PATH`, step 0.
Tensor drawn(const Initializer& initializer, const std::vector<int64_t>& lengths, Fans fans, uint64_t seed,
             std::string_view path);

/// Whether there is an initializer of that word.
bool is_initializer(std::string_view word);
std::vector<std::string_view> initializer_words();

}  // namespace causeway::nn
