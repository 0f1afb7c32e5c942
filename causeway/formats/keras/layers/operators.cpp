#include <algorithm>
#include <cmath>
#include <numeric>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/keras/activations.h"
#include "causeway/formats/keras/layers/families.h"
#include "causeway/nn/layer_list.h"
#include "causeway/ops/build.h"

namespace causeway::formats::keras {
namespace {

constexpr std::string_view kBatch = "it works across the batch, and each row is answered by itself here.";

// Numbers of two kinds meet as float32, as Keras has them.
Value as_float(const Value& x) { return x.dtype() == DType::Float32 ? x : ops::cast(x, DType::Float32); }

std::pair<Value, Value> alike(const std::pair<Value, Value>& operands) {
  const auto& [a, b] = operands;
  if (a.dtype() == b.dtype() || a.dtype() == DType::Unknown || b.dtype() == DType::Unknown) return operands;
  return {as_float(a), as_float(b)};
}

// An axis of a value that is not the batch's; `more` axes are counted beyond those of x.
size_t axis_of(const Value& x, int64_t axis, size_t more = 0) {
  const size_t at = axis_in(axis, x.shape().rank() + more);
  if (at == 0) unfit(std::string(kBatch));
  return at;
}

Value as_truth(const Value& x) { return x.dtype() == DType::Bool ? x : ops::cast(x, DType::Bool); }

// What a reduction says of its axes; null is all of them, the batch among these.
struct Reduced {
  Value x;
  std::vector<int64_t> axes;
  bool keepdims = false;
};

Reduced read_reduced(LayerReader& layer) {
  Words& words = layer.words();
  Reduced read;
  read.keepdims = words.boolean("keepdims", false);
  if (words.has("initial")) words.refuse("'initial' is stated, and the values alone are reduced.");
  const bool is_stated = words.has("axis");
  const std::vector<int64_t> axes = words.integers("axis", {});
  read.x = layer.x().value;
  if (!is_stated) unfit(std::string(kBatch));
  for (const int64_t axis : axes) read.axes.push_back(static_cast<int64_t>(axis_of(read.x, axis)));
  return read;
}

// Whether any is true: the largest of ones and noughts.
Value any_of(const Value& x, const std::vector<int64_t>& axes, bool keepdims) {
  return ops::greater(ops::reduce_max(ops::cast(as_truth(x), DType::Float32), axes, keepdims), 0.0);
}

// "abs" of "Absolute": what two values or numbers are joined by.
Flow of_two(LayerReader& layer, Value (*join)(Value, Value)) {
  const auto [a, b] = alike(layer.two_operands());
  return {join(a, b)};
}
Flow of_truths(LayerReader& layer, Value (*join)(Value, Value)) {
  const auto [a, b] = layer.two_operands();
  return {join(as_truth(a), as_truth(b))};
}

}  // namespace

Flow read_operator_add(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::add(a, b); });
}
Flow read_operator_subtract(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::sub(a, b); });
}
Flow read_operator_multiply(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::mul(a, b); });
}
Flow read_operator_divide(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::div(as_float(a), as_float(b)); });
}
Flow read_operator_power(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::pow(a, b); });
}
Flow read_operator_maximum(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::max(a, b); });
}
Flow read_operator_minimum(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::min(a, b); });
}
Flow read_operator_equal(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::equal(a, b); });
}
Flow read_operator_not_equal(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::logical_not(ops::equal(a, b)); });
}
Flow read_operator_greater(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::greater(a, b); });
}
Flow read_operator_greater_equal(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::greater_or_equal(a, b); });
}
Flow read_operator_less(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::less(a, b); });
}
Flow read_operator_less_equal(LayerReader& layer) {
  return of_two(layer, [](Value a, Value b) { return ops::less_or_equal(a, b); });
}
Flow read_operator_matmul(LayerReader& layer) {
  const auto [a, b] = alike(layer.two_operands());
  if (a.shape().rank() < 2 || b.shape().rank() < 2) {
    unfit("it is called on " + a.shape().text() + " and " + b.shape().text() + ", and matrices are read.");
  }
  return {ops::matmul(a, b)};
}
Flow read_operator_logical_and(LayerReader& layer) {
  return of_truths(layer, [](Value a, Value b) { return ops::logical_and(a, b); });
}
Flow read_operator_logical_or(LayerReader& layer) {
  return of_truths(layer, [](Value a, Value b) { return ops::logical_or(a, b); });
}
Flow read_operator_logical_not(LayerReader& layer) { return {ops::logical_not(as_truth(layer.x().value))}; }

Flow read_operator_where(LayerReader& layer) {
  const std::vector<Value> operands = layer.operands(3);
  const auto [a, b] = alike({operands[1], operands[2]});
  return {ops::where(as_truth(operands[0]), a, b)};
}

Flow read_operator_negative(LayerReader& layer) { return {ops::neg(layer.x().value)}; }
Flow read_operator_absolute(LayerReader& layer) { return {ops::abs(layer.x().value)}; }
Flow read_operator_square(LayerReader& layer) { return {ops::square(layer.x().value)}; }
Flow read_operator_sqrt(LayerReader& layer) { return {ops::sqrt(as_float(layer.x().value))}; }
Flow read_operator_exp(LayerReader& layer) { return {ops::exp(as_float(layer.x().value))}; }
Flow read_operator_log(LayerReader& layer) { return {ops::log(as_float(layer.x().value))}; }

Flow read_operator_clip(LayerReader& layer) {
  Words& words = layer.words();
  if (!words.has("x_min") || !words.has("x_max")) layer.refuse("'x_min' or 'x_max' is missing.");
  const float least = words.real("x_min", 0), most = words.real("x_max", 0);
  return {ops::clip(as_float(layer.x().value), least, most)};
}

// A value of another kind of numbers, and a value that is handed on: what a mask goes through.
Flow read_operator_cast(LayerReader& layer) {
  Words& words = layer.words();
  const std::string word = words.text("dtype", "float32");
  words.only_off("sparse", "only plain values are read.");
  words.only_off("ragged", "only plain values are read.");
  const std::optional<DType> dtype = dtype_named(word);
  if (!dtype || !(*dtype == DType::Float32 || is_integer(*dtype) || *dtype == DType::Bool)) {
    layer.refuse("its values are " + quoted(word) + ", and float32, whole numbers and bool are read.");
  }
  const bool is_stated = words.has("dtype");
  const Value x = layer.x().value;
  return {is_stated && x.dtype() != *dtype ? ops::cast(x, *dtype) : x};
}

namespace {

Flow filled(LayerReader& layer, double number) {
  const std::string word = layer.words().text("dtype", "");
  const std::optional<DType> dtype = dtype_named(word.empty() ? "float32" : word);
  if (!dtype || !(*dtype == DType::Float32 || *dtype == DType::Bool)) {
    layer.refuse("its values are " + quoted(word) + ", and float32 and bool are read.");
  }
  const Value full = ops::full_like(as_float(layer.x().value), number);
  return {*dtype == DType::Bool ? ops::cast(full, DType::Bool) : full};
}

}  // namespace

Flow read_operator_zeros_like(LayerReader& layer) { return filled(layer, 0); }
Flow read_operator_ones_like(LayerReader& layer) { return filled(layer, 1); }

Flow read_operator_sum(LayerReader& layer) {
  const Reduced read = read_reduced(layer);
  return {ops::reduce_sum(read.x, read.axes, read.keepdims)};
}
Flow read_operator_mean(LayerReader& layer) {
  const Reduced read = read_reduced(layer);
  return {ops::reduce_mean(as_float(read.x), read.axes, read.keepdims)};
}
Flow read_operator_max(LayerReader& layer) {
  const Reduced read = read_reduced(layer);
  return {ops::reduce_max(read.x, read.axes, read.keepdims)};
}
Flow read_operator_min(LayerReader& layer) {
  const Reduced read = read_reduced(layer);
  return {ops::reduce(read.x, ops::ReduceKind::Min, read.axes, read.keepdims)};
}
Flow read_operator_any(LayerReader& layer) {
  const Reduced read = read_reduced(layer);
  return {any_of(read.x, read.axes, read.keepdims)};
}
Flow read_operator_all(LayerReader& layer) {
  const Reduced read = read_reduced(layer);
  return {ops::logical_not(any_of(ops::logical_not(as_truth(read.x)), read.axes, read.keepdims))};
}

Flow read_operator_concatenate(LayerReader& layer) {
  const int64_t axis = layer.words().integer("axis", 0, -32);
  const std::vector<Value> parts = layer.operands_of_list();
  return {ops::concat(parts, static_cast<int64_t>(axis_of(parts[0], axis)))};
}

Flow read_operator_stack(LayerReader& layer) {
  const int64_t axis = layer.words().integer("axis", 0, -32);
  std::vector<Value> parts = layer.operands_of_list();
  const auto at = static_cast<int64_t>(axis_of(parts[0], axis, 1));
  for (Value& part : parts) part = ops::unsqueeze(part, {at});
  return {ops::concat(parts, at)};
}

Flow read_operator_reshape(LayerReader& layer) {
  const std::vector<int64_t> lengths = layer.words().integers("newshape", {});
  const Value x = layer.x().value;
  if (lengths.empty() || lengths[0] != -1) unfit(std::string(kBatch) + " Lengths that begin with -1 are read.");
  for (size_t i = 1; i < lengths.size(); ++i) {
    if (lengths[i] < 1) unfit("'newshape' is " + text_of(lengths) + ", and lengths of at least 1 are read.");
  }
  return {ops::reshape(x, lengths)};
}

Flow read_operator_transpose(LayerReader& layer) {
  const std::vector<int64_t> said = layer.words().integers("axes", {});
  const Value x = layer.x().value;
  std::vector<size_t> axes;
  for (const int64_t axis : said) axes.push_back(axis_in(axis, x.shape().rank()));
  std::vector<size_t> sorted = axes, all(x.shape().rank());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), size_t{0});
  if (axes.empty() || axes[0] != 0) unfit(std::string(kBatch));
  if (sorted != all) unfit("'axes' is " + text_of(said) + ", and holds each axis once.");
  return {ops::transpose(x, axes)};
}

Flow read_operator_expand_dims(LayerReader& layer) {
  std::vector<int64_t> axes = layer.words().integers("axis", {});
  const Value x = layer.x().value;
  if (axes.empty()) unfit("'axis' is missing.");
  for (int64_t& axis : axes) axis = static_cast<int64_t>(axis_of(x, axis, axes.size()));
  return {ops::unsqueeze(x, axes)};
}

Flow read_operator_squeeze(LayerReader& layer) {
  std::vector<int64_t> axes = layer.words().integers("axis", {});
  const Value x = layer.x().value;
  for (int64_t& axis : axes) axis = static_cast<int64_t>(axis_of(x, axis));
  for (size_t axis = 1; axes.empty() && axis < x.shape().rank(); ++axis) {
    if (x.shape()[axis].equals(1) == std::optional(true)) axes.push_back(static_cast<int64_t>(axis));
  }
  return {axes.empty() ? x : ops::squeeze(x, axes)};
}

namespace {

bool is_class(const Json& item, const char* name) {
  const Json* class_name = item.find("class_name");
  return class_name != nullptr && *class_name == Json(name);
}

// start, stop or step of a slice; none where it is null.
std::optional<int64_t> bound_of(const Json& slice, const char* key) {
  const Json* config = slice.find("config");
  const Json* bound = config != nullptr ? config->find(key) : nullptr;
  if (bound == nullptr || bound->is_null()) return std::nullopt;
  constexpr int64_t kMost = int64_t{1} << 31;
  if (!bound->is_integer() || bound->integer() > kMost || bound->integer() < -kMost) {
    unfit("a slice has " + shown(*bound) + " as its " + key + ", and a whole number is read.");
  }
  return bound->integer();
}

bool is_whole(const Json& item) {
  return is_class(item, "__slice__") && !bound_of(item, "start") && !bound_of(item, "stop") &&
         bound_of(item, "step").value_or(1) == 1;
}

}  // namespace

// x[…]: slices, places and new axes, one after another; "…" stands for all axes that nothing else names.
Flow read_operator_get_item(LayerReader& layer) {
  const Value x = layer.x().value;
  const std::vector<Argument>& arguments = layer.call().arguments;
  const Json* key = arguments.size() == 2 ? arguments[1].value() : nullptr;
  if (key == nullptr) unfit("it is called with places that are no numbers and slices.");
  const Json::Array alone{*key};
  const Json::Array& items = key->is_array() ? key->items() : alone;
  const auto names_axis = [](const Json& item) { return !item.is_null() && !is_class(item, "__ellipsis__"); };
  const auto named = static_cast<size_t>(std::count_if(items.begin(), items.end(), names_axis));
  if (named > x.shape().rank()) unfit("it names " + std::to_string(named) + " axes of " + x.shape().text() + ".");
  Value y = x;
  size_t axis = 0;  // of y, the next that is looked at
  bool has_rest = false;
  for (const Json& item : items) {
    const auto at = static_cast<int64_t>(axis);
    if (is_class(item, "__ellipsis__")) {
      if (has_rest) unfit("it names the rest of the axes twice.");
      has_rest = true;
      axis += x.shape().rank() - named;
      continue;
    }
    if (axis == 0 && !is_whole(item)) unfit(std::string(kBatch));
    if (item.is_null()) {
      y = ops::unsqueeze(y, {at});
      ++axis;
    } else if (item.is_integer()) {
      const std::optional<int64_t> length = y.shape()[axis].if_number();
      const int64_t place = item.integer();
      if (length && (place >= *length || place < -*length)) {
        unfit("it takes place " + std::to_string(place) + " of " + std::to_string(*length) + ".");
      }
      y = ops::gather(y, y.graph().scalar(place), at);
    } else if (is_class(item, "__slice__")) {
      const int64_t step = bound_of(item, "step").value_or(1);
      if (step < 1) unfit("it takes places by steps of " + std::to_string(step) + ", and at least 1 is read.");
      if (!is_whole(item)) {
        y = ops::slice(y, at, bound_of(item, "start").value_or(0), bound_of(item, "stop").value_or(INT64_MAX), step);
      }
      ++axis;
    } else {
      unfit("it is called with " + shown(item) + ", and numbers, slices, new axes and \"…\" are read.");
    }
  }
  return {y};
}

// An activation called as a function, its settings those of the layer of the network's words.
Flow read_operator_word(LayerReader& layer) {
  Words& words = layer.words();
  const std::string word = snake_case(layer.plan().class_name);
  const nn::LayerRow* row = nn::layer_row(word);
  CAUSEWAY_CHECK(row != nullptr, "the table names operators that are words");
  Json settings{Json::Object{}};
  if (word == "gelu") settings.set("approximate", true);  // unless it is told otherwise
  for (const auto& [key, value] : words.json().members()) {
    if (!row->has_setting(key)) continue;
    words.ignore({key});
    if (!value.is_null()) settings.set(key, value);
  }
  std::vector<Fault> faults;
  const nn::Layer made = row->read(settings, "", {}, faults);
  for (const Fault& fault : faults) layer.refuse(fault.what);
  return {layer.build(made).value};
}

}  // namespace causeway::formats::keras
