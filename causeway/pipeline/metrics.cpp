#include "causeway/pipeline/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"
#include "causeway/pipeline/statistics.h"

namespace causeway::pipeline {
namespace {

constexpr double kLeastChance = 0x1p-52;

double truth_at(const Judged& judged, size_t row, size_t column) { return judged.truth[row * judged.width + column]; }
double answer_at(const Judged& judged, size_t row, size_t column) {
  return judged.answers[row * judged.width + column];
}

/// Mean over rows of a number each row gives.
double mean_over_rows(const Judged& judged, const std::function<double(size_t row)>& of) {
  std::vector<double> values(judged.rows());
  for (size_t row = 0; row < values.size(); ++row) values[row] = of(row);
  return mean_of(values);
}

double mean_over_columns(const Judged& judged, const std::function<double(size_t column)>& of) {
  std::vector<double> values(judged.width);
  for (size_t column = 0; column < values.size(); ++column) values[column] = of(column);
  return mean_of(values);
}

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

size_t first_largest(std::span<const double> values) {
  return static_cast<size_t>(std::ranges::max_element(values) - values.begin());
}

/// The class of a row: 1 from one half on where there is one chance, else the first largest of several.
size_t class_of(std::span<const double> row) { return row.size() == 1 ? (row[0] >= 0.5 ? 1 : 0) : first_largest(row); }

struct Classes {
  std::vector<size_t> truth, answer;
};

Classes classes_of(const Judged& judged) {
  Classes made;
  for (size_t row = 0; row < judged.rows(); ++row) {
    made.truth.push_back(class_of(judged.truth.subspan(row * judged.width, judged.width)));
    made.answer.push_back(class_of(judged.answers.subspan(row * judged.width, judged.width)));
  }
  return made;
}

/// One column as a chance of its own.
Classes label_of(const Judged& judged, size_t column) {
  Classes made;
  for (size_t row = 0; row < judged.rows(); ++row) {
    made.truth.push_back(truth_at(judged, row, column) >= 0.5 ? 1 : 0);
    made.answer.push_back(answer_at(judged, row, column) >= 0.5 ? 1 : 0);
  }
  return made;
}

Json accuracy(const Judged& judged) {
  return mean_over_rows(judged, [&](size_t row) {
    if (!judged.labels) {
      const size_t first = row * judged.width;
      return class_of(judged.truth.subspan(first, judged.width)) ==
                     class_of(judged.answers.subspan(first, judged.width))
                 ? 1.0
                 : 0.0;
    }
    for (size_t column = 0; column < judged.width; ++column) {
      if ((truth_at(judged, row, column) >= 0.5) != (answer_at(judged, row, column) >= 0.5)) return 0.0;
    }
    return 1.0;
  });
}

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

/// Precision, recall and f1 of one class.
struct Scores {
  double precision, recall, f1;
};

Scores scores_of(const Classes& classes, size_t wanted) {
  double hits = 0, answered = 0, true_ones = 0;
  for (size_t row = 0; row < classes.truth.size(); ++row) {
    answered += classes.answer[row] == wanted ? 1 : 0;
    true_ones += classes.truth[row] == wanted ? 1 : 0;
    hits += classes.answer[row] == wanted && classes.truth[row] == wanted ? 1 : 0;
  }
  return {ratio(hits, answered), ratio(hits, true_ones), ratio(2 * hits, answered + true_ones)};
}

Json score(const Judged& judged, double Scores::*which) {
  if (judged.labels) {
    return mean_over_columns(judged, [&](size_t column) { return scores_of(label_of(judged, column), 1).*which; });
  }
  const Classes classes = classes_of(judged);
  if (judged.width == 1) return scores_of(classes, 1).*which;
  std::set<size_t> seen(classes.truth.begin(), classes.truth.end());
  seen.insert(classes.answer.begin(), classes.answer.end());
  std::vector<double> values;
  for (const size_t one : seen) values.push_back(scores_of(classes, one).*which);
  return mean_of(values);
}

/// Mann and Whitney's share of pairs that stand the right way round, ties half; none where a class is absent.
std::optional<double> area(const std::vector<double>& scores, const std::vector<bool>& ones) {
  std::vector<size_t> order(scores.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](size_t row) { return scores[row]; });
  double below = 0, won = 0, all_ones = 0;  // zeros below the run of equal scores; pairs won by ones
  for (size_t first = 0; first < order.size();) {
    double zeros = 0, ones_here = 0;
    size_t end = first;
    for (; end < order.size() && scores[order[end]] == scores[order[first]]; ++end) {
      (ones[order[end]] ? ones_here : zeros) += 1;
    }
    won += ones_here * (below + zeros / 2);
    below += zeros, all_ones += ones_here;
    first = end;
  }
  if (below == 0 || all_ones == 0) return std::nullopt;
  return won / (below * all_ones);
}

Json auc(const Judged& judged, std::vector<std::string>& notes) {
  const Classes classes = judged.labels || judged.width == 1 ? Classes() : classes_of(judged);
  std::vector<double> areas;
  for (size_t column = 0; column < judged.width; ++column) {
    std::vector<double> scores;
    std::vector<bool> ones;
    for (size_t row = 0; row < judged.rows(); ++row) {
      scores.push_back(answer_at(judged, row, column));
      ones.push_back(classes.truth.empty() ? truth_at(judged, row, column) >= 0.5 : classes.truth[row] == column);
    }
    const std::optional<double> one = area(scores, ones);
    if (!one) {
      notes.push_back("auc: a class is absent from the judged rows.");
      return {};
    }
    areas.push_back(*one);
  }
  return mean_of(areas);
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

Json confusion_matrix(const Judged& judged) {
  const Classes classes = classes_of(judged);
  const size_t count = std::max<size_t>(2, judged.width);
  std::vector<int64_t> counts(count * count, 0);
  for (size_t row = 0; row < classes.truth.size(); ++row) ++counts[classes.truth[row] * count + classes.answer[row]];
  Json made = Json::Array();
  for (size_t truth = 0; truth < count; ++truth) {
    Json line = Json::Array();
    for (size_t answer = 0; answer < count; ++answer) line.push(counts[truth * count + answer]);
    made.push(std::move(line));
  }
  return made;
}

Json calibration(const Judged& judged) {
  struct Bin {
    std::vector<double> chances, truths;
  };
  std::array<Bin, 10> bins;
  for (size_t row = 0; row < judged.rows(); ++row) {
    size_t bin = 9;
    while (bin > 0 && judged.answers[row] < static_cast<double>(bin) / 10) --bin;
    bins[bin].chances.push_back(judged.answers[row]);
    bins[bin].truths.push_back(judged.truth[row]);
  }
  Json made = Json::Array();
  double error = 0;
  for (const Bin& bin : bins) {
    const auto count = static_cast<int64_t>(bin.chances.size());
    Json one = Json::Object{{"count", count}, {"mean", nullptr}, {"share", nullptr}};
    if (count > 0) {
      const double mean = mean_of(bin.chances), share = mean_of(bin.truths);
      one.set("mean", mean);
      one.set("share", share);
      error += static_cast<double>(count) / static_cast<double>(judged.rows()) * std::abs(mean - share);
    }
    made.push(std::move(one));
  }
  return Json::Object{{"bins", std::move(made)}, {"ece", error}};
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
  if (name == "precision") return score(judged, &Scores::precision);
  if (name == "recall") return score(judged, &Scores::recall);
  if (name == "f1") return score(judged, &Scores::f1);
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
