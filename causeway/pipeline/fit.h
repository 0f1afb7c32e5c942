#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/pipeline/source.h"
#include "causeway/tensor/tensor.h"

namespace causeway::pipeline {

class Declaration;
struct FitState;
struct Part;

/// How later rows are prepared.
struct PrepareOptions {
  bool answers = false;  ///< read the target columns too; they may be absent otherwise
};

/// A declaration and what it learned: all that later rows need to be prepared the same way, to the bit. Copies share
/// what they hold, and none of it changes, so threads may use one at once.
class Fit {
 public:
  Fit();  ///< of nothing, to be assigned to
  explicit Fit(std::shared_ptr<const FitState> state) : state_(std::move(state)) {}

  const std::vector<std::string>& features() const;
  const std::vector<std::string>& answers() const;
  /// Features that held one value in every training row, and that value.
  const std::vector<std::pair<std::string, double>>& unvaried() const;
  const Declaration& declaration() const;

  /// The pipeline document {"pipeline", "steps", "fit"}, every step with every parameter.
  Json to_json() const;
  /// Refused: a document that is no pipeline, or a fit that is not its own. Read paths are not opened.
  static Fit from_json(const Json& document, const std::string& where = "");

  /// The document without the steps that read, learn and judge, by RFC 8785: what rows are prepared by.
  std::string preparation() const;
  /// SHA-256 of the preparation in hexadecimal. It finds mix-ups; it is no signature.
  std::string trained_behind() const;

  /// Later rows, in the order they come, whatever the order of their columns. Refused: a declared column that is not
  /// there, and every cell that does not fit or leaves no number.
  Part prepare(Source& rows, const PrepareOptions& options = {}) const;

  /// Answers [rows, A] of any floating dtype in the target's own units: float64, its steps undone from last to first.
  Tensor undo(const Tensor& answers) const;

 private:
  const FitState& state() const;

  std::shared_ptr<const FitState> state_;
};

}  // namespace causeway::pipeline
