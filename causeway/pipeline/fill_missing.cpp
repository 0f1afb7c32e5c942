#include "causeway/pipeline/fill_missing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/statistics.h"

namespace causeway::pipeline {
namespace {

constexpr std::string_view kMark = "_was_missing";
constexpr double kWholeInDouble = 9007199254740992.0;  // 2^53: past it, not every whole number is a double

bool is_whole(double value) { return std::abs(value) <= kWholeInDouble && value == std::trunc(value); }

/// Puts a value into every gap of a column; an integer column becomes a number where the value is a fraction.
void fill(Column& column, const Json& value) {
  if (column.kind == Kind::Integer && !is_whole(value.number())) column.become_number();
  const auto each_gap = [&](auto& values, const auto filled) {
    for (size_t row = 0; column.gaps.any() && row < values.size(); ++row) {
      if (column.gaps.at(row)) values[row] = filled;
    }
  };
  if (auto* reals = std::get_if<std::vector<double>>(&column.values)) each_gap(*reals, value.number());
  if (auto* wholes = std::get_if<std::vector<int64_t>>(&column.values)) {
    each_gap(*wholes, value.is_integer() ? value.integer() : static_cast<int64_t>(value.number()));
  }
  if (auto* flags = std::get_if<std::vector<uint8_t>>(&column.values)) {
    each_gap(*flags, static_cast<uint8_t>(value == Json(true) ? 1 : 0));
  }
  if (auto* texts = std::get_if<Texts>(&column.values)) each_gap(texts->numbers, texts->words->number_of(value.text()));
  column.gaps.clear();
  column.optional = false;
}

/// Values by column, in the order the step names them.
class Filled : public Fitted {
 public:
  Filled(std::vector<std::pair<std::string, Json>> values, bool mark, bool learned)
      : values_(std::move(values)), mark_(mark), learned_(learned) {}

  Json learned() const override {
    if (!learned_) return {};
    Json made = Json::Object();
    for (const auto& [name, value] : values_) made.set(name, value);
    return made;
  }

  void apply(Table& rows, Walk&) const override {
    for (const auto& [name, value] : values_) {
      Column& column = rows.at(name);
      Column mark = Column::empty(name + std::string(kMark), Kind::Boolean);
      mark.origin = column.origin;
      std::vector<uint8_t> flags(rows.rows(), 0);
      for (size_t row = 0; column.gaps.any() && row < flags.size(); ++row) flags[row] = column.gaps.at(row) ? 1 : 0;
      mark.values = std::move(flags);
      fill(column, value);
      if (mark_) rows.insert_after(name, std::move(mark));
    }
  }

 private:
  std::vector<std::pair<std::string, Json>> values_;
  bool mark_, learned_;
};

Json most_frequent(const Column& column, size_t training) {
  if (holds_texts(column.kind)) {
    std::map<std::string_view, size_t> counts;
    for (size_t row = 0; row < training; ++row) {
      if (!column.gap(row)) ++counts[column.text(row)];
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    return Json(std::string(most->first));
  }
  std::vector<double> values = values_of(column, training);
  std::ranges::sort(values);
  double best = values.front();
  size_t most = 0;
  for (size_t first = 0; first < values.size();) {
    size_t end = first;
    while (end < values.size() && values[end] == values[first]) ++end;
    if (end - first > most) most = end - first, best = values[first];
    first = end;
  }
  if (column.kind == Kind::Boolean) return Json(best != 0);
  return column.kind == Kind::Integer && is_whole(best) ? Json(static_cast<int64_t>(best)) : Json(best);
}

Json zero_of(Kind kind) { return kind == Kind::Boolean ? Json(false) : Json(0); }

/// Whether a value can stand in a column of this kind.
bool suits(const Json& value, Kind kind) {
  if (holds_texts(kind)) return value.is_text() && !value.text().empty();
  if (kind == Kind::Boolean) return value.is_bool();
  return (kind == Kind::Number || kind == Kind::Integer) && value.is_number();
}

}  // namespace

FillMissing::FillMissing(StepDeclared declared) : ChangeStep(std::move(declared)) {
  const Json& with = this->declared().at("with");
  static constexpr std::string_view kWords[] = {"mean", "median", "zero", "most_frequent", "previous"};
  if (with.is_text()) {
    with_ = static_cast<With>(std::ranges::find(kWords, with.text()) - std::begin(kWords));
  } else {
    with_ = With::Constant;
    constant_ = *with.find("constant");
  }
  mark_ = this->declared().at("mark").boolean();
  refuse_above_ = this->declared().at("refuse_above").number();
  columns_ = this->declared().texts("columns");
}

bool FillMissing::learns() const { return with_ != With::Zero && with_ != With::Constant && with_ != With::Previous; }

bool FillMissing::takes(const KnownColumn& column, const Json& at, StepFaults& faults) const {
  if (!column.gaps) {
    faults.add(at, quoted(column.name) +
                       " cannot hold gaps, so there is nothing to fill. Declare it optional, or leave it out here.");
    return false;
  }
  if (column.kind == Kind::Timestamp) {
    faults.add(at, quoted(column.name) + " is a timestamp, which is not filled.");
    return false;
  }
  const bool number = column.kind == Kind::Number || column.kind == Kind::Integer;
  if (((with_ == With::Mean || with_ == With::Median) && !number) ||
      (with_ == With::Zero && holds_texts(column.kind))) {
    faults.add(at, quoted(column.name) + " is of kind " + std::string(word_of(column.kind)) + ", and has no " +
                       declared().text("with") + ". Fill it with 'most_frequent' or a constant.");
    return false;
  }
  if (with_ == With::Constant && !suits(constant_, column.kind)) {
    faults.add(at, quoted(column.name) + " is of kind " + std::string(word_of(column.kind)) + ", and the constant is " +
                       std::string(constant_.kind_name()) + ".");
    return false;
  }
  return true;
}

void FillMissing::check(KnownColumns& columns, StepFaults& faults) const {
  if (with_ == With::Previous) {
    faults.add(declared().at("with"),
               "'previous' looks at the row above, so it stands below an 'order.by' and above the split; no step "
               "orders these rows.");
    return;
  }
  for (const Json& name : declared().at("columns").items()) {
    KnownColumn* column = columns.named(name, faults);
    if (column == nullptr || columns.refuse_target(*column, name, faults) || !takes(*column, name, faults)) continue;
    column->gaps = false;
    if (with_ == With::Constant && constant_.is_number() && std::abs(constant_.number()) > 1) column->bounded = false;
    if (column->kind == Kind::Integer &&
        (with_ == With::Mean || with_ == With::Median || (with_ == With::Constant && !is_whole(constant_.number())))) {
      column->kind = Kind::Number;
    }
    if (mark_) {
      columns.add_after(
          name.text(),
          {.name = name.text() + std::string(kMark), .kind = Kind::Boolean, .bounded = true, .place = name}, name,
          faults);
    }
  }
}

Json FillMissing::value_for(const Column& column, size_t training, StepFaults& faults) const {
  const size_t gaps = column.gaps.count_before(training);
  if (static_cast<double>(gaps) > refuse_above_ * static_cast<double>(training)) {
    faults.add(declared().at("refuse_above"), quoted(column.name) + " has " + std::to_string(gaps) + " gaps in " +
                                                  std::to_string(training) + " training rows, more than the share of " +
                                                  text_of(refuse_above_) + ".");
    return {};
  }
  if (with_ == With::Constant) return constant_;
  if (with_ == With::Zero) return zero_of(column.kind);
  if (gaps == training) {
    faults.add(quoted(column.name) + " holds gaps alone in the training rows, so nothing is learned to fill it with.");
    return {};
  }
  if (with_ == With::MostFrequent) return most_frequent(column, training);
  std::vector<double> values = values_of(column, training);
  const double value = with_ == With::Median ? quantile_of(values, 0.5) : mean_of(values);
  if (std::isfinite(value)) return Json(value);
  faults.add(quoted(column.name) + " holds numbers so large that its " + declared().text("with") + " is no double.");
  return {};
}

std::unique_ptr<const Fitted> FillMissing::fit(const Table& rows, size_t training, StepFaults& faults,
                                               std::vector<std::string>&) const {
  std::vector<std::pair<std::string, Json>> values;
  bool good = true;
  for (const std::string& name : columns_) {
    values.emplace_back(name, value_for(rows.at(name), training, faults));
    good = good && !values.back().second.is_null();
  }
  if (!good) return nullptr;
  return std::make_unique<Filled>(std::move(values), mark_, learns());
}

std::unique_ptr<const Fitted> FillMissing::recall(const Json& learned, const Table& rows, StepFaults& faults) const {
  std::vector<std::pair<std::string, Json>> values;
  for (const std::string& name : columns_) {
    const Kind kind = rows.at(name).kind;
    if (!learns()) {
      values.emplace_back(name, with_ == With::Constant ? constant_ : zero_of(kind));
      continue;
    }
    const Json* value = learned.find(name);
    if (value == nullptr || !suits(*value, kind)) {
      faults.add(value == nullptr ? learned : *value,
                 "The fit has no value of kind " + std::string(word_of(kind)) + " to fill " + quoted(name) + " with.");
      return nullptr;
    }
    values.emplace_back(name, *value);
  }
  return std::make_unique<Filled>(std::move(values), mark_, learns());
}

}  // namespace causeway::pipeline
