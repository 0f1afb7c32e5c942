#include "causeway/formats/keras/losses.h"

#include <cmath>
#include <utility>

#include "causeway/base/quoted.h"
#include "causeway/formats/keras/numbers.h"
#include "causeway/formats/keras/words.h"
#include "causeway/nn/loss_list.h"

namespace causeway::formats::keras {
namespace {

// Keras's other words for a loss, and its classes in snake case where they differ from the word.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"mse", "mean_squared_error"},  {"MSE", "mean_squared_error"},  {"mae", "mean_absolute_error"},
    {"MAE", "mean_absolute_error"}, {"bce", "binary_crossentropy"}, {"BCE", "binary_crossentropy"},
    {"huber_loss", "huber"},
};

class LossReader {
 public:
  LossReader(const KerasFile& file, bool several, std::vector<Fault>& faults, std::vector<std::string>& notes)
      : where_(file.is_archive ? "config.json, compile_config" : "training_config"),
        several_(several),
        faults_(faults),
        notes_(notes) {}

  void refuse(const std::string& what) { faults_.push_back({where_, what}); }

  std::string way_out(const std::string& output) const {
    return " Hand a loss with --loss " + (several_ ? escaped(output) + "=NAME" : "NAME") + ", which takes its place.";
  }

  std::optional<OutputLoss> read(const Json& json, const std::string& output) {
    const Json* class_name = json.find("class_name");
    const Json* config = json.find("config");
    const Json* module = json.find("module");
    const bool is_foreign = module != nullptr && module->is_text() && module->text().rfind("keras", 0) != 0;
    if (json.is_text()) return from_word(json.text(), output);
    if (class_name == nullptr || !class_name->is_text() || config == nullptr) {
      refuse("the loss is " + shown(json) + ", and a word or an object of Keras's is read." + way_out(output));
      return std::nullopt;
    }
    if (class_name->text() == "function" && config->is_text()) {
      const std::string word = known_word(config->text());
      if (is_loss(word)) return from_word(word, output);
      refuse("the loss " + quoted(config->text()) + " holds code, and a file is data." + way_out(output));
      return std::nullopt;
    }
    if (is_foreign || !config->is_object()) {
      refuse("the loss " + quoted(class_name->text()) + " holds code, and a file is data." + way_out(output));
      return std::nullopt;
    }
    return from_object(class_name->text(), *config, output);
  }

 private:
  static std::string known_word(const std::string& word) {
    for (const auto& [other, known] : kOtherWords) {
      if (word == other) return std::string(known);
    }
    return word;
  }
  static bool is_loss(const std::string& word) { return nn::loss_row(word) != nullptr; }

  std::optional<OutputLoss> from_word(const std::string& said, const std::string& output) {
    const std::string word = known_word(said);
    const nn::LossRow* loss = nn::loss_row(word);
    if (!loss) {
      refuse("the loss " + quoted(said) + " is not read." + way_out(output));
      return std::nullopt;
    }
    note_delta(word);
    // As a word Keras takes chances, wherever that is a question.
    return OutputLoss{output, loss->plain, asks_for_logits(loss->plain) ? std::optional<bool>(false) : std::nullopt};
  }

  std::optional<OutputLoss> from_object(const std::string& class_name, const Json& config, const std::string& output) {
    const std::string word = known_word(snake_case(class_name));
    const nn::LossRow* row = nn::loss_row(word);
    if (!row) {
      refuse("the loss " + quoted(class_name) + " is not read." + way_out(output));
      return std::nullopt;
    }
    const size_t before = faults_.size();
    Words words(config, [&](const std::string& what) { refuse("the loss " + quoted(class_name) + ": " + what); });
    words.ignore({"name", "dtype", "fn"});
    words.word("reduction", "sum_over_batch_size", {"sum_over_batch_size", "auto"});
    if (words.integer("axis", -1, -32) != -1) words.refuse("'axis' is another than the last, and the last is read.");
    words.only_off("ignore_class", "a class that is left out is not read.");
    const bool from_logits = words.boolean("from_logits", false);

    Json stated;
    stated.set("kind", word);
    for (const auto& [setting, value] : row->plain.settings()) {
      if (const Json* said = words.find(setting)) stated.set(setting, *said);
    }
    if (words.json().find("delta") == nullptr) note_delta(word);
    // Zero stands for a setting that this loss does not have.
    if (words.real("label_smoothing", 0) != 0 && stated.find("label_smoothing") == nullptr) {
      words.refuse("'label_smoothing' is " + shown(*words.find("label_smoothing")) + ", and this loss has none.");
    }
    words.finish();
    const std::optional<StatedLoss> loss = nn::read_loss(stated, where_, faults_);
    if (!loss || faults_.size() > before) return std::nullopt;
    return OutputLoss{output, loss->loss,
                      asks_for_logits(loss->loss) ? std::optional<bool>(from_logits) : std::nullopt};
  }

  static bool asks_for_logits(const Loss& loss) { return loss.says_logits(); }

  // Keras 3.15.1 does not write it, and reads it back as 1.
  void note_delta(const std::string& word) {
    if (word == "huber")
      notes_.emplace_back("the file says no delta of its huber loss, since Keras does not write it; it is read as 1.");
  }

  std::string where_;
  bool several_;
  std::vector<Fault>& faults_;
  std::vector<std::string>& notes_;
};

std::optional<size_t> output_named(const ModelPlan& plan, std::string_view name) {
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    if (plan.outputs[i].name == name) return i;
  }
  return std::nullopt;
}

// `loss_weights`: a list in the order of the outputs, or an object by their names; 1 where none is said.
class LossWeights {
 public:
  LossWeights(const Json& stated, const ModelPlan& plan, LossReader& reader) : weights_(plan.outputs.size(), 1.0f) {
    if (stated.is_null()) return;
    if (plan.outputs.size() == 1) {
      reader.refuse("'loss_weights' is " + shown(stated) + ", and the one output's loss has no weight.");
    } else if (stated.is_array() && stated.items().size() == plan.outputs.size()) {
      for (size_t i = 0; i < weights_.size(); ++i) take(stated.items()[i], i, plan, reader);
    } else if (stated.is_object()) {
      for (const auto& [name, weight] : stated.members()) {
        const std::optional<size_t> output = output_named(plan, name);
        if (output) take(weight, *output, plan, reader);
        if (!output) reader.refuse("'loss_weights' has one for " + quoted(name) + ", and no output has that name.");
      }
    } else {
      reader.refuse("'loss_weights' is " + shown(stated) + ", and one number for each of the " +
                    std::to_string(plan.outputs.size()) + " outputs is read.");
    }
  }
  float of(size_t output) const { return weights_[output]; }

 private:
  void take(const Json& json, size_t output, const ModelPlan& plan, LossReader& reader) {
    if (json.is_null()) return;
    if (json.is_number() && json.number() >= 0 && std::isfinite(static_cast<float>(json.number()))) {
      weights_[output] = static_cast<float>(json.number());
    } else {
      reader.refuse("'loss_weights' says " + shown(json) + " for " + quoted(plan.outputs[output].name) +
                    ", and a weight is finite and at least 0.");
    }
  }

  std::vector<float> weights_;
};

bool is_list_of_losses(const Json& json) { return json.is_object() && json.find("class_name") == nullptr; }

}  // namespace

std::vector<OutputLoss> read_losses(const KerasFile& file, const ModelPlan& plan, const std::set<std::string>& others,
                                    std::vector<Fault>& faults, std::vector<std::string>& notes) {
  LossReader reader(file, plan.outputs.size() > 1, faults, notes);
  const Json* loss = file.compiled.find("loss");
  if (loss == nullptr || loss->is_null()) return {};
  if (const Json* weighted = file.compiled.find("weighted_metrics"); weighted != nullptr && !weighted->is_null()) {
    if (!weighted->is_array() || !weighted->items().empty())
      reader.refuse("'weighted_metrics' is " + shown(*weighted) + ", and none are read.");
  }
  const Json none, *stated = file.compiled.find("loss_weights");
  const LossWeights weights(stated != nullptr ? *stated : none, plan, reader);

  std::vector<OutputLoss> losses;
  const auto add = [&](const Json& json, size_t i) {
    if (json.is_null() || others.contains(plan.outputs[i].name)) return;
    std::optional<OutputLoss> read = reader.read(json, plan.outputs[i].name);
    if (!read) return;
    read->loss = read->loss.weighing({.weight = weights.of(i)});
    losses.push_back(std::move(*read));
  };
  if (loss->is_array()) {
    if (loss->items().size() != plan.outputs.size()) {
      reader.refuse("there are " + std::to_string(loss->items().size()) + " losses for " +
                    std::to_string(plan.outputs.size()) + " outputs.");
      return losses;
    }
    for (size_t i = 0; i < plan.outputs.size(); ++i) add(loss->items()[i], i);
  } else if (is_list_of_losses(*loss)) {
    for (const auto& [name, json] : loss->members()) {
      const std::optional<size_t> output = output_named(plan, name);
      if (output) add(json, *output);
      if (!output) reader.refuse("a loss is said for " + quoted(name) + ", and no output has that name.");
    }
  } else {
    // One loss serves every output.
    for (size_t i = 0; i < plan.outputs.size(); ++i) add(*loss, i);
  }
  return losses;
}

}  // namespace causeway::formats::keras
