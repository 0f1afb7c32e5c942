#include "causeway/nn/layers/recurrent.h"

#include <algorithm>
#include <limits>

#include "causeway/base/quoted.h"
#include "causeway/nn/setting_ranges.h"
#include "causeway/ops/build.h"
#include "causeway/ops/dropout.h"
#include "causeway/ops/step_counts.h"

namespace causeway::nn {
namespace {

using ops::CellKind;

constexpr int64_t kMostLayers = 1024;
/// An end before every place, for a range that runs backwards.
constexpr int64_t kBeforeAll = -std::numeric_limits<int64_t>::max();

void expect_rate(float rate, std::string_view setting) {
  if (!(rate >= 0 && rate < 1)) {
    unfit("'" + std::string(setting) + "' is " + text_of(rate) + ", and 0 to below 1 is expected.");
  }
}

/// [N, L]: step t of a series is real where t is below its length.
Value mask_of_lengths(const Value& lengths, const Value& x) {
  const DType dtype = lengths.dtype();
  if (dtype != DType::Int64 && dtype != DType::Int32 && dtype != DType::Unknown) {
    unfit("'lengths' is " + std::string(name_of(dtype)) + ", and int64 or int32 is expected.");
  }
  return ops::real_steps(lengths, ops::squeeze(ops::slice(ops::shape_of(x), 0, 1, 2), {0}));
}

Value joined(const Value& forward, const Value& backward, const std::string& word) {
  if (word == "concat") return ops::concat({forward, backward}, -1);
  if (word == "sum") return ops::add(forward, backward);
  if (word == "mul") return ops::mul(forward, backward);
  return ops::scale(ops::add(forward, backward), 0.5);
}

/// What one walk over the steps gives.
struct Walked {
  Value steps, h, c;
};

/// Layers of one kind on top of each other, in one direction or both.
template <CellKind kCell>
class Stack {
 public:
  Stack(const RecurrentLayer<kCell>& settings, LayerBuild& build, const Flow& x, bool both_ways)
      : settings_(settings), build_(build), x_(x), directions_(both_ways ? 2 : 1) {
    expect_settings();
    op_ = {.cell = kCell,
           .reset_after = settings.reset_after,
           .activation = settings.activation.function,
           .recurrent_activation = settings.recurrent_activation.function,
           .repeat_masked = !settings.zero_output_for_mask,
           .recurrent_dropout = settings.recurrent_dropout};
    read_mask();
    states_ = build.named("initial_state", settings.initial_state);
    const size_t wanted = static_cast<size_t>(settings.num_layers) * directions_ * kStates;
    if (!states_.empty() && states_.size() != wanted) {
      unfit("'initial_state' names " + std::to_string(states_.size()) + " values, and " + std::to_string(wanted) +
            (wanted == 1 ? " is read there." : " are read there."));
    }
  }

  /// The walks of the topmost layer, one a direction.
  std::vector<Walked> walk() {
    std::vector<Value> x(directions_, x_.value);
    for (size_t d = 0; d < directions_; ++d) x[d] = dropped_input(x[d], d);
    std::vector<Walked> walked;
    for (int64_t layer = 0; layer < settings_.num_layers; ++layer) {
      walked.clear();
      for (size_t d = 0; d < directions_; ++d) walked.push_back(walk_one(layer, d, x[d]));
      if (layer + 1 == settings_.num_layers) break;
      const Value handed = dropped_between(layer, both(walked, &Walked::steps, "concat"));
      std::fill(x.begin(), x.end(), handed);
    }
    return walked;
  }

  static Value both(const std::vector<Walked>& walked, Value Walked::*which, const std::string& word) {
    return walked.size() == 1 ? walked[0].*which : joined(walked[0].*which, walked[1].*which, word);
  }

 private:
  static constexpr size_t kStates = kCell == CellKind::Lstm ? 2 : 1;
  static constexpr int64_t kGates = kCell == CellKind::Lstm ? 4 : kCell == CellKind::Gru ? 3 : 1;

  void expect_settings() const {
    if (settings_.units < 1) unfit("'units' is " + std::to_string(settings_.units) + ", and at least 1 is needed.");
    if (settings_.num_layers < 1 || settings_.num_layers > kMostLayers) {
      unfit("'num_layers' is " + std::to_string(settings_.num_layers) + ", and 1 to " + std::to_string(kMostLayers) +
            " are built.");
    }
    expect_rate(settings_.dropout, "dropout");
    expect_rate(settings_.layer_dropout, "layer_dropout");
    expect_rate(settings_.recurrent_dropout, "recurrent_dropout");
    const Shape& shape = x_.value.shape();
    if (shape.has_rank() && shape.rank() != 3) {
      unfit("it is handed " + shape.text() + ", and takes a series, [N, steps, channels].");
    }
  }

  void read_mask() {
    const Value stated = build_.named_value("mask", settings_.mask);
    const Value lengths = build_.named_value("lengths", settings_.lengths);
    if (stated && lengths) unfit("either 'mask' or 'lengths' is stated, and both are here.");
    mask_ = stated ? stated : lengths ? mask_of_lengths(lengths, x_.value) : x_.mask;
  }

  Value dropped_input(const Value& x, size_t direction) const {
    if (!(settings_.dropout > 0)) return x;
    const ops::Dropout drop{.rate = settings_.dropout, .shared_axes = {1}};
    if (direction == 0) return build_.graph.add1(drop, {x});
    const ScopeGuard scope = build_.graph.scope(build_.path() + ".reverse", "Dropout");
    return build_.graph.add1(drop, {x});
  }
  Value dropped_between(int64_t layer, const Value& steps) const {
    if (!(settings_.layer_dropout > 0)) return steps;
    const ScopeGuard scope = build_.graph.scope(build_.path() + ".l" + std::to_string(layer), "Dropout");
    return build_.graph.add1(ops::Dropout{.rate = settings_.layer_dropout, .purpose = "layer_dropout"}, {steps});
  }

  Walked walk_one(int64_t layer, size_t direction, const Value& x) {
    const std::string suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
    const int64_t in = slot_length(x, -1), channels = times(kGates, settings_.units, "units");
    const Value input_weight = slot("weight_ih" + suffix, {in, channels}, settings_.kernel_initializer,
                                    settings_.kernel_regularizer, settings_.kernel_constraint);
    const Value weight = slot("weight_hh" + suffix, {settings_.units, channels}, settings_.recurrent_initializer,
                              settings_.recurrent_regularizer, settings_.recurrent_constraint);
    Value a = ops::matmul(x, input_weight), bias;
    if (settings_.use_bias) {
      a = ops::add(a, bias_slot("bias_ih" + suffix, kCell == CellKind::Lstm && settings_.unit_forget_bias));
      if (settings_.recurrent_bias) bias = bias_slot("bias_hh" + suffix, false);
    }
    const size_t state = (static_cast<size_t>(layer) * directions_ + direction) * kStates;
    Values inputs = {a, weight, bias, states_.empty() ? Value() : states_[state].value, mask_};
    if (kCell == CellKind::Lstm) inputs.push_back(states_.empty() ? Value() : states_[state + 1].value);
    ops::Recurrent op = op_;
    op.reverse = (direction == 1) != settings_.go_backwards;
    const Values made = build_.graph.add(op, std::move(inputs));
    const Walked walked{made[0], made[1], kCell == CellKind::Lstm ? made[3] : Value()};
    if (settings_.return_state) {
      const bool is_single = directions_ == 1 && settings_.num_layers == 1;
      build_.also(is_single ? "h" : "h" + suffix, {walked.h});
      if (walked.c) build_.also(is_single ? "c" : "c" + suffix, {walked.c});
    }
    return walked;
  }

  Value slot(const std::string& name, std::vector<int64_t> lengths, const Initializer& initializer,
             const Penalty& penalty, const MaxNorm& max_norm, StartingBlock block = {}) const {
    SlotSpec spec{.lengths = std::move(lengths),
                  .initializer = initializer,
                  .penalty = penalty,
                  .max_norm = max_norm,
                  .block = block};
    // PyTorch draws all four from one range, by the width of the state.
    const auto units = static_cast<double>(settings_.units);
    if (initializer.word == "torch_uniform") spec.fans = Fans{units, units};
    return build_.slot(name, spec);
  }
  Value bias_slot(const std::string& name, bool starts_forgetting) const {
    const int64_t units = settings_.units;
    return slot(name, {kGates * units}, settings_.bias_initializer, settings_.bias_regularizer,
                settings_.bias_constraint, starts_forgetting ? StartingBlock{units, 2 * units, 1} : StartingBlock{});
  }

  const RecurrentLayer<kCell>& settings_;
  LayerBuild& build_;
  Flow x_;
  size_t directions_;
  ops::Recurrent op_;
  Value mask_;
  std::vector<Flow> states_;
};

template <CellKind kCell>
Flow built_both_ways(const RecurrentLayer<kCell>& settings, const MergeMode& merge, LayerBuild& build, const Flow& x) {
  if (settings.go_backwards) unfit("'layer' reads backwards, and both directions are read here.");
  if (settings.num_layers > 1 && merge.word != "concat") {
    unfit("'merge_mode' is " + write_setting(merge).dump() + ", and more than one layer takes \"concat\" alone.");
  }
  const std::vector<Walked> walked = Stack<kCell>(settings, build, x, true).walk();
  const auto which = settings.return_sequences ? &Walked::steps : &Walked::h;
  const Value mask = settings.return_sequences ? x.mask : Value();
  if (merge.word) return {Stack<kCell>::both(walked, which, *merge.word), mask};
  build.also("forward", {walked[0].*which, mask});
  build.also("backward", {walked[1].*which, mask});
  return {walked[0].*which, mask};
}

constexpr std::string_view kMergeModes[] = {"concat", "sum", "mul", "ave"};

template <class S>
AnyRecurrent read_layer(const Json& json) {
  std::vector<Fault> faults;
  SettingReader reader(json, std::string(S::kWord), "", faults);
  S made = reader.read<S>({"kind"});
  if (faults.empty()) return made;
  std::string all = "does not fit:";
  for (const Fault& fault : faults) all += " " + fault.what;
  unfit(all);
}

}  // namespace

template <CellKind kCell>
Flow RecurrentLayer<kCell>::build(LayerBuild& build, const Flow& x) const {
  const Walked walked = Stack<kCell>(*this, build, x, false).walk()[0];
  if (!return_sequences) return {walked.h};
  if (!go_backwards) return {walked.steps, x.mask};
  const auto in_order_read = [](const Value& steps) { return ops::slice(steps, 1, -1, kBeforeAll, -1); };
  return {in_order_read(walked.steps), x.mask ? in_order_read(x.mask) : Value()};
}

template struct RecurrentLayer<CellKind::Lstm>;
template struct RecurrentLayer<CellKind::Gru>;
template struct RecurrentLayer<CellKind::SimpleRnn>;

void read_setting(const Json& json, AnyRecurrent& into) {
  const Json* kind = json.is_object() ? json.find("kind") : nullptr;
  if (!kind || !kind->is_text()) unfit("is no recurrent layer: an object with its \"kind\" and its settings.");
  if (kind->text() == LSTM::kWord) {
    into = read_layer<LSTM>(json);
  } else if (kind->text() == GRU::kWord) {
    into = read_layer<GRU>(json);
  } else if (kind->text() == SimpleRNN::kWord) {
    into = read_layer<SimpleRNN>(json);
  } else {
    unfit("is " + quoted(kind->text()) + ", and lstm, gru or simple_rnn is walked in both directions.");
  }
}

Json write_setting(const AnyRecurrent& value) {
  return std::visit(
      [](const auto& layer) {
        Json json{Json::Object{}};
        json.set("kind", std::decay_t<decltype(layer)>::kWord);
        for (auto& [name, setting] : written_settings(layer)) json.set(name, std::move(setting));
        return json;
      },
      value);
}

void read_setting(const Json& json, MergeMode& into) {
  into.word.reset();
  if (json.is_null()) return;
  for (const std::string_view word : kMergeModes) {
    if (json.is_text() && json.text() == word) into.word = word;
  }
  if (!into.word) unfit("is " + json.dump() + ", and concat, sum, mul, ave or null is read here.");
}

Json write_setting(const MergeMode& value) { return value.word ? Json(*value.word) : Json(); }

Flow Bidirectional::build(LayerBuild& build, const Flow& x) const {
  return std::visit([&](const auto& settings) { return built_both_ways(settings, merge_mode, build, x); }, layer);
}

}  // namespace causeway::nn
