#include <filesystem>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/common.h"
#include "causeway/cli/progress.h"
#include "causeway/learn/meant_metrics.h"
#include "causeway/learn/trained_model.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string pipeline, out;
};

constexpr std::array<std::string_view, 3> kParts{"train", "validation", "test"};

// The prepared parts as arrays: train_x, train_y …
std::map<std::string, Tensor, std::less<>> part_arrays(const pipeline::Prepared& rows) {
  std::map<std::string, Tensor, std::less<>> arrays;
  for (const std::string_view name : kParts) {
    const pipeline::Part& part = rows.part(name);
    arrays.emplace(std::string(name) + "_x", part.features);
    arrays.emplace(std::string(name) + "_y", part.answers);
  }
  return arrays;
}

Json summary(const pipeline::Prepared& rows) {
  Json counts{Json::Object{}}, unfamiliar{Json::Object{}}, json{Json::Object{}};
  for (const std::string_view name : kParts) {
    counts.set(name, static_cast<int64_t>(rows.part(name).rows()));
    unfamiliar.set(name, static_cast<int64_t>(rows.part(name).unfamiliar_rows));
  }
  json.set("rows", std::move(counts));
  json.set("features", Json::Array(rows.features.begin(), rows.features.end()));
  json.set("answers", Json::Array(rows.answers.begin(), rows.answers.end()));
  json.set("fit_sha256", rows.fit.trained_behind());
  json.set("unfamiliar", std::move(unfamiliar));
  return json;
}

void print_text(const Json& result) {
  std::string text = "rows: ";
  for (const auto& [name, count] : result.find("rows")->members())
    text += name + " " + std::to_string(count.integer()) + "  ";
  text += "\nfeatures:";
  for (const Json& feature : result.find("features")->items()) text += " " + escaped(feature.text());
  text += "\npreparation: " + result.find("fit_sha256")->text() + "\n";
  if (const Json* history = result.find("history"); history && history->is_array() && !history->items().empty()) {
    const Json& last = history->items().back();
    text += "epochs: " + std::to_string(history->items().size()) + ", last loss " +
            text_of(last.find("loss")->number()) + "\n";
  }
  if (const Json* metrics = result.find("metrics")) {
    for (const auto& [part, values] : metrics->members()) {
      text += part + ":\n";
      for (const auto& [metric, value] : values.members()) {
        text += "  " + metric + ": " + value.find("value")->dump() + "  (baseline " + value.find("baseline")->dump() +
                ")\n";
      }
    }
  }
  print(text);
}

Exit run_pipeline(const Options& options) {
  const pipeline::Pipeline pipeline = pipeline::Pipeline::read(options.pipeline);
  expect_meaning(pipeline);
  const pipeline::Prepared rows = pipeline.run();
  const std::optional<pipeline::LearnRequest> learns = pipeline.learn();
  const bool one_file = std::filesystem::path(options.out).extension() == ".causeway";
  if (learns && !options.out.empty() && !one_file) {
    throw Refused(escaped(options.out), "network and pipeline are one file, and its suffix is .causeway.");
  }
  if (!learns && one_file) {
    throw Refused(escaped(options.out),
                  "the pipeline declares no network: its parts are written as .npz or .safetensors.");
  }
  Json result = summary(rows);
  std::vector<std::string> notes = rows.notes;
  if (learns) {
    FitOptions fitting{.engine = &engine_named(options.common.engine), .threads = options.common.threads};
    show_progress(fitting);
    const TrainedModel model = learn_network(*learns, rows, std::move(fitting));
    result.set("history", *to_json(*model.history).find("epochs"));
    result.set("metrics", evidence_of(model, pipeline, rows, notes));
    if (!options.out.empty()) save(model, options.out);
  } else {
    result.set("history", Json::Array{});
    result.set("metrics", Json::Object{});
    if (!options.out.empty()) write_arrays(part_arrays(rows), options.out);
  }
  if (options.out.empty()) notes.push_back("nothing is written: --out names the file that keeps what was made.");
  result.set("notes", Json::Array(notes.begin(), notes.end()));
  if (options.common.json) {
    print_json(result);
  } else {
    print_text(result);
    print_notes(notes);
  }
  return Exit::Done;
}

}  // namespace

void add_run(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("run", "Runs a declared pipeline; with a network declared, trains it");
  verb->footer("Example: causeway run titanic.json --out titanic.causeway");
  const auto options = std::make_shared<Options>();
  verb->add_option("P.json", options->pipeline, "The declaration")->required();
  verb->add_option("--out", options->out, "The one file; without a network .npz or .safetensors of the prepared parts")
      ->type_name("FILE");
  options->common.add_json(*verb);
  options->common.add_engine(*verb);
  verb->callback([&run, options] { run = [options] { return run_pipeline(*options); }; });
}

}  // namespace causeway::cli
