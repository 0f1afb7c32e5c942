#include <filesystem>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/common.h"
#include "causeway/cli/numbers.h"
#include "causeway/formats/atomic_file.h"
#include "causeway/learn/trained_model.h"
#include "causeway/pipeline/csv.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string model, output;
  std::vector<std::string> inputs;
  bool logits = false;
  int64_t batch = 0;
};

Json array_json(const Tensor& tensor, size_t axis, int64_t& at) {
  if (axis == tensor.rank()) {
    const int64_t i = at++;
    if (!is_floating(tensor.dtype())) return tensor.integer_at(i);
    const double number = tensor.number_at(i);
    if (number - number != 0) return text_of(number);
    return tensor.dtype() == DType::Float32 ? Json(std::stod(text_of(static_cast<float>(number)))) : Json(number);
  }
  Json::Array items;
  for (int64_t i = 0; i < tensor.lengths()[axis]; ++i) items.push_back(array_json(tensor, axis + 1, at));
  return items;
}

Json json_of(const NamedTensors& answers, const std::vector<std::string>& order) {
  Json outputs{Json::Object{}};
  for (const std::string& name : order) {
    int64_t at = 0;
    outputs.set(name, array_json(answers.at(name), 0, at));
  }
  return outputs;
}

std::string cell_text(const pipeline::Column& column, size_t row) {
  if (const auto* whole = std::get_if<std::vector<int64_t>>(&column.values)) return std::to_string((*whole)[row]);
  if (const auto* real = std::get_if<std::vector<double>>(&column.values)) return text_of((*real)[row]);
  if (const auto* truth = std::get_if<std::vector<uint8_t>>(&column.values)) return (*truth)[row] ? "true" : "false";
  return std::string(column.text(row));
}

std::vector<TextColumn> id_columns(const std::vector<pipeline::Column>& ids, int64_t rows) {
  std::vector<TextColumn> columns;
  for (const pipeline::Column& id : ids) {
    TextColumn column{id.name, {}};
    for (int64_t row = 0; row < rows; ++row) column.cells.push_back(cell_text(id, static_cast<size_t>(row)));
    columns.push_back(std::move(column));
  }
  return columns;
}

// What there is to hand over, whatever was asked.
struct Answered {
  Answered(const Network& network, NamedTensors answers) : arrays(std::move(answers)) {
    for (const Door& output : network.outputs()) outputs.push_back(output.name);
  }

  NamedTensors arrays;                    // by output
  std::vector<std::string> outputs = {};  // in the network's order
  // Of a one-file model: what the columns of its one array are, and what stands beside rows.
  bool behind_rows = false;
  std::vector<std::string> columns = {};
  std::vector<TextColumn> ids = {};
  std::vector<std::string> unfamiliar = {};

  const std::string& output() const { return arrays.begin()->first; }
  const Tensor& array() const { return arrays.begin()->second; }
};

std::string text_of_rows(const Answered& answered) {
  return answered.behind_rows ? csv_of(answered.columns, answered.array(), answered.ids)
                              : csv_of(answered.output(), answered.array());
}

// With a file to go to, `out` stands in the place of `outputs`.
Json json_of(const Answered& answered, const std::string& out) {
  Json json{Json::Object{}};
  if (out.empty()) {
    json.set("outputs", json_of(answered.arrays, answered.outputs));
  } else {
    json.set("out", out);
  }
  if (!answered.behind_rows) return json;
  json.set("answers", Json::Array(answered.columns.begin(), answered.columns.end()));
  Json ids{Json::Object{}};
  for (const TextColumn& id : answered.ids) ids.set(id.name, Json::Array(id.cells.begin(), id.cells.end()));
  json.set("ids", std::move(ids));
  json.set("unfamiliar", Json::Array(answered.unfamiliar.begin(), answered.unfamiliar.end()));
  return json;
}

Exit hand_over(const Options& options, const Answered& answered) {
  const bool one = answered.arrays.size() == 1;
  if (options.output.empty() && !options.common.json && !one) {
    throw WrongUsage("The network has " + std::to_string(answered.arrays.size()) +
                     " outputs: --output FILE.npz or .safetensors holds them.");
  }
  if (!options.output.empty()) {
    if (one && std::filesystem::path(options.output).extension() == ".csv") {
      formats::write_file(options.output, text_of_rows(answered));
    } else {
      write_arrays(answered.arrays, options.output, answered.outputs);
    }
  }
  if (options.common.json) {
    print_json(json_of(answered, options.output));
  } else if (options.output.empty()) {
    print(text_of_rows(answered));
  }
  return Exit::Done;
}

// CSV holds rows as the pipeline declares them, any other file the features it makes of them.
Answered answers_behind_rows(const Options& options, const TrainedModel& model, const AnswerOptions& answering) {
  const std::string& input = model.saved.network.inputs()[0].name;
  Answered answered(model.saved.network, {});
  answered.behind_rows = true;
  answered.columns = model.fit.answers();
  Tensor& array = answered.arrays[model.saved.network.outputs()[0].name];
  const std::string file = split_name(options.inputs[0], {input}).second;
  if (options.inputs.size() > 1) {
    throw Refused("input " + causeway::quoted(input), "the pipeline's network has this one input, and " +
                                                          std::to_string(options.inputs.size()) +
                                                          " files are handed over. Put all rows into one.");
  }
  if (std::filesystem::path(file).extension() != ".csv") {
    pipeline::Part part;
    part.features = inputs_of(model.saved.network, options.inputs).at(input);
    array = answer_part(model, part, answering);
    return answered;
  }
  const std::unique_ptr<pipeline::CsvSource> source = pipeline::CsvSource::open(file, escaped(file));
  RowAnswers rows = answer_rows(model, *source, answering);
  array = std::move(rows.answers);
  answered.ids = id_columns(rows.ids, array.lengths()[0]);
  answered.unfamiliar = std::move(rows.unfamiliar);
  return answered;
}

Exit predict_verb(const Options& options) {
  AnswerOptions answering = options.common.answering();
  answering.logits = options.logits;
  answering.batch = options.batch;
  const auto source = formats::ByteSource::open(options.model);
  if (has_pipeline(source)) {
    if (options.common.says_how_to_read()) {
      throw WrongUsage("A file with a pipeline says its network, loss and lengths itself.");
    }
    const TrainedModel model = read_trained(source);
    print_notes(model.saved.notes);
    const Answered answered = answers_behind_rows(options, model, answering);
    print_notes(answered.unfamiliar);
    return hand_over(options, answered);
  }
  const SavedNetwork saved = options.common.read(source);
  print_notes(saved.notes);
  if (options.logits && saved.losses.empty()) {
    print_notes({"--logits: no output has a loss, and what the network gives is the same with it or without."});
  }
  return hand_over(options, {saved.network, predict(saved, inputs_of(saved.network, options.inputs), answering)});
}

}  // namespace

void add_predict(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("predict", "The answers of a network");
  verb->footer("Example: causeway predict titanic.keras --input rows.npy --output chances.csv");
  const auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->model, "Any file that is read")->required();
  verb->add_option("--input", options->inputs,
                   "Arrays for an input: .npy, .npz, .safetensors, .csv; of a one-file model .csv is rows")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false)
      ->required();
  verb->add_option("--output", options->output, "Where the answers go; its suffix names the format")->type_name("FILE");
  verb->add_flag("--logits", options->logits, "The values before the loss's activation");
  verb->add_option("--batch", options->batch, "Rows answered at once; all unless said")
      ->transform(whole_number(1))
      ->type_name("N");
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  options->common.add_engine(*verb);
  verb->callback([&run, options] { run = [options] { return predict_verb(*options); }; });
}

}  // namespace causeway::cli
