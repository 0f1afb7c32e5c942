#include "causeway/nn/layers/attention.h"

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/formats/keras/rules.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

/// A mask as truths: numbers that are not 0 count.
Value as_truths(const Value& mask) { return mask.dtype() == DType::Bool ? mask : ops::cast(mask, DType::Bool); }

Value both(const Value& a, const Value& b) { return !a ? b : !b ? a : ops::logical_and(a, b); }

bool called_causal(LayerReader& layer) {
  const Argument* said = layer.named("use_causal_mask");
  if (!said) return false;
  const Json* value = said->value();
  if (!value || !value->is_bool()) {
    layer.refuse("it is called with 'use_causal_mask' that is neither true nor false.");
    return false;
  }
  return value->boolean();
}

/// True of a query's mask at every key: [N, queries, keys].
Value of_queries(const Value& query_mask, const Value& key) {
  const Value queries = ops::unsqueeze(query_mask, {2});
  const Value keys = ops::slice(ops::shape_of(key), 0, 1, 2);
  return ops::expand(queries, ops::concat({ops::shape_of(query_mask), keys}, 0));
}

/// The values that an attention of heads is called on, (query, value, key = value), and its masks.
nn::Attended attended(LayerReader& layer) {
  layer.inputs(1);
  const std::optional<Flow> query = layer.argument(0, "query"), value = layer.argument(1, "value");
  const std::optional<Flow> key = layer.argument(2, "key");
  if (!query || !value) unfit("it is called without a query or a value.");
  const auto mask_of = [&](size_t position, const char* name, const std::optional<Flow>& flow) {
    const std::optional<Flow> stated = layer.argument(position, name);
    return stated ? as_truths(stated->value) : flow ? flow->mask : Value();
  };
  nn::Attended of{query->value, key ? key->value : value->value, value->value};
  const Value query_mask = mask_of(3, "query_mask", query);
  of.key_mask = both(mask_of(4, "value_mask", value), mask_of(5, "key_mask", key));
  if (query_mask) of.attention_mask = of_queries(query_mask, of.key);
  if (const auto stated = layer.argument(6, "attention_mask")) {
    of.attention_mask = both(as_truths(stated->value), of.attention_mask);
  }
  return of;
}

/// The numbers of three projections and of the one behind them, as Keras keeps them: heads on an axis of their own. An
/// archive calls them "query_dense" and so on, with a `line` before where it has one, and an .h5 "query".
void heads_numbers(LayerReader& layer, const std::string& line, bool use_bias, int64_t heads, int64_t kv_heads,
                   int64_t width, int64_t value_width) {
  const auto inner = [&](const std::string& in_archive, const std::string& in_h5) {
    return layer.is_archive() ? line + in_archive : in_h5;
  };
  struct Part {
    std::string inner, slot;
    int64_t heads, width;
  };
  const Part parts[] = {{inner("query_dense", "query"), "q_proj_weight", heads, width},
                        {inner("key_dense", "key"), "k_proj_weight", kv_heads, width},
                        {inner("value_dense", "value"), "v_proj_weight", kv_heads, value_width}};
  std::vector<LayerReader::Part> biases;
  for (const Part& part : parts) {
    layer.inner_number(part.inner, 0, "kernel", part.slot, [part](const std::vector<int64_t>& slot) {
      return Turn{{ReshapeMove{{slot[0], part.heads, part.width}, slot}}};
    });
    biases.push_back({part.inner, 1, "bias", {part.heads, part.width}});
  }
  const std::string out = inner("output_dense", "attention_output");
  layer.inner_number(out, 0, "kernel", "out_proj.weight", [heads, value_width](const std::vector<int64_t>& slot) {
    return Turn{{ReshapeMove{{heads, value_width, slot[1]}, slot}}};
  });
  if (!use_bias) return;
  layer.joined("in_proj_bias", std::move(biases));
  layer.inner_number(out, 1, "bias", "out_proj.bias");
}

template <class S>
void read_heads_words(LayerReader& layer, S& attention) {
  Words& words = layer.words();
  attention.dropout = words.real("dropout", 0.0f);
  attention.use_bias = words.boolean("use_bias", true);
  // Measured in Keras 3.15.1: with a dropout it takes another way, which leaves a query without a key nothing.
  attention.no_key = attention.dropout > 0 ? "zeros" : "average";
  attention.use_causal_mask = called_causal(layer);
  attention.kernel_regularizer = read_penalty(words, "kernel_regularizer");
  attention.bias_regularizer = read_penalty(words, "bias_regularizer");
  words.only_off("use_gate", "a gate behind the heads is not read.");
  words.only_off("sliding_window", "attention to a window of steps is not read.");
  words.ignore({"flash_attention"});
  layer.only_named_off("return_attention_scores", "the shares are not an output here.");
}

/// The width that is made, where it is stated: a number, or a list of one.
std::optional<int64_t> read_output_shape(Words& words) {
  const Json* stated = words.find("output_shape");
  if (!stated) return std::nullopt;
  const std::vector<int64_t> lengths = words.integers("output_shape", {});
  if (lengths.size() == 1) return lengths[0];
  words.refuse("'output_shape' is " + shown(*stated) + ", and one axis is made.");
  return std::nullopt;
}

/// Attention without projections: [query, value(, key)], and masks in the same order.
nn::Attended attended_list(LayerReader& layer, Value& query_mask) {
  const Flows& all = layer.inputs(2);
  const std::vector<std::optional<Flow>> from = layer.arguments(0, "inputs");
  if (from.size() < 2 || from.size() > 3 || !from[0] || !from[1] || (from.size() == 3 && !from[2])) {
    unfit("it is called on " + std::to_string(all.size()) +
          " values, and [query, value] or [query, value, key] is read.");
  }
  nn::Attended of{from[0]->value, from.size() == 3 ? from[2]->value : from[1]->value, from[1]->value};
  const std::vector<std::optional<Flow>> masks = layer.arguments(1, "mask");
  const auto mask_of = [&](size_t i) {
    if (!masks.empty()) return i < masks.size() && masks[i] ? as_truths(masks[i]->value) : Value();
    return from[i]->mask;
  };
  query_mask = mask_of(0);
  of.key_mask = mask_of(1);
  return of;
}

template <class S>
Flow read_unprojected(LayerReader& layer, S attention) {
  attention.dropout = layer.words().real("dropout", 0.0f);
  attention.no_key = "average";
  attention.use_causal_mask = called_causal(layer);
  layer.only_named_off("return_attention_scores", "the shares are not an output here.");
  Value query_mask;
  const nn::Attended of = attended_list(layer, query_mask);
  Value y = attention.attend(layer.maker(), of);
  if (query_mask) y = ops::where(ops::unsqueeze(query_mask, {2}), y, 0.0);
  return {y, query_mask};
}

}  // namespace

Flow read_multi_head_attention(LayerReader& layer) {
  Words& words = layer.words();
  nn::MultiHeadAttention attention;
  if (layer.named("query_mask")) {
    layer.refuse("it is called with 'query_mask', which Keras passes over for the mask of the query itself.");
  }
  attention.num_heads = words.count("num_heads");
  attention.key_dim = words.count("key_dim");
  attention.value_dim = words.integer("value_dim", attention.key_dim, 1);
  attention.output_shape = read_output_shape(words);
  attention.packed_projection = false;
  read_heads_words(layer, attention);
  const std::vector<int64_t> axes = words.integers("attention_axes", {1});
  if (axes != std::vector<int64_t>{1}) words.refuse("'attention_axes' is " + text_of(axes) + ", and steps are axis 1.");
  heads_numbers(layer, "", attention.use_bias, attention.num_heads, attention.num_heads, attention.key_dim,
                *attention.value_dim);
  const nn::Attended of = attended(layer);
  return {attention.attend(layer.maker(), of), layer.inputs(1)[0].mask};
}

Flow read_group_query_attention(LayerReader& layer) {
  Words& words = layer.words();
  nn::GroupQueryAttention attention;
  attention.head_dim = words.count("head_dim");
  attention.num_query_heads = words.count("num_query_heads");
  attention.num_key_value_heads = words.count("num_key_value_heads");
  read_heads_words(layer, attention);
  heads_numbers(layer, "_", attention.use_bias, attention.num_query_heads, attention.num_key_value_heads,
                attention.head_dim, attention.head_dim);
  const nn::Attended of = attended(layer);
  return {attention.attend(layer.maker(), of), layer.inputs(1)[0].mask};
}

Flow read_attention(LayerReader& layer) {
  nn::DotAttention attention;
  attention.use_scale = layer.words().boolean("use_scale", false);
  attention.score_mode = layer.words().word("score_mode", "dot", {"dot", "concat"});
  if (attention.use_scale) layer.number("scale", "scale");
  if (attention.score_mode == "concat") layer.number("concat_score_weight", "concat_score_weight");
  return read_unprojected(layer, attention);
}

Flow read_additive_attention(LayerReader& layer) {
  nn::AdditiveAttention attention;
  attention.use_scale = layer.words().boolean("use_scale", true);
  if (attention.use_scale) layer.number("scale", "scale");
  return read_unprojected(layer, attention);
}

}  // namespace causeway::formats::keras
