#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/pipeline/known_columns.h"
#include "causeway/pipeline/table.h"
#include "causeway/pipeline/walk.h"

namespace causeway::pipeline {

struct VerbRow;

/// What a step is for, which decides where it may stand.
enum class Role { Read, Declare, Split, Target, Change, Features, Learn, Evidence };

/// A step as declared: its parameters with every default written out, in the order of the verb table, at the place of
/// the step.
struct StepDeclared {
  const VerbRow* verb = nullptr;
  size_t number = 0;  ///< counted from 0 in the declaration
  Json parameters = Json::Object();

  /// "step 4 (fill.missing), line 14:27": the place of `at` in the declaration, or of the step.
  std::string where(const Json* at = nullptr) const;

  const Json& at(std::string_view parameter) const;
  const std::string& text(std::string_view parameter) const { return at(parameter).text(); }
  std::vector<std::string> texts(std::string_view parameter) const;
};

/// Faults of one step, each at a place in it.
class StepFaults {
 public:
  StepFaults(const StepDeclared& step, std::vector<Fault>& faults) : step_(step), faults_(faults) {}

  void add(std::string what) { faults_.push_back({step_.where(), std::move(what)}); }
  void add(const Json& at, std::string what) { faults_.push_back({step_.where(&at), std::move(what)}); }

 private:
  const StepDeclared& step_;
  std::vector<Fault>& faults_;
};

/// One step of a pipeline. A family of verbs derives its own; the verb table makes them.
class Step {
 public:
  explicit Step(StepDeclared declared) : declared_(std::move(declared)) {}
  virtual ~Step() = default;

  const StepDeclared& declared() const { return declared_; }
  const VerbRow& verb() const { return *declared_.verb; }
  Role role() const;

  /// What can be known before a row is read: follows the columns through the step and says what does not fit.
  virtual void check(KnownColumns& columns, StepFaults& faults) const = 0;

 private:
  StepDeclared declared_;
};

/// What a step has learned, or is told, ready to change rows.
class Fitted {
 public:
  virtual ~Fitted() = default;

  /// {"column": what was learned of it}, or null where the step learns nothing.
  virtual Json learned() const { return {}; }
  /// Changes the rows. What is unusual about a row goes to the walk; so does what refuses it.
  virtual void apply(Table& rows, Walk& walk) const = 0;
  /// Undoes on answers in this column what `apply` did to the column, in double.
  virtual void undo(std::string_view, std::span<double>) const {}
};

/// A step that changes columns.
class ChangeStep : public Step {
 public:
  using Step::Step;

  /// Whether it learns from the training rows, and so stands below the split.
  virtual bool learns() const { return true; }
  /// Learns from rows 0 … training-1.
  virtual std::unique_ptr<const Fitted> fit(const Table& rows, size_t training, StepFaults& faults,
                                            std::vector<std::string>& notes) const = 0;
  /// Takes back what `learned()` gave (null if there is none); null where it does not fit, with faults. `rows` are the
  /// columns as they stand here, without a row.
  virtual std::unique_ptr<const Fitted> recall(const Json& learned, const Table& rows, StepFaults& faults) const = 0;
  /// Whether a required category may be a gap in rows to answer, since the step has a feature for it.
  virtual bool has_a_feature_for_gaps() const { return false; }
};

}  // namespace causeway::pipeline
