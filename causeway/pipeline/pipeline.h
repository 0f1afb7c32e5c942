#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/pipeline/builder.h"
#include "causeway/pipeline/fit.h"
#include "causeway/pipeline/prepared.h"
#include "causeway/pipeline/rows.h"

namespace causeway::pipeline {

/// A `learn.*` step, kept for who knows networks: its keys with their places in the declaration.
struct LearnRequest {
  std::string verb;
  Json stated;
  std::string where;  ///< "step 7 (learn.network), line 19:5"; for a fault at a key, see place_of

  /// The step alone, "step 7 (learn.network)".
  std::string step() const { return where.substr(0, where.find(", line")); }
  /// Where a value inside `stated` stands.
  std::string place_of(const Json& value) const;
};

/// An `evidence.metrics` step.
struct MetricsRequest {
  std::vector<std::string> metrics, parts;
  std::string where;
};

/// A declared list of steps, checked. Running it reads the rows, deals them, learns from the training rows alone and
/// hands every part over as numbers.
class Pipeline {
 public:
  /// From a file; paths in it are taken from its folder.
  static Pipeline read(const std::string& path);
  /// From JSON text or a document; `where` names it in faults, `folder` is what paths are taken from. Refused: every
  /// fault that can be known before a row is read.
  static Pipeline from_text(std::string_view json, const std::string& folder = ".", const std::string& where = "");
  static Pipeline from_json(const Json& document, const std::string& folder = ".", const std::string& where = "");

  /// In C++, step by step: `Pipeline::read_csv("titanic.csv").declare(…). … .build()`.
  static PipelineBuilder read_csv(const std::string& path, const ReadCsvOptions& options = {});
  static PipelineBuilder read_rows(const std::string& description);

  /// Refused: every fault of the rows at once, where it stands in the source or as `row 17: fare`.
  Prepared run() const;
  /// With rows handed over in code, or read from elsewhere.
  Prepared run(Source& rows) const;

  std::optional<LearnRequest> learn() const;
  std::vector<MetricsRequest> metrics() const;
  const Declaration& declaration() const { return *declaration_; }
  /// {"pipeline": 1, "steps": […]}, every parameter written out.
  Json to_json() const;

 private:
  Pipeline(std::shared_ptr<const Declaration> declaration, std::string folder, std::string stated_in)
      : declaration_(std::move(declaration)), folder_(std::move(folder)), stated_in_(std::move(stated_in)) {}

  std::shared_ptr<const Declaration> declaration_;
  std::string folder_, stated_in_;
};

/// Later rows, prepared with what was learned.
inline Part prepare(Source& rows, const Fit& fit, const PrepareOptions& options = {}) {
  return fit.prepare(rows, options);
}

}  // namespace causeway::pipeline
