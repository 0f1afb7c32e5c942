#pragma once

#include <variant>

#include "causeway/nn/cell_activation.h"
#include "causeway/nn/layer.h"
#include "causeway/ops/recurrent.h"

namespace causeway::nn {

/// A recurrent layer over the steps of a series, [N, L, C]: the state behind the last real step, or with
/// return_sequences all steps. The headers of ops/recurrent.h say what a cell computes.
///
/// Slots      for layer l from 0: weight_ih_l0 [in, G·H], weight_hh_l0 [H, G·H], bias_ih_l0, bias_hh_l0 [G·H], blocks
///            lstm i f g o, gru r z n; `in` of a layer above is H. Both directions (bidirectional): those of the backward
///            one end in `_reverse`, and `in` of a layer above is 2·H.
/// Settings   use_bias: without it neither bias; recurrent_bias: without it no bias_hh. go_backwards: reads the last step
///            first, and gives steps in the order read. num_layers: a stack, each on the steps of the one beneath.
///            dropout: on x, one draw an example and channel. layer_dropout: on what each layer but the last hands on.
///            recurrent_dropout: answering, nothing; fit refuses the layer unless it is held. mask: a value above [N, L],
///            true where a step is real; lengths: [N], whole numbers; without either the mask that comes with x.
///            initial_state: values above, [N, H] each: h, then an lstm's c, for layer after layer and direction after
///            direction; zeros unless stated. zero_output_for_mask: a masked step shows 0, or else the output before it.
///            return_state: also makes PATH.h and PATH.c, or of several layers or directions PATH.h_l0,
///            PATH.h_l0_reverse … (c likewise). unit_forget_bias: the f block of bias_ih starts at 1.
template <ops::CellKind kCell>
struct RecurrentLayer {
  static constexpr std::string_view kWord = nth(static_cast<size_t>(kCell), {"lstm", "gru", "simple_rnn"});
  static constexpr std::string_view kKind = nth(static_cast<size_t>(kCell), {"LSTM", "GRU", "SimpleRNN"});
  int64_t units = 0;
  CellActivation activation = CellActivation::tanh(), recurrent_activation = CellActivation::sigmoid();
  bool use_bias = true, recurrent_bias = true, reset_after = true, unit_forget_bias = true;
  bool return_sequences = false, return_state = false, go_backwards = false;
  int64_t num_layers = 1;
  float layer_dropout = 0, dropout = 0, recurrent_dropout = 0;
  ValueNames mask = {}, lengths = {}, initial_state = {};
  bool zero_output_for_mask = true;
  Initializer kernel_initializer = {.word = "glorot_uniform"}, recurrent_initializer = {.word = "orthogonal"};
  Initializer bias_initializer = {};
  Penalty kernel_regularizer = {}, recurrent_regularizer = {}, bias_regularizer = {};
  MaxNorm kernel_constraint = {}, recurrent_constraint = {}, bias_constraint = {};

  static void settings(auto&& each) {
    using Self = RecurrentLayer;
    each("units", &Self::units, Need::Required);
    each("activation", &Self::activation);
    if (kCell != ops::CellKind::SimpleRnn) each("recurrent_activation", &Self::recurrent_activation);
    each("use_bias", &Self::use_bias);
    each("recurrent_bias", &Self::recurrent_bias);
    if (kCell == ops::CellKind::Gru) each("reset_after", &Self::reset_after);
    if (kCell == ops::CellKind::Lstm) each("unit_forget_bias", &Self::unit_forget_bias);
    each("return_sequences", &Self::return_sequences);
    each("return_state", &Self::return_state);
    each("go_backwards", &Self::go_backwards);
    each("num_layers", &Self::num_layers);
    each("layer_dropout", &Self::layer_dropout);
    each("dropout", &Self::dropout);
    each("recurrent_dropout", &Self::recurrent_dropout);
    each("mask", &Self::mask);
    each("lengths", &Self::lengths);
    each("initial_state", &Self::initial_state);
    each("zero_output_for_mask", &Self::zero_output_for_mask);
    each("kernel_initializer", &Self::kernel_initializer);
    each("recurrent_initializer", &Self::recurrent_initializer);
    each("bias_initializer", &Self::bias_initializer);
    each("kernel_regularizer", &Self::kernel_regularizer);
    each("recurrent_regularizer", &Self::recurrent_regularizer);
    each("bias_regularizer", &Self::bias_regularizer);
    each("kernel_constraint", &Self::kernel_constraint);
    each("recurrent_constraint", &Self::recurrent_constraint);
    each("bias_constraint", &Self::bias_constraint);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
  friend bool operator==(const RecurrentLayer&, const RecurrentLayer&) = default;
};
using LSTM = RecurrentLayer<ops::CellKind::Lstm>;
using GRU = RecurrentLayer<ops::CellKind::Gru>;
using SimpleRNN = RecurrentLayer<ops::CellKind::SimpleRnn>;

/// A recurrent layer among another's settings: an object with its kind and its settings.
using AnyRecurrent = std::variant<LSTM, GRU, SimpleRNN>;
void read_setting(const Json& json, AnyRecurrent& into);
Json write_setting(const AnyRecurrent& value);

/// How the two directions become one: `concat`, `sum`, `mul`, `ave`, or none.
struct MergeMode {
  std::optional<std::string> word = "concat";
  friend bool operator==(const MergeMode&, const MergeMode&) = default;
};
void read_setting(const Json& json, MergeMode& into);
Json write_setting(const MergeMode& value);

/// A recurrent layer walked in both directions, the backward one from the last real step; its slots lie under this
/// layer's own path. Without return_sequences the backward direction answers its state behind step 0.
///
/// Settings   layer: the word of a recurrent layer with its settings, go_backwards aside. merge_mode: how steps and
///            answers are joined; null leaves two, PATH.forward and PATH.backward, of which the first is the layer's own
///            value. More than one layer takes `concat` alone.
struct Bidirectional {
  static constexpr std::string_view kWord = "bidirectional", kKind = "Bidirectional";
  AnyRecurrent layer = {};
  MergeMode merge_mode = {};

  static void settings(auto&& each) {
    each("layer", &Bidirectional::layer, Need::Required);
    each("merge_mode", &Bidirectional::merge_mode);
  }
  Flow build(LayerBuild& build, const Flow& x) const;
};

}  // namespace causeway::nn
