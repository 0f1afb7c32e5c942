#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/nn/layer.h"
#include "causeway/nn/layers/activations.h"
#include "causeway/nn/layers/adaptive_pooling.h"
#include "causeway/nn/layers/attention.h"
#include "causeway/nn/layers/conv.h"
#include "causeway/nn/layers/dense.h"
#include "causeway/nn/layers/depthwise_conv.h"
#include "causeway/nn/layers/dropout.h"
#include "causeway/nn/layers/einsum_dense.h"
#include "causeway/nn/layers/embedding.h"
#include "causeway/nn/layers/encoding.h"
#include "causeway/nn/layers/group_normalization.h"
#include "causeway/nn/layers/merging.h"
#include "causeway/nn/layers/normalization.h"
#include "causeway/nn/layers/padding.h"
#include "causeway/nn/layers/pooling.h"
#include "causeway/nn/layers/recurrent.h"
#include "causeway/nn/layers/resizing.h"
#include "causeway/nn/layers/reversible_embedding.h"
#include "causeway/nn/layers/scaling.h"
#include "causeway/nn/layers/shaping.h"
#include "causeway/nn/layers/transformer.h"
#include "causeway/nn/layers/transposed_conv.h"
#include "causeway/nn/layers/wrapping.h"

namespace causeway::nn {

/// What can be said of a layer by its word.
struct LayerRow {
  std::string_view word, kind;
  /// The layer that a JSON object's members state, `others` being members that are not its settings; faults go to
  /// `faults`, each at its place in `where`.
  std::function<Layer(const Json& object, const std::string& where, const std::vector<std::string_view>& others,
                      std::vector<Fault>& faults)>
      read;
  /// With every setting at its default.
  Layer plain;

  bool has_setting(std::string_view name) const;
};

/// One row a word, in the order of the words.
std::span<const LayerRow> all_layers();
/// The row of a word; null where there is none.
const LayerRow* layer_row(std::string_view word);
/// The known word nearest to one that is not; Keras's class names in snake case lead to their words. "" where none is near.
std::string nearest_layer(std::string_view word);
/// " The nearest is 'dense'.", or where the layers are listed: what follows "'dens' is no layer.".
std::string nearest_layer_sentence(std::string_view word);

}  // namespace causeway::nn
