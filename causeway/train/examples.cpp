#include "causeway/train/examples.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/base/sha256.h"
#include "causeway/nn/answers.h"

namespace causeway::train {
namespace {

std::optional<int64_t> first_not_finite(const Tensor& tensor) {
  if (tensor.dtype() != DType::Float32) return std::nullopt;
  const std::span<const float> values = tensor.values<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

int64_t row_size(const Tensor& tensor) {
  int64_t size = 1;
  for (size_t axis = 1; axis < tensor.rank(); ++axis) size *= tensor.lengths()[axis];
  return size;
}

// The lengths a door takes for that many rows, or none where they are not all known.
std::optional<std::vector<int64_t>> lengths_of(const Shape& shape, int64_t rows) {
  if (!shape.has_rank() || shape.rank() == 0) return std::nullopt;
  std::vector<int64_t> lengths{rows};
  for (size_t axis = 1; axis < shape.rank(); ++axis) {
    if (!shape[axis].is_number()) return std::nullopt;
    lengths.push_back(shape[axis].number());
  }
  return lengths;
}

Tensor rows_of(const Tensor& tensor, int64_t from, int64_t count) {
  std::vector<int64_t> lengths = tensor.lengths();
  lengths[0] = count;
  Tensor part = Tensor::uninitialized(tensor.dtype(), lengths);
  const size_t row_bytes = static_cast<size_t>(row_size(tensor)) * size_of(tensor.dtype());
  std::memcpy(part.mutable_data(), tensor.bytes().data() + static_cast<size_t>(from) * row_bytes, part.size_bytes());
  return part;
}

Tensor ones(int64_t count) { return Tensor::of<float>({count}, std::vector<float>(static_cast<size_t>(count), 1.0f)); }

// Reads examples into the arrays of a step graph, collecting what does not fit.
class ExamplesReader {
 public:
  ExamplesReader(const SavedNetwork& saved, const Examples& examples, const std::string& what)
      : saved_(saved), examples_(examples), what_(what) {}

  std::map<std::string, Tensor, std::less<>> read(int64_t& count) {
    for (const Door& door : saved_.network.inputs()) take_input(door);
    for (const auto& [name, tensor] : examples_.inputs) {
      if (!saved_.network.graph().input(name)) say("input " + quoted(name), "the network has no input of this name.");
    }
    for (const auto& [output, loss] : saved_.losses) take_answers(output, loss);
    for (const auto& [output, tensor] : examples_.answers) {
      if (!saved_.losses.contains(output)) say("answers of " + quoted(output), "no output with a loss has this name.");
    }
    if (examples_.weights) take_weights(examples_.weights->converted(DType::Float32));
    if (faults_.empty() && count_.value_or(0) == 0) say("rows", "there are none.");
    refuse_if_any(std::move(faults_));
    count = *count_;
    return std::move(arrays_);
  }

 private:
  void say(const std::string& where, std::string why) { faults_.push_back({what_ + ", " + where, std::move(why)}); }

  void count_rows(const std::string& where, const Tensor& tensor) {
    const int64_t rows = tensor.rank() == 0 ? 1 : tensor.lengths()[0];
    if (!count_) count_ = rows;
    if (rows == *count_) return;
    say(where, "it has " + std::to_string(rows) + " rows, and the first array has " + std::to_string(*count_) + ".");
  }

  void take_input(const Door& door) {
    const std::string where = "input " + quoted(door.name);
    const auto given = examples_.inputs.find(door.name);
    if (given == examples_.inputs.end()) {
      return say(where, "nothing is handed to it, and the network takes " + door.value.type().text() + ".");
    }
    try {
      Tensor taken = as_input(given->second, door.value.dtype());
      count_rows(where, taken);
      const Shape& shape = door.value.shape();
      const std::optional<std::vector<int64_t>> wanted = lengths_of(shape, *count_);
      const bool ranks = shape.has_rank() && shape.rank() != taken.rank();
      if (ranks || (wanted && *wanted != taken.lengths())) {
        say(where, "it is " + text_of(taken.lengths()) + ", and the network takes " + shape.text() + ".");
      }
      if (const std::optional<int64_t> at = first_not_finite(taken)) {
        say(where, "row " + std::to_string(*at / std::max<int64_t>(1, row_size(taken))) +
                       " holds a number that is not finite.");
      }
      arrays_.emplace(door.name, std::move(taken));
    } catch (const Unfit& unfit) {
      say(where, unfit.what());
    }
  }

  void take_answers(const std::string& output, const Loss& loss) {
    const std::string where = "answers of " + quoted(output);
    const auto given = examples_.answers.find(output);
    const Door* door = saved_.network.graph().output(output);
    if (given == examples_.answers.end() || !door) {
      return say(where, "none are handed over, and its loss, " + std::string(loss.name()) + ", is judged by them.");
    }
    count_rows(where, given->second);
    Shape logits = door->value.shape();
    if (logits.has_rank() && logits.rank() > 0) logits[0] = *count_;
    std::vector<Fault> found;
    std::optional<Tensor> taken = nn::answers_for(loss, given->second, logits, found);
    for (Fault& fault : found) {
      say(fault.where.empty() ? where : where + ", " + placed(fault.where), std::move(fault.what));
    }
    if (taken) arrays_.emplace(answers_input(output), std::move(*taken));
  }

  // "row 3" as the caller calls it.
  std::string placed(const std::string& row) const {
    constexpr std::string_view kRow = "row ";
    if (!examples_.place_of_row || !row.starts_with(kRow)) return row;
    return examples_.place_of_row(std::stoll(row.substr(kRow.size())));
  }

  void take_weights(const Tensor& weights) {
    count_rows("weights", weights);
    const std::span<const float> values = weights.values<float>();
    for (size_t row = 0; row < values.size(); ++row) {
      if (std::isfinite(values[row]) && values[row] >= 0) continue;
      say("weights", "that of row " + std::to_string(row) + " is " + text_of(values[row]) +
                         ", and a weight is finite and at least 0.");
      break;
    }
    if (weights.size() != count_) {
      return say("weights", "they are " + text_of(weights.lengths()) + ", and each row has one.");
    }
    for (const auto& [output, loss] : saved_.losses) {
      arrays_.emplace(weights_input(output), weights.reshaped({*count_}));
    }
  }

  const SavedNetwork& saved_;
  const Examples& examples_;
  const std::string& what_;
  std::optional<int64_t> count_;
  std::map<std::string, Tensor, std::less<>> arrays_;
  std::vector<Fault> faults_;
};

}  // namespace

Rows::Rows(const SavedNetwork& saved, const Examples& examples, const std::string& what) {
  arrays_ = ExamplesReader(saved, examples, what).read(count_);
}

AnswerForms Rows::forms() const {
  constexpr std::string_view kAnswers = "@answers/";
  AnswerForms forms;
  for (const auto& [name, tensor] : arrays_) {
    if (!name.starts_with(kAnswers)) continue;
    const std::string output = name.substr(kAnswers.size());
    forms[output] = {.are_class_numbers = tensor.dtype() == DType::Int64,
                     .are_weighted = arrays_.contains(weights_input(output))};
  }
  return forms;
}

Rows Rows::split_off(int64_t count) {
  Rows rest;
  rest.count_ = count;
  const int64_t kept = count_ - count;
  for (auto& [name, tensor] : arrays_) {
    rest.arrays_.emplace(name, rows_of(tensor, kept, count));
    tensor = rows_of(tensor, 0, kept);
  }
  count_ = kept;
  return rest;
}

std::map<std::string, Tensor, std::less<>> Rows::like(int64_t rows) const {
  std::map<std::string, Tensor, std::less<>> made;
  for (const auto& [name, tensor] : arrays_) {
    std::vector<int64_t> lengths = tensor.lengths();
    lengths[0] = rows;
    made.emplace(name, Tensor(tensor.dtype(), std::move(lengths)));
  }
  return made;
}

void Rows::gather(std::span<const int64_t> order, std::map<std::string, Tensor, std::less<>>& into) const {
  const auto copy_rows = [&](const Tensor& from, Tensor& to) {
    const size_t row_bytes = static_cast<size_t>(row_size(from)) * size_of(from.dtype());
    auto* bytes = static_cast<std::byte*>(to.mutable_data());
    for (const int64_t row : order) {
      std::memcpy(bytes, from.bytes().data() + static_cast<size_t>(row) * row_bytes, row_bytes);
      bytes += row_bytes;
    }
  };
  for (const auto& [name, tensor] : arrays_) copy_rows(tensor, into.find(name)->second);
}

std::string Rows::fingerprint() const {
  Sha256 hash;
  const auto add = [&](std::string_view name, const Tensor& tensor) {
    hash.add_u64(name.size());
    hash.add(name);
    hash.add_u64(tensor.rank());
    for (const int64_t length : tensor.lengths()) hash.add_u64(static_cast<uint64_t>(length));
    hash.add(tensor.bytes());
  };
  for (const auto& [name, tensor] : arrays_) add(name, tensor);
  return hex(hash.finish());
}

void Rows::weigh_classes(const SavedNetwork& saved, const ClassWeights& class_weight) {
  std::vector<std::string> outputs;
  for (const auto& [output, loss] : saved.losses) {
    if (loss.answers() != AnswerKind::Numbers) outputs.push_back(output);
  }
  if (outputs.size() != 1) {
    throw Refused("class weights", "they are for one output whose loss has classes, and here are " +
                                       std::to_string(outputs.size()) + ". Hand each row its weight.");
  }
  const Loss& loss = saved.losses.at(outputs[0]);
  const Tensor& answers = arrays_.at(answers_input(outputs[0]));
  try {
    const std::vector<int64_t> classes = nn::classes_of_rows(loss, answers);
    const Dim& last = saved.network.graph().output(outputs[0])->value.shape().at(-1);
    const int64_t count = loss.answers() == AnswerKind::Chances ? 2 : last.number();
    for (const auto& [number, weight] : class_weight) {
      if (number < 0 || number >= count) {
        unfit("class " + std::to_string(number) + " has one, and there are " + std::to_string(count) +
              " classes, from 0.");
      }
    }
    Tensor& weights = arrays_.try_emplace(weights_input(outputs[0]), ones(count_)).first->second;
    const std::span<float> values = weights.mutable_values<float>();
    for (size_t row = 0; row < classes.size(); ++row) {
      const auto weight = class_weight.find(classes[row]);
      if (weight != class_weight.end()) values[row] *= static_cast<float>(weight->second);
    }
  } catch (const Unfit& unfit) {
    throw Refused("class weights", unfit.what());
  }
}

}  // namespace causeway::train
