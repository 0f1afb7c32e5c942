#include "causeway/train/examples.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/base/sha256.h"
#include "causeway/nn/losses.h"
#include "causeway/train/step.h"

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

}  // namespace

Rows::Rows(const SavedNetwork& saved, const Examples& examples, const std::string& what) {
  std::vector<Fault> faults;
  const auto say = [&](const std::string& where, std::string why) {
    faults.push_back({what + ", " + where, std::move(why)});
  };
  bool counted = false;
  const auto count_rows = [&](const std::string& where, const Tensor& tensor) {
    const int64_t rows = tensor.rank() == 0 ? 1 : tensor.lengths()[0];
    if (!counted) count_ = rows;
    counted = true;
    if (rows != count_)
      say(where, "it has " + std::to_string(rows) + " rows, and the first array has " + std::to_string(count_) + ".");
  };
  const auto expect_finite = [&](const std::string& where, const Tensor& tensor) {
    if (const std::optional<int64_t> at = first_not_finite(tensor)) {
      say(where, "row " + std::to_string(*at / std::max<int64_t>(1, row_size(tensor))) +
                     " holds a number that is not finite.");
    }
  };
  for (const Door& door : saved.network.inputs()) {
    const std::string where = "input " + quoted(door.name);
    const auto given = examples.inputs.find(door.name);
    if (given == examples.inputs.end()) {
      say(where, "nothing is handed to it, and the network takes " + door.value.type().text() + ".");
      continue;
    }
    try {
      Tensor taken = as_input(given->second, door.value.dtype());
      count_rows(where, taken);
      const std::optional<std::vector<int64_t>> wanted = lengths_of(door.value.shape(), count_);
      const bool ranks = door.value.shape().has_rank() && door.value.shape().rank() != taken.rank();
      if (ranks || (wanted && *wanted != taken.lengths())) {
        say(where, "it is " + text_of(taken.lengths()) + ", and the network takes " + door.value.shape().text() + ".");
      }
      expect_finite(where, taken);
      arrays_.emplace(door.name, std::move(taken));
    } catch (const Unfit& unfit) {
      say(where, unfit.what());
    }
  }
  for (const auto& [name, tensor] : examples.inputs) {
    if (!saved.network.graph().input(name)) say("input " + quoted(name), "the network has no input of this name.");
  }
  for (const auto& [output, loss] : saved.losses) {
    const std::string where = "answers of " + quoted(output);
    const auto given = examples.answers.find(output);
    const Door* door = saved.network.graph().output(output);
    if (given == examples.answers.end() || !door) {
      say(where, "none are handed over, and its loss, " + std::string(loss.name()) + ", is judged by them.");
      continue;
    }
    try {
      count_rows(where, given->second);
      const std::optional<std::vector<int64_t>> logits = lengths_of(door->value.shape(), count_);
      Tensor taken = nn::answers_for(loss, given->second, logits.value_or(given->second.lengths()));
      for (Fault& fault : loss.check(taken)) say(where + " (" + fault.where + ")", std::move(fault.what));
      arrays_.emplace(answers_input(output), std::move(taken));
    } catch (const Unfit& unfit) {
      say(where, unfit.what());
    }
  }
  for (const auto& [output, tensor] : examples.answers) {
    if (!saved.losses.contains(output)) say("answers of " + quoted(output), "no output with a loss has this name.");
  }
  if (examples.weights) {
    weights_ = examples.weights->converted(DType::Float32);
    count_rows("weights", *weights_);
    if (weights_->size() == count_) weights_ = weights_->reshaped({count_});
    for (const float weight : weights_->values<float>()) {
      if (std::isfinite(weight) && weight >= 0) continue;
      say("weights", "one is " + text_of(weight) + ", and a weight is finite and at least 0.");
      break;
    }
  }
  if (faults.empty() && count_ == 0) say("rows", "there are none.");
  refuse_if_any(std::move(faults));
}

Rows Rows::split_off(int64_t count) {
  Rows rest;
  rest.count_ = count;
  const int64_t kept = count_ - count;
  for (auto& [name, tensor] : arrays_) {
    rest.arrays_.emplace(name, rows_of(tensor, kept, count));
    tensor = rows_of(tensor, 0, kept);
  }
  if (weights_) {
    // Validation is unweighted unless its rows bring weights of their own.
    weights_ = rows_of(*weights_, 0, kept);
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
  if (weights_) made.emplace(kWeights, Tensor(DType::Float32, {rows}));
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
  if (weights_) copy_rows(*weights_, into.find(kWeights)->second);
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
  if (weights_) add(kWeights, *weights_);
  return hex(hash.finish());
}

void Rows::weigh_classes(const std::map<int64_t, double>& class_weight) {
  const auto answers = std::find_if(arrays_.begin(), arrays_.end(),
                                    [](const auto& entry) { return entry.first.starts_with("@answers/"); });
  if (answers == arrays_.end()) return;
  const std::span<const float> values = answers->second.values<float>();
  const int64_t columns = row_size(answers->second);
  if (!weights_) weights_ = Tensor::of<float>({count_}, std::vector<float>(static_cast<size_t>(count_), 1.0f));
  const std::span<float> weights = weights_->mutable_values<float>();
  for (int64_t row = 0; row < count_; ++row) {
    const auto first = values.begin() + row * columns;
    const int64_t number = columns == 1 ? std::lround(*first) : std::max_element(first, first + columns) - first;
    const auto weight = class_weight.find(number);
    if (weight != class_weight.end()) weights[static_cast<size_t>(row)] *= static_cast<float>(weight->second);
  }
}

}  // namespace causeway::train
