#include "causeway/nn/layers/reversible_embedding.h"

#include "causeway/ops/build.h"

namespace causeway::nn {

Flow ReversibleEmbedding::build(LayerBuild& build, const Flow& x) const {
  if (logit_soft_cap && !(*logit_soft_cap > 0)) {
    unfit("'logit_soft_cap' is " + text_of(*logit_soft_cap) + ", and it is above 0.");
  }
  const Embedding table{.input_dim = input_dim,
                        .output_dim = output_dim,
                        .mask_zero = mask_zero,
                        .embeddings_initializer = embeddings_initializer,
                        .embeddings_regularizer = embeddings_regularizer,
                        .embeddings_constraint = embeddings_constraint};
  const Value weight = table.weight(build);
  // There from the first call on, whichever way it goes.
  const Value back = tie_weights ? weight
                                 : build.slot("reverse_embeddings", {.lengths = {output_dim, input_dim},
                                                                     .initializer = embeddings_initializer});
  if (!reverse) return table.build(build, x);
  if (const int64_t width = slot_length(x.value, -1); width != output_dim) {
    unfit("it is handed " + x.value.shape().text() + ", and 'output_dim' is " + std::to_string(output_dim) + ".");
  }
  Value y = ops::matmul(x.value, back, false, tie_weights);
  if (logit_soft_cap) {
    const double cap = static_cast<double>(*logit_soft_cap);
    y = ops::scale(ops::tanh(ops::div(y, ops::number_like(y, cap))), cap);
  }
  return {y};
}

}  // namespace causeway::nn
