#pragma once

#include <string>
#include <vector>

#include "causeway/pipeline/metrics.h"

// Metrics that ask which class an answer names, or how its chances stand to it.

namespace causeway::pipeline {

/// Precision, recall and f1 of one class.
struct ClassScores {
  double precision, recall, f1;
};

Json accuracy(const Judged& judged);
/// Of class 1 where there is one answer, the mean over labels, or over the classes that are seen.
Json class_score(const Judged& judged, double ClassScores::*which);
Json auc(const Judged& judged, std::vector<std::string>& notes);
Json confusion_matrix(const Judged& judged);
Json calibration(const Judged& judged);

}  // namespace causeway::pipeline
