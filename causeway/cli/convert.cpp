#include <filesystem>

#include "causeway/base/quoted.h"
#include "causeway/cli/common.h"
#include "causeway/cli/numbers.h"
#include "causeway/learn/models.h"
#include "causeway/learn/trained_model.h"
#include "causeway/passes/turn_doors.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string in, out;
  int opset = 0;
  bool half = false, network_only = false, channels_first = false, channels_last = false;
};

void turn(SavedNetwork& saved, const Options& options) {
  if (!options.channels_first && !options.channels_last) return;
  const auto doors = options.channels_first ? passes::Doors::ChannelsFirst : passes::Doors::ChannelsLast;
  saved.network = passes::turned(saved.network, doors);
  // The words say a network that is not turned.
  saved.words.clear();
}

Exit convert(const Options& options) {
  const std::string suffix = std::filesystem::path(options.out).extension().string();
  if (options.half && suffix != ".onnx" && suffix != ".causeway") {
    throw WrongUsage("--half goes with .onnx and .causeway, and OUT ends in '" + suffix + "'.");
  }
  if (options.opset != 0 && suffix != ".onnx") {
    throw WrongUsage("--opset goes with .onnx, and OUT ends in '" + suffix + "'.");
  }
  if ((options.channels_first || options.channels_last) && suffix == ".safetensors") {
    throw WrongUsage(
        "A .safetensors file holds numbers alone, as PyTorch lays them out: doors are turned in .onnx and "
        ".causeway.");
  }
  WriteModelOptions writing{.half = options.half};
  if (options.opset != 0) writing.opset = options.opset;
  const auto source = formats::ByteSource::open(options.in);
  const bool learned_behind_rows = has_pipeline(source) && !options.network_only;
  std::vector<std::string> notes;
  if (learned_behind_rows && suffix == ".causeway") {
    if (options.common.says_how_to_read()) {
      throw WrongUsage("A file with a pipeline says its network, loss and lengths itself.");
    }
    TrainedModel model = read_trained(source);
    turn(model.saved, options);
    save(model, options.out, {.half = options.half});
  } else {
    SavedNetwork saved = options.common.read(source);
    turn(saved, options);
    notes = saved.notes;
    if (learned_behind_rows) notes.push_back("the pipeline is left out: " + suffix + " holds the network alone.");
    const std::vector<std::string> lost = write_model(saved, options.out, writing);
    notes.insert(notes.end(), lost.begin(), lost.end());
  }
  if (options.network_only && !has_pipeline(source)) {
    notes.push_back("--network-only: " + escaped(options.in) + " holds no pipeline that could be left out.");
  }
  print_notes(notes);
  if (options.common.json) {
    Json json{Json::Object{}};
    json.set("out", options.out);
    json.set("notes", Json::Array(notes.begin(), notes.end()));
    print_json(json);
  }
  return Exit::Done;
}

}  // namespace

void add_convert(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("convert", "Reads IN, writes OUT in the format its suffix names");
  verb->footer("Example: causeway convert titanic.keras titanic.onnx");
  const auto options = std::make_shared<Options>();
  verb->add_option("IN", options->in, "Any file that is read")->required();
  verb->add_option("OUT", options->out, ".onnx, .safetensors or .causeway")->required();
  verb->add_option("--opset", options->opset,
                   "The opset of an .onnx file; the oldest that holds every node unless said")
      ->transform(whole_number(7, 25))
      ->type_name("N");
  verb->add_flag("--half", options->half, "Weights in half precision (.onnx, .causeway)");
  verb->add_flag("--network-only", options->network_only, "Leave a pipeline out");
  CLI::Option* first =
      verb->add_flag("--channels-first", options->channels_first, "Turn the doors: channels before places");
  verb->add_flag("--channels-last", options->channels_last, "Turn the doors: channels behind places")->excludes(first);
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  verb->callback([&run, options] { run = [options] { return convert(*options); }; });
}

}  // namespace causeway::cli
