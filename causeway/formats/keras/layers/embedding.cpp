#include "causeway/nn/layers/embedding.h"

#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"

namespace causeway::formats::keras {

Flow read_embedding(LayerReader& layer) {
  Words& words = layer.words();
  nn::Embedding embedding;
  embedding.input_dim = words.count("input_dim");
  embedding.output_dim = words.count("output_dim");
  embedding.mask_zero = words.boolean("mask_zero", false);
  embedding.embeddings_regularizer = read_penalty(words, "embeddings_regularizer");
  embedding.embeddings_constraint = read_max_norm(words, "embeddings_constraint", {1}, 2);
  words.ignore({"input_length"});  // of Keras 2, which says no more than the input's shape
  read_low_rank(layer);
  layer.number("embeddings", "weight");
  return layer.build(embedding);
}

Flow read_masking(LayerReader& layer) { return layer.build(nn::Masking{layer.words().real("mask_value", 0.0f)}); }

}  // namespace causeway::formats::keras
