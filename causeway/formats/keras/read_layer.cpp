#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/layer_reader.h"
#include "causeway/formats/keras/layer_table.h"
#include "causeway/ops/elementary.h"

namespace causeway::formats::keras {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// A dtype is a word, or a policy object with a name.
void check_precision(Words& words) {
  const Json* dtype = words.find("dtype");
  if (dtype == nullptr) return;
  const Json* class_name = dtype->find("class_name");
  const Json* config = dtype->find("config");
  const Json* name = config != nullptr ? config->find("name") : nullptr;
  if (class_name != nullptr && class_name->is_text() && class_name->text().rfind("Quantized", 0) == 0) {
    words.refuse("it is quantised, and int8 and float8 kernels are not read.");
    return;
  }
  const Json& word = dtype->is_object() && name != nullptr ? *name : *dtype;
  if (word.is_text() && word.text() == "float32") return;
  words.refuse("it computes in " + (word.is_text() ? escaped(word.text()) : shown(word)) +
               ", and only float32 is read. Build it under keras.config.set_dtype_policy(\"float32\"), load these "
               "weights, and save again.");
}

// What uses a mask up: that it goes no further there is no loss.
bool uses_mask(std::string_view class_name) {
  constexpr std::string_view kUsers[] = {"Bidirectional", "GRU", "GlobalAveragePooling1D", "LSTM", "RNN", "SimpleRNN"};
  return std::find(std::begin(kUsers), std::end(kUsers), class_name) != std::end(kUsers);
}

// A mask ends where Keras lets it end, and whoever reads the network is told where.
void note_lost_mask(LayerReader& reader, const Flow& made) {
  if (made.mask || uses_mask(reader.plan().class_name) || reader.plan().is_operator) return;
  for (const Flow& flow : reader.inputs(0)) {
    if (!flow.mask) continue;
    reader.note("hands no mask on, as in Keras: masked steps count behind it.");
    return;
  }
}

std::string unknown_class(const std::string& class_name) {
  std::vector<std::string_view> known;
  for (const LayerRow& row : layer_table()) known.push_back(row.class_name);
  const std::string nearest = nearest_word(class_name, known);
  return "no layer of this class is read." + (nearest.empty() ? "" : " Is " + quoted(nearest) + " meant?");
}

}  // namespace

void read_common(LayerReader& reader) {
  Words& words = reader.words();
  if (!words.boolean("trainable", true)) reader.building().held.push_back(reader.plan().path);
  words.ignore({"name", "build_config", "seed", "batch_input_shape", "jit_compile"});
  for (const auto& [key, value] : words.json().members()) {
    const bool is_rule = ends_with(key, "_regularizer") || ends_with(key, "_constraint");
    if (ends_with(key, "_initializer") || (is_rule && value.is_null())) words.ignore({key});
  }
  if (reader.plan().is_operator) return;
  check_precision(words);
  words.only_off("quantization_config", "a quantised layer's int8 and float8 kernels are not read.");
  if (const Json* activity = words.find("activity_regularizer")) {
    words.refuse("'activity_regularizer' is " + shown(*activity) +
                 ": it penalises what the layer makes, and only numbers are penalised here.");
  }
}

Flow unknown_flow(GraphBuilder& graph) { return {graph.add_typed(ops::Identity{}, {graph.scalar(0.0f)}, {Type{}})[0]}; }

Flow read_layer(LayerReader& reader) {
  const LayerPlan& plan = reader.plan();
  const auto unknown = [&] {
    reader.building().numbers.pass_over(plan.path);
    return unknown_flow(reader.graph());
  };
  const LayerRow* row = plan.is_operator ? find_operator(plan.class_name) : find_layer(plan.class_name);
  if (row == nullptr && plan.is_operator) {
    reader.refuse("the operator " + quoted(plan.module + "." + plan.class_name) + " is not read.");
    return unknown();
  }
  if (row == nullptr || row->read == nullptr) {
    reader.refuse(row == nullptr ? unknown_class(plan.class_name) : std::string(row->refused));
    return unknown();
  }
  read_common(reader);
  Flow y;
  try {
    if (!plan.is_operator) reader.take_mask();
    y = row->read(reader);
    note_lost_mask(reader, y);
  } catch (const LayerReader::Unknown&) {
    y = unknown();
  } catch (const Unfit& reason) {
    reader.refuse(reason.what());
  }
  if (!plan.is_operator) reader.finish_named();
  reader.words().finish();
  return reader.is_refused() ? unknown() : y;
}

}  // namespace causeway::formats::keras
