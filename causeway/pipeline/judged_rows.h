#pragma once

#include <vector>

#include "causeway/pipeline/metrics.h"
#include "causeway/pipeline/statistics.h"

// How metrics go over judged rows and answers.

namespace causeway::pipeline {

inline double truth_at(const Judged& judged, size_t row, size_t column) {
  return judged.truth[row * judged.width + column];
}
inline double answer_at(const Judged& judged, size_t row, size_t column) {
  return judged.answers[row * judged.width + column];
}

/// Mean over rows of a number each row gives.
template <class Of>
double mean_over_rows(const Judged& judged, const Of& of) {
  std::vector<double> values(judged.rows());
  for (size_t row = 0; row < values.size(); ++row) values[row] = of(row);
  return mean_of(values);
}

template <class Of>
double mean_over_columns(const Judged& judged, const Of& of) {
  std::vector<double> values(judged.width);
  for (size_t column = 0; column < values.size(); ++column) values[column] = of(column);
  return mean_of(values);
}

}  // namespace causeway::pipeline
