#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "causeway/engine/engine.h"
#include "causeway/graph/network.h"
#include "causeway/nn/saved_network.h"
#include "causeway/train/batch_loss.h"
#include "causeway/train/optimizer.h"

namespace causeway {

/// Parameters with a rate or decay of their own: those at or beneath `paths`; where several groups fit, the longest
/// path wins. The rate follows the schedule in proportion.
struct ParameterGroup {
  std::vector<std::string> paths;
  std::optional<double> learning_rate = std::nullopt, weight_decay = std::nullopt;
};

namespace train {

struct StepOptions {
  std::optional<double> clip_norm = std::nullopt, clip_value = std::nullopt;
  /// Batches whose gradients are gathered before they are applied.
  int accumulate = 1;
  AnswerForms answers = {};
  std::vector<ParameterGroup> groups = {};
};

/// The names under which a step graph takes what changes from step to step, beside the network's own inputs. No network
/// has an input of such a name.
inline constexpr std::string_view kSeed = "@seed", kBatch = "@batch", kRows = "@rows";

/// One training step as a graph: forward, loss, penalties, gradients, clip and the optimizer's arithmetic, ending in
/// assignments to the network's own slots and to the optimizer's memory, which is slots `@memory/SLOT/NAME`.
///
/// Outputs    `loss` (float32 scalar, the batch's) and `norm` (float64 scalar, of all gradients before a clip); both
///            are guards: nothing is assigned unless they are finite.
/// Inputs     the network's; `@answers/OUTPUT` for each output with a loss; where they are used `@weights/OUTPUT` [N],
///            `@seed`, `@batch` (int64 scalars), and `@GROUP/SCALAR` (float32 scalars, GROUP counted from 0).
///
/// With `accumulate` above 1 there are two more graphs over the same slots: one adds a batch's gradients, times its rows
/// (`@rows`, float32), to slots `@gradient/SLOT`; one divides by the rows gathered and steps. A batch that is gathered
/// alone steps by the first graph, so by its own gradient to the bit.
class Step {
 public:
  /// Refused: settings the optimizer cannot have; a group's path that is none of the network's; no slot that learns; no
  /// loss; a slot that reaches the loss only through ops without a gradient. The network outlives the step.
  Step(SavedNetwork& saved, const Optimizer& optimizer, StepOptions options);

  /// Steps on one batch.
  const Graph& batch_graph() const { return batch_graph_; }
  /// Gathers one batch; none unless batches are accumulated.
  const std::optional<Graph>& gather_graph() const { return gather_graph_; }
  /// Applies what was gathered, and empties it; likewise.
  const std::optional<Graph>& apply_graph() const { return apply_graph_; }
  /// The network's slots (the very same), the optimizer's memory and constants.
  Slots& slots() { return slots_; }
  const Slots& slots() const { return slots_; }

  /// Writes what an optimizer step needs beside its batch, from step to step, without allocating.
  class Scalars {
   public:
    /// `inputs` are the graph's, in its order; those that are a group's scalars are written to.
    Scalars(const Step& step, const Graph& graph, std::span<const TensorView> inputs);
    /// The optimizer's own rate being `rate`; step counts from 1, and never falls from one call to the next.
    void write(double rate, int64_t step);

   private:
    const Step& step_;
    std::vector<double> worked_;
    // The number that the optimizer carries on, after so many steps.
    double carried_ = 1;
    int64_t counted_ = 0;
    // By group and then by scalar; null where the graph does not read it.
    std::vector<float*> targets_;
  };

 private:
  struct Group {
    // None for the optimizer's own.
    std::optional<double> rate;
    double decay = 0;
  };

  void build_gather(SavedNetwork& saved);
  void build_apply();
  void build_whole(SavedNetwork& saved);
  void assign_groups(const Network& network, std::vector<Fault>& faults);
  size_t group_of(const std::string& path) const;
  Value batch_loss(GraphBuilder& graph, SavedNetwork& saved);
  Values batch_gradients(GraphBuilder& graph, SavedNetwork& saved);
  void apply(GraphBuilder& graph, Values gradients);
  void clip(GraphBuilder& graph, Value norm, Values& gradients) const;
  Value stepped(GraphBuilder& graph, const std::string& path, Value gradient);

  Optimizer optimizer_;
  StepOptions options_;
  Slots slots_;
  std::vector<std::string> learned_;
  std::vector<Group> groups_;
  std::map<std::string, size_t> group_of_;
  Graph batch_graph_;
  std::optional<Graph> gather_graph_, apply_graph_;
};

}  // namespace train
}  // namespace causeway
