#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"

namespace causeway::pipeline {

inline constexpr std::array<std::string_view, 15> kMetricWords = {
    "rmse", "mae", "r2",       "accuracy", "precision",        "recall",
    "f1",   "auc", "log_loss", "brier",    "confusion_matrix", "calibration",
    "emd",  "rps", "kl"};

/// Answers beside the truth, row by row, in the target's own units.
struct Judged {
  std::span<const double> truth, answers;  ///< [rows, width]
  std::span<const double> logits = {};     ///< the same before the loss's activation, where they are known
  size_t width = 1;
  bool labels = false;  ///< each column is a chance of its own, and several may be 1

  size_t rows() const { return width == 0 ? 0 : truth.size() / width; }
};

/// One metric, computed in double by the conventions of docs/pipeline.md: a number, `"inf"`, a table, or null with a
/// note where these answers have none.
Json metric(std::string_view name, const Judged& judged, std::vector<std::string>& notes);

/// Each column's mean: what the baseline answers for every row.
std::vector<double> mean_answers(std::span<const double> truth, size_t width);

/// {"auc": {"value": x, "baseline": y}, …}: each metric beside what `baseline` (mean_answers of the training rows)
/// would have got.
Json judge(const std::vector<std::string>& metrics, const Judged& judged, const std::vector<double>& baseline,
           std::vector<std::string>& notes);

}  // namespace causeway::pipeline
