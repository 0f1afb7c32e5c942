#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/nn/loss.h"

namespace causeway {

/// softplus(o) - a * o, the mean over everything but the batch; answers are chances in [0, 1]. Smoothing s:
/// a <- a * (1 - s) + s / 2.
struct BinaryCrossentropy {
  static constexpr std::string_view kName = "binary_crossentropy", kActivation = "Sigmoid";
  float label_smoothing = 0;

  static void fields(auto&& each) { each("label_smoothing", &BinaryCrossentropy::label_smoothing); }
  Value rows(Value logits, Value answers) const;
  Value answer(Value logits) const;
  std::vector<Fault> check(const Tensor& answers) const;
};

/// -sum_c a_c * log_softmax(o)_c over the last axis, the mean over any axes between; answers are shares that sum to 1.
/// Smoothing s over C classes: a <- a * (1 - s) + s / C.
struct CategoricalCrossentropy {
  static constexpr std::string_view kName = "categorical_crossentropy", kActivation = "Softmax";
  float label_smoothing = 0;

  static void fields(auto&& each) { each("label_smoothing", &CategoricalCrossentropy::label_smoothing); }
  Value rows(Value logits, Value answers) const;
  Value answer(Value logits) const;
  std::vector<Fault> check(const Tensor& answers) const;
};

/// The same over class numbers, which are handed over as shares of one.
struct SparseCategoricalCrossentropy {
  static constexpr std::string_view kName = "sparse_categorical_crossentropy", kActivation = "Softmax";

  static void fields(auto&&) {}
  Value rows(Value logits, Value answers) const;
  Value answer(Value logits) const;
  std::vector<Fault> check(const Tensor& answers) const;
};

/// (o - a)^2, the mean over everything but the batch.
struct MeanSquaredError {
  static constexpr std::string_view kName = "mean_squared_error", kActivation = "";

  static void fields(auto&&) {}
  Value rows(Value logits, Value answers) const;
  Value answer(Value logits) const { return logits; }
  std::vector<Fault> check(const Tensor& answers) const;
};

/// |o - a|, the mean over everything but the batch; its gradient is 0 at 0.
struct MeanAbsoluteError {
  static constexpr std::string_view kName = "mean_absolute_error", kActivation = "";

  static void fields(auto&&) {}
  Value rows(Value logits, Value answers) const;
  Value answer(Value logits) const { return logits; }
  std::vector<Fault> check(const Tensor& answers) const;
};

namespace nn {

/// A loss as words state it, and whether they say that it takes logits.
struct StatedLoss {
  Loss loss;
  std::optional<bool> from_logits;
};

std::span<const std::string_view> loss_words();
/// The loss of a word with its settings at their defaults; none where there is no such word.
std::optional<Loss> loss_named(std::string_view word);
/// A word, or an object with its "kind" and settings. Faults go to `faults` at their place in `where`, and nothing comes
/// back then.
std::optional<StatedLoss> read_loss(const Json& json, const std::string& where, std::vector<Fault>& faults);
/// An object with "kind" and every setting.
Json write_loss(const Loss& loss);

/// Answers as a loss takes them, for logits of those lengths: class numbers (whole numbers without the last axis, or
/// with it 1 long) as shares of one, everything else as float32. unfit() where the shapes cannot meet.
Tensor answers_for(const Loss& loss, const Tensor& answers, const std::vector<int64_t>& logits);

}  // namespace nn
}  // namespace causeway
