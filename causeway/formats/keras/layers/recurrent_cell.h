#pragma once

#include <string>
#include <string_view>

#include "causeway/formats/keras/layer_reader.h"
#include "causeway/nn/layers/recurrent.h"

namespace causeway::formats::keras {

/// What a cell says of itself; a recurrent layer of one cell says it as its own.
template <ops::CellKind kCell>
nn::RecurrentLayer<kCell> read_cell(LayerReader& layer);

/// Reads a cell by the name of the layer that walks it: "GRU", "LSTM" or "SimpleRNN"; null for another.
using ReadCell = nn::AnyRecurrent (*)(LayerReader& layer);
ReadCell cell_named(std::string_view name);

/// The numbers of one cell: `inner` is where the file keeps them; the slots lie under `part` and end in `suffix`.
void name_numbers(LayerReader& layer, const nn::AnyRecurrent& cell, const std::string& inner, const std::string& part,
                  const std::string& suffix = "");

}  // namespace causeway::formats::keras
