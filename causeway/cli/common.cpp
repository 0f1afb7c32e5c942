#include "causeway/cli/common.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/numbers.h"
#include "causeway/formats/byte_source.h"
#include "causeway/learn/models.h"
#include "causeway/learn/numbers_file.h"
#include "causeway/learn/trained_model.h"
#include "causeway/nn/lifting.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/words.h"
#include "causeway/pipeline/csv.h"

namespace causeway::cli {
namespace {

constexpr int64_t kSeeds = (int64_t{1} << 53) - 1;

std::pair<std::string, std::string> at_equals(const std::string& word, const std::string& option) {
  const size_t at = word.rfind('=');
  if (at == std::string::npos || at == 0) throw WrongUsage(option + " takes NAME=VALUE, and '" + word + "' is none.");
  return {word.substr(0, at), word.substr(at + 1)};
}

int64_t length_of(std::string text, const std::string& option) {
  if (const std::string wrong = whole_number(0)(text); !wrong.empty()) throw WrongUsage(option + ": " + wrong);
  return std::stoll(text);
}

StatedLoss loss_of(const std::string& text) {
  std::vector<Fault> faults;
  const std::optional<StatedLoss> stated = nn::read_loss(word_or_json(text, "--loss"), "--loss", faults);
  refuse_if_any(std::move(faults));
  return *stated;
}

// One fault an option that means nothing beside a file that says its own network.
void refuse_for_numbers(const Common& common, const formats::ByteSource& source) {
  std::vector<Fault> faults;
  const auto say = [&](bool given, const std::string& option) {
    if (given)
      faults.push_back(
          {escaped(source.name()), "it says its own network, and " + option + " goes with a file of numbers alone."});
  };
  say(!common.network_file.empty(), "--network");
  say(!common.key.empty(), "--key");
  say(!common.strip_prefix.empty(), "--strip-prefix");
  say(!common.flattened.empty(), "--flattened");
  refuse_if_any(std::move(faults));
}

}  // namespace

void Common::add_json(CLI::App& verb) { verb.add_flag("--json", json, "Write one JSON object to stdout"); }

void Common::add_reading(CLI::App& verb, bool with_network) {
  if (with_network) {
    verb.add_option("--network", network_file, "The network a file of numbers belongs to, in words")
        ->type_name("NET.json");
  }
  verb.add_option("--loss", losses,
                  "The loss, a word or its JSON object, for a file that names none or in place of its own")
      ->type_name("[OUTPUT=]NAME")
      ->allow_extra_args(false);
  verb.add_option("--key", key, "The key a state dictionary lies under")->type_name("K");
  verb.add_option("--strip-prefix", strip_prefix, "A prefix on every name, taken off")->type_name("P");
  verb.add_option("--flattened", flattened, "What a flatten is handed, where the network does not say")
      ->type_name("PATH=26,26,4|series|rows")
      ->allow_extra_args(false);
  verb.add_option("--dim", dims, "Binds a symbolic length")->type_name("NAME=N")->allow_extra_args(false);
}

void Common::add_engine(CLI::App& verb) {
  verb.add_option("--engine", engine, "cpu or reference")->type_name("NAME")->capture_default_str();
  verb.add_option("--threads", threads, "Threads of the engine; the answers are the same for any number")
      ->transform(whole_number(1, kMostThreads))
      ->type_name("N")
      ->capture_default_str();
}

void Common::add_seed(CLI::App& verb) {
  verb.add_option("--seed", seed, "0 to 2^53 - 1")
      ->transform(whole_number(0, kSeeds))
      ->type_name("N")
      ->capture_default_str();
}

void Common::refuse_without_network(const formats::ByteSource& source) const {
  std::vector<Fault> faults;
  for (const auto& [given, option] :
       {std::pair(!losses.empty(), "--loss"), std::pair(!flattened.empty(), "--flattened"),
        std::pair(!dims.empty(), "--dim"), std::pair(!strip_prefix.empty(), "--strip-prefix")}) {
    if (!given) continue;
    faults.push_back({escaped(source.name()), "it holds numbers alone, and " + std::string(option) +
                                                  " goes with the network they belong to: name it with --network."});
  }
  refuse_if_any(std::move(faults));
}

bool Common::says_how_to_read() const {
  return !network_file.empty() || !key.empty() || !strip_prefix.empty() || !losses.empty() || !flattened.empty() ||
         !dims.empty();
}

SavedNetwork Common::read(const formats::ByteSource& source, Beside beside) const {
  const bool numbers = is_numbers_file(source);
  if (!numbers && beside == Beside::Refused) refuse_for_numbers(*this, source);
  ReadOptions options;
  if (numbers) options.key = key, options.strip_prefix = strip_prefix;
  for (const std::string& word : dims) {
    const auto [name, number] = at_equals(word, "--dim");
    if (!options.dims.emplace(name, length_of(number, "--dim")).second) {
      throw WrongUsage("--dim: " + causeway::quoted(name) + " is bound twice.");
    }
  }
  for (const std::string& word : numbers ? flattened : std::vector<std::string>{}) {
    const auto [where, what] = at_equals(word, "--flattened");
    if (!options.flattened.emplace(where, what).second) {
      throw WrongUsage("--flattened: " + causeway::quoted(where) + " is stated twice.");
    }
  }
  for (const std::string& word : losses) {
    // A name may hold `=`, and so may the JSON of a loss.
    const size_t object = word.find('{');
    const size_t at = object == 0 ? std::string::npos : word.rfind('=', object);
    if (at == std::string::npos) {
      if (options.loss) throw WrongUsage("--loss: two are stated without the output they are for: OUTPUT=NAME.");
      options.loss = loss_of(word);
    } else if (const std::string output = word.substr(0, at);
               !options.losses.emplace(output, loss_of(word.substr(at + 1))).second) {
      throw WrongUsage("--loss: that of output " + causeway::quoted(output) + " is stated twice.");
    }
  }
  SavedNetwork words;
  if (numbers && !network_file.empty()) {
    words = network_of_words(text_of_file(network_file), escaped(network_file), {.dims = options.dims});
    options.network = &words.network;
    // The words' own loss holds unless another is named; then the network ends as its layers say.
    if (options.loss || !options.losses.empty()) {
      for (const Door& output : words.network.outputs()) nn::take_loss(words, output.name);
    }
    options.losses.insert(words.losses.begin(), words.losses.end());
  }
  SavedNetwork saved = read_model(source, options);
  if (options.network && saved.words.empty()) saved.words = words.words;
  saved.notes.insert(saved.notes.begin(), words.notes.begin(), words.notes.end());
  return saved;
}

AnswerOptions Common::answering() const { return {.engine = &engine_named(engine), .threads = threads}; }

std::pair<std::string, std::string> split_name(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  for (const std::string& name : names) {
    if (name.size() > best.size() && word.starts_with(name + "=")) best = name;
  }
  if (best.empty()) return {"", word};
  return {best, word.substr(best.size() + 1)};
}

NamedTensors inputs_of(const Network& network, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const Door& door : network.inputs()) names.push_back(door.name);
  const std::string all_names = quoted_list({names.begin(), names.end()});
  NamedTensors inputs;
  std::vector<Fault> faults;
  const auto say = [&](const std::string& where, std::string what) { faults.push_back({where, std::move(what)}); };
  const auto feed = [&](const std::string& input, const Tensor& tensor, const std::string& where) {
    if (!inputs.emplace(input, tensor).second)
      say(where, "input " + causeway::quoted(input) + " has an array already.");
  };
  for (const std::string& word : words) {
    const auto [name, file] = split_name(word, names);
    if (const size_t at = file.find('='); name.empty() && at != std::string::npos && !std::filesystem::exists(file)) {
      say("input " + causeway::quoted(file.substr(0, at)),
          "the network has no input of this name: it has " + all_names + ".");
      continue;
    }
    try {
      const Arrays arrays = read_arrays(file);
      const std::string where = escaped(file);
      if (name.empty() && arrays.has_names) {
        bool feeds = false;
        for (const auto& [array, tensor] : arrays.named) {
          if (!network.graph().input(array)) continue;
          feed(array, tensor, where);
          feeds = true;
        }
        if (!feeds) {
          say(where, "it holds " + arrays.names_text() + ", and the network's inputs are " + all_names +
                         ". An array feeds the input of its name" +
                         (arrays.named.size() == 1 && !names.empty()
                              ? ", or the one that is said: " + escaped(names[0]) + "=" + where + "."
                              : "."));
        }
      } else if (arrays.has_names && !arrays.named.contains(name) && arrays.named.size() != 1) {
        say(where, "it holds " + arrays.names_text() + ", and none is named " + causeway::quoted(name) + ".");
      } else if (name.empty() && names.size() != 1) {
        say(where, "the network has " + std::to_string(names.size()) +
                       " inputs: say which one it is for, NAME=FILE. They are " + all_names + ".");
      } else {
        const auto own = arrays.named.find(name);
        feed(name.empty() ? names[0] : name, own != arrays.named.end() ? own->second : arrays.sole(), where);
      }
    } catch (const Refused& refused) {
      faults.insert(faults.end(), refused.faults().begin(), refused.faults().end());
    }
  }
  refuse_if_any(std::move(faults));
  return inputs;
}

NamedTensors inputs_of(const SavedNetwork& saved, const formats::ByteSource& source,
                       const std::vector<std::string>& words) {
  if (words.size() != 1 || !has_pipeline(source)) return inputs_of(saved.network, words);
  const std::string& input = saved.network.inputs()[0].name;
  const std::string file = split_name(words[0], {input}).second;
  if (std::filesystem::path(file).extension() != ".csv") return inputs_of(saved.network, words);
  const std::unique_ptr<pipeline::CsvSource> rows = pipeline::CsvSource::open(file, escaped(file));
  const pipeline::Part part = read_trained(source).fit.prepare(*rows);
  std::vector<std::string> notes;
  for (const pipeline::Unfamiliar& note : part.unfamiliar) notes.push_back(note.text());
  print_notes(notes);
  return {{input, part.features}};
}

std::string text_of_file(const std::string& path) { return std::string(formats::ByteSource::open(path).text()); }

Json word_or_json(const std::string& text, const std::string& option) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{' ? parse_json(text, option) : Json(text);
}

// What is printed is flushed once, when all is done: see is_printed_whole().
void print(const std::string& text) { std::cout << text; }
void print_json(const Json& json) { std::cout << json.pretty() << "\n"; }

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "note: " << note << "\n";
}

Json shape_json(const Shape& shape) {
  if (!shape.has_rank()) return {};
  Json::Array lengths;
  for (const Dim& dim : *shape.dims) {
    lengths.push_back(dim.is_number() ? Json(dim.number()) : dim.is_unknown() ? Json() : Json(dim.text()));
  }
  return lengths;
}

Json axes_json(const Door& door) { return door.axes.empty() ? Json() : Json(door.axes); }

}  // namespace causeway::cli
