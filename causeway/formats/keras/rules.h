#pragma once

#include <string>
#include <vector>

#include "causeway/formats/keras/words.h"
#include "causeway/nn/setting_words.h"

namespace causeway::formats::keras {

/// The penalty of `kernel_regularizer` and its like: L1, L2 and L1L2, as an object or a word.
Penalty read_penalty(Words& words, const std::string& key);

/// MaxNorm, where it bounds the numbers of one unit: those along `unit_axes` of the file's array of that rank.
nn::MaxNorm read_max_norm(Words& words, const std::string& key, const std::vector<int64_t>& unit_axes, size_t rank);

}  // namespace causeway::formats::keras
