#include "causeway/nn/layers/recurrent.h"

#include <optional>
#include <utility>
#include <variant>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/layers/inner_layer.h"
#include "causeway/formats/keras/layers/recurrent_cell.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

using ops::CellKind;

// How the steps are walked.
struct Walk {
  bool return_sequences = false, return_state = false, go_backwards = false, zero_output_for_mask = false;
};

Walk read_walk(LayerReader& layer) {
  Words& words = layer.words();
  Walk walk;
  walk.return_sequences = words.boolean("return_sequences", false);
  walk.return_state = words.boolean("return_state", false);
  walk.go_backwards = words.boolean("go_backwards", false);
  walk.zero_output_for_mask = words.boolean("zero_output_for_mask", false);
  words.only_off("stateful", "it answers by what it saw before.");
  words.only_off("time_major", "steps are read behind the batch.");
  words.ignore({"unroll"});
  return walk;
}

template <class S>
void set_walk(S& settings, const Walk& walk) {
  settings.return_sequences = walk.return_sequences;
  settings.return_state = walk.return_state;
  settings.go_backwards = walk.go_backwards;
  settings.zero_output_for_mask = walk.zero_output_for_mask;
}

// What a layer of steps is called on: the series, and the states that it begins from. Keras 2 calls it on a list.
struct Called {
  Flow series;
  std::vector<std::string> states;
  NamedFlows named;
  Value ignored_mask = {};  // that passes on behind steps all the same

  Value mask_behind() const { return ignored_mask ? ignored_mask : series.mask; }
};

Called called(LayerReader& layer) {
  Called on;
  std::vector<std::optional<Flow>> states;
  const std::vector<Argument>& arguments = layer.call().arguments;
  const bool is_on_list = !arguments.empty() && arguments[0].list() != nullptr;
  if (is_on_list) {
    states = layer.arguments(0, "sequences");
    on.series = layer.inputs(1)[0];
    states.erase(states.begin());
  } else {
    on.series = layer.inputs(1)[0];
    const Argument* stated = arguments.size() > 1 ? &arguments[1] : layer.named("initial_state");
    if (stated != nullptr && stated->made() != nullptr) {
      states.push_back(layer.argument(1, "initial_state"));
    } else if (stated != nullptr) {
      states = layer.arguments(1, "initial_state");
    }
  }
  // Measured in Keras 3.15.1: called on more than one value, it is handed no mask but one that the call names.
  if (!states.empty() && !is_on_list && !layer.names_mask()) on.ignored_mask = std::exchange(on.series.mask, {});
  for (size_t i = 0; i < states.size(); ++i) {
    if (!states[i]) unfit("it is called with a state that is no value of another layer.");
    on.states.push_back("state " + std::to_string(i));
    on.named.emplace(on.states.back(), *states[i]);
  }
  return on;
}

/// What Keras's last output is where its last step is masked: the output before it, and none before any real step; or 0.
Value last_output(const Value& h, const Value& mask, const Walk& walk, bool has_states) {
  if (!mask || walk.return_sequences) return h;
  if (walk.zero_output_for_mask) {
    const Value last = walk.go_backwards ? ops::slice(mask, 1, 0, 1) : ops::slice(mask, 1, -1, INT64_MAX);
    return ops::where(last, h, 0.0);
  }
  if (!has_states) return h;
  const Value any = ops::reduce_max(ops::cast(mask, DType::Float32), {1}, true);
  return ops::where(ops::greater(any, 0.0), h, 0.0);
}

void hand_on_states(LayerReader& layer, const NamedFlows& made, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto at = made.find(layer.plan().path + "." + name);
    if (at != made.end()) layer.further(at->second);
  }
}

template <CellKind kCell>
Flow read_recurrent(LayerReader& layer) {
  nn::RecurrentLayer<kCell> settings = read_cell<kCell>(layer);
  const Walk walk = read_walk(layer);
  set_walk(settings, walk);
  name_numbers(layer, settings, layer.cell_of(""), "");
  const Called on = called(layer);
  settings.initial_state = on.states;
  NamedFlows also;
  layer.maker().above = &on.named;
  layer.maker().also_made = &also;
  Flow y = layer.build(settings, {on.series});
  hand_on_states(layer, also, {"h", "c"});
  y.value = last_output(y.value, on.series.mask, walk, !on.states.empty());
  // Read backwards, steps are given in the order read; Keras hands their mask on as it came.
  if (walk.return_sequences) y.mask = on.mask_behind();
  return y;
}

using AnyCell = nn::AnyRecurrent;

// A layer among the settings, read by a function that takes its words; its faults are said at its own class.
template <class Read>
std::optional<AnyCell> read_inner(LayerReader& layer, const LayerPlan& plan, Read read) {
  LayerReader inner(layer.building(), plan, no_call(), {});
  read_common(inner);
  AnyCell made = read(inner);
  inner.words().finish();
  if (inner.is_refused()) return std::nullopt;
  return made;
}

std::optional<AnyCell> read_cell_of(LayerReader& layer, const LayerPlan& plan) {
  constexpr std::string_view kEnd = "Cell";
  const std::string& name = plan.class_name;
  const bool is_cell = name.size() > kEnd.size() && name.compare(name.size() - kEnd.size(), kEnd.size(), kEnd) == 0;
  const ReadCell read = is_cell ? cell_named(name.substr(0, name.size() - kEnd.size())) : nullptr;
  if (read != nullptr) return read_inner(layer, plan, read);
  layer.refuse("its cell is " + quoted(name) +
               ", and LSTMCell, GRUCell, SimpleRNNCell and StackedRNNCells of these are read.");
  return std::nullopt;
}

size_t states_of(const AnyCell& cell) { return std::holds_alternative<nn::LSTM>(cell) ? 2 : 1; }

struct StackedCell {
  AnyCell cell;
  std::string part;
};

// One cell walked behind another: each a layer of its own, and all but the last give their steps.
Flow build_stacked(LayerReader& layer, const std::vector<StackedCell>& cells, const Walk& walk, const Called& on,
                   NamedFlows& also) {
  layer.maker().above = &on.named;
  layer.maker().also_made = &also;
  Flow y = on.series;
  size_t state = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    Walk own = walk;
    own.return_sequences = walk.return_sequences || i + 1 < cells.size();
    own.go_backwards = walk.go_backwards && i == 0;
    AnyCell cell = cells[i].cell;
    const size_t count = states_of(cell);
    std::vector<std::string> states;
    if (!on.states.empty()) {
      if (state + count > on.states.size()) unfit("it is called with fewer states than its cells have.");
      states.assign(on.states.begin() + static_cast<std::ptrdiff_t>(state),
                    on.states.begin() + static_cast<std::ptrdiff_t>(state + count));
    }
    state += count;
    y = std::visit(
        [&](auto& settings) {
          set_walk(settings, own);
          settings.initial_state = states;
          return cells[i].part.empty() ? layer.build(settings, {y}) : layer.maker().inner(cells[i].part, settings, y);
        },
        cell);
  }
  if (!on.states.empty() && state != on.states.size()) unfit("it is called with more states than its cells have.");
  return y;
}

}  // namespace

Flow read_lstm(LayerReader& layer) { return read_recurrent<CellKind::Lstm>(layer); }
Flow read_gru(LayerReader& layer) { return read_recurrent<CellKind::Gru>(layer); }
Flow read_simple_rnn(LayerReader& layer) { return read_recurrent<CellKind::SimpleRnn>(layer); }

// A cell, or several on top of each other, walked over the steps.
Flow read_rnn(LayerReader& layer) {
  const Walk walk = read_walk(layer);
  const Json* entry = layer.words().find("cell");
  if (entry == nullptr) unfit("'cell' is missing.");
  const LayerPlan outer = inner_layer(layer, *entry, "cell");
  std::vector<StackedCell> cells;
  const auto add = [&](const LayerPlan& plan, const std::string& inner, const std::string& part) {
    const std::optional<AnyCell> cell = read_cell_of(layer, plan);
    if (!cell) {
      layer.refuse_for_inner();
      return;
    }
    name_numbers(layer, *cell, inner, part.empty() ? part : part + ".");
    cells.push_back({*cell, part});
  };
  if (outer.class_name != "StackedRNNCells") {
    add(outer, layer.is_archive() ? "cell" : outer.name, "");
  } else {
    const Json* list = outer.config->find("cells");
    if (list == nullptr || !list->is_array() || list->items().empty()) unfit("'cells' is no list of cells.");
    std::map<std::string, int> counts;
    for (size_t i = 0; i < list->items().size(); ++i) {
      const std::string part = "cells." + std::to_string(i);
      const LayerPlan plan = inner_layer(layer, list->items()[i], "cells", part);
      const std::string word = snake_case(plan.class_name);
      const int count = counts[word]++;
      const std::string counted = count == 0 ? word : word + "_" + std::to_string(count);
      add(plan, layer.is_archive() ? "cell/cells/" + counted : outer.name + "/" + plan.name, part);
    }
  }
  const Called on = called(layer);
  NamedFlows also;
  Flow y = build_stacked(layer, cells, walk, on, also);
  for (const StackedCell& cell : cells) {
    const std::string part = cell.part.empty() ? cell.part : cell.part + ".";
    hand_on_states(layer, also, {part + "h", part + "c"});
  }
  y.value = last_output(y.value, on.series.mask, walk, !on.states.empty());
  if (walk.return_sequences) y.mask = on.mask_behind();
  return y;
}

namespace {

// One direction of a bidirectional layer.
struct Direction {
  AnyCell settings;
  Walk walk;
  std::string inner;  // where the file keeps its numbers
  bool is_trainable = true;
};

std::string with_start(const std::string& name, const std::string& start) {
  return name.rfind(start, 0) == 0 ? name : start + name;
}

std::optional<Direction> read_direction(LayerReader& layer, const Json& entry, const std::string& key) {
  const LayerPlan plan = inner_layer(layer, entry, key);
  const ReadCell read_settings = cell_named(plan.class_name);
  if (read_settings == nullptr) {
    layer.refuse("'" + key + "' is " + quoted(plan.class_name) +
                 ", and LSTM, GRU and SimpleRNN are walked in both directions.");
    return std::nullopt;
  }
  Direction direction;
  const std::optional<AnyCell> read = read_inner(layer, plan, [&](LayerReader& inner) {
    direction.walk = read_walk(inner);
    return read_settings(inner);
  });
  if (!read) {
    layer.refuse_for_inner();
    return std::nullopt;
  }
  direction.settings = *read;
  const bool is_forward = key == "layer";
  direction.inner = layer.is_archive() ? (is_forward ? "forward_layer" : "backward_layer")
                    : is_forward       ? with_start(plan.name, "forward_")
                                       : plan.name;
  direction.inner = layer.cell_of(direction.inner);
  const Json* trainable = plan.config->find("trainable");
  direction.is_trainable = trainable == nullptr || *trainable != Json(false);
  return direction;
}

// What the layer makes of the forward direction's words alone, as Keras 2 wrote it.
Direction turned_round(const LayerReader& layer, const Direction& forward, const Json& entry) {
  Direction backward = forward;
  backward.walk.go_backwards = !forward.walk.go_backwards;
  const Json* name = entry.find("config")->find("name");
  std::string word = name != nullptr && name->is_text() ? name->text() : "";
  if (word.rfind("forward_", 0) == 0) word = word.substr(8);
  backward.inner = layer.cell_of(layer.is_archive() ? "backward_layer" : with_start(word, "backward_"));
  return backward;
}

std::optional<std::string> read_merge_mode(Words& words) {
  const Json* said = words.json().find("merge_mode");
  words.ignore({"merge_mode"});
  if (said != nullptr && said->is_null()) return std::nullopt;
  return words.word("merge_mode", "concat", {"concat", "sum", "mul", "ave"});
}

}  // namespace

Flow read_bidirectional(LayerReader& layer) {
  const std::optional<std::string> merge = read_merge_mode(layer.words());
  const Json* entry = layer.words().find("layer");
  const Json* other = layer.words().find("backward_layer");
  if (entry == nullptr) unfit("'layer' is missing.");
  const std::optional<Direction> forward = read_direction(layer, *entry, "layer");
  std::optional<Direction> backward = forward;
  if (other != nullptr) {
    backward = read_direction(layer, *other, "backward_layer");
  } else if (forward) {
    backward = turned_round(layer, *forward, *entry);
  }
  layer.inputs(1);
  if (forward->walk.go_backwards || !backward->walk.go_backwards) {
    unfit("'layer' is read backwards, and the layer that reads forwards stands first.");
  }
  const bool is_one_kind =
      forward->settings == backward->settings && forward->walk.return_sequences == backward->walk.return_sequences &&
      forward->walk.return_state == backward->walk.return_state && forward->is_trainable == backward->is_trainable;
  if (!is_one_kind) unfit("'backward_layer' has other settings than 'layer', and both directions share them here.");
  Walk walk = forward->walk;
  walk.zero_output_for_mask = true;  // as Keras forces it

  const Called on = called(layer);
  if (on.series.mask && !on.states.empty() && !walk.return_sequences) {
    unfit("it is called with states on a series with a mask, and Keras forgets them where no step is real.");
  }
  NamedFlows also;
  layer.maker().above = &on.named;
  layer.maker().also_made = &also;
  nn::Bidirectional both{forward->settings, {merge}};
  std::visit(
      [&](auto& settings) {
        set_walk(settings, walk);
        settings.initial_state = on.states;
        name_numbers(layer, settings, forward->inner, "");
        name_numbers(layer, settings, backward->inner, "", "_reverse");
      },
      both.layer);
  Flow y = layer.build(both, {on.series});
  if (walk.return_sequences) y.mask = on.mask_behind();
  if (!merge) hand_on_states(layer, also, {"backward"});
  hand_on_states(layer, also, {"h_l0", "c_l0", "h_l0_reverse", "c_l0_reverse"});
  return y;
}

}  // namespace causeway::formats::keras
