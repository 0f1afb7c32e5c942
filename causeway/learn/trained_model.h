#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/nn/saved_network.h"
#include "causeway/pipeline/pipeline.h"
#include "causeway/train/fit.h"

namespace causeway {

/// A network and the pipeline it was trained behind: rows go in, answers in the target's own units come out.
struct TrainedModel {
  SavedNetwork saved;
  pipeline::Fit fit;
  std::optional<History> history = std::nullopt;
};

/// Trains a network read or made elsewhere behind prepared rows; validation is the validation part, where it has rows.
/// Refused, before the first batch: features the model names that are not the pipeline's, in order; another width of
/// inputs or answers; what fit() refuses.
TrainedModel fit(SavedNetwork saved, const pipeline::Prepared& rows, const Optimizer& optimizer,
                 FitOptions options = {});

/// Trains the network that a pipeline declares in its learn.network step. `on` holds callbacks, the stop token, engine
/// and threads; what the step states itself wins.
TrainedModel learn_network(const pipeline::LearnRequest& request, const pipeline::Prepared& rows, FitOptions on = {});

/// Answers of rows as their source has them.
struct RowAnswers {
  std::vector<pipeline::Column> ids = {};
  /// Names of the answers' columns, as declared.
  std::vector<std::string> names = {};
  /// float64 [rows, answers], in the target's own units, in the order the rows came.
  Tensor answers = {};
  /// What no training row had, a sentence each, and how many rows have such a note.
  std::vector<std::string> unfamiliar = {};
  size_t unfamiliar_rows = 0;
};
RowAnswers answer_rows(const TrainedModel& model, pipeline::Source& rows, const AnswerOptions& options = {});

/// Answers of a prepared part, in the target's own units: float64 [rows, answers].
Tensor answer_part(const TrainedModel& model, const pipeline::Part& part, const AnswerOptions& options = {});

/// {"test": {"auc": {"value": x, "baseline": y}, …}} for what the pipeline's evidence.metrics steps ask.
Json evidence_of(const TrainedModel& model, const pipeline::Pipeline& pipeline, const pipeline::Prepared& rows,
                 std::vector<std::string>& notes);

/// The one file: network, losses, pipeline, fit and history.
void save(const TrainedModel& model, const std::string& path, const formats::native::WriteNativeOptions& options = {});
/// Reads it. Refused: a file without a pipeline, and a pipeline that is not the one the network was trained behind.
TrainedModel read_trained(const std::string& path);
TrainedModel read_trained(const formats::ByteSource& source);
/// Whether a file is a native one with a pipeline, by what its header names.
bool has_pipeline(const formats::ByteSource& source);

}  // namespace causeway
