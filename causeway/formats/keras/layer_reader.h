#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/formats/keras/keras_file.h"
#include "causeway/formats/keras/model_plan.h"
#include "causeway/formats/keras/numbers.h"
#include "causeway/formats/keras/words.h"
#include "causeway/formats/load.h"
#include "causeway/graph/graph.h"
#include "causeway/ops/window.h"

namespace causeway::formats::keras {

/// What all layers of one file are built with.
struct Building {
  const KerasFile& file;
  Slots& slots;
  GraphBuilder& graph;
  FileNumbers& numbers;
  std::vector<Fault>& faults;
  std::vector<std::string>& notes;
  std::vector<Entry> entries = {};  ///< The numbers found so far, for load().
};

/// One of a layer's numbers, and the slot that holds it.
struct NumberWords {
  NumberName name;
  std::string slot;              ///< "weight": beneath the layer's path.
  std::vector<int64_t> lengths;  ///< Of the slot.
  Turn turn = {};                ///< From the file's layout to the slot's.
  Role role = Role::Learned;
  /// The axes, of the slot, that one unit's numbers lie along: what a MaxNorm may bound. The same axes in the file.
  std::vector<size_t> unit_axes = {};
  std::vector<int64_t> unit_axes_in_file = {};
};

/// One call of one layer while the graph is built: its settings, its inputs, its slots. The functions of layers/ read
/// every setting first, then the inputs, so that a layer behind a refused one still says its own faults.
class LayerReader {
 public:
  LayerReader(Building& building, const LayerPlan& plan, Values inputs, bool is_held);

  Words& words() { return words_; }
  GraphBuilder& graph() { return building_.graph; }
  /// Whether a Keras before 3 wrote the file: a few words mean something else there.
  bool is_keras_2() const { return building_.file.major_version < 3; }
  bool is_archive() const { return building_.file.is_archive; }
  const LayerPlan& plan() const { return plan_; }
  const Call& call() const { return *call_; }
  void set_call(const Call& call) { call_ = &call; }

  /// The one input; every layer but the merging ones has one. unfit() where there are more or fewer.
  Value x();
  /// All of them, at least `least`.
  const Values& inputs(size_t least);
  /// The input of that rank, or of at least that rank.
  Value x_of_rank(size_t rank);
  /// An operator's: values, or one of them a number written in the words.
  std::pair<Value, Value> two_operands();
  /// The length of an axis, counted from the end where negative; unfit() where it is open.
  int64_t length(Value x, int64_t axis) const;

  /// The next of the layer's numbers, as a value: its slot is declared at the first call. An archive counts a layer's
  /// numbers in the order in which they are asked for.
  Value number(std::string variable, std::string slot, std::vector<int64_t> lengths) {
    return number(NumberWords{{"", next_++, std::move(variable)}, std::move(slot), std::move(lengths)});
  }
  Value number(NumberWords words);
  Value learned(std::string variable, std::string slot, std::vector<int64_t> lengths, std::vector<size_t> unit_axes) {
    NumberWords words{{"", next_++, std::move(variable)}, std::move(slot), std::move(lengths)};
    words.unit_axes_in_file.assign(unit_axes.begin(), unit_axes.end());
    words.unit_axes = std::move(unit_axes);
    return number(std::move(words));
  }
  Value measured(std::string variable, std::string slot, std::vector<int64_t> lengths) {
    NumberWords words{{"", next_++, std::move(variable)}, std::move(slot), std::move(lengths)};
    words.role = Role::Measured;
    return number(std::move(words));
  }
  size_t next_index() { return next_++; }
  bool has_number(const NumberName& name) const { return building_.numbers.has(plan_.path, name); }

  /// The value under the activation of a key, which becomes a layer of its own.
  Value activated(const Json* activation, Value x);

  void refuse(std::string what);
  void note(std::string what);
  bool is_refused() const { return is_refused_; }
  const std::string& place() const { return place_; }
  Building& building() { return building_; }
  bool is_held() const { return is_held_; }

  /// Thrown where an input comes from a refused layer, so that nothing is known of it and no fault is to be added.
  struct Unknown {};

 private:
  void set_rules(const NumberWords& words, Slot& slot);
  Value stand_in(const NumberWords& words);
  void refuse_number(std::string where, std::string what) {
    building_.faults.push_back({std::move(where), std::move(what)});
  }

  Building& building_;
  const LayerPlan& plan_;
  const Call* call_ = nullptr;
  Values inputs_;
  bool is_held_ = false, is_refused_ = false;
  std::string place_;
  Words words_;
  size_t next_ = 0;
};

/// Reads one call of a layer by its class: the settings every layer has, the function of layer_table, what is left over.
/// Gives a value of unknown type where the layer is refused.
Value read_layer(LayerReader& reader);

/// What stands for the output of a layer that was refused: it fits everything, so that one fault does not breed others.
Value unknown_value(GraphBuilder& graph);

/// channels_first values are turned at each layer that has them, and the passes take the turns out again.
struct Channels {
  bool first = false;
  Value to_last(Value x) const;
  Value from_last(Value y) const;
};
Channels read_channels(Words& words);

/// "valid", "same" or, where it is allowed, "causal", with size, stride and dilation, as a window.
ops::Window read_window(Words& words, std::vector<int64_t> size, std::vector<int64_t> stride,
                        std::vector<int64_t> dilation, bool causal);

}  // namespace causeway::formats::keras
