#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "causeway/base/sha256.h"
#include "causeway/pipeline/cells.h"
#include "causeway/pipeline/row_key.h"
#include "causeway/pipeline/source.h"
#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

/// Reads `columns` of a `declare` step and writes every default out.
Json read_schema(const Json& columns, StepFaults& faults);

/// `declare`: which columns there are and what their cells hold.
class DeclareStep : public Step {
 public:
  explicit DeclareStep(StepDeclared declared);

  void check(KnownColumns& columns, StepFaults& faults) const override;

  const std::vector<DeclaredColumn>& columns() const { return columns_; }
  const Json& place_of(size_t column) const { return declared().at("columns").items()[column]; }
  bool refuses_the_rest() const { return declared().text("remainder") == "refuse"; }
  std::vector<std::string> ids() const;

 private:
  std::vector<DeclaredColumn> columns_;
};

/// What is to be read beside the declared columns, and what of them.
struct GatherOptions {
  std::vector<std::string> keys;          ///< declared columns that make the row's key; none: no keys are made
  std::vector<std::string> ids;           ///< of which two rows may not hold the same; none: not checked
  std::string strata;                     ///< the column whose trimmed texts are the strata; "": none
  std::vector<std::string> targets;       ///< are marked as such
  std::vector<std::string> absent;        ///< declared columns that are not read
  std::vector<std::string> gaps_welcome;  ///< required columns that may hold gaps all the same
};

/// Rows as they were read.
struct Gathered {
  Table table;
  std::vector<Digest> keys;
  RowOrder key_order;
  std::vector<uint32_t> strata;
};

/// Reads every row of a source into declared columns. Refused: every cell that does not fit, at its place; a declared
/// column that the source lacks; two rows with one id.
Gathered gather(Source& source, const DeclareStep& declare, const GatherOptions& options);

}  // namespace causeway::pipeline
