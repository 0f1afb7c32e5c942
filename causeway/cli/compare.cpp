#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "causeway/base/fault.h"
#include "causeway/base/philox.h"
#include "causeway/base/quoted.h"
#include "causeway/base/within.h"
#include "causeway/cli/common.h"
#include "causeway/cli/numbers.h"
#include "causeway/graph/rewrite.h"
#include "causeway/learn/models.h"
#include "causeway/learn/numbers_file.h"
#include "causeway/learn/trained_model.h"
#include "causeway/nn/summary.h"
#include "causeway/ops/flatten.h"
#include "causeway/ops/reshape.h"
#include "causeway/ops/sigmoid.h"
#include "causeway/ops/softmax.h"
#include "causeway/passes/turn_doors.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string a, b;
  std::vector<std::string> inputs, networks;
  double atol = 1e-6, rtol = 1e-6;
};

struct Difference {
  double absolute = 0, relative = 0, roundings = 0;
  bool within = true;
  /// Places where both are NaN, which is no difference here.
  int64_t both_nan = 0;
};

// How many floats lie between two, both finite.
double ulps_between(float a, float b) {
  const auto ordered = [](float number) {
    const auto bits = std::bit_cast<int32_t>(number);
    return int64_t{bits < 0 ? std::numeric_limits<int32_t>::min() - bits : bits};
  };
  return std::fabs(static_cast<double>(ordered(a) - ordered(b)));
}

Difference difference_of(const Tensor& a, const Tensor& b, double atol, double rtol) {
  Difference found;
  for (int64_t i = 0; i < a.size(); ++i) {
    const double x = a.number_at(i), y = b.number_at(i);
    if (std::isnan(x) && std::isnan(y)) ++found.both_nan;
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    constexpr double kFarthest = std::numeric_limits<double>::max();
    if (!std::isfinite(x) || !std::isfinite(y)) {
      // A NaN or an infinity on one side is as far as can be, and JSON has no word for farther.
      found.absolute = found.relative = found.roundings = kFarthest;
      found.within = false;
      continue;
    }
    const double apart = std::fabs(x - y), size = std::max(std::fabs(x), std::fabs(y));
    found.absolute = std::max(found.absolute, apart);
    found.relative = std::max(found.relative, apart / size);
    if (a.dtype() == DType::Float32 && b.dtype() == DType::Float32) {
      found.roundings = std::max(found.roundings, ulps_between(static_cast<float>(x), static_cast<float>(y)));
    }
    found.within = found.within && apart <= atol + rtol * size;
  }
  return found;
}

// Inputs that both networks take: those handed in, or random numbers by the seed in a batch of 3.
NamedTensors drawn_inputs(const Network& network, uint64_t seed) {
  constexpr int64_t kRows = 3, kOpen = 5;
  NamedTensors inputs;
  for (const Door& door : network.inputs()) {
    if (!door.value.shape().has_rank())
      throw Refused("input " + causeway::quoted(door.name), "its rank is open: hand it over with --input.");
    std::vector<int64_t> lengths;
    for (const Dim& dim : *door.value.shape().dims) {
      lengths.push_back(dim.is_number() ? dim.number() : lengths.empty() ? kRows : kOpen);
    }
    Tensor tensor(DType::Float32, lengths);
    if (is_floating(door.value.dtype())) {
      const Draws draws(seed, "compare:" + door.name, 0);
      const std::span<float> values = tensor.mutable_values<float>();
      for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(draws.normal(i));
    }
    inputs[door.name] = tensor.converted(door.value.dtype());
  }
  return inputs;
}

constexpr std::string_view kFlattened = "flattened ";

// What the axes of a layer's value mean, or those of what it flattened.
std::string axes_of_layer(Value value) {
  if (std::string told = passes::axes_of_output(value); !told.empty()) return told;
  while (value.node() && value.node()->inputs.size() >= 1 && value.node()->input(0)) {
    const Node& node = *value.node();
    if (node.op.is<ops::Flatten>() || node.op.is<ops::Reshape>()) {
      const std::string told = passes::axes_of_output(node.input(0));
      return told.empty() ? "" : std::string(kFlattened) + told;
    }
    if (node.inputs.size() > 1 || node.input(0).shape().text() != value.shape().text()) break;
    value = node.input(0);
  }
  return "";
}

// A network whose outputs are its layers, each giving its last value, and what the axes of each mean where its windows
// tell.
struct Layers {
  SavedNetwork shown;
  std::map<std::string, std::string> axes;
};

Layers layers_of(const SavedNetwork& saved) {
  Layers layers{.shown = {.network = saved.network}, .axes = {}};
  const Graph& graph = saved.network.graph();
  std::map<std::string, Value> last;
  for (const Node* node : graph.nodes()) {
    if (!node->scope->path.empty() && is_floating(node->output().dtype())) last[node->scope->path] = node->output();
  }
  GraphBuilder builder(layers.shown.network.slots());
  const ValueMap made = copy_nodes(builder, graph);
  for (const auto& [path, value] : last) {
    builder.output(path, made.at(value));
    layers.axes[path] = axes_of_layer(value);
  }
  layers.shown.network.set_graph(std::move(builder).finish());
  return layers;
}

// What B's layer gives, with its axes in the order of A's; none where they cannot be brought there: lengths alone do not
// tell channels and places apart.
std::optional<Tensor> in_order_of(const std::string& axes_a, const Tensor& y, const std::string& axes_b) {
  if (axes_a == axes_b) return y;
  const auto is_flattened = [](const std::string& axes) { return axes.compare(0, kFlattened.size(), kFlattened) == 0; };
  if (y.rank() < 3 && !is_flattened(axes_a) && !is_flattened(axes_b)) return y;
  if (axes_a.size() != axes_b.size() || axes_a.size() != y.rank()) return std::nullopt;
  std::vector<size_t> order;
  for (const char letter : axes_a) {
    const size_t at = axes_b.find(letter);
    if (at == std::string::npos) return std::nullopt;
    order.push_back(at);
  }
  return y.permuted(order);
}

// Layers pair up by path; the first, in the order they compute, whose values differ past the tolerance.
Json first_difference(const SavedNetwork& a, const SavedNetwork& b, const NamedTensors& inputs, const Options& options,
                      const NamedTensors& inputs_b) {
  const Layers of_a = layers_of(a), of_b = layers_of(b);
  const NamedTensors left = predict(of_a.shown, inputs, options.common.answering());
  const NamedTensors right = predict(of_b.shown, inputs_b, options.common.answering());
  for (const nn::LayerSummary& layer : nn::summary_of(a.network)) {
    const auto x = left.find(layer.path), y = right.find(layer.path);
    if (x == left.end() || y == right.end()) continue;
    const std::optional<Tensor> other = in_order_of(of_a.axes.at(layer.path), y->second, of_b.axes.at(layer.path));
    if (!other || x->second.lengths() != other->lengths()) continue;
    const Difference found = difference_of(x->second, *other, options.atol, options.rtol);
    if (found.within) continue;
    Json json{Json::Object{}};
    json.set("a", layer.path);
    json.set("b", layer.path);
    json.set("max_abs", found.absolute);
    return json;
  }
  return {};
}

// What an output's answers end in: its loss's activation, or the graph's own.
std::string ending_of(const SavedNetwork& saved, const Door& output) {
  const auto loss = saved.losses.find(output.name);
  if (loss != saved.losses.end()) {
    const std::optional<Op> activation = loss->second.activation();
    return activation ? std::string(activation->name()) : "";
  }
  const Node* node = output.value.node();
  const bool is_activation = node && (node->op.is<ops::Sigmoid>() || node->op.is<ops::Softmax>());
  return is_activation ? std::string(node->op.name()) : "";
}

// Why two outputs differ where one side alone ends in an activation that a loss would bring.
void note_endings(const SavedNetwork& a, const Door& in_a, const SavedNetwork& b, const Door& in_b,
                  std::vector<std::string>& notes) {
  const std::string of_a = ending_of(a, in_a), of_b = ending_of(b, in_b);
  if (of_a == of_b) return;
  const auto said = [](const std::string& ending) { return ending.empty() ? "in no activation" : "in a " + ending; };
  notes.push_back("output " + causeway::quoted(in_a.name) + ": A's answers end " + said(of_a) + ", and B's " +
                  said(of_b) + ". A file that names no loss gives what its graph makes: name it with --loss.");
}

// The same arrays under the other network's names, where each has one input.
NamedTensors renamed(const NamedTensors& inputs, const Network& network) {
  if (inputs.size() != 1 || network.inputs().size() != 1) return inputs;
  return {{network.inputs()[0].name, inputs.begin()->second}};
}

// One network for every file of numbers, or A's and B's, each of them one.
std::pair<Common, Common> reading(const Options& options, const formats::ByteSource& a, const formats::ByteSource& b) {
  const std::vector<std::string>& networks = options.networks;
  if (networks.size() > 2) throw WrongUsage("--network is stated once for both files, or once for each.");
  Common of_a = options.common, of_b = options.common;
  if (networks.empty()) return {of_a, of_b};
  of_a.network_file = networks.front();
  of_b.network_file = networks.back();
  std::vector<Fault> faults;
  for (const formats::ByteSource* file : {&a, &b}) {
    if (networks.size() == 1 || is_numbers_file(*file)) continue;
    faults.push_back({escaped(file->name()),
                      "it says its own network, and --network goes with a file of numbers "
                      "alone. State it once, for the other."});
  }
  refuse_if_any(std::move(faults));
  return {of_a, of_b};
}

Exit compare(const Options& options) {
  const auto file_a = formats::ByteSource::open(options.a), file_b = formats::ByteSource::open(options.b);
  const std::string name_a = escaped(options.a), name_b = escaped(options.b);
  // What goes with numbers alone is for the file that holds them, and for neither where both say their own network.
  const bool for_one = is_numbers_file(file_a) || is_numbers_file(file_b);
  const Common::Beside beside = for_one ? Common::Beside::PassedOver : Common::Beside::Refused;
  const auto [read_a, read_b] = reading(options, file_a, file_b);
  const SavedNetwork a = in_file(name_a, [&, &how = read_a] { return how.read(file_a, beside); }),
                     b = in_file(name_b, [&, &how = read_b] { return how.read(file_b, beside); });
  NamedTensors inputs, inputs_b;
  if (options.inputs.empty()) {
    inputs = drawn_inputs(a.network, options.common.seed);
    inputs_b = renamed(inputs, b.network);
  } else if (has_pipeline(file_b) && !has_pipeline(file_a)) {
    inputs_b = inputs_of(b, file_b, options.inputs);
    inputs = renamed(inputs_b, a.network);
  } else {
    inputs = inputs_of(a, file_a, options.inputs);
    inputs_b = has_pipeline(file_b) ? inputs_of(b, file_b, options.inputs) : renamed(inputs, b.network);
  }
  for (const auto& [name, tensor] : inputs) {
    if (tensor.size() == 0) {
      throw Refused("input " + causeway::quoted(name),
                    "it is " + text_of(tensor.lengths()) + " and holds no number, so nothing would be compared.");
    }
  }
  const NamedTensors left = in_file(name_a, [&] { return predict(a, inputs, options.common.answering()); }),
                     right = in_file(name_b, [&] { return predict(b, inputs_b, options.common.answering()); });
  if (left.size() != right.size()) {
    throw Refused("outputs", "A has " + std::to_string(left.size()) + " and B " + std::to_string(right.size()) + ".");
  }
  bool same = true;
  std::vector<std::string> notes;
  Json::Array outputs;
  std::string text;
  for (size_t i = 0; i < a.network.outputs().size(); ++i) {
    const Door& output = a.network.outputs()[i];
    const std::string& name = output.name;
    const Door* by_name = b.network.graph().output(name);
    const Door& other = by_name ? *by_name : b.network.outputs()[i];
    const Tensor &x = left.find(name)->second, &y = right.find(other.name)->second;
    if (x.lengths() != y.lengths()) {
      throw Refused("output " + causeway::quoted(name),
                    "A gives " + text_of(x.lengths()) + " and B " + text_of(y.lengths()) + ".");
    }
    const Difference found = difference_of(x, y, options.atol, options.rtol);
    same = same && found.within;
    if (!found.within) note_endings(a, output, b, other, notes);
    Json json{Json::Object{}};
    json.set("name", name);
    json.set("max_abs", found.absolute);
    json.set("max_rel", found.relative);
    json.set("max_ulp", found.roundings);
    json.set("both_nan", found.both_nan);
    outputs.push_back(std::move(json));
    text += "output " + causeway::quoted(name) + ": largest difference " + text_of(found.absolute) + ", relative " +
            text_of(found.relative) + ", " + text_of(found.roundings) + " roundings\n";
    if (found.both_nan > 0) text += "  " + std::to_string(found.both_nan) + " of its numbers are NaN in both\n";
  }
  print_notes(notes);
  const Json first = same ? Json() : first_difference(a, b, inputs, options, inputs_b);
  if (options.common.json) {
    Json json{Json::Object{}};
    json.set("same", same);
    json.set("outputs", std::move(outputs));
    json.set("first_difference", first);
    print_json(json);
  } else {
    print(text + (same ? "the same within the tolerance\n" : "they differ past the tolerance\n"));
    if (!first.is_null())
      print("the first layer that differs: " + first.find("a")->text() + ", by " +
            text_of(first.find("max_abs")->number()) + "\n");
  }
  return same ? Exit::Done : Exit::RefusedOrDiffers;
}

}  // namespace

void add_compare(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("compare", "The same inputs through two networks");
  verb->footer("Example: causeway compare titanic.keras titanic.onnx --atol 1e-6");
  const auto options = std::make_shared<Options>();
  verb->add_option("A", options->a, "Any file that is read")->required();
  verb->add_option("B", options->b, "Another")->required();
  verb->add_option("--input", options->inputs, "Arrays for an input; random numbers by the seed unless given")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  verb->add_option("--atol", options->atol, "Absolute tolerance")
      ->check(number_from(0))
      ->type_name("X")
      ->capture_default_str();
  verb->add_option("--rtol", options->rtol, "Relative tolerance")
      ->check(number_from(0))
      ->type_name("X")
      ->capture_default_str();
  options->common.add_json(*verb);
  verb->add_option("--network", options->networks,
                   "The network a file of numbers belongs to, in words; twice, A's and B's")
      ->type_name("NET.json")
      ->allow_extra_args(false);
  options->common.add_reading(*verb, /*with_network=*/false);
  options->common.add_engine(*verb);
  options->common.add_seed(*verb);
  verb->callback([&run, options] { run = [options] { return compare(*options); }; });
}

}  // namespace causeway::cli
