#include <charconv>
#include <filesystem>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/common.h"
#include "causeway/cli/numbers.h"
#include "causeway/cli/progress.h"
#include "causeway/cli/stop_on_signal.h"
#include "causeway/learn/models.h"
#include "causeway/learn/trained_model.h"
#include "causeway/train/optimizer_words.h"
#include "causeway/train/schedule_words.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  FitOptions fitting;
  EarlyStopping early_stopping;
  std::string model, out, pipeline, optimizer = "adam", schedule = "constant", validation, sample_weight, class_weight,
                                    checkpoint;
  std::vector<std::string> data, target, hold;
  std::optional<double> learning_rate;
  bool no_shuffle = false, best_only = false, stops_early = false;
};

Json history_json(const History& history) {
  const Json all = to_json(history);
  Json json{Json::Object{}};
  json.set("history", *all.find("epochs"));
  json.set("best_epoch", *all.find("best_epoch"));
  json.set("stopping", *all.find("stopping"));
  return json;
}

std::string history_text(const History& history) {
  std::string text;
  for (const EpochRecord& epoch : history.epochs) {
    text += "epoch " + std::to_string(epoch.epoch) + ": loss " + text_of(epoch.loss);
    if (epoch.validation_loss) text += ", validation loss " + text_of(*epoch.validation_loss);
    text += "\n";
  }
  if (history.best_epoch) text += "best epoch: " + std::to_string(*history.best_epoch) + "\n";
  return text + "stopping: " + std::string(name_of(history.stopping)) + "\n";
}

// An output without a loss is answered and not trained, and that is said.
void note_outputs_without_loss(const SavedNetwork& saved) {
  if (saved.losses.empty()) return;
  for (const Door& output : saved.network.outputs()) {
    if (saved.losses.contains(output.name)) continue;
    print_notes({"output " + causeway::quoted(output.name) + " has no loss: it is answered, and nothing trains it."});
  }
}

// Answers by output, like inputs by input.
NamedTensors answers_of(const SavedNetwork& saved, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const auto& [output, loss] : saved.losses) names.push_back(output);
  if (names.empty()) {
    throw Refused(
        "network",
        "no loss is stated, and training asks for one. Name it with --loss, such as --loss mean_squared_error.");
  }
  NamedTensors answers;
  const auto take = [&](const std::string& output, const Tensor& tensor, const std::string& file) {
    if (!answers.emplace(output, tensor).second) {
      throw Refused(escaped(file), "output " + causeway::quoted(output) + " has its answers already.");
    }
  };
  for (const std::string& word : words) {
    const auto [name, file] = split_name(word, names);
    const Arrays arrays = read_arrays(file);
    if (name.empty() && arrays.has_names && names.size() > 1) {
      const size_t before = answers.size();
      for (const auto& [array, tensor] : arrays.named) {
        if (saved.losses.contains(array)) take(array, tensor, file);
      }
      if (answers.size() == before) {
        throw Refused(escaped(file), "it holds " + arrays.names_text() + ", and the outputs with a loss are " +
                                         quoted_list({names.begin(), names.end()}) + ".");
      }
    } else if (!arrays.has_names || arrays.named.size() == 1) {
      if (name.empty() && names.size() != 1) {
        throw Refused(escaped(file), "the network has " + std::to_string(names.size()) +
                                         " outputs with a loss: say which one it is for, NAME=FILE.");
      }
      take(name.empty() ? names[0] : name, arrays.sole(), file);
    } else {
      const std::string& wanted = name.empty() ? names[0] : name;
      const auto at = arrays.named.find(wanted);
      if (at == arrays.named.end())
        throw Refused(escaped(file),
                      "it holds " + arrays.names_text() + ", and none is named " + causeway::quoted(wanted) + ".");
      take(wanted, at->second, file);
    }
  }
  return answers;
}

// Both parts from one file, under the inputs' and outputs' names.
Examples examples_of_file(const SavedNetwork& saved, const std::string& path) {
  const Arrays arrays = read_arrays(path);
  Examples examples;
  for (const auto& [name, tensor] : arrays.named) {
    if (saved.network.graph().input(name)) examples.inputs.emplace(name, tensor);
    if (saved.losses.contains(name)) examples.answers.emplace(name, tensor);
  }
  return examples;
}

FitOptions fit_options(const Options& options) {
  FitOptions fitting = options.fitting;
  fitting.seed = options.common.seed;
  fitting.shuffle = !options.no_shuffle;
  if (options.stops_early) fitting.early_stopping = options.early_stopping;
  if (!options.class_weight.empty()) {
    try {
      read_setting(parse_json(options.class_weight, "--class-weight"), fitting.class_weight);
    } catch (const Unfit& unfit) {
      throw Refused("--class-weight", std::string("it ") + unfit.what());
    }
  }
  if (!options.checkpoint.empty()) fitting.checkpoint = CheckpointOptions{options.checkpoint, options.best_only};
  fitting.engine = &engine_named(options.common.engine);
  fitting.threads = options.common.threads;
  show_progress(fitting);
  return fitting;
}

StatedOptimizer optimizer_of(const Options& options) {
  Json stated = word_or_json(options.optimizer, "--optimizer");
  if (stated.is_text()) {
    Json object{Json::Object{}};
    object.set("kind", stated);
    stated = std::move(object);
  }
  if (options.learning_rate) stated.set("learning_rate", *options.learning_rate);
  std::vector<Fault> faults;
  std::optional<StatedOptimizer> optimizer = read_optimizer(stated, "--optimizer", faults);
  refuse_if_any(std::move(faults));
  return std::move(*optimizer);
}

Schedule schedule_of(const Options& options) {
  std::vector<Fault> faults;
  std::optional<Schedule> schedule = read_schedule(word_or_json(options.schedule, "--schedule"), "--schedule", faults);
  refuse_if_any(std::move(faults));
  return std::move(*schedule);
}

void take_validation(const Options& options, const SavedNetwork& saved, FitOptions& fitting) {
  if (options.validation.empty()) return;
  double share = 0;
  const char* end = options.validation.data() + options.validation.size();
  const auto [at, error] = std::from_chars(options.validation.data(), end, share);
  if (error == std::errc() && at == end) {
    fitting.validation_share = share;
  } else {
    fitting.validation = examples_of_file(saved, options.validation);
  }
}

bool is_same_place(const std::string& a, const std::string& b) {
  std::error_code failed;
  return std::filesystem::weakly_canonical(a, failed) == std::filesystem::weakly_canonical(b, failed);
}

// What is written after each epoch stands beside everything else: over no file that is read, and not where the trained
// network goes at the end.
void expect_own_place(const Options& options) {
  if (options.checkpoint.empty()) return;
  const std::string where = "--checkpoint " + escaped(options.checkpoint);
  if (std::filesystem::path(options.checkpoint).extension() != ".causeway") {
    throw Refused(where, "a checkpoint is a native file, and its suffix is .causeway.");
  }
  std::vector<std::pair<std::string, std::string>> others{{"MODEL", options.model},
                                                          {"--out", options.out},
                                                          {"--pipeline", options.pipeline},
                                                          {"--validation", options.validation},
                                                          {"--sample-weight", options.sample_weight},
                                                          {"--network", options.common.network_file}};
  for (const std::string& word : options.data) others.emplace_back("--data", word.substr(word.rfind('=') + 1));
  for (const std::string& word : options.target) others.emplace_back("--target", word.substr(word.rfind('=') + 1));
  for (const auto& [option, file] : others) {
    if (!file.empty() && is_same_place(options.checkpoint, file)) {
      throw Refused(where, "it is the file of " + option + " too, and would be written over. Name another.");
    }
  }
}

// Trains until it is done, or until a signal asks it to stop.
template <class Fit>
auto until_stopped(FitOptions& fitting, const Fit& fit) {
  const StopOnSignal signals;
  fitting.stop = signals.token();
  try {
    return fit();
  } catch (const Cancelled&) {
    std::string kept = "Nothing is kept: --checkpoint FILE.causeway keeps each epoch.";
    if (fitting.checkpoint) {
      kept = std::filesystem::exists(fitting.checkpoint->file)
                 ? escaped(fitting.checkpoint->file) + " holds the last epoch written: --resume goes on from it."
                 : "No epoch was done, and no checkpoint written.";
    }
    throw Refused("training", "it was stopped by a signal. " + kept);
  }
}

Exit report(const Options& options, const History& history) {
  if (options.common.json) {
    print_json(history_json(history));
  } else {
    print(history_text(history));
  }
  return Exit::Done;
}

Exit train(const Options& options) {
  const bool by_pipeline = !options.pipeline.empty();
  if (by_pipeline == (!options.data.empty() || !options.target.empty())) {
    throw WrongUsage("Rows come from --data and --target, or from --pipeline: one of the two.");
  }
  if (!by_pipeline && (options.data.empty() || options.target.empty()))
    throw WrongUsage("--data and --target go together.");
  if (by_pipeline && (!options.validation.empty() || !options.sample_weight.empty())) {
    throw WrongUsage("--validation and --sample-weight go with --data: a pipeline says its own parts.");
  }
  expect_written_suffix(options.out);
  expect_own_place(options);
  const auto source = formats::ByteSource::open(options.model);
  SavedNetwork saved = options.common.read(source);
  std::optional<std::string> trained_behind;
  if (has_pipeline(source)) trained_behind = read_trained(source).fit.trained_behind();
  if (trained_behind && !by_pipeline) {
    saved.notes.push_back("the pipeline of " + escaped(options.model) +
                          " is left behind: what is trained on arrays is a network alone.");
  }
  print_notes(saved.notes);
  saved.notes.clear();
  note_outputs_without_loss(saved);
  for (const std::string& path : options.hold) saved.network.layer(path).hold();
  StatedOptimizer optimizer = optimizer_of(options);
  FitOptions fitting = fit_options(options);
  fitting.groups = std::move(optimizer.groups);
  fitting.schedule = schedule_of(options);
  if (by_pipeline) {
    if (std::filesystem::path(options.out).extension() != ".causeway") {
      throw Refused(escaped(options.out), "network and pipeline are one file, and its suffix is .causeway.");
    }
    const pipeline::Pipeline pipeline = pipeline::Pipeline::read(options.pipeline);
    if (const std::optional<pipeline::LearnRequest> learns = pipeline.learn()) {
      throw Refused(learns->where,
                    "MODEL is the network to be trained, and the pipeline declares another. Take the step out, or use "
                    "causeway run.");
    }
    const pipeline::Prepared rows = pipeline.run();
    if (trained_behind && rows.fit.trained_behind() != *trained_behind) {
      throw Refused(escaped(options.pipeline),
                    "the network was trained behind another pipeline: its rows were prepared as " + *trained_behind +
                        ", and this one prepares them as " + rows.fit.trained_behind() +
                        ". To train it behind these all the same, take its own off: causeway convert --network-only.");
    }
    const TrainedModel model =
        until_stopped(fitting, [&] { return fit(std::move(saved), rows, optimizer.optimizer, fitting); });
    save(model, options.out);
    return report(options, *model.history);
  }
  Examples rows{.inputs = inputs_of(saved.network, options.data), .answers = answers_of(saved, options.target)};
  if (!options.sample_weight.empty()) {
    const Arrays weights = read_arrays(options.sample_weight);
    if (weights.named.size() != 1)
      throw Refused(escaped(options.sample_weight), "it holds several arrays, and the weights are one.");
    rows.weights = weights.sole();
  }
  take_validation(options, saved, fitting);
  const History history = until_stopped(fitting, [&] { return fit(saved, rows, optimizer.optimizer, fitting); });
  print_notes(write_model(saved, options.out, {}));
  return report(options, history);
}

}  // namespace

void add_train(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("train", "Trains a network further");
  verb->footer(
      "Example: causeway train titanic.keras --pipeline titanic.json --epochs 1 --seed 7 --out titanic.causeway");
  const auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->model, "Any file that is read")->required();
  verb->add_option("--data", options->data, "Arrays for the inputs")->type_name("[NAME=]FILE")->allow_extra_args(false);
  verb->add_option("--target", options->target, "Arrays of answers, by output")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  verb->add_option("--pipeline", options->pipeline, "Rows prepared by a pipeline, in place of both")
      ->type_name("P.json");
  verb->add_option("--out", options->out, "Where the trained network goes; its suffix names the format")
      ->required()
      ->type_name("OUT");
  verb->add_option("--epochs", options->fitting.epochs, "How often all rows are gone through")
      ->transform(whole_number(1, kMostEpochs))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--batch-size", options->fitting.batch_size, "Rows a step")
      ->transform(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  verb->add_flag("--no-shuffle", options->no_shuffle, "Rows in their own order");
  verb->add_option("--optimizer", options->optimizer, "A word or its JSON object")->capture_default_str();
  verb->add_option("--schedule", options->schedule, "How the rate moves: a word or its JSON object")
      ->capture_default_str();
  verb->add_option("--learning-rate", options->learning_rate, "In place of the optimizer's own")
      ->check(number_above(0))
      ->type_name("X");
  verb->add_option("--clip-norm", options->fitting.clip_norm, "The most that all gradients together measure")
      ->check(number_above(0))
      ->type_name("X");
  verb->add_option("--clip-value", options->fitting.clip_value, "The most that one gradient measures")
      ->check(number_above(0))
      ->type_name("X");
  verb->add_option("--accumulate", options->fitting.accumulate, "Batches whose gradients make one step")
      ->transform(whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--validation", options->validation,
                   "A share of the last rows, or one .npz or .safetensors with both parts")
      ->type_name("SHARE|FILE");
  CLI::Option* patience = verb->add_option("--patience", options->early_stopping.patience,
                                           "Stop early, after so many epochs that were no better")
                              ->transform(whole_number(0, kMostEpochs))
                              ->type_name("N");
  CLI::Option* delta = verb->add_option("--min-delta", options->early_stopping.min_delta,
                                        "Stop early; how much less a loss is to be better")
                           ->check(number_from(0))
                           ->type_name("X");
  CLI::Option* best = verb->add_flag("--restore-best", options->early_stopping.restore_best,
                                     "Stop early, and end with the best epoch's numbers");
  CLI::Option* from = verb->add_option("--start-from-epoch", options->early_stopping.start_from_epoch,
                                       "Stop early; the epochs before are not judged")
                          ->transform(whole_number(0, kMostEpochs))
                          ->type_name("N");
  verb->add_option("--hold", options->hold, "Layers or slots that do not learn")->type_name("PATH");
  verb->add_option("--sample-weight", options->sample_weight, "A weight a row")->type_name("FILE");
  verb->add_option("--class-weight", options->class_weight, "{\"0\": 1, \"1\": 3}")->type_name("JSON");
  CLI::Option* checkpoint =
      verb->add_option("--checkpoint", options->checkpoint, "Written after each epoch")->type_name("FILE");
  verb->add_flag("--best-only", options->best_only, "Only after an epoch that was better")->needs(checkpoint);
  verb->add_option("--resume", options->fitting.resume, "A checkpoint to go on from")->type_name("FILE");
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  options->common.add_engine(*verb);
  options->common.add_seed(*verb);
  verb->callback([&run, options, patience, delta, best, from] {
    options->stops_early = patience->count() + delta->count() + best->count() + from->count() > 0;
    run = [options] { return train(*options); };
  });
}

}  // namespace causeway::cli
