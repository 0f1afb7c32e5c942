#include "causeway/cli/story.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/native/native_file.h"
#include "causeway/learn/trained_model.h"
#include "causeway/pipeline/declaration.h"
#include "causeway/train/history.h"

namespace causeway::cli {
namespace {

using Documents = std::map<std::string, Json, std::less<>>;

Json pipeline_json(const pipeline::Fit& fit) {
  Json json{Json::Object{}};
  json.set("steps", fit.declaration().steps_json());
  json.set("answers", Json::Array(fit.answers().begin(), fit.answers().end()));
  json.set("trained_behind", fit.trained_behind());
  return json;
}

// Of a checkpoint what people ask about; what a resume compares slot by slot is left out.
Json training_json(const Json& training) {
  Json json{Json::Object{}};
  const auto take = [&](const Json* from, std::initializer_list<std::string_view> keys) {
    if (!from || !from->is_object()) return;
    for (const std::string_view key : keys) {
      if (const Json* found = from->find(key)) json.set(key, *found);
    }
  };
  if (!training.is_object()) return json;
  take(&training, {"epochs", "steps"});
  take(training.find("pace"), {"seed", "batch_size", "accumulate", "optimizer", "early_stopping", "engine"});
  return json;
}

std::string joined(const Json& texts) {
  std::string text;
  for (const Json& item : texts.items()) text += (text.empty() ? "" : ", ") + escaped(item.text());
  return text;
}

std::string pipeline_text(const Json& pipeline) {
  const Json::Array& steps = pipeline.find("steps")->items();
  std::vector<std::vector<std::string>> rows;
  for (const Json& step : steps) {
    Json parameters{Json::Object{}};
    for (const auto& [name, value] : step.members()) {
      if (name != "verb") parameters.set(name, value);
    }
    rows.push_back({step.find("verb")->text(), escaped(parameters.dump())});
  }
  return "pipeline: " + std::to_string(steps.size()) + " steps, which answer " + joined(*pipeline.find("answers")) +
         "; prepared by " + pipeline.find("trained_behind")->text() + "\n" + table_text(rows);
}

// From the first epoch to the last.
std::string course(const std::string& what, double from, double to) {
  return ", " + what + " " + text_of(from) + " to " + text_of(to);
}

std::string history_text(const History& history) {
  std::string text =
      "history: " + std::to_string(history.epochs.size()) + " epochs by seed " + std::to_string(history.seed);
  if (!history.epochs.empty()) {
    const EpochRecord &first = history.epochs.front(), &last = history.epochs.back();
    text += course("loss", first.loss, last.loss);
    if (first.validation_loss && last.validation_loss) {
      text += course("validation loss", *first.validation_loss, *last.validation_loss);
    }
  }
  if (history.best_epoch) text += ", best epoch " + std::to_string(*history.best_epoch);
  return text + ", " + std::string(name_of(history.stopping)) + "\n";
}

}  // namespace

Json story_of(const formats::ByteSource& source) {
  Json story{Json::Object{}};
  if (!formats::native::claims_native(source)) return story;
  if (has_pipeline(source)) story.set("pipeline", pipeline_json(read_trained(source).fit));
  const Documents documents = formats::native::documents_of(source);
  if (const auto history = documents.find("history"); history != documents.end()) {
    story.set("history", to_json(history_from_json(history->second)));
  }
  if (const auto training = documents.find("training"); training != documents.end()) {
    story.set("training", training_json(training->second));
  }
  return story;
}

std::string story_text(const Json& story) {
  std::string text;
  if (const Json* pipeline = story.find("pipeline")) text += pipeline_text(*pipeline);
  if (const Json* history = story.find("history")) text += history_text(history_from_json(*history));
  if (const Json* training = story.find("training")) {
    text += "a checkpoint, from which train --resume goes on:\n";
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : training->members()) rows.push_back({name, escaped(value.dump())});
    text += table_text(rows);
  }
  return text;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (size_t i = 0, blanks = 1; i < row.size(); ++i) {
      // Blanks are put before a cell that holds something: none ends a line.
      if (!row[i].empty()) line += std::string(std::exchange(blanks, 0), ' ') + row[i];
      blanks += widths[i] - row[i].size() + 2;
    }
    text += line + '\n';
  }
  return text;
}

}  // namespace causeway::cli
