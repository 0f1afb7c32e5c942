#include "causeway/pipeline/statistics.h"

#include <algorithm>
#include <cmath>

namespace causeway::pipeline {

std::vector<double> values_of(const Column& column, size_t rows) {
  std::vector<double> values;
  values.reserve(rows - column.gaps.count_before(rows));
  const auto take = [&](const auto& from) {
    for (size_t row = 0; row < rows; ++row) {
      if (!column.gap(row)) values.push_back(static_cast<double>(from[row]));
    }
  };
  if (const auto* reals = std::get_if<std::vector<double>>(&column.values)) take(*reals);
  if (const auto* wholes = std::get_if<std::vector<int64_t>>(&column.values)) take(*wholes);
  if (const auto* flags = std::get_if<std::vector<uint8_t>>(&column.values)) take(*flags);
  return values;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0, lost = 0;
  for (const double value : values) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return sum + lost;
}

double mean_of(const std::vector<double>& values) { return sum_of(values) / static_cast<double>(values.size()); }

double deviation_of(const std::vector<double>& values, double mean) {
  std::vector<double> squares(values.size());
  for (size_t i = 0; i < values.size(); ++i) squares[i] = (values[i] - mean) * (values[i] - mean);
  return std::sqrt(mean_of(squares));
}

double quantile_of(std::vector<double>& values, double q) {
  const double h = q * static_cast<double>(values.size() - 1);
  const auto k = static_cast<size_t>(h);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(k);
  std::nth_element(values.begin(), at, values.end());
  const double low = *at;
  if (k + 1 == values.size()) return low;
  const double high = *std::min_element(at + 1, values.end());
  return low + (h - static_cast<double>(k)) * (high - low);
}

bool is_constant(double spread, size_t n, double largest) {
  return spread <= static_cast<double>(n) * 0x1p-52 * largest;
}

}  // namespace causeway::pipeline
