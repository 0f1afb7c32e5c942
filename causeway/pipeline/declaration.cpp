#include "causeway/pipeline/declaration.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/parameters.h"
#include "causeway/pipeline/verb_table.h"

namespace causeway::pipeline {
namespace {

constexpr int64_t kVersion = 1;

/// Reads the steps of one document.
class Reader {
 public:
  Reader(std::string where, std::vector<Fault>& faults) : where_(std::move(where)), faults_(faults) {}

  void read_step(const Json& stated, size_t number) {
    std::string where = "step " + std::to_string(number);
    if (stated.line() > 0) where += ", " + stated.place();
    const Json* verb = stated.find("verb");
    if (!stated.is_object() || verb == nullptr || !verb->is_text()) {
      faults_.push_back({where, R"(A step is an object with a "verb", and this is )" + std::string(stated.kind_name()) +
                                    (stated.is_object() ? " without one." : ".")});
      broken_ = true;
      return;
    }
    const VerbRow* row = find_verb(verb->text());
    if (row == nullptr) {
      if (verb->line() > 0) where = "step " + std::to_string(number) + ", " + verb->place();
      faults_.push_back({where, unknown_verb(verb->text())});
      broken_ = true;
      return;
    }
    StepDeclared declared{.verb = row, .number = number};
    declared.parameters.set_place(stated.line(), stated.column());
    const bool good = read_parameters(stated, declared, faults_);
    declared_.push_back(declared);
    steps_.push_back(good ? row->make(std::move(declared)) : nullptr);
  }

  void check() {
    if (!broken_) check_order(declared_, steps_, faults_);
    follow_columns();
  }

  std::vector<std::unique_ptr<const Step>> finish() && { return std::move(steps_); }

 private:
  // Up to the first step whose effect on columns is not known: behind it, one fault would breed others.
  void follow_columns() {
    KnownColumns columns;
    for (const auto& step : steps_) {
      if (const auto* target = dynamic_cast<const TargetStep*>(step.get())) columns.targets = target->columns();
    }
    const size_t found_before = faults_.size();
    const FeaturesStep* features = nullptr;
    bool followed = !broken_;
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Role role = declared_[i].verb->role;
      if (steps_[i] == nullptr) {
        if (role == Role::Declare || role == Role::Change || role == Role::Target) return;
        followed = followed && role != Role::Features;
        continue;
      }
      StepFaults faults(declared_[i], faults_);
      steps_[i]->check(columns, faults);
      if (const auto* stated = dynamic_cast<const FeaturesStep*>(steps_[i].get())) features = stated;
    }
    if (followed && faults_.size() == found_before)
      check_features(columns, features != nullptr && features->takes_any());
  }

  void check_features(const KnownColumns& columns, bool takes_any) {
    const auto declare =
        std::ranges::find(declared_, Role::Declare, [](const StepDeclared& one) { return one.verb->role; });
    if (declare == declared_.end()) return;
    StepFaults faults(*declare, faults_);
    size_t features = 0;
    for (const KnownColumn& column : columns.all()) {
      if (column.id || column.target) continue;
      ++features;
      if (column.kind == Kind::Category) {
        faults.add(column.place, quoted(column.name) + " is a category when the rows are handed over. Encode it.");
      } else if (!holds_numbers(column.kind)) {
        faults.add(column.place, quoted(column.name) + " is of kind " + std::string(word_of(column.kind)) +
                                     ", which is no feature. Make it an id, or do not declare it.");
      } else if (!takes_any && !column.bounded) {
        faults.add(column.place, quoted(column.name) +
                                     " is not bounded by declaration. Normalize it to 'midrange' or 'minmax', or state "
                                     R"({"verb": "features", "takes": "any"}.)");
      }
    }
    if (features == 0) faults.add("No feature is left: every column is an id or the target.");
  }

  std::string where_;
  std::vector<Fault>& faults_;
  std::vector<StepDeclared> declared_;
  std::vector<std::unique_ptr<const Step>> steps_;
  bool broken_ = false;
};

std::string place_of(const std::string& where, const Json& at) {
  if (at.line() == 0) return where;
  return where.empty() ? at.place() : where + ", " + at.place();
}

}  // namespace

Declaration Declaration::read(const Json& document, const std::string& where,
                              std::initializer_list<std::string_view> others) {
  if (!document.is_object()) {
    throw Refused(place_of(where, document), R"(A pipeline is an object, {"pipeline": 1, "steps": […]}, and this is )" +
                                                 std::string(document.kind_name()) + ".");
  }
  const Json* version = document.find("pipeline");
  if (version == nullptr || !version->is_integer() || version->integer() != kVersion) {
    throw Refused(place_of(where, version == nullptr ? document : *version),
                  R"("pipeline" is )" + (version == nullptr ? std::string("not there") : version->dump()) +
                      ", and version 1 is read. A newer version wants a newer program.");
  }
  std::vector<Fault> faults;
  std::vector<std::string_view> known = {"pipeline", "steps"};
  known.insert(known.end(), others.begin(), others.end());
  for (const auto& [key, value] : document.members()) {
    if (std::ranges::find(known, key) == known.end()) {
      faults.push_back({place_of(where, value), "A pipeline has no key " + quoted(key) + "." + nearest_of(key, known)});
    }
  }
  Reader reader(where, faults);
  const Json* steps = document.find("steps");
  if (steps == nullptr || !steps->is_array() || steps->items().empty()) {
    faults.push_back({place_of(where, steps == nullptr ? document : *steps), "'steps' is no list of steps."});
  } else {
    for (size_t i = 0; i < steps->items().size(); ++i) reader.read_step(steps->items()[i], i);
    reader.check();
  }
  refuse_if_any(std::move(faults));
  Declaration made;
  made.steps_ = std::move(reader).finish();
  return made;
}

const Step* Declaration::learn() const {
  for (const auto& step : steps_) {
    if (step->role() == Role::Learn) return step.get();
  }
  return nullptr;
}

Json step_json(const Step& step) {
  Json made = Json::Object();
  made.set("verb", step.verb().verb);
  for (const auto& [name, value] : step.declared().parameters.members()) made.set(name, value);
  return made;
}

Json Declaration::steps_json() const {
  Json made = Json::Array();
  for (const auto& step : steps_) made.push(step_json(*step));
  return made;
}

std::vector<const Step*> Declaration::preparation() const {
  std::vector<const Step*> made;
  for (const auto& step : steps_) {
    const Role role = step->role();
    if (role != Role::Read && role != Role::Evidence && role != Role::Learn) made.push_back(step.get());
  }
  return made;
}

}  // namespace causeway::pipeline
