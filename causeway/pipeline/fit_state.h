#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "causeway/pipeline/declaration.h"
#include "causeway/pipeline/table.h"
#include "causeway/pipeline/walk.h"

namespace causeway::pipeline {

/// One part, as the fit remembers it.
struct PartDigest {
  std::string name, keys;  ///< keys: SHA-256 over the sorted row keys, in hexadecimal
  size_t rows = 0;
};

/// What a Fit holds.
struct FitState {
  std::shared_ptr<const Declaration> declaration;
  /// What each step of the declaration's preparation learned, in their order; null for steps that change nothing.
  std::vector<std::unique_ptr<const Fitted>> steps;
  std::vector<PartDigest> parts;
  std::vector<std::string> features, answers;
  std::vector<std::pair<std::string, double>> unvaried;  ///< in the order of features

  /// The member `fit` of the pipeline document.
  Json fit_json() const;
};

/// Reads the member `fit` of a document whose steps are `declaration`.
std::shared_ptr<const FitState> recall_fit(std::shared_ptr<const Declaration> declaration, const Json& fit,
                                           const std::string& where);

/// The table's features in the order they are handed over; Refused where the declaration states another set.
std::vector<const Column*> features_of(const Declaration& declaration, const Table& rows);

/// A step has made a name twice: a fault at it.
void check_names(const Step& step, const Table& rows);

}  // namespace causeway::pipeline
