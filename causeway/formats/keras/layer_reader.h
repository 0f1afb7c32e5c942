#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/formats/keras/keras_file.h"
#include "causeway/formats/keras/model_plan.h"
#include "causeway/formats/keras/numbers.h"
#include "causeway/formats/keras/words.h"
#include "causeway/formats/load.h"
#include "causeway/graph/graph.h"
#include "causeway/nn/layer.h"

namespace causeway::formats::keras {

using Flows = std::vector<Flow>;

/// What all layers of one file are built with.
struct Building {
  const KerasFile& file;
  GraphBuilder& graph;
  FileNumbers& numbers;
  std::vector<Fault>& faults;
  std::vector<std::string>& notes;
  const std::map<std::string, int64_t, std::less<>>& dims;  ///< What open lengths are bound to.
  std::vector<Entry> entries = {};                          ///< The numbers found so far, for load().
  std::set<std::pair<std::string, std::string>> said = {};  ///< Faults and notes of layers, which may be called again.
  std::set<std::string> refused_slots = {};                 ///< Whose numbers do not fit, and that were said.
  std::vector<std::string> held = {};                       ///< Paths of what is not trained, and all beneath them.
  /// Builds a model that a layer holds, on its inputs, given by whoever builds the one around it.
  std::function<Flows(const ModelPlan&, const Flows&)> build_model = {};
  std::vector<nn::SlotStart> starts = {};  ///< What slots would start from; a file fills them instead.
};

/// Which row of a number fills a slot, of how many; a number without rows fills one slot alone.
struct NumberRow {
  int64_t at = 0, of = 0;
};

/// Of a layer inside another, which is handed its input: it is called by no node of the model's.
const Call& no_call();

/// One call of one layer while the graph is built: its settings, its inputs, its slots. The functions of layers/ read
/// every setting first, then the inputs, so that a layer behind a refused one still says its own faults.
class LayerReader {
 public:
  /// How the file lays out a slot of those lengths.
  using TurnOf = std::function<Turn(const std::vector<int64_t>& slot)>;

  /// `inner`: where a wrapper keeps the numbers of this layer among its own.
  LayerReader(Building& building, const LayerPlan& plan, const Call& call, Flows inputs, std::string inner = {});

  const LayerPlan& plan() const { return plan_; }
  const Call& call() const { return call_; }
  Words& words() { return words_; }
  Building& building() { return building_; }
  /// Whether a Keras before 3 wrote the file: a few words mean something else there.
  bool is_keras_2() const { return building_.file.major_version < 3; }
  bool is_archive() const { return building_.file.is_archive; }

  /// Says which slot of the layer the next of its numbers fills: an archive counts them in the order of these calls, an
  /// .h5 tells them by `variable`. A slot that no call names is not the file's.
  void number(std::string variable, std::string slot, TurnOf turn = {});

  /// The same for a number that a layer inside this one keeps, by the inner layer's name and its count there.
  void inner_number(const std::string& inner, size_t index, std::string variable, std::string slot, TurnOf turn = {},
                    NumberRow row = {});
  /// The name under which the numbers of an inner layer's cell lie: "cell" in an archive; an .h5 calls it by a name of
  /// the author's or of Keras's counting.
  std::string cell_of(const std::string& inner) const;
  /// One slot of several such numbers, laid end to end; each has those lengths in the file.
  struct Part {
    std::string inner;
    size_t index = 0;
    std::string variable;
    std::vector<int64_t> lengths;
  };
  void joined(std::string slot, std::vector<Part> parts);

  /// The same for a slot whose numbers stand in the words: one for all of it, or as many as it has.
  void given(std::string slot, std::vector<float> numbers);
  /// A number of the file that nothing reads.
  void leave_out(std::string variable);

  /// The one input; every layer but the merging ones has one. unfit() where there are more or fewer.
  Flow x();
  /// All of them, at least `least`.
  const Flows& inputs(size_t least);
  /// The input of that many axes.
  Flow x_of_rank(size_t rank);
  /// What a call hands in at that position, or by that name; none where it hands in no value there.
  std::optional<Flow> argument(size_t position, std::string_view name);
  /// The same where it is a list of values, some of which may be none; lists in it stand one behind another.
  std::vector<std::optional<Flow>> arguments(size_t position, std::string_view name);
  /// What a call says by name; it counts as read from now on.
  const Argument* named(std::string_view name);
  /// Refuses what a call says by name, unless it is false.
  void only_named_off(std::string_view name, std::string_view reason);
  /// Takes the mask that a call names, where it does, in the place of the one that comes with its input.
  void take_mask();
  bool names_mask() const { return named_read_.contains("mask"); }
  /// Refuses what a call says by name and nothing has read.
  void finish_named();
  /// An operator's: values of other calls, or numbers and arrays of them written in the words.
  std::vector<Value> operands(size_t count);
  std::pair<Value, Value> two_operands();
  /// The same of an operator that is called on a list of them.
  std::vector<Value> operands_of_list();

  /// Builds a layer of the network's own words on the inputs, or on one value.
  Flow build(const nn::Layer& layer) { return build(layer, inputs(1)); }
  Flow build(const nn::Layer& layer, const Flows& from);
  /// What a layer without such words builds with.
  nn::LayerBuild& maker() { return maker_; }
  GraphBuilder& graph() { return maker_.graph; }

  /// What comes out of the activation of a key, which becomes a layer of its own.
  Flow activated(const Json* activation, Flow y);

  /// What the layer makes besides its first output, in the order in which calls of other layers count them.
  void further(Flow output) { further_.push_back(std::move(output)); }
  const Flows& further() const { return further_; }

  void refuse(std::string what);
  void note(std::string what);
  /// Counts the layer as refused by a fault of a layer inside it, which was said there.
  void refuse_for_inner() { is_refused_ = true; }
  bool is_refused() const { return is_refused_; }

  /// Thrown where an input comes from a refused layer, so that nothing is known of it and no fault is to be added.
  struct Unknown {};

 private:
  struct NumberPlan {
    NumberName name;
    TurnOf turn = {};
    std::vector<float> given = {};
    std::vector<Part> parts = {};
    NumberRow row = {};
  };
  std::string inner_path(const std::string& inner) const {
    return inner_.empty() ? inner : inner.empty() ? inner_ : inner_ + "/" + inner;
  }
  Value operand(const Argument& argument);
  const Argument* find_argument(size_t position, std::string_view name);
  Flow flow_of(const Argument& argument) const;
  Entry given_entry(Entry entry, const std::vector<int64_t>& lengths, const std::vector<float>& numbers) const;
  std::optional<Entry> row_entry(Entry entry, const std::vector<int64_t>& lengths, const NumberPlan& plan);
  std::optional<Entry> joined_entry(Entry entry, const std::vector<int64_t>& lengths, const std::vector<Part>& parts);
  Tensor first_numbers(const std::string& path, const std::vector<int64_t>& lengths);
  std::optional<Entry> entry_of(const std::string& path, const std::vector<int64_t>& lengths, const NumberPlan& plan);

  Building& building_;
  const LayerPlan& plan_;
  const Call& call_;
  Flows all_inputs_;  // what the call reads, however it says so
  Flows inputs_;      // what it is called on: the mask and the states that it names are left out
  std::string inner_, place_;
  Words words_;
  nn::LayerBuild maker_;
  std::map<std::string, NumberPlan> numbers_;                 // by slot
  std::map<std::string, Hdf5Object, std::less<>> with_rows_;  // numbers of which some row is read, by inner name
  std::set<std::string, std::less<>> named_read_;
  Flows further_;
  bool is_refused_ = false;
};

/// Reads one call of a layer by its class: the settings every layer has, the function of layer_table, what is left over.
/// Gives a value of unknown type where the layer is refused.
Flow read_layer(LayerReader& reader);

/// Reads the settings that every layer has, and those that change no answer.
void read_common(LayerReader& reader);

/// What stands for the output of a layer that was refused: it fits everything, so that one fault does not breed others.
Flow unknown_flow(GraphBuilder& graph);

}  // namespace causeway::formats::keras
