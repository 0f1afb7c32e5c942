#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/formats/onnx/graph_plan.h"
#include "causeway/graph/graph.h"

namespace causeway::formats::onnx {

/// Thrown where a node cannot be read before the graph is bound: the numbers of an input decide its settings
/// (NodeReader::constant() says so), or a length or rank that is still open does.
struct NotKnownYet {
  std::string what;
  bool by_numbers = false;
};
[[noreturn]] inline void not_known_yet(std::string what) { throw NotKnownYet{std::move(what)}; }

/// What reading a node knows beside it.
struct ReadingContext {
  GraphBuilder& graph;
  std::vector<Fault>& faults;
  std::vector<std::string>& notes;
  /// Running variances are PyTorch's: unbiased.
  bool from_pytorch = false;
  /// What float64 is computed in.
  DType doubles = DType::Float32;
  /// Reads a body once, its inputs given; empty where there is none to read.
  std::function<Values(const FileGraph&, const Values&)> read_body = {};
};

/// One node of a file as its read function sees it: inputs as values, attributes with their defaults. An attribute
/// that is there and was not asked for belongs to no op read here, and is refused when the function has returned.
class NodeReader {
 public:
  NodeReader(const PlannedNode& planned, Values inputs, ReadingContext& context)
      : planned_(planned), inputs_(std::move(inputs)), context_(context) {}

  const std::string& op() const { return planned_.node.op; }
  int64_t opset() const { return planned_.opset; }
  GraphBuilder& graph() { return context_.graph; }
  bool from_pytorch() const { return context_.from_pytorch; }
  /// What a value of a dtype the file states is computed in.
  DType computed(DType stated) const {
    return stated == DType::Float64 ? context_.doubles : is_floating(stated) ? DType::Float32 : stated;
  }

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i]; }
  /// unfit() where it is absent.
  Value input(size_t i) const;
  /// An empty Value where it is absent.
  Value input_or_none(size_t i) const { return i < inputs_.size() ? inputs_[i] : Value(); }
  const Values& inputs() const { return inputs_; }
  /// unfit() unless that many inputs stand there (absent ones counted).
  void expect_inputs(size_t least, size_t most) const;
  /// Numbers of an input that must be known when the file is read; none where it is absent. NotKnownYet where they are not.
  std::optional<Tensor> constant(size_t i, std::string_view what) const;
  std::optional<std::vector<int64_t>> constant_integers(size_t i, std::string_view what) const;

  size_t output_count() const { return planned_.node.outputs.size(); }
  bool has_output(size_t i) const { return i < output_count() && !planned_.node.outputs[i].empty(); }

  bool has(std::string_view name) const;
  float real(std::string_view name, float absent);
  int64_t integer(std::string_view name, int64_t absent);
  bool flag(std::string_view name, bool absent) { return integer(name, absent ? 1 : 0) != 0; }
  std::string text(std::string_view name, std::string_view absent);
  std::optional<float> real(std::string_view name);
  std::optional<int64_t> integer(std::string_view name);
  std::optional<std::vector<int64_t>> integers(std::string_view name);
  std::optional<std::vector<float>> reals(std::string_view name);
  std::optional<std::vector<std::string>> texts(std::string_view name);
  std::optional<Tensor> tensor(std::string_view name);
  /// The graph that an attribute holds; null where it is absent.
  const FileGraph* body(std::string_view name);
  /// One turn of a body. unfit() where it cannot be read; its own faults are said at its nodes.
  Values read_body(const FileGraph& body, const Values& inputs) const;
  /// Whether the attribute is text rather than a number (Cast's `to` before opset 6).
  bool is_text(std::string_view name) const;
  /// Reads over an attribute that never means an answer.
  void ignore(std::string_view name) { asked_.insert(std::string(name)); }

  /// A fault of this node; reading goes on.
  void refuse(std::string what) { context_.faults.push_back({planned_.where, std::move(what)}); }
  void note(const std::string& what) { context_.notes.push_back(planned_.where + ": " + what); }
  /// Faults for attributes that nobody asked for.
  void refuse_unknown_attributes();

 private:
  const Attribute* ask(std::string_view name, Attribute::Kind kind, const char* kind_name);

  const PlannedNode& planned_;
  Values inputs_;
  ReadingContext& context_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace causeway::formats::onnx
