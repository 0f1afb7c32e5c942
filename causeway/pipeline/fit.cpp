#include "causeway/pipeline/fit.h"

#include <set>

#include "causeway/base/check.h"
#include "causeway/base/quoted.h"
#include "causeway/base/sha256.h"
#include "causeway/pipeline/fit_state.h"

namespace causeway::pipeline {

Fit::Fit() = default;

const FitState& Fit::state() const {
  CAUSEWAY_CHECK(state_ != nullptr, "a fit is asked that was learned or read");
  return *state_;
}

const std::vector<std::string>& Fit::features() const { return state().features; }
const std::vector<std::string>& Fit::answers() const { return state().answers; }
const std::vector<std::pair<std::string, double>>& Fit::unvaried() const { return state().unvaried; }
const Declaration& Fit::declaration() const { return *state().declaration; }

namespace {

Json texts(const std::vector<std::string>& items) {
  Json made = Json::Array();
  for (const std::string& item : items) made.push(item);
  return made;
}

Json parts_json(const std::vector<PartDigest>& parts) {
  Json made = Json::Object();
  for (const PartDigest& part : parts) {
    made.set(part.name, Json::Object{{"keys", part.keys}, {"rows", static_cast<int64_t>(part.rows)}});
  }
  return made;
}

}  // namespace

Json FitState::fit_json() const {
  Json learned = Json::Array();
  const std::vector<const Step*> preparation = declaration->preparation();
  for (size_t i = 0; i < preparation.size(); ++i) {
    const auto number = static_cast<int64_t>(i);
    if (preparation[i]->role() == Role::Split) {
      learned.push(Json::Object{{"step", number}, {"parts", parts_json(parts)}});
    } else if (steps[i] != nullptr) {
      Json columns = steps[i]->learned();
      if (!columns.is_null()) learned.push(Json::Object{{"step", number}, {"columns", std::move(columns)}});
    }
  }
  Json same = Json::Object();
  for (const auto& [name, value] : unvaried) same.set(name, value);
  Json made = Json::Object{{"features", texts(features)}, {"answers", texts(answers)}, {"steps", std::move(learned)}};
  made.set("unvaried", std::move(same));
  if (declaration->split() == nullptr) made.set("parts", parts_json(parts));
  return made;
}

Json Fit::to_json() const {
  return Json::Object{{"pipeline", 1}, {"steps", declaration().steps_json()}, {"fit", state().fit_json()}};
}

std::string Fit::preparation() const {
  Json steps = Json::Array();
  for (const Step* step : declaration().preparation()) steps.push(step_json(*step));
  return Json(Json::Object{{"pipeline", 1}, {"steps", std::move(steps)}, {"fit", state().fit_json()}}).canonical();
}

std::string Fit::trained_behind() const { return hex(sha256(preparation())); }

Fit Fit::from_json(const Json& document, const std::string& where) {
  auto declaration = std::make_shared<const Declaration>(Declaration::read(document, where, {"fit"}));
  const Json* fit = document.find("fit");
  if (fit == nullptr) throw Refused(where, R"(The pipeline has no "fit": it was declared, and nothing was learned.)");
  return Fit(recall_fit(std::move(declaration), *fit, where));
}

Tensor Fit::undo(const Tensor& answers) const {
  const std::vector<std::string>& names = state().answers;
  const std::vector<int64_t>& lengths = answers.lengths();
  if (lengths.size() != 2 || lengths[1] != static_cast<int64_t>(names.size())) {
    throw Refused("answers", "They are " + causeway::text_of(lengths) + ", and [rows, " + std::to_string(names.size()) +
                                 "] is what the target makes.");
  }
  Tensor made = answers.converted(DType::Float64);
  const std::span<double> values = made.mutable_values<double>();
  const size_t width = names.size(), rows = width == 0 ? 0 : values.size() / width;
  std::vector<double> column(rows);
  for (size_t i = 0; i < width; ++i) {
    for (size_t row = 0; row < rows; ++row) column[row] = values[row * width + i];
    for (size_t step = state().steps.size(); step-- > 0;) {
      if (state().steps[step] != nullptr) state().steps[step]->undo(names[i], column);
    }
    for (size_t row = 0; row < rows; ++row) values[row * width + i] = column[row];
  }
  return made;
}

std::vector<const Column*> features_of(const Declaration& declaration, const Table& rows) {
  std::vector<const Column*> made;
  std::vector<std::string> names;
  for (const Column& column : rows.columns()) {
    if (column.id || column.target) continue;
    made.push_back(&column);
    names.push_back(column.name);
  }
  const FeaturesStep* stated = declaration.features();
  const std::vector<size_t> order = stated == nullptr ? std::vector<size_t>() : stated->order(names);
  if (order.empty()) return made;
  std::vector<const Column*> ordered;
  ordered.reserve(order.size());
  for (const size_t place : order) ordered.push_back(made[place]);
  return ordered;
}

void check_names(const Step& step, const Table& rows) {
  std::set<std::string_view> seen;
  std::vector<Fault> faults;
  for (const Column& column : rows.columns()) {
    if (seen.insert(column.name).second) continue;
    faults.push_back({step.declared().where(), "Two columns are named " + quoted(column.name) + " here."});
  }
  refuse_if_any(std::move(faults));
}

}  // namespace causeway::pipeline
