#include <sstream>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/common.h"
#include "causeway/cli/story.h"
#include "causeway/learn/models.h"
#include "causeway/learn/numbers_file.h"
#include "causeway/nn/loss_list.h"
#include "causeway/nn/setting_words.h"
#include "causeway/nn/summary.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string model;
  bool tensors = false, nodes = false;
};

Json doors_json(std::span<const Door> doors) {
  Json::Array all;
  for (const Door& door : doors) {
    Json json{Json::Object{}};
    json.set("name", door.name);
    json.set("dtype", std::string(name_of(door.value.dtype())));
    json.set("shape", shape_json(door.value.shape()));
    json.set("axes", axes_json(door));
    all.push_back(std::move(json));
  }
  return all;
}

Json loss_json(const SavedNetwork& saved) {
  const auto of = [&](const std::string& output) {
    const auto loss = saved.losses.find(output);
    return loss == saved.losses.end() ? Json() : Json(std::string(loss->second.name()));
  };
  if (saved.network.outputs().size() == 1) return of(saved.network.outputs()[0].name);
  Json by_output{Json::Object{}};
  for (const Door& output : saved.network.outputs()) by_output.set(output.name, of(output.name));
  return by_output;
}

Json as_json(const SavedNetwork& saved, const Json& story) {
  Json::Array layers, tensors;
  for (const nn::LayerSummary& layer : nn::summary_of(saved.network)) {
    Json json{Json::Object{}};
    json.set("path", layer.path);
    json.set("kind", layer.kind);
    json.set("output_shape", shape_json(layer.output_shape));
    json.set("parameters", layer.parameters);
    json.set("held", layer.held);
    json.set("reads_mask", layer.reads_mask);
    json.set("makes_mask", layer.makes_mask);
    layers.push_back(std::move(json));
  }
  for (size_t i = 0; i < saved.network.slots().size(); ++i) {
    const Slot& slot = saved.network.slots()[i];
    Json json{Json::Object{}};
    json.set("path", slot.path);
    json.set("dtype", std::string(name_of(slot.numbers.dtype())));
    json.set("shape", shape_json(slot.numbers.shape()));
    json.set("role", std::string(name_of(slot.role)));
    json.set("held", slot.held && slot.role != Role::Constant);
    json.set("penalty", nn::write_setting(slot.penalty));
    json.set("max_norm", slot.max_norm ? nn::write_setting(slot.max_norm->limit) : Json());
    tensors.push_back(std::move(json));
  }
  Json json{Json::Object{}};
  json.set("format", saved.format);
  json.set("producer", saved.producer.empty() ? Json() : Json(saved.producer));
  json.set("inputs", doors_json(saved.network.inputs()));
  json.set("outputs", doors_json(saved.network.outputs()));
  json.set("loss", loss_json(saved));
  json.set("parameters", nn::parameter_count(saved.network));
  json.set("layers", std::move(layers));
  json.set("tensors", std::move(tensors));
  json.set("notes", Json::Array(saved.notes.begin(), saved.notes.end()));
  if (!saved.features.empty()) json.set("features", Json::Array(saved.features.begin(), saved.features.end()));
  for (const auto& [name, value] : story.members()) json.set(name, value);
  return json;
}

// The word, and in brackets the settings and weight that are not its defaults.
std::string loss_text(const Loss& loss) {
  const Json stated = nn::write_loss(loss), plain = nn::write_loss(nn::loss_row(loss.name())->plain);
  std::string settings;
  for (const auto& [name, value] : stated.members()) {
    if (value == *plain.find(name)) continue;
    settings += (settings.empty() ? "" : ", ") + name + " " + value.dump();
  }
  return std::string(loss.name()) + (settings.empty() ? "" : " (" + settings + ")");
}

// What else there is to say of a layer: whether it learns, its slots' penalties and bounds, masks.
std::string remarks(const nn::LayerSummary& layer, const Slots& slots) {
  std::string all;
  const auto add = [&](const std::string& remark) { all += (all.empty() ? "" : "; ") + remark; };
  if (layer.held) add("held");
  for (const std::string& path : layer.slots) {
    const std::string rules = nn::training_rules(slots.at(path));
    if (!rules.empty()) add(escaped(path) + ": " + rules);
  }
  if (layer.reads_mask) add("reads a mask");
  if (layer.makes_mask) add("makes a mask");
  return all;
}

std::string as_text(const SavedNetwork& saved, const Json& story, const Options& options) {
  std::ostringstream text;
  text << "format: " << saved.format << (saved.producer.empty() ? "" : ", by " + escaped(saved.producer)) << "\n";
  for (const auto& [what, doors] :
       {std::pair("input", saved.network.inputs()), std::pair("output", saved.network.outputs())}) {
    for (const Door& door : doors) {
      text << what << " " << causeway::quoted(door.name) << ": " << door.value.type().text()
           << (door.axes.empty() ? "" : " (" + door.axes + ")") << "\n";
    }
  }
  for (const Door& output : saved.network.outputs()) {
    const auto loss = saved.losses.find(output.name);
    text << "loss of " << causeway::quoted(output.name) << ": "
         << (loss == saved.losses.end() ? "none" : loss_text(loss->second)) << "\n";
  }
  if (!saved.features.empty()) {
    text << "features: ";
    for (size_t i = 0; i < saved.features.size(); ++i) text << (i ? ", " : "") << escaped(saved.features[i]);
    text << "\n";
  }
  text << story_text(story);
  text << "layers:\n";
  std::vector<std::vector<std::string>> rows{{"path", "kind", "output", "parameters", ""}};
  for (const nn::LayerSummary& layer : nn::summary_of(saved.network)) {
    rows.push_back({escaped(layer.path), layer.kind, layer.output_shape.text(), std::to_string(layer.parameters),
                    remarks(layer, saved.network.slots())});
  }
  text << table_text(rows) << "parameters: " << nn::parameter_count(saved.network) << "\n";
  if (options.tensors) {
    text << "tensors:\n";
    std::vector<std::vector<std::string>> slots;
    for (size_t i = 0; i < saved.network.slots().size(); ++i) {
      const Slot& slot = saved.network.slots()[i];
      slots.push_back({escaped(slot.path), std::string(name_of(slot.numbers.dtype())), slot.numbers.shape().text(),
                       std::string(name_of(slot.role)) + (slot.held && slot.role != Role::Constant ? ", held" : ""),
                       nn::training_rules(slot)});
    }
    text << table_text(slots);
  }
  if (options.nodes) text << "nodes:\n" << saved.network.graph().text();
  return text.str();
}

Exit inspect_numbers(const Options& options, const formats::ByteSource& source) {
  options.common.refuse_without_network(source);
  if (options.nodes) throw Refused(escaped(source.name()), "it holds numbers alone, and --nodes lists a network's.");
  const NumbersFile numbers = read_numbers(source, {.key = options.common.key});
  if (options.common.json) {
    Json::Array tensors;
    for (const NumbersFile::Entry& entry : numbers.tensors) {
      Json json{Json::Object{}};
      json.set("path", entry.name);
      json.set("dtype", entry.dtype);
      json.set("shape", Json::Array(entry.lengths.begin(), entry.lengths.end()));
      json.set("role", Json());
      tensors.push_back(std::move(json));
    }
    Json json{Json::Object{}};
    json.set("format", numbers.format);
    json.set("tensors", std::move(tensors));
    json.set("notes", Json::Array(numbers.notes.begin(), numbers.notes.end()));
    print_json(json);
    return Exit::Done;
  }
  std::vector<std::vector<std::string>> rows;
  for (const NumbersFile::Entry& entry : numbers.tensors)
    rows.push_back({escaped(entry.name), entry.dtype, text_of(entry.lengths)});
  print("format: " + numbers.format +
        ", numbers alone: hand the network they belong to with --network NET.json\ntensors:\n" + table_text(rows));
  print_notes(numbers.notes);
  return Exit::Done;
}

Exit inspect(const Options& options) {
  // Opened once: a pipe is read but once.
  const auto source = formats::ByteSource::open(options.model);
  if (options.common.network_file.empty() && is_numbers_file(source)) return inspect_numbers(options, source);
  const SavedNetwork saved = options.common.read(source);
  const Json story = story_of(source);
  if (options.common.json) {
    print_json(as_json(saved, story));
  } else {
    print(as_text(saved, story, options));
    print_notes(saved.notes);
  }
  return Exit::Done;
}

}  // namespace

void add_inspect(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("inspect", "What a file holds: format, doors, loss, layers, totals");
  verb->footer("Example: causeway inspect titanic.keras");
  const auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->model, "Any file that is read")->required();
  verb->add_flag("--tensors", options->tensors, "List the slots too");
  verb->add_flag("--nodes", options->nodes, "List the nodes of the graph too");
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  verb->callback([&run, options] { run = [options] { return inspect(*options); }; });
}

}  // namespace causeway::cli
