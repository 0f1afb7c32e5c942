#pragma once

#include <cstddef>
#include <vector>

#include "causeway/pipeline/table.h"

namespace causeway::pipeline {

/// The values among the first `rows` of a column that are no gaps, in row order.
std::vector<double> values_of(const Column& column, size_t rows);

/// Neumaier's compensated sum in order, and that divided by the count.
double sum_of(const std::vector<double>& values);
double mean_of(const std::vector<double>& values);
/// Of the population, in two passes.
double deviation_of(const std::vector<double>& values, double mean);
/// At h = q (n - 1), linearly between the neighbours. Reorders the values, of which there is one at least.
double quantile_of(std::vector<double>& values, double q);
/// Whether a spread is no more than the roundings of the values: n 2^-52 max|x|.
bool is_constant(double spread, size_t n, double largest);

}  // namespace causeway::pipeline
