#include "causeway/formats/keras/layers/recurrent_cell.h"

#include <optional>
#include <variant>

#include "causeway/formats/keras/activations.h"
#include "causeway/formats/keras/rules.h"

namespace causeway::formats::keras {
namespace {

using ops::CellKind;

// The words of a layer that stands as an activation in a cell; none for a class that has no such words.
std::optional<Json> words_of_layer(const Json& said) {
  const std::string& class_name = said.find("class_name")->text();
  const Json& config = *said.find("config");
  Json words;
  const auto number = [&](std::string_view theirs, std::string_view ours, double otherwise) {
    const Json* stated = config.find(theirs);
    words.set(ours, stated != nullptr && stated->is_number() ? stated->number() : otherwise);
  };
  if (class_name == "LeakyReLU") {
    words.set("kind", "leaky_relu");
    number("negative_slope", "negative_slope", 0.3);
  } else if (class_name == "ELU") {
    words.set("kind", "elu");
    number("alpha", "alpha", 1);
  } else {
    return std::nullopt;
  }
  return words;
}

// An activation inside a cell: a word that works element by element, or a layer that is one.
nn::CellActivation read_cell_activation(LayerReader& layer, std::string_view key, nn::CellActivation otherwise) {
  const Json* said = layer.words().find(key);
  if (said == nullptr) {
    if (layer.words().json().find(key) != nullptr) otherwise.function = {ops::CellFunctionKind::Linear};
    return otherwise;
  }
  const auto refuse = [&](const std::string& what) {
    layer.refuse("'" + std::string(key) + "' is " + shown(*said) + what);
    return otherwise;
  };
  std::optional<Json> words;
  if (is_keras_layer(*said)) {
    words = words_of_layer(*said);
    if (!words) return refuse(", and of layers LeakyReLU and ELU are read in a cell.");
  } else if (const std::optional<std::string> word = activation_word(*said)) {
    if (layer.is_keras_2() && *word == "hard_sigmoid") return {{ops::CellFunctionKind::HardSigmoid, 0.2f, 0.5f}};
    if (activation_kind(*word).empty()) return refuse(", and the words read are " + activation_words() + ".");
    words = Json(*word);
  } else {
    return refuse(", which holds code, and a file is data.");
  }
  try {
    nn::CellActivation read;
    read_setting(*words, read);
    return read;
  } catch (const Unfit& reason) {
    layer.refuse("'" + std::string(key) + "' " + reason.what());
    return otherwise;
  }
}

// Keras's blocks of a GRU are z r h.
template <CellKind kCell>
void name_cell_numbers(LayerReader& layer, const nn::RecurrentLayer<kCell>& cell, const std::string& inner,
                       const std::string& part, const std::string& suffix) {
  const auto blocks = [](size_t axis) -> LayerReader::TurnOf {
    if (kCell != CellKind::Gru) return {};
    return [axis](const std::vector<int64_t>&) { return Turn{{ReorderMove{axis, {1, 0, 2}}}}; };
  };
  const auto slot = [&](const char* name) { return part + name + "_l0" + suffix; };
  layer.inner_number(inner, 0, "kernel", slot("weight_ih"), blocks(1));
  layer.inner_number(inner, 1, "recurrent_kernel", slot("weight_hh"), blocks(1));
  if (!cell.use_bias) return;
  layer.inner_number(inner, 2, "bias", slot("bias_ih"), blocks(0), {0, cell.recurrent_bias ? 2 : 0});
  if (cell.recurrent_bias) layer.inner_number(inner, 2, "bias", slot("bias_hh"), blocks(0), {1, 2});
}

}  // namespace

template <CellKind kCell>
nn::RecurrentLayer<kCell> read_cell(LayerReader& layer) {
  Words& words = layer.words();
  nn::RecurrentLayer<kCell> cell;
  cell.units = words.count("units");
  cell.activation = read_cell_activation(layer, "activation", nn::CellActivation::tanh());
  if (kCell != CellKind::SimpleRnn) {
    cell.recurrent_activation = read_cell_activation(layer, "recurrent_activation", nn::CellActivation::sigmoid());
  }
  cell.use_bias = words.boolean("use_bias", true);
  if (kCell == CellKind::Gru) cell.reset_after = words.boolean("reset_after", true);
  cell.recurrent_bias = kCell == CellKind::Gru && cell.reset_after;
  cell.dropout = words.real("dropout", 0);
  cell.recurrent_dropout = words.real("recurrent_dropout", 0);
  cell.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  cell.recurrent_regularizer = read_penalty(words, "recurrent_regularizer");
  cell.bias_regularizer = read_penalty(words, "bias_regularizer");
  cell.kernel_constraint = read_max_norm(words, "kernel_constraint", {0}, 2);
  cell.recurrent_constraint = read_max_norm(words, "recurrent_constraint", {0}, 2);
  // Both biases of a GRU are one number of two rows there, and its axis 0 is no bias.
  const auto bias_axes = cell.recurrent_bias ? std::vector<int64_t>{} : std::vector<int64_t>{0};
  cell.bias_constraint = read_max_norm(words, "bias_constraint", bias_axes, cell.recurrent_bias ? 2 : 1);
  words.ignore({"unit_forget_bias", "implementation"});
  return cell;
}

template nn::LSTM read_cell(LayerReader& layer);
template nn::GRU read_cell(LayerReader& layer);
template nn::SimpleRNN read_cell(LayerReader& layer);

ReadCell cell_named(std::string_view name) {
  if (name == "LSTM") return [](LayerReader& layer) -> nn::AnyRecurrent { return read_cell<CellKind::Lstm>(layer); };
  if (name == "GRU") return [](LayerReader& layer) -> nn::AnyRecurrent { return read_cell<CellKind::Gru>(layer); };
  if (name != "SimpleRNN") return nullptr;
  return [](LayerReader& layer) -> nn::AnyRecurrent { return read_cell<CellKind::SimpleRnn>(layer); };
}

void name_numbers(LayerReader& layer, const nn::AnyRecurrent& cell, const std::string& inner, const std::string& part,
                  const std::string& suffix) {
  std::visit([&](const auto& each) { name_cell_numbers(layer, each, inner, part, suffix); }, cell);
}

}  // namespace causeway::formats::keras
