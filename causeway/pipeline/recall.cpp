#include <algorithm>
#include <cmath>
#include <map>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/fit_state.h"

namespace causeway::pipeline {
namespace {

/// Reads what a fit document says against the steps it belongs to. Documents come from files, so nothing in them is
/// taken for granted.
class Recaller {
 public:
  Recaller(std::shared_ptr<const Declaration> declaration, const Json& fit, std::string where)
      : fit_(fit), where_(std::move(where)), preparation_(declaration->preparation()) {
    state_->declaration = std::move(declaration);
  }

  std::shared_ptr<const FitState> recall() {
    check_keys();
    index_steps();
    refuse_if_any(std::move(faults_));
    take_steps();
    refuse_if_any(std::move(faults_));
    take_names();
    refuse_if_any(std::move(faults_));
    return state_;
  }

 private:
  void add(const Json& at, std::string what) {
    std::string where = at.line() == 0 ? "fit" : "fit, " + at.place();
    faults_.push_back({where_.empty() ? where : where_ + ": " + where, std::move(what)});
  }

  void check_keys() {
    if (!fit_.is_object()) {
      add(fit_, "A fit is an object, and this is " + std::string(fit_.kind_name()) + ".");
      return;
    }
    for (const auto& [key, value] : fit_.members()) {
      static constexpr std::string_view kKeys[] = {"features", "answers", "steps", "unvaried", "parts"};
      if (std::ranges::find(kKeys, key) == std::end(kKeys)) add(value, "A fit has no key " + quoted(key) + ".");
    }
    for (const std::string_view key : {"features", "answers", "steps"}) {
      const Json* value = fit_.find(key);
      if (value == nullptr || !value->is_array()) add(fit_, "The fit's " + quoted(key) + " is no list.");
    }
    const Json* unvaried = fit_.find("unvaried");
    if (unvaried == nullptr || !unvaried->is_object()) add(fit_, "The fit's 'unvaried' is no object.");
  }

  void index_steps() {
    const Json* steps = fit_.find("steps");
    if (steps == nullptr || !steps->is_array()) return;
    for (const Json& entry : steps->items()) {
      const Json* number = entry.find("step");
      const bool known = number != nullptr && number->is_integer() && number->integer() >= 0 &&
                         static_cast<size_t>(number->integer()) < preparation_.size();
      if (!known || entry.members().size() != 2) {
        add(entry, "What a step learned is {\"step\": N, …} of one of the " + std::to_string(preparation_.size()) +
                       " steps that prepare rows.");
      } else if (!learned_.emplace(static_cast<size_t>(number->integer()), &entry).second) {
        add(entry, "Step " + std::to_string(number->integer()) + " has learned something already.");
      }
    }
  }

  /// The declared columns without a row.
  Table columns_declared() const {
    std::vector<Column> columns;
    for (const DeclaredColumn& declared : state_->declaration->declare().columns()) {
      columns.push_back(CellReader(declared, '.', true).finish());
      columns.back().target = std::ranges::count(state_->answers, declared.name) > 0;
    }
    return Table(std::move(columns), 0);
  }

  void take_steps() {
    state_->answers = state_->declaration->targets();
    rows_ = columns_declared();
    size_t used = 0;
    if (state_->declaration->split() == nullptr) take_parts(fit_.find("parts"), fit_);
    for (size_t i = 0; i < preparation_.size(); ++i) {
      const auto found = learned_.find(i);
      const Json* entry = found == learned_.end() ? nullptr : found->second;
      std::unique_ptr<const Fitted> fitted;
      StepFaults faults(preparation_[i]->declared(), faults_);
      if (preparation_[i]->role() == Role::Split) {
        take_parts(entry == nullptr ? nullptr : entry->find("parts"), entry == nullptr ? fit_ : *entry);
        used += entry == nullptr ? 0 : 1;
      } else if (const auto* change = dynamic_cast<const ChangeStep*>(preparation_[i])) {
        const Json* columns = entry == nullptr ? nullptr : entry->find("columns");
        used += entry == nullptr ? 0 : 1;
        fitted = change->recall(columns == nullptr ? Json() : *columns, rows_, faults);
        if (fitted == nullptr) return;  // what stands below would be read of columns that are not known
        Walk walk;
        fitted->apply(rows_, walk);
        check_names(*preparation_[i], rows_);
        check_learned(*fitted, columns, faults);
      }
      state_->steps.push_back(std::move(fitted));
    }
    if (used != learned_.size()) add(*fit_.find("steps"), "The fit says something of steps that learn nothing.");
  }

  // Said again, it must be the same: so no column too many is there, and the hash of the document is the fit's.
  static void check_learned(const Fitted& fitted, const Json* columns, StepFaults& faults) {
    const Json again = fitted.learned();
    if (columns == nullptr ? again.is_null() : again.canonical() == columns->canonical()) return;
    faults.add(columns == nullptr ? again : *columns, "The fit says more or other than the step learns.");
  }

  void take_parts(const Json* parts, const Json& at) {
    const bool split = state_->declaration->split() != nullptr;
    if (parts == nullptr || !parts->is_object()) {
      add(at, "The fit does not say which rows its parts were.");
      return;
    }
    for (size_t i = 0; i < (split ? 3 : 1); ++i) {
      const Json* part = parts->find(kPartNames[i]);
      const Json* keys = part == nullptr ? nullptr : part->find("keys");
      const Json* rows = part == nullptr ? nullptr : part->find("rows");
      const bool fits = keys != nullptr && keys->is_text() && keys->text().size() == 64 && rows != nullptr &&
                        rows->is_integer() && rows->integer() >= 0 && part->members().size() == 2;
      if (!fits) {
        add(*parts, "The part " + quoted(kPartNames[i]) + R"( is no {"keys": a SHA-256, "rows": a count}.)");
        continue;
      }
      state_->parts.push_back({std::string(kPartNames[i]), keys->text(), static_cast<size_t>(rows->integer())});
    }
    if (parts->members().size() != (split ? 3 : 1)) add(*parts, "There are other parts than the split makes.");
  }

  void take_names() {
    for (const Column* column : features_of(*state_->declaration, rows_)) state_->features.push_back(column->name);
    same_names("features", state_->features);
    same_names("answers", state_->answers);
    for (const auto& [name, value] : fit_.find("unvaried")->members()) {
      if (!value.is_number() || !std::isfinite(value.number())) {
        add(value, "The value that " + quoted(name) + " never left is no number.");
      } else if (std::ranges::find(state_->features, name) == state_->features.end()) {
        add(value, "There is no feature " + quoted(name) + " that could be unvaried.");
      } else {
        state_->unvaried.emplace_back(name, value.number());
      }
    }
  }

  void same_names(std::string_view key, const std::vector<std::string>& made) {
    Json expected = Json::Array();
    for (const std::string& name : made) expected.push(name);
    const Json& stated = *fit_.find(key);
    if (stated == expected) return;
    add(stated, "The fit's " + quoted(key) + " are " + escaped(stated.dump()) + ", and its steps make " +
                    escaped(expected.dump()) + ".");
  }

  const Json& fit_;
  std::string where_;
  std::vector<const Step*> preparation_;
  std::vector<Fault> faults_;
  std::map<size_t, const Json*> learned_;
  std::shared_ptr<FitState> state_ = std::make_shared<FitState>();
  Table rows_;
};

}  // namespace

std::shared_ptr<const FitState> recall_fit(std::shared_ptr<const Declaration> declaration, const Json& fit,
                                           const std::string& where) {
  return Recaller(std::move(declaration), fit, where).recall();
}

}  // namespace causeway::pipeline
