#include "causeway/pipeline/metrics.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"
#include "causeway/pipeline/class_metrics.h"
#include "causeway/pipeline/judged_rows.h"

namespace causeway::pipeline {
namespace {

constexpr double kLeastChance = 0x1p-52;

double squared_error(const Judged& judged, size_t column) {
  return mean_over_rows(judged, [&](size_t row) {
    const double error = answer_at(judged, row, column) - truth_at(judged, row, column);
    return error * error;
  });
}

Json rmse(const Judged& judged) {
  return mean_over_columns(judged, [&](size_t column) { return std::sqrt(squared_error(judged, column)); });
}

Json mae(const Judged& judged) {
  return mean_over_columns(judged, [&](size_t column) {
    return mean_over_rows(
        judged, [&](size_t row) { return std::abs(answer_at(judged, row, column) - truth_at(judged, row, column)); });
  });
}

Json r2(const Judged& judged) {
  return mean_over_columns(judged, [&](size_t column) {
    const double mean = mean_over_rows(judged, [&](size_t row) { return truth_at(judged, row, column); });
    const double spread = mean_over_rows(judged, [&](size_t row) {
      return (truth_at(judged, row, column) - mean) * (truth_at(judged, row, column) - mean);
    });
    const double error = squared_error(judged, column);
    if (spread == 0) return error == 0 ? 1.0 : 0.0;
    return 1 - error / spread;
  });
}

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double clipped(double chance) { return std::clamp(chance, kLeastChance, 1 - kLeastChance); }

Json log_loss(const Judged& judged) {
  const bool known = !judged.logits.empty();
  if (judged.labels || judged.width == 1) {
    return mean_over_rows(judged, [&](size_t row) {
      return mean_over_columns(judged, [&](size_t column) {
        const double a = truth_at(judged, row, column);
        if (known) {
          const double o = judged.logits[row * judged.width + column];
          return softplus(o) - a * o;
        }
        const double p = clipped(answer_at(judged, row, column));
        return -(a * std::log(p) + (1 - a) * std::log1p(-p));
      });
    });
  }
  return mean_over_rows(judged, [&](size_t row) {
    std::vector<double> terms(judged.width);
    const std::span<const double> o = known ? judged.logits.subspan(row * judged.width, judged.width) : judged.logits;
    const double largest = known ? *std::ranges::max_element(o) : 0;
    double total = 0;
    for (const double logit : o) total += std::exp(logit - largest);
    for (size_t column = 0; column < judged.width; ++column) {
      const double log_chance =
          known ? o[column] - largest - std::log(total) : std::log(clipped(answer_at(judged, row, column)));
      terms[column] = -truth_at(judged, row, column) * log_chance;
    }
    return sum_of(terms);
  });
}

Json brier(const Judged& judged) {
  std::vector<double> columns(judged.width);
  for (size_t column = 0; column < judged.width; ++column) columns[column] = squared_error(judged, column);
  return judged.labels ? mean_of(columns) : sum_of(columns);
}

/// Sum over all bands but the last of what `of` makes of the difference heaped up so far.
Json over_bands(const Judged& judged, double (*of)(double)) {
  return mean_over_rows(judged, [&](size_t row) {
    double heap = 0, total = 0;
    for (size_t band = 0; band + 1 < judged.width; ++band) {
      heap += answer_at(judged, row, band) - truth_at(judged, row, band);
      total += of(heap);
    }
    return total;
  });
}

Json kl(const Judged& judged) {
  const double value = mean_over_rows(judged, [&](size_t row) {
    double total = 0;
    for (size_t column = 0; column < judged.width; ++column) {
      const double a = truth_at(judged, row, column);
      if (a > 0) total += a * std::log(a / answer_at(judged, row, column));
    }
    return total;
  });
  return std::isnan(value) ? Json("inf") : Json(value);  // two infinities among the rows make Neumaier's sum NaN
}

/// Why these answers have no such metric, or "".
std::string unsuited(std::string_view name, const Judged& judged) {
  const bool bands = name == "emd" || name == "rps" || name == "kl";
  if (bands && (judged.width < 2 || judged.labels)) return "it compares shares of two answers or more.";
  if (name == "calibration" && judged.width != 1) return "it judges one chance.";
  if (name == "confusion_matrix" && judged.labels) return "labels are no classes that exclude each other.";
  if (judged.rows() == 0) return "there is no row to judge.";
  if (!std::ranges::all_of(judged.answers, [](double value) { return std::isfinite(value); })) {
    return "an answer is not finite.";
  }
  return "";
}

Json measured(std::string_view name, const Judged& judged, std::vector<std::string>& notes) {
  if (name == "rmse") return rmse(judged);
  if (name == "mae") return mae(judged);
  if (name == "r2") return r2(judged);
  if (name == "accuracy") return accuracy(judged);
  if (name == "precision") return class_score(judged, &ClassScores::precision);
  if (name == "recall") return class_score(judged, &ClassScores::recall);
  if (name == "f1") return class_score(judged, &ClassScores::f1);
  if (name == "auc") return auc(judged, notes);
  if (name == "log_loss") return log_loss(judged);
  if (name == "brier") return brier(judged);
  if (name == "confusion_matrix") return confusion_matrix(judged);
  if (name == "calibration") return calibration(judged);
  if (name == "emd") return over_bands(judged, [](double heap) { return std::abs(heap); });
  if (name == "rps") return over_bands(judged, [](double heap) { return heap * heap; });
  CAUSEWAY_CHECK(name == "kl", "a metric is asked by a word of kMetricWords");
  return kl(judged);
}

}  // namespace

Json metric(std::string_view name, const Judged& judged, std::vector<std::string>& notes) {
  if (const std::string why = unsuited(name, judged); !why.empty()) {
    notes.push_back(std::string(name) + ": " + why);
    return {};
  }
  Json value = measured(name, judged, notes);
  const bool infinite = value.is_number() && !std::isfinite(value.number());
  return infinite ? Json("inf") : value;
}

std::vector<double> mean_answers(std::span<const double> truth, size_t width) {
  std::vector<double> means(width, 0);
  const size_t rows = width == 0 ? 0 : truth.size() / width;
  for (size_t column = 0; column < width && rows > 0; ++column) {
    std::vector<double> values(rows);
    for (size_t row = 0; row < rows; ++row) values[row] = truth[row * width + column];
    means[column] = mean_of(values);
  }
  return means;
}

Json judge(const std::vector<std::string>& metrics, const Judged& judged, const std::vector<double>& baseline,
           std::vector<std::string>& notes) {
  std::vector<double> means;
  for (size_t row = 0; row < judged.rows(); ++row) means.insert(means.end(), baseline.begin(), baseline.end());
  Judged beside = judged;
  beside.answers = means;
  beside.logits = {};
  Json made = Json::Object();
  for (const std::string& name : metrics) {
    std::vector<std::string> said_already;  // what the baseline lacks, the answers lack for the same reason
    made.set(name,
             Json::Object{{"value", metric(name, judged, notes)}, {"baseline", metric(name, beside, said_already)}});
  }
  return made;
}

}  // namespace causeway::pipeline
