#include "causeway/pipeline/normalize.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/statistics.h"

namespace causeway::pipeline {
namespace {

using Scale = Normalize::Scale;
using OutOfRange = Normalize::OutOfRange;

/// The two numbers a scale learns of a column: least and largest value, or mean and standard deviation.
struct Learned {
  std::string column;
  double first = 0, second = 0;
};

/// y = (x - shift) / spread, with the ends of the fitted range where the scale has them.
struct Line {
  double shift = 0, spread = 1;
  double unit = 1;  // what x and shift are taken times: one half where the ends' distance is past the largest double
  bool ends = false;
  double lowest = 0, highest = 0;    // x at the ends
  double low_end = 0, high_end = 0;  // y there
  double slack = 0;                  // how far past an end still counts as within

  double at(double x) const {
    // The ends are met exactly, whatever the division rounds to.
    if (ends && x == lowest) return low_end;
    if (ends && x == highest) return high_end;
    return (x * unit - shift * unit) / spread;
  }
  double undone(double y) const { return y * spread / unit + shift; }
};

Line line_of(const Learned& learned, Scale scale) {
  const auto [column, first, second] = learned;
  if (scale == Scale::Standard) return {.shift = first, .spread = second == 0 ? 1 : second};
  if (first == second) {
    // The fitted values may have differed by n roundings, and n is not kept: 2^32 rows at most are read.
    return {.shift = first, .ends = true, .lowest = first, .highest = first, .slack = 0x1p-20 * std::abs(first)};
  }
  if (scale == Scale::MinMax) {
    const double unit = std::isfinite(second - first) ? 1 : 0.5, spread = second * unit - first * unit;
    return {.shift = first,
            .spread = spread,
            .unit = unit,
            .ends = true,
            .lowest = first,
            .highest = second,
            .high_end = 1};
  }
  // Halves are added where the sum of the ends is past the largest double.
  const double middle = std::isfinite(first + second) ? (first + second) / 2 : first / 2 + second / 2;
  const double half = std::isfinite(second - first) ? (second - first) / 2 : second / 2 - first / 2;
  return {
      .shift = middle, .spread = half, .ends = true, .lowest = first, .highest = second, .low_end = -1, .high_end = 1};
}

class Normalized : public Fitted {
 public:
  Normalized(std::vector<Learned> columns, Scale scale, OutOfRange out_of_range)
      : columns_(std::move(columns)), scale_(scale), out_of_range_(out_of_range) {}

  Json learned() const override {
    Json made = Json::Object();
    for (const Learned& one : columns_) made.set(one.column, Json::Array{one.first, one.second});
    return made;
  }

  void apply(Table& rows, Walk& walk) const override {
    for (const Learned& one : columns_) {
      if (Column* column = rows.find(one.column)) apply(*column, line_of(one, scale_), walk);  // a target may be absent
    }
  }

  void undo(std::string_view name, std::span<double> values) const override {
    for (const Learned& one : columns_) {
      if (one.column != name) continue;
      const Line line = line_of(one, scale_);
      for (double& value : values) value = line.undone(value);
    }
  }

 private:
  void apply(Column& column, const Line& line, Walk& walk) const {
    column.become_number();
    std::vector<double>& values = column.doubles();
    for (size_t row = 0; row < values.size(); ++row) {
      if (column.gap(row)) continue;
      const double x = values[row];
      double y = line.at(x);
      if (line.ends && (x < line.lowest - line.slack || x > line.highest + line.slack)) {
        if (out_of_range_ == OutOfRange::Refuse) {
          walk.refuse(row, column.name, outside(x, line));
        } else if (!column.target) {
          walk.note(row, column.origin, outside(x, line));
        }
        if (out_of_range_ == OutOfRange::Clip) y = x < line.lowest ? line.low_end : line.high_end;
      }
      if (!std::isfinite(y)) column.gaps.set(row);  // a column holds finite values and gaps
      values[row] = y;
    }
  }

  static std::string outside(double x, const Line& line) {
    return text_of(x) + " lies outside the training rows' " + text_of(line.lowest) + " to " + text_of(line.highest) +
           ".";
  }

  std::vector<Learned> columns_;
  Scale scale_;
  OutOfRange out_of_range_;
};

template <size_t N>
size_t place_in(const std::string_view (&words)[N], const std::string& word) {
  return static_cast<size_t>(std::ranges::find(words, word) - std::begin(words));
}

}  // namespace

Normalize::Normalize(StepDeclared declared) : ChangeStep(std::move(declared)) {
  static constexpr std::string_view kScales[] = {"midrange", "minmax", "standard"};
  static constexpr std::string_view kOutOfRange[] = {"pass", "clip", "refuse"};
  scale_ = static_cast<Scale>(place_in(kScales, this->declared().text("scale")));
  out_of_range_ = static_cast<OutOfRange>(place_in(kOutOfRange, this->declared().text("out_of_range")));
  columns_ = this->declared().texts("columns");
}

void Normalize::check(KnownColumns& columns, StepFaults& faults) const {
  if (scale_ == Scale::Standard && out_of_range_ != OutOfRange::Pass) {
    faults.add(declared().at("out_of_range"), "The scale 'standard' has no ends, so nothing is out of its range.");
  }
  for (const Json& name : declared().at("columns").items()) {
    KnownColumn* column = columns.named(name, faults);
    if (column == nullptr) continue;
    if (columns.is_target(name.text()) && !column->target) {
      faults.add(name, quoted(name.text()) + " is the target, which is normalized below its 'target' step alone.");
      continue;
    }
    if (column->kind != Kind::Number && column->kind != Kind::Integer) {
      faults.add(name, quoted(name.text()) + " is of kind " + std::string(word_of(column->kind)) +
                           ", and numbers and integers are normalized.");
      continue;
    }
    column->kind = Kind::Number;
    column->bounded = scale_ != Scale::Standard;
  }
}

std::unique_ptr<const Fitted> Normalize::fit(const Table& rows, size_t training, StepFaults& faults,
                                             std::vector<std::string>& notes) const {
  std::vector<Learned> made;
  bool good = true;
  for (const std::string& name : columns_) {
    const std::vector<double> values = values_of(rows.at(name), training);
    if (values.empty()) {
      faults.add(quoted(name) + " holds gaps alone in the training rows, so it has no scale.");
      good = false;
      continue;
    }
    const auto [least, most] = std::ranges::minmax(values);
    const double largest = std::max(std::abs(least), std::abs(most));
    Learned learned{name, least, most};
    if (scale_ == Scale::Standard) {
      learned.first = mean_of(values);
      learned.second = deviation_of(values, learned.first);
      if (!std::isfinite(learned.first) || !std::isfinite(learned.second)) {
        faults.add(quoted(name) + " holds numbers so large that its mean or deviation is no double.");
        good = false;
        continue;
      }
    }
    const double spread = scale_ == Scale::Standard ? learned.second : most - least;
    if (is_constant(spread, values.size(), largest)) {
      // What is kept says so again when it is read: both ends alike, or no deviation.
      learned.second = scale_ == Scale::Standard ? 0 : learned.first;
      notes.push_back(declared().where() + ": " + quoted(name) + " holds one value, " + text_of(least) +
                      ", in the training rows, and becomes 0 there.");
    }
    made.push_back(learned);
  }
  if (!good) return nullptr;
  return std::make_unique<Normalized>(std::move(made), scale_, out_of_range_);
}

std::unique_ptr<const Fitted> Normalize::recall(const Json& learned, const Table&, StepFaults& faults) const {
  std::vector<Learned> made;
  for (const std::string& name : columns_) {
    const Json* pair = learned.find(name);
    const bool fits = pair != nullptr && pair->is_array() && pair->items().size() == 2 &&
                      pair->items()[0].is_number() && pair->items()[1].is_number();
    const double first = fits ? pair->items()[0].number() : 0, second = fits ? pair->items()[1].number() : 0;
    const bool ordered = scale_ == Scale::Standard ? second >= 0 : second >= first;
    if (!fits || !ordered || !std::isfinite(first) || !std::isfinite(second)) {
      faults.add(pair == nullptr ? learned : *pair,
                 "The fit has no " +
                     std::string(scale_ == Scale::Standard ? "mean and deviation" : "least and largest value") +
                     " of " + quoted(name) + ".");
      return nullptr;
    }
    made.push_back({name, first, second});
  }
  return std::make_unique<Normalized>(std::move(made), scale_, out_of_range_);
}

}  // namespace causeway::pipeline
