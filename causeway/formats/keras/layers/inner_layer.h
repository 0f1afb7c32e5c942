#pragma once

#include "causeway/formats/keras/layer_reader.h"

namespace causeway::formats::keras {

/// A layer among another's settings ({class_name, config}), under the outer layer's path or at `part` below it; its name
/// is "" where it has none. unfit() for anything else, with `what` it is.
LayerPlan inner_layer(const LayerReader& layer, const Json& entry, std::string_view what, const std::string& part = {});

}  // namespace causeway::formats::keras
