#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/model.h"
#include "causeway/graph/graph.h"
#include "causeway/graph/slot.h"

namespace causeway::formats::onnx {

/// Names that are given once: a second asker gets NAME_2.
class Names {
 public:
  std::string free(const std::string& wanted);

 private:
  std::set<std::string, std::less<>> taken_;
  std::unordered_map<std::string, int> times_;
};

/// What is written, and the operator set it is written for. Values, initializers and doors share their names; nodes
/// have names of their own.
struct WritingContext {
  const Slots& slots;
  FileGraph& graph;
  std::vector<Fault>& faults;
  /// The set written for, and the oldest that would hold what has been written so far.
  int64_t opset = 7, needed = 7;
  /// The set was asked for: newer ops are spelled out or refused, and `needed` moves nothing.
  bool is_fixed = false;
  bool half = false;
  /// The graph that is written, where it is one.
  const Graph* network = nullptr;

  Names names = {}, node_names = {};
  std::unordered_map<Value, std::string> value_names = {};
  std::map<std::string, std::string> constant_names = {};
  /// By path, given before any node is written, so that no helper takes a slot's own.
  std::map<std::string, std::string> slot_names = {};
  /// What each floating initializer is: reading again cannot always tell by who reads it.
  std::map<std::string, Role> roles = {};
};

/// One node of a network as its write function sees it: its inputs as names, and ONNX nodes to add.
class NodeWriter {
 public:
  NodeWriter(const Node& node, WritingContext& context) : node_(node), context_(context) {}

  const Node& node() const { return node_; }
  template <class S>
  const S& settings() const {
    return *node_.op.as<S>();
  }
  int64_t opset() const { return context_.opset; }
  /// Whether an op of that set can be used; if so, the file will be of that set at least.
  bool may_use(int64_t opset);
  /// The same for an op that cannot be spelled out; a fault where the set asked for is older.
  void require(int64_t opset, std::string_view what);

  Value value(size_t i) const { return node_.input(i); }
  /// Whether anything reads that output.
  bool is_read(size_t output) const;
  /// The name of an input; "" where it is absent.
  std::string input(size_t i) { return name_of(node_.input(i)); }
  std::vector<std::string> inputs();
  /// Shape of an input; unfit() where its rank is not known.
  const Shape& shape(size_t i) const;
  /// The numbers of an input that is known when the graph is written; none where it is not.
  std::optional<std::vector<int64_t>> known_integers(size_t i) const;
  /// The same for a list that this set has as an attribute; unfit(), naming `what` it holds, where it is not known.
  std::vector<int64_t> stated_integers(size_t i, const char* what) const;

  /// Adds a node of one output, and gives the output's name.
  std::string add(std::string_view op, std::vector<std::string> inputs, std::vector<Attribute> attributes = {});
  std::vector<std::string> add_many(std::string_view op, std::vector<std::string> inputs,
                                    std::vector<Attribute> attributes, size_t outputs);
  std::string constant(Tensor numbers, std::string_view what);
  /// The numbers of an input that is a float32 slot; none where it is not.
  std::optional<Tensor> numbers(size_t i) const;
  /// An initializer of learned numbers that stand otherwise than their slots: stored as slots are.
  std::string learned(Tensor numbers, std::string_view what);
  std::string integers(std::vector<int64_t> numbers, std::string_view what);
  std::string scalar(float number, std::string_view what) { return constant(Tensor::scalar(number), what); }
  /// A list that is an attribute before `from` and an input after.
  void give_list(int64_t from, std::string_view name, const std::vector<int64_t>& list,
                 std::vector<std::string>& inputs, std::vector<Attribute>& attributes);

  /// Says which value an output of the node is.
  void give(size_t i, const std::string& name) { context_.value_names[node_.outputs.at(i)] = name; }
  void give(const std::string& name) { give(0, name); }

  void refuse(std::string what);

 private:
  std::string name_of(const Value& value);
  std::string stored(std::string name, Tensor numbers, Role role);
  std::string path(std::string_view what) const;

  const Node& node_;
  WritingContext& context_;
};

Attribute integer(std::string_view name, int64_t value);
Attribute real(std::string_view name, float value);
Attribute text(std::string_view name, std::string_view value);
Attribute list(std::string_view name, std::vector<int64_t> values);
Attribute tensor(std::string_view name, Tensor value);

/// Where a node stands, for a fault.
std::string written_place(const Node& node);

}  // namespace causeway::formats::onnx
