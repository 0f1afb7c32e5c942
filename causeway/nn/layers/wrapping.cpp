#include "causeway/nn/layers/wrapping.h"

#include "causeway/base/quoted.h"
#include "causeway/nn/layer_list.h"
#include "causeway/ops/build.h"

namespace causeway::nn {
namespace {

// unfit() with the first fault of what a layer's members state, and where it is.
Layer layer_of(const Json& json, const std::vector<std::string_view>& others) {
  const Json* kind = json.is_object() ? json.find("kind") : &json;
  if (!kind || !kind->is_text()) unfit("is no layer: a word, or an object with its \"kind\", is read.");
  const LayerRow* row = layer_row(kind->text());
  if (!row) {
    unfit("is " + quoted(kind->text()) + ", which is no layer." + nearest_layer_sentence(kind->text()));
  }
  std::vector<Fault> faults;
  Layer read = row->read(json.is_object() ? json : Json(Json::Object{}), "", others, faults);
  if (!faults.empty()) unfit("is refused: " + faults[0].what);
  return read;
}

Json written(const Layer& layer) {
  Json::Object members{{"kind", std::string(layer.word())}};
  for (auto& [name, value] : layer.settings()) members.emplace_back(name, value);
  return members;
}

}  // namespace

bool operator==(const InnerLayer& a, const InnerLayer& b) { return write_setting(a) == write_setting(b); }

void read_setting(const Json& json, InnerLayer& into) {
  into.layer = layer_of(json, {"kind", "activation"});
  into.activation.reset();
  const Json* activation = json.is_object() ? json.find("activation") : nullptr;
  const bool is_its_own = layer_row(into.layer->word())->has_setting("activation");
  if (activation && !activation->is_null() && !is_its_own) into.activation = layer_of(*activation, {"kind"});
}

Json write_setting(const InnerLayer& value) {
  if (!value.layer) return {};
  Json json = written(*value.layer);
  if (value.activation) json.set("activation", written(*value.activation));
  return json;
}

Value on_each_step(const Value& x, const std::function<Value(const Value& rows)>& layer) {
  if (!x.shape().has_rank()) slot_length(x, -1);
  const size_t rank = x.shape().rank();
  if (rank < 3) unfit("it is handed " + x.shape().text() + ", and takes a series, [N, L, C] or longer.");
  std::vector<int64_t> rows{-1};
  for (size_t axis = 2; axis < rank; ++axis) rows.push_back(slot_length(x, static_cast<int64_t>(axis)));
  const Value y = layer(ops::reshape(x, rows));
  std::vector<int64_t> row;
  if (!y.shape().has_rank()) slot_length(y, -1);
  for (size_t axis = 1; axis < y.shape().rank(); ++axis) row.push_back(slot_length(y, static_cast<int64_t>(axis)));
  const Value steps = ops::slice(ops::shape_of(x), 0, 0, 2);
  return ops::reshape(y, row.empty() ? steps : ops::concat({steps, ops::integers(x.graph(), row)}, 0));
}

Flow TimeDistributed::build(LayerBuild& build, const Flow& x) const {
  CAUSEWAY_CHECK(layer.layer, "a wrapper holds a layer");
  if (layer.layer->word() == "batch_normalization") {
    unfit(
        "'layer' is a batch_normalization, which mixes rows in training: the steps would be rows to it. Put it "
        "behind.");
  }
  const auto wrapped = [&](const Value& rows) {
    const Flow from{rows};
    const Flow made = layer.layer->build(build, {&from, 1});
    return layer.activation ? build.inner("activation", *layer.activation, {made.value}).value : made.value;
  };
  // A dense layer works on the last axis whatever stands before it.
  const bool is_series = !x.value.shape().has_rank() || x.value.shape().rank() >= 3;
  return {is_series && layer.layer->word() == "dense" ? wrapped(x.value) : on_each_step(x.value, wrapped)};
}

}  // namespace causeway::nn
