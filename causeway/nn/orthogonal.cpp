#include "causeway/nn/orthogonal.h"

#include <algorithm>
#include <cmath>

namespace causeway::nn {
namespace {

// Columns of a matrix, each orthogonal to those before it and of length 1. Gram and Schmidt's way, each column taken
// twice, gives the Q whose R has a positive diagonal, to a rounding of double.
void make_orthonormal(std::vector<std::vector<double>>& columns) {
  for (size_t j = 0; j < columns.size(); ++j) {
    std::vector<double>& column = columns[j];
    for (int round = 0; round < 2; ++round) {
      for (size_t k = 0; k < j; ++k) {
        double along = 0;
        for (size_t i = 0; i < column.size(); ++i) along += columns[k][i] * column[i];
        for (size_t i = 0; i < column.size(); ++i) column[i] -= along * columns[k][i];
      }
    }
    double square = 0;
    for (const double entry : column) square += entry * entry;
    const double norm = std::sqrt(square);
    for (double& entry : column) entry /= norm;
  }
}

}  // namespace

void draw_orthogonal(const std::vector<int64_t>& lengths, double gain, const Draws& draws, std::span<float> into) {
  if (into.empty()) return;
  const size_t columns = lengths.empty() ? 1 : static_cast<size_t>(lengths.back());
  const size_t rows = into.size() / columns;
  const size_t tall = std::max(rows, columns), narrow = std::min(rows, columns);
  std::vector<std::vector<double>> basis(narrow, std::vector<double>(tall));
  for (size_t i = 0; i < tall; ++i) {
    for (size_t j = 0; j < narrow; ++j) basis[j][i] = draws.normal(i * narrow + j);
  }
  make_orthonormal(basis);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      const double entry = rows >= columns ? basis[j][i] : basis[i][j];
      into[i * columns + j] = static_cast<float>(gain * entry);
    }
  }
}

}  // namespace causeway::nn
