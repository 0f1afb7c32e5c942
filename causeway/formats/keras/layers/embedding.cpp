#include "causeway/nn/layers/embedding.h"

#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/nn/layers/encoding.h"
#include "causeway/nn/layers/reversible_embedding.h"

namespace causeway::formats::keras {
namespace {

template <class S>
void read_table(LayerReader& layer, S& embedding) {
  Words& words = layer.words();
  embedding.input_dim = words.count("input_dim");
  embedding.output_dim = words.count("output_dim");
  embedding.mask_zero = words.boolean("mask_zero", false);
  embedding.embeddings_regularizer = read_penalty(words, "embeddings_regularizer");
  embedding.embeddings_constraint = read_max_norm(words, "embeddings_constraint", {1}, 2);
  words.ignore({"input_length"});  // of Keras 2, which says no more than the input's shape
  read_low_rank(layer);
  layer.number("embeddings", "weight");
}

bool called_reversed(LayerReader& layer) {
  const Argument* said = layer.named("reverse");
  if (said == nullptr) return false;
  const Json* value = said->value();
  if (value == nullptr || !value->is_bool()) {
    layer.refuse("it is called with 'reverse' that is neither true nor false.");
    return false;
  }
  return value->boolean();
}

}  // namespace

Flow read_embedding(LayerReader& layer) {
  nn::Embedding embedding;
  read_table(layer, embedding);
  return layer.build(embedding);
}

Flow read_reversible_embedding(LayerReader& layer) {
  Words& words = layer.words();
  nn::ReversibleEmbedding embedding;
  read_table(layer, embedding);
  embedding.tie_weights = words.boolean("tie_weights", true);
  if (words.has("logit_soft_cap")) embedding.logit_soft_cap = words.real("logit_soft_cap", 1);
  words.word("reverse_dtype", "float32", {"float32"});
  embedding.reverse = called_reversed(layer);
  if (!embedding.tie_weights) layer.number("reverse_embeddings", "reverse_embeddings");
  return layer.build(embedding);
}

Flow read_masking(LayerReader& layer) { return layer.build(nn::Masking{layer.words().real("mask_value", 0.0f)}); }

Flow read_category_encoding(LayerReader& layer) {
  Words& words = layer.words();
  nn::CategoryEncoding encoding;
  encoding.num_tokens = words.count("num_tokens");
  encoding.output_mode = words.word("output_mode", "multi_hot", {"multi_hot", "one_hot", "count"});
  words.only_off("sparse", "only plain values are made.");
  return layer.build(encoding);
}

Flow read_discretization(LayerReader& layer) {
  Words& words = layer.words();
  nn::Discretization bins;
  const Json* boundaries = words.find("bin_boundaries");
  if (boundaries == nullptr || !boundaries->is_array()) {
    layer.refuse("'bin_boundaries' is missing, and the numbers between bins are read.");
  } else {
    for (const Json& boundary : boundaries->items()) {
      if (!boundary.is_number()) {
        layer.refuse("'bin_boundaries' is " + shown(*boundaries) + ", and a list of numbers is read.");
        break;
      }
      bins.bin_boundaries.push_back(static_cast<float>(boundary.number()));
    }
  }
  bins.output_mode = words.word("output_mode", "int", {"int"});
  words.only_off("sparse", "only plain values are made.");
  words.ignore({"num_bins", "epsilon"});
  return layer.build(bins);
}

}  // namespace causeway::formats::keras
