#include "causeway/nn/initializer.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/check.h"
#include "causeway/base/philox.h"
#include "causeway/nn/orthogonal.h"

namespace causeway::nn {
namespace {

// The standard deviation of a standard normal cut off at ± 2.
constexpr double kTruncatedSpread = 0.87962566103423978;

enum class Family { Zeros, Ones, Constant, Uniform, Normal, Truncated, Scaled, Orthogonal, Identity };
// What a scaled family divides by.
enum class By { None, In, Both };

struct Row {
  std::string_view word;
  Family family;
  By by = By::None;
  // The variance times the fan.
  double scale = 0;
  bool normal = false;
};

constexpr Row kRows[] = {
    {"zeros", Family::Zeros},
    {"ones", Family::Ones},
    {"constant", Family::Constant},
    {"random_uniform", Family::Uniform},
    {"random_normal", Family::Normal},
    {"truncated_normal", Family::Truncated},
    {"glorot_uniform", Family::Scaled, By::Both, 1, false},
    {"glorot_normal", Family::Scaled, By::Both, 1, true},
    {"he_uniform", Family::Scaled, By::In, 2, false},
    {"he_normal", Family::Scaled, By::In, 2, true},
    {"lecun_uniform", Family::Scaled, By::In, 1, false},
    {"lecun_normal", Family::Scaled, By::In, 1, true},
    {"torch_uniform", Family::Scaled, By::In, 1.0 / 3, false},
    {"orthogonal", Family::Orthogonal},
    {"identity", Family::Identity},
};

const Row* row_of(std::string_view word) {
  const Row* at = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.word == word; });
  return at == std::end(kRows) ? nullptr : at;
}

void draw_scaled(const Row& row, Fans fans, const Draws& draws, std::span<float> into) {
  const double fan = row.by == By::Both ? (fans.in + fans.out) / 2 : fans.in;
  const double variance = row.scale / std::max(1.0, fan);
  if (row.normal) {
    const double spread = std::sqrt(variance) / kTruncatedSpread;
    for (size_t i = 0; i < into.size(); ++i) into[i] = static_cast<float>(spread * draws.truncated_normal(i));
  } else {
    const double bound = std::sqrt(3 * variance);
    for (size_t i = 0; i < into.size(); ++i) into[i] = draws.uniform(i, -bound, bound);
  }
}

}  // namespace

bool is_initializer(std::string_view word) { return row_of(word) != nullptr; }

std::vector<std::string_view> initializer_words() {
  std::vector<std::string_view> words;
  for (const Row& row : kRows) words.push_back(row.word);
  return words;
}

Fans fans_of(const std::vector<int64_t>& lengths) {
  if (lengths.empty()) return {1, 1};
  if (lengths.size() == 1) return {static_cast<double>(lengths[0]), static_cast<double>(lengths[0])};
  double window = 1;
  for (size_t axis = 0; axis + 2 < lengths.size(); ++axis) window *= static_cast<double>(lengths[axis]);
  return {window * static_cast<double>(lengths[lengths.size() - 2]), window * static_cast<double>(lengths.back())};
}

Tensor drawn(const Initializer& initializer, const std::vector<int64_t>& lengths, Fans fans, uint64_t seed,
             std::string_view path) {
  const Row* row = row_of(initializer.word);
  CAUSEWAY_CHECK(row, "an initializer is one of the table");
  Tensor numbers(DType::Float32, lengths);
  const std::span<float> into = numbers.mutable_values<float>();
  const Draws draws(seed, "init:" + std::string(path), 0);
  switch (row->family) {
    case Family::Zeros:
      break;
    case Family::Ones:
      std::fill(into.begin(), into.end(), 1.0f);
      break;
    case Family::Constant:
      std::fill(into.begin(), into.end(), static_cast<float>(initializer.value));
      break;
    case Family::Uniform:
      for (size_t i = 0; i < into.size(); ++i) into[i] = draws.uniform(i, initializer.minval, initializer.maxval);
      break;
    case Family::Normal:
      for (size_t i = 0; i < into.size(); ++i) {
        into[i] = static_cast<float>(initializer.mean + initializer.stddev * draws.normal(i));
      }
      break;
    case Family::Truncated:
      for (size_t i = 0; i < into.size(); ++i) {
        into[i] =
            static_cast<float>(initializer.mean + initializer.stddev * draws.truncated_normal(i, initializer.cut));
      }
      break;
    case Family::Scaled:
      draw_scaled(*row, fans, draws, into);
      break;
    case Family::Orthogonal:
      draw_orthogonal(lengths, initializer.gain, draws, into);
      break;
    case Family::Identity: {
      const int64_t columns = lengths.empty() ? 1 : lengths.back();
      const int64_t rows = columns == 0 ? 0 : numbers.size() / columns;
      for (int64_t i = 0; i < std::min(rows, columns); ++i) {
        into[static_cast<size_t>(i * columns + i)] = static_cast<float>(initializer.gain);
      }
      break;
    }
  }
  return numbers;
}

}  // namespace causeway::nn
