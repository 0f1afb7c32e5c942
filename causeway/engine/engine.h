#pragma once

// engine/ holds what every engine promises: a graph, its slots and a binding of lengths go in, an executable comes out.
// It knows no engine by name and no file format.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/graph/graph.h"
#include "causeway/tensor/tensor.h"

namespace causeway {

/// What a graph is compiled for: the lengths of each input, and the value of each input that decides a shape or picks a
/// branch.
struct Binding {
  std::map<std::string, std::vector<int64_t>, std::less<>> lengths = {};
  std::map<std::string, Tensor, std::less<>> values = {};

  friend bool operator<(const Binding& a, const Binding& b);
};

inline constexpr int kMostThreads = 1024;

struct CompileOptions {
  /// Threads of the engine's own pool, at most kMostThreads; the answers are the same for any number.
  int threads = 1;
  /// Memory a plan may take; what the machine has where it is not given.
  std::optional<size_t> max_bytes = std::nullopt;
};

/// One thread's memory for running an executable. Nothing is allocated in run().
class Context {
 public:
  virtual ~Context() = default;

  /// Computes the outputs, in the graph's order, from the inputs in its order; then, where the graph has them, checks
  /// the guards and assigns the slots, all or none. The views hold until the next run. An input that a binding gave by
  /// value is handed in all the same, and ignored.
  /// Refused: a fault that only data can cause (an index out of range), before anything is assigned.
  virtual std::span<const TensorView> run(std::span<const TensorView> inputs) = 0;

  /// Whether the last run found every guard finite, and so assigned. True for a graph without guards.
  virtual bool assigned() const = 0;
};

/// A compiled graph. It does not change, is shared by threads, and keeps the slots it was compiled with. Slots are
/// assigned by one thread while none runs it; it sees new versions by itself.
class Executable {
 public:
  virtual ~Executable() = default;

  virtual std::unique_ptr<Context> context() const = 0;
  virtual std::span<const Type> input_types() const = 0;
  virtual std::span<const Type> output_types() const = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view version() const = 0;
  /// What it computes on: "cpu", or a card by its name.
  virtual std::string_view device() const { return "cpu"; }
  /// Refused: lengths that do not fit, each at its node; an op the engine has no kernel for; a plan past max_bytes.
  virtual std::shared_ptr<const Executable> compile(const Graph& graph, Slots& slots, const Binding& binding,
                                                    const CompileOptions& options = {}) const = 0;
};

}  // namespace causeway
