#include <algorithm>
#include <filesystem>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/common.h"
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

// The rows of every input. Refused where an input has none, or another count than the rest.
int64_t rows_of(const NamedTensors& inputs) {
  std::optional<int64_t> rows;
  for (const auto& [name, tensor] : inputs) {
    const std::string where = "input " + causeway::quoted(name);
    if (tensor.rank() == 0) throw Refused(where, "it is one number, and --batch cuts rows.");
    if (rows && *rows != tensor.lengths()[0]) {
      throw Refused(where, "it has " + std::to_string(tensor.lengths()[0]) + " rows and another input " +
                               std::to_string(*rows) + ", and --batch cuts all alike.");
    }
    rows = tensor.lengths()[0];
  }
  return rows.value_or(0);
}

Tensor rows_between(const Tensor& tensor, int64_t from, int64_t count) {
  std::vector<int64_t> lengths = tensor.lengths();
  const int64_t row = lengths[0] == 0 ? 0 : tensor.size() / lengths[0];
  lengths[0] = count;
  const size_t width = size_of(tensor.dtype());
  Tensor part = Tensor::uninitialized(tensor.dtype(), lengths);
  const auto* bytes = static_cast<const std::byte*>(tensor.data()) + static_cast<size_t>(from * row) * width;
  std::copy(bytes, bytes + part.size_bytes(), static_cast<std::byte*>(part.mutable_data()));
  return part;
}

// The answers batch by batch, put together again.
NamedTensors in_batches(const SavedNetwork& saved, const NamedTensors& inputs, int64_t batch,
                        const AnswerOptions& answering) {
  if (batch <= 0) return predict(saved, inputs, answering);
  const int64_t rows = rows_of(inputs);
  if (batch >= rows) return predict(saved, inputs, answering);
  std::map<std::string, std::string> bytes;
  NamedTensors last;
  for (int64_t from = 0; from < rows; from += batch) {
    NamedTensors part;
    const int64_t count = std::min(batch, rows - from);
    for (const auto& [name, tensor] : inputs) part[name] = rows_between(tensor, from, count);
    last = predict(saved, part, answering);
    for (const auto& [name, tensor] : last) {
      if (tensor.rank() == 0 || tensor.lengths()[0] != count) {
        throw Refused("output " + causeway::quoted(name), "it gives " + text_of(tensor.lengths()) + " for " +
                                                              std::to_string(count) +
                                                              " rows, and is no list of rows that --batch could join.");
      }
      bytes[name].append(static_cast<const char*>(tensor.data()), tensor.size_bytes());
    }
  }
  NamedTensors whole;
  for (const auto& [name, tensor] : last) {
    std::vector<int64_t> lengths = tensor.lengths();
    lengths[0] = rows;
    Tensor joined = Tensor::uninitialized(tensor.dtype(), lengths);
    // Where another axis followed the rows, the parts do not make one array.
    if (joined.size_bytes() != bytes[name].size()) {
      throw Refused("output " + causeway::quoted(name),
                    "its parts have other lengths than its whole would: answer all "
                    "rows at once.");
    }
    std::copy(bytes[name].begin(), bytes[name].end(), static_cast<char*>(joined.mutable_data()));
    whole[name] = std::move(joined);
  }
  return whole;
}

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

Json json_of(const NamedTensors& answers) {
  Json outputs{Json::Object{}};
  for (const auto& [name, tensor] : answers) {
    int64_t at = 0;
    outputs.set(name, array_json(tensor, 0, at));
  }
  return outputs;
}

void hand_over(const Options& options, const NamedTensors& answers) {
  if (!options.output.empty()) {
    write_arrays(answers, options.output);
    if (options.common.json) print_json(Json(Json::Object{}));
  } else if (options.common.json) {
    Json json{Json::Object{}};
    json.set("outputs", json_of(answers));
    print_json(json);
  } else if (answers.size() == 1) {
    print(csv_of(answers.begin()->first, answers.begin()->second));
  } else {
    throw WrongUsage("The network has " + std::to_string(answers.size()) +
                     " outputs: --output FILE.npz or .safetensors holds them.");
  }
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

Exit predict_rows(const Options& options, const TrainedModel& model, const std::string& file) {
  const std::unique_ptr<pipeline::CsvSource> source = pipeline::CsvSource::open(file, escaped(file));
  AnswerOptions answering = options.common.answering();
  answering.logits = options.logits;
  const RowAnswers answered = answer_rows(model, *source, answering);
  print_notes(answered.unfamiliar);
  const std::vector<TextColumn> ids = id_columns(answered.ids, answered.answers.lengths()[0]);
  if (options.common.json) {
    Json json{Json::Object{}}, outputs{Json::Object{}};
    int64_t at = 0;
    Json::Array names(answered.names.begin(), answered.names.end());
    outputs.set(model.saved.network.outputs()[0].name, array_json(answered.answers, 0, at));
    json.set("outputs", std::move(outputs));
    json.set("answers", std::move(names));
    Json by_name{Json::Object{}};
    for (const TextColumn& id : ids) by_name.set(id.name, Json::Array(id.cells.begin(), id.cells.end()));
    json.set("ids", std::move(by_name));
    json.set("unfamiliar", Json::Array(answered.unfamiliar.begin(), answered.unfamiliar.end()));
    print_json(json);
  }
  if (options.output.empty()) {
    if (!options.common.json) print(csv_of(answered.names, answered.answers, ids));
  } else if (std::filesystem::path(options.output).extension() == ".csv") {
    formats::write_file(options.output, csv_of(answered.names, answered.answers, ids));
  } else {
    write_arrays({{model.saved.network.outputs()[0].name, answered.answers}}, options.output);
  }
  return Exit::Done;
}

Exit predict_verb(const Options& options) {
  const auto source = formats::ByteSource::open(options.model);
  if (has_pipeline(source)) {
    if (options.common.says_how_to_read()) {
      throw WrongUsage("A file with a pipeline says its network, loss and lengths itself.");
    }
    const TrainedModel model = read_trained(source);
    const bool rows = options.inputs.size() == 1 && std::filesystem::path(options.inputs[0]).extension() == ".csv";
    if (rows) return predict_rows(options, model, options.inputs[0]);
    const NamedTensors inputs = inputs_of(model.saved.network, options.inputs);
    AnswerOptions answering = options.common.answering();
    answering.logits = options.logits;
    NamedTensors answers = in_batches(model.saved, inputs, options.batch, answering);
    if (!options.logits) {
      for (auto& [name, tensor] : answers) tensor = model.fit.undo(tensor);
    }
    hand_over(options, answers);
    return Exit::Done;
  }
  const SavedNetwork saved = options.common.read(source);
  print_notes(saved.notes);
  AnswerOptions answering = options.common.answering();
  answering.logits = options.logits;
  hand_over(options, in_batches(saved, inputs_of(saved.network, options.inputs), options.batch, answering));
  return Exit::Done;
}

}  // namespace

void add_predict(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("predict", "The answers of a network");
  verb->footer("Example: causeway predict titanic.keras --input rows.npy --output chances.csv");
  const auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->model, "Any file that is read")->required();
  verb->add_option("--input", options->inputs, "Arrays for an input: .npy, .npz, .safetensors, .csv")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false)
      ->required();
  verb->add_option("--output", options->output, "Where the answers go; its suffix names the format")->type_name("FILE");
  verb->add_flag("--logits", options->logits, "The values before the loss's activation");
  verb->add_option("--batch", options->batch, "Rows answered at once; all unless said")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  options->common.add_engine(*verb);
  verb->callback([&run, options] { run = [options] { return predict_verb(*options); }; });
}

}  // namespace causeway::cli
