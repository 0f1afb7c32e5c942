#include "causeway/pipeline/class_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "causeway/pipeline/judged_rows.h"

namespace causeway::pipeline {
namespace {

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

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

ClassScores scores_of(const Classes& classes, size_t wanted) {
  double hits = 0, answered = 0, true_ones = 0;
  for (size_t row = 0; row < classes.truth.size(); ++row) {
    answered += classes.answer[row] == wanted ? 1 : 0;
    true_ones += classes.truth[row] == wanted ? 1 : 0;
    hits += classes.answer[row] == wanted && classes.truth[row] == wanted ? 1 : 0;
  }
  return {ratio(hits, answered), ratio(hits, true_ones), ratio(2 * hits, answered + true_ones)};
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

}  // namespace

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

Json class_score(const Judged& judged, double ClassScores::*which) {
  if (judged.labels) {
    return mean_over_columns(judged, [&](size_t column) { return scores_of(label_of(judged, column), 1).*which; });
  }
  const Classes classes = classes_of(judged);
  if (judged.width == 1) return scores_of(classes, 1).*which;
  std::set<size_t> seen(classes.truth.begin(), classes.truth.end());
  seen.insert(classes.answer.begin(), classes.answer.end());
  std::vector<double> values;
  values.reserve(seen.size());
  for (const size_t one : seen) values.push_back(scores_of(classes, one).*which);
  return mean_of(values);
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
      notes.emplace_back("auc: a class is absent from the judged rows.");
      return {};
    }
    areas.push_back(*one);
  }
  return mean_of(areas);
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

}  // namespace causeway::pipeline
