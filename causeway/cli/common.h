#pragma once

// cli/ is the program: one file a verb, and here what they share. Results go to stdout and nothing else does; refusals,
// progress and notes go to stderr.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/base/json.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/importer.h"
#include "causeway/nn/saved_network.h"

namespace causeway::cli {

/// How a verb ends.
enum class Exit : int { Done = 0, RefusedOrDiffers = 1, WrongCommandLine = 2 };

/// A verb's command line is wrong in a way that the parser cannot see; exit 2.
class WrongUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Options that every verb takes where they mean something.
struct Common {
  std::string network_file, key, strip_prefix, engine = "cpu";
  std::vector<std::string> losses, flattened, dims;
  int threads = 1;
  uint64_t seed = 0;
  bool json = false;

  /// What becomes of options for a file of numbers (--network, --key, --strip-prefix, --flattened) beside a file that
  /// says its own network.
  enum class Beside { Refused, PassedOver };

  void add_json(CLI::App& verb);
  /// --network (unless the verb has its own) --loss --key --strip-prefix --flattened --dim
  void add_reading(CLI::App& verb, bool with_network = true);
  /// --engine --threads
  void add_engine(CLI::App& verb);
  void add_seed(CLI::App& verb);

  /// Refused where an option is given that means nothing for a file of numbers whose network is not named.
  void refuse_without_network(const formats::ByteSource& source) const;
  /// Whether any option of add_reading() is given.
  bool says_how_to_read() const;
  /// Reads a model by these options. Refused as read_model().
  SavedNetwork read(const formats::ByteSource& source, Beside beside = Beside::Refused) const;
  AnswerOptions answering() const;
};

/// Arrays for a network's inputs from `[NAME=]FILE` words: NAME is an input's name, the longest that fits; a file of
/// several arrays without NAME feeds every input by name. Refused with every fault; so is a file that feeds none.
NamedTensors inputs_of(const Network& network, const std::vector<std::string>& words);

/// The same for a model and its file: one .csv beside a one-file model holds rows, and its pipeline prepares them (what
/// is unfamiliar in them is noted).
NamedTensors inputs_of(const SavedNetwork& saved, const formats::ByteSource& source,
                       const std::vector<std::string>& words);

/// Splits `[NAME=]REST` by the longest of `names` that fits; no name where none does.
std::pair<std::string, std::string> split_name(const std::string& word, const std::vector<std::string>& names);

/// A whole file as text. Refused where it is not there.
std::string text_of_file(const std::string& path);

/// A word, or the JSON text of an object.
Json word_or_json(const std::string& text, const std::string& option);

void print(const std::string& text);
void print_json(const Json& json);
/// To stderr, a line each.
void print_notes(const std::vector<std::string>& notes);

/// A shape as inspect's JSON writes it: numbers, formulas as text, null for an unknown length or rank.
Json shape_json(const Shape& shape);
/// The door's axes, or null.
Json axes_json(const Door& door);

// One function a verb: adds it to the program; `run` is set to what is done when it was named.
using Run = std::function<Exit()>;
void add_inspect(CLI::App& program, Run& run);
void add_predict(CLI::App& program, Run& run);
void add_convert(CLI::App& program, Run& run);
void add_compare(CLI::App& program, Run& run);
void add_train(CLI::App& program, Run& run);
void add_run(CLI::App& program, Run& run);
void add_check(CLI::App& program, Run& run);
void add_bench(CLI::App& program, Run& run);

}  // namespace causeway::cli
