#pragma once

#include <map>
#include <memory>
#include <string>

#include "causeway/answer/engines.h"
#include "causeway/nn/saved_network.h"

namespace causeway {

using NamedTensors = std::map<std::string, Tensor, std::less<>>;

struct AnswerOptions {
  const Engine* engine = nullptr;  ///< cpu() where it is null.
  int threads = 1;
  /// The values before each loss's activation.
  bool logits = false;
  /// Rows answered at once by predict(), for inputs that all have as many rows; all of them where it is 0.
  int64_t batch = 0;
};

/// The answers of a network: each output after its loss's activation. What is compiled for the lengths at hand is kept
/// with the network (the 16 last used) and shared by threads; any number of them may ask at once, while none trains it.
///
/// Shapes     by input, as the network's doors say; a floating array of any width is rounded once to the input's
///            dtype, whole numbers come in theirs or exact in it.
/// Refused    an input missing, unknown or of another shape; what compiling refuses; an index out of range; by batches,
///            inputs of unlike rows, and an output that is no list of rows.
NamedTensors predict(const SavedNetwork& saved, const NamedTensors& inputs, const AnswerOptions& options = {});

/// The same for a network of one input and one output.
Tensor predict(const SavedNetwork& saved, const Tensor& rows, const Engine& engine = cpu());

/// The graph that answers: the network's, and each loss's activation behind its output unless logits are asked for.
/// `slots` are the network's very slots and what constants the activations have.
Graph answering_graph(const SavedNetwork& saved, bool logits, Slots& slots);

/// A network compiled for one set of lengths, for callers that hand it the same again and again (and for measuring):
/// nothing is looked up and nothing is copied.
class Answerer {
 public:
  /// Refused: as predict().
  Answerer(const SavedNetwork& saved, const NamedTensors& like, const AnswerOptions& options = {});

  /// Inputs in the order and dtype of the network's doors; the answers hold until the next call.
  std::span<const TensorView> run(std::span<const TensorView> inputs) { return context_->run(inputs); }

 private:
  Slots slots_;
  std::shared_ptr<const Executable> executable_;
  std::unique_ptr<Context> context_;
};

/// A tensor as an input of that dtype takes it. unfit() where a number is not exact in it.
Tensor as_input(const Tensor& given, DType dtype);

}  // namespace causeway
