#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/nn/saved_network.h"
#include "causeway/train/batch_loss.h"
#include "causeway/train/class_weights.h"

namespace causeway {

/// Rows to train or judge on: arrays by input, answers by output, and where each row weighs otherwise, its weight.
struct Examples {
  NamedTensors inputs, answers;
  /// [rows], finite and at least 0.
  std::optional<Tensor> weights = std::nullopt;
  /// What a row, counted from 0, is called in faults about its answers; "row 3" unless told.
  std::function<std::string(int64_t row)> place_of_row = {};
};

namespace train {

/// Examples as a network and its losses take them: inputs in the doors' dtypes, answers as nn::answers_for() gives them,
/// and each row's weight for every output's loss.
class Rows {
 public:
  /// Refused, all at once: an input or answer missing, unknown, misshapen or not finite; arrays of different row counts;
  /// no rows; answers the loss cannot take; a weight below 0. `what` names the rows in faults ("training rows").
  Rows(const SavedNetwork& saved, const Examples& examples, const std::string& what);

  int64_t count() const { return count_; }
  /// How a batch hands over its answers.
  AnswerForms forms() const;
  /// The last `count` rows of these as rows of their own, with the weights they bring; these keep the rest.
  Rows split_off(int64_t count);

  /// What a graph's inputs of those names take for the rows `order`, row by row in that order; tensors made by like().
  void gather(std::span<const int64_t> order, std::map<std::string, Tensor, std::less<>>& into) const;
  /// Tensors of `rows` rows to gather into, by input name of a step graph.
  std::map<std::string, Tensor, std::less<>> like(int64_t rows) const;

  /// SHA-256 over shapes and bytes, in hex.
  std::string fingerprint() const;

  /// Multiplies each row's weight by that of its class (nn::classes_of_rows), 1 for a class that is not named.
  /// Refused: no output, or more than one, whose loss has classes; a class that there is not; several answers a row.
  void weigh_classes(const SavedNetwork& saved, const ClassWeights& class_weight);

 private:
  Rows() = default;
  // By input name of a step graph: the network's inputs, @answers/OUTPUT and @weights/OUTPUT.
  std::map<std::string, Tensor, std::less<>> arrays_;
  int64_t count_ = 0;
};

}  // namespace train
}  // namespace causeway
