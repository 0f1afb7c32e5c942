#include "causeway/learn/trained_model.h"

#include <algorithm>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/learn/meant_metrics.h"
#include "causeway/pipeline/metrics.h"

namespace causeway {
namespace {

std::string joined(const std::vector<std::string>& names) {
  Json::Array items(names.begin(), names.end());
  return Json(std::move(items)).dump();
}

const Door& sole_input(const SavedNetwork& saved) {
  if (saved.network.inputs().size() != 1 || saved.network.outputs().size() != 1) {
    throw Refused("network", "it has " + std::to_string(saved.network.inputs().size()) + " inputs and " +
                                 std::to_string(saved.network.outputs().size()) +
                                 " outputs, and behind a pipeline it has one of each.");
  }
  return saved.network.inputs()[0];
}

// Whether a pipeline's features and answers fit a network's doors.
void expect_fitting(const SavedNetwork& saved, const std::vector<std::string>& features,
                    const std::vector<std::string>& answers) {
  const Door& input = sole_input(saved);
  std::vector<Fault> faults;
  const auto width_is = [](const Shape& shape, size_t width) {
    return !shape.has_rank() || (shape.rank() == 2 && shape[1].equals(Dim(static_cast<int64_t>(width))) != false);
  };
  if (!width_is(input.value.shape(), features.size())) {
    faults.push_back({"input " + quoted(input.name), "it takes " + input.value.shape().text() +
                                                         ", and the pipeline makes " + std::to_string(features.size()) +
                                                         " features."});
  }
  const Door& output = saved.network.outputs()[0];
  if (!answers.empty() && !width_is(output.value.shape(), answers.size())) {
    faults.push_back({"output " + quoted(output.name), "it gives " + output.value.shape().text() +
                                                           ", and the pipeline's rows have " +
                                                           std::to_string(answers.size()) + " answers."});
  }
  if (!saved.features.empty() && saved.features != features) {
    faults.push_back({"features",
                      "the model names other features than the pipeline makes, or in another order. The step "
                      "{\"verb\": \"features\", \"order\": " +
                          joined(saved.features) + "} would fit it."});
  }
  refuse_if_any(std::move(faults));
}

// Rows are called in faults by where they stand in their source.
Examples examples_of(const SavedNetwork& saved, const pipeline::Part& part, const pipeline::RowPlaces& places) {
  return {.inputs = {{saved.network.inputs()[0].name, part.features}},
          .answers = {{saved.network.outputs()[0].name, part.answers}},
          .place_of_row = [&part, &places](int64_t row) {
            return places.of(part.source_rows.at(static_cast<size_t>(row)));
          }};
}

std::vector<double> doubles(const Tensor& tensor) {
  const Tensor wide = tensor.converted(DType::Float64);
  const std::span<const double> values = wide.values<double>();
  return {values.begin(), values.end()};
}

// [rows, width] whatever rank the network gives for one answer a row.
Tensor as_rows(const Tensor& answers, size_t width) {
  const auto columns = static_cast<int64_t>(width);
  return width == 0 ? answers : answers.reshaped({answers.size() / columns, columns});
}

}  // namespace

TrainedModel fit(SavedNetwork saved, const pipeline::Prepared& rows, const Optimizer& optimizer, FitOptions options) {
  expect_fitting(saved, rows.features, rows.answers);
  if (rows.validation.rows() > 0) options.validation = examples_of(saved, rows.validation, rows.places);
  TrainedModel model{.saved = std::move(saved), .fit = rows.fit};
  model.history = fit(model.saved, examples_of(model.saved, rows.train, rows.places), optimizer, options);
  model.saved.features = rows.features;
  return model;
}

Tensor answer_part(const TrainedModel& model, const pipeline::Part& part, const AnswerOptions& options) {
  const NamedTensors answers = predict(model.saved, {{sole_input(model.saved).name, part.features}}, options);
  const Tensor rows = as_rows(answers.begin()->second, model.fit.answers().size());
  return options.logits ? rows.converted(DType::Float64) : model.fit.undo(rows);
}

RowAnswers answer_rows(const TrainedModel& model, pipeline::Source& rows, const AnswerOptions& options) {
  pipeline::Part part = model.fit.prepare(rows);
  RowAnswers answered{.ids = std::move(part.ids), .names = model.fit.answers()};
  for (const pipeline::Unfamiliar& note : part.unfamiliar) answered.unfamiliar.push_back(note.text());
  answered.unfamiliar_rows = part.unfamiliar_rows;
  answered.answers = part.rows() == 0 ? Tensor(DType::Float64, {0, static_cast<int64_t>(answered.names.size())})
                                      : answer_part(model, part, options);
  return answered;
}

Json evidence_of(const TrainedModel& model, const pipeline::Pipeline& pipeline, const pipeline::Prepared& rows,
                 std::vector<std::string>& notes) {
  Json evidence{Json::Object{}};
  const size_t width = rows.answers.size();
  const std::vector<double> training = doubles(model.fit.undo(rows.train.answers));
  const std::vector<double> baseline = pipeline::mean_answers(training, width);
  const Loss& loss = model.saved.losses.begin()->second;
  expect_meaning(pipeline, loss);
  for (const pipeline::MetricsRequest& request : pipeline.metrics()) {
    for (const std::string& name : request.parts) {
      const pipeline::Part& part = rows.part(name);
      if (part.rows() == 0) continue;
      const std::vector<double> truth = doubles(model.fit.undo(part.answers));
      const std::vector<double> answers = doubles(answer_part(model, part));
      std::vector<double> logits;
      if (loss.activation()) logits = doubles(answer_part(model, part, {.logits = true}));
      const pipeline::Judged judged{.truth = truth,
                                    .answers = answers,
                                    .logits = logits,
                                    .width = width,
                                    .labels = loss.answers() == AnswerKind::Chances && width > 1};
      const Json metrics = pipeline::judge(request.metrics, judged, baseline, notes);
      const Json* there = evidence.find(name);
      Json together = there ? *there : Json(Json::Object{});
      for (const auto& [metric, value] : metrics.members()) together.set(metric, value);
      evidence.set(name, std::move(together));
    }
  }
  return evidence;
}

void save(const TrainedModel& model, const std::string& path, const formats::native::WriteNativeOptions& options) {
  formats::native::NativeFile file{.saved = model.saved};
  file.documents.emplace("pipeline", model.fit.to_json());
  Json rows{Json::Object{}}, unvaried{Json::Object{}};
  for (const auto& [feature, value] : model.fit.unvaried()) unvaried.set(feature, value);
  rows.set("features", Json::Array(model.fit.features().begin(), model.fit.features().end()));
  rows.set("answers", Json::Array(model.fit.answers().begin(), model.fit.answers().end()));
  rows.set("unvaried", std::move(unvaried));
  rows.set("trained_behind", model.fit.trained_behind());
  file.documents.emplace("rows", std::move(rows));
  if (model.history) file.documents.emplace("history", to_json(*model.history));
  formats::native::write_native(file, path, options);
}

TrainedModel read_trained(const std::string& path) { return read_trained(formats::ByteSource::open(path)); }

TrainedModel read_trained(const formats::ByteSource& source) {
  formats::native::NativeFile file = formats::native::read_native(source);
  const auto document = file.documents.find("pipeline");
  const auto rows = file.documents.find("rows");
  if (document == file.documents.end() || rows == file.documents.end()) {
    throw Refused(escaped(source.name()), "it holds no pipeline: it is a network alone.");
  }
  TrainedModel model{.saved = std::move(file.saved),
                     .fit = pipeline::Fit::from_json(document->second, "causeway.pipeline")};
  const Json* behind = rows->second.find("trained_behind");
  if (!behind || !behind->is_text() || behind->text() != model.fit.trained_behind()) {
    throw Refused("causeway.pipeline",
                  "the network was trained behind another pipeline than the one beside it: its "
                  "'trained_behind' is " +
                      (behind ? behind->dump() : std::string("missing")) + ", and this pipeline's is \"" +
                      model.fit.trained_behind() + "\".");
  }
  expect_fitting(model.saved, model.fit.features(), model.fit.answers());
  if (const auto history = file.documents.find("history"); history != file.documents.end()) {
    model.history = history_from_json(history->second);
  }
  return model;
}

bool has_pipeline(const formats::ByteSource& source) { return formats::native::names_document(source, "pipeline"); }

}  // namespace causeway
