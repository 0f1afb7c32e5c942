#include "causeway/base/quoted.h"
#include "causeway/cli/common.h"
#include "causeway/learn/models.h"
#include "causeway/learn/numbers_file.h"
#include "causeway/learn/trained_model.h"
#include "causeway/passes/bind.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string model;
};

// A batch of one through the shape rules, where all other lengths are known.
void expect_compiles(const SavedNetwork& saved) {
  passes::Lengths lengths;
  for (const Door& door : saved.network.inputs()) {
    const Shape& shape = door.value.shape();
    if (!shape.has_rank()) return;
    const std::vector<int64_t> one = [&] {
      std::vector<int64_t> all;
      for (size_t axis = 0; axis < shape.rank(); ++axis) {
        const bool batch = axis == 0 && !shape[axis].is_number();
        if (!batch && !shape[axis].is_number()) return std::vector<int64_t>{-1};
        all.push_back(batch ? 1 : shape[axis].number());
      }
      return all;
    }();
    if (one == std::vector<int64_t>{-1}) return;
    lengths.lengths[door.name] = one;
  }
  Slots slots = saved.network.slots();
  if (!passes::deciding_inputs(saved.network.graph(), slots, lengths).empty()) return;
  passes::bound(saved.network.graph(), slots, lengths);
}

Exit check(const Options& options) {
  std::string format, beside;
  const auto source = formats::ByteSource::open(options.model);
  if (options.common.network_file.empty() && is_numbers_file(source)) {
    options.common.refuse_without_network(source);
    format = read_numbers(source, {.key = options.common.key}).format;
    beside = ", numbers alone: whether they fit a network is checked with --network NET.json";
  } else {
    const SavedNetwork saved = options.common.read(source);
    // A one-file model loads with the pipeline it was trained behind, or not at all.
    if (has_pipeline(source)) read_trained(source);
    expect_compiles(saved);
    format = saved.format;
    if (!options.common.json) print_notes(saved.notes);
  }
  if (options.common.json) {
    if (!beside.empty()) print_notes({escaped(options.model) + ": " + beside.substr(2) + "."});
    Json json{Json::Object{}};
    json.set("format", format);
    json.set("ok", true);
    print_json(json);
  } else {
    print("ok: " + format + beside + "\n");
  }
  return Exit::Done;
}

}  // namespace

void add_check(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("check", "Would this file load and compile? Every fault at once");
  verb->footer("Example: causeway check titanic.onnx");
  const auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->model, "Any file that is read")->required();
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  verb->callback([&run, options] { run = [options] { return check(*options); }; });
}

}  // namespace causeway::cli
