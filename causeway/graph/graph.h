#pragma once

// graph/ is the waist: a network as a graph of ops over slots, and nothing else. Readers build it, engines, trainer and
// writers read it. It knows no op by name, no file format and no engine.

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/graph/op.h"
#include "causeway/graph/slot.h"
#include "causeway/graph/value.h"

namespace causeway {

/// The layer that nodes belong to: a path (`encoder.0`), a kind (`Dense`) and, where words made it, its settings as a
/// JSON text. A layer called again has `path#2`, `path#3` …
struct Scope {
  std::string path, kind, settings;

  /// The path without `#2`: where its slots lie.
  std::string_view slot_path() const { return std::string_view(path).substr(0, path.find('#')); }
  friend bool operator==(const Scope&, const Scope&) = default;
};

/// One op applied to values. An absent input is an empty Value.
struct Node {
  Op op;
  const Scope* scope = nullptr;
  Values inputs, outputs;
  /// Its place among the graph's nodes once that is finished.
  size_t index = 0;

  /// An empty Value past the end.
  Value input(size_t i) const { return i < inputs.size() ? inputs[i] : Value(); }
  Value output(size_t i = 0) const { return i < outputs.size() ? outputs[i] : Value(); }
};

struct ValueData {
  Value::Kind kind = Value::Kind::Output;
  Type type = {};
  std::string name = {};
  const Node* node = nullptr;
  size_t output_index = 0, index = 0;
  GraphBuilder* builder = nullptr;
};

/// A named door of a graph. `axes` says what each axis is, "NHWC" or "NCL", and is empty where nothing says.
struct Door {
  std::string name;
  Value value;
  std::string axes;
};

struct SlotUse {
  std::string path;
  Value value;
};
struct Assignment {
  std::string path;
  Value value;
};

/// A finished graph: nodes in an order in which each stands below what it reads, dead ones gone. It never changes;
/// copies share it.
class Graph {
 public:
  /// Without nodes, inputs or outputs.
  Graph();

  std::span<const Node* const> nodes() const;
  std::span<const Door> inputs() const;
  std::span<const Door> outputs() const;
  /// The slots it reads, constants among them, in the order they were first named.
  std::span<const SlotUse> slots() const;
  /// A training step's: worked last, all or none, where every guard is finite.
  std::span<const Assignment> assignments() const;
  std::span<const Value> guards() const;
  /// Scopes with at least one node, in the order of their first.
  std::span<const Scope* const> scopes() const;

  /// How many values it has; Value::index() counts below it.
  size_t value_count() const;
  /// How many nodes and outputs read a value.
  size_t uses(Value value) const;
  const Door* input(std::string_view name) const;
  const Door* output(std::string_view name) const;

  /// A line a node, for people.
  std::string text() const;

 private:
  friend class GraphBuilder;
  struct Storage;
  explicit Graph(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}
  std::shared_ptr<const Storage> storage_;
};

/// Puts the scope back that was open before.
class ScopeGuard {
 public:
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;
  ~ScopeGuard();

 private:
  friend class GraphBuilder;
  ScopeGuard(GraphBuilder& builder, const Scope* before) : builder_(builder), before_(before) {}
  GraphBuilder& builder_;
  const Scope* before_;
};

/// Builds a graph, value by value, over slots that outlive it.
class GraphBuilder {
 public:
  explicit GraphBuilder(Slots& slots);
  GraphBuilder(const GraphBuilder&) = delete;
  GraphBuilder& operator=(const GraphBuilder&) = delete;

  /// A new input; its name must be new.
  Value input(std::string name, Type type, std::string axes = {});
  /// Says what the axes of an input are, where that is told only by those who read it.
  void name_axes(std::string_view input, std::string axes);
  /// The input of that name, made where it is new (the seed and batch count of a training step).
  Value shared_input(std::string_view name, const Type& type);
  /// What a slot holds: in a step, after assign(), what was assigned.
  Value slot(std::string_view path);
  /// A new slot, and what it holds.
  Value declare(Slot slot);
  /// A slot of role constant at SCOPE/what; the same numbers under the same name are one slot.
  Value constant(Tensor numbers, std::string_view what);
  /// A float32 scalar constant.
  Value scalar(float number);
  Value scalar(int64_t number);

  /// Applies an op; its shape rule gives the outputs' types. Belongs to the scope that is open. unfit() comes through.
  Values add(Op op, Values inputs);
  /// The same for an op of one output.
  Value add1(Op op, Values inputs);
  /// The same with the output types given (a refused node's, unknown).
  Values add_typed(Op op, Values inputs, Types outputs);

  /// Opens the scope of a layer. A path that was opened before becomes path#2.
  [[nodiscard]] ScopeGuard scope(std::string path, std::string kind, std::string settings = {});
  /// Opens the scope of another graph's node again, as it is.
  [[nodiscard]] ScopeGuard scope_of(const Scope& scope);
  const Scope& scope() const;

  void output(std::string name, Value value, std::string axes = {});
  void assign(std::string_view path, Value value);
  /// Must be finite (each element) for the assignments to happen.
  void guard(Value value);

  Slots& slots() { return slots_; }
  std::span<const Door> inputs() const;
  /// Nodes so far, in the order they were added.
  std::span<const Node* const> nodes() const;

  /// Works out nodes whose inputs are all known and small as they are added: what reads a file installs the reference
  /// kernels here. Gives the outputs, or nothing.
  using Folder = std::function<std::optional<std::vector<Tensor>>(const Op&, const std::vector<Tensor>&)>;
  void fold_with(Folder folder) { folder_ = std::move(folder); }

  Graph finish() &&;

 private:
  friend class ScopeGuard;
  Value make(ValueData data);

  Slots& slots_;
  std::shared_ptr<Graph::Storage> storage_;
  const Scope* open_ = nullptr;
  std::map<std::string, int, std::less<>> times_opened_;
  std::map<std::string, std::vector<const Scope*>, std::less<>> scopes_by_path_;
  std::map<std::string, Value, std::less<>> slot_values_;
  Folder folder_;
};

}  // namespace causeway
