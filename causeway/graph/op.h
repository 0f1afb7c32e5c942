#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/graph/setting.h"
#include "causeway/graph/value.h"

namespace causeway {

/// An order of axes: axis i of what is meant is axis [i] of what is there. Empty: as they stand.
using Axes = std::vector<size_t>;

/// An op on inputs whose axes stand in another order; see below.
struct Turned;

/// What of an op's first input its first output keeps. Elements: each element depends on those at its place in every
/// input alone, broadcast where these are smaller; such ops are fused into chains, and pass any order of axes and of
/// places on. Axes: the axes in their order, whatever their lengths. (Dropout keeps axes alone: its draws are numbered by
/// place.)
enum class Keeps { Nothing, Axes, Elements };

/// What one node computes: a settings struct, held by value, shared and never changed. A settings struct is a plain
/// aggregate with
///
///   static constexpr std::string_view kName;                     ONNX's name where it has one
///   static void fields(auto& each);                              each("name", &S::field); left out where there are none
///   Types infer(std::span<const Type> inputs) const;             the shape rule; calls unfit()
///   Values gradient(GraphBuilder&, const Node&, const Values& dy) const;
///        the gradient to each input as graph nodes; an empty Value: none flows there. An op without one has
///        `static constexpr std::string_view kNoGradient`, a sentence that says why.
///   std::optional<Values> training(GraphBuilder&, const Node&) const;     optional: what stands for it in a training step
///   static constexpr Keeps kKeeps;                                        optional: Keeps::Nothing if left out
///   std::optional<Turned> turned(const Node&, const Axes&) const;         optional: itself when its first input is
///                                                                         transpose(x, axes); one that keeps elements
///                                                                         has it for nothing
///   Values expanded(GraphBuilder&, const Values& inputs) const;           optional: the nodes that stand for it once the
///   std::vector<size_t> decided_by() const;                               graph is bound, which the numbers of these
///                                                                         inputs decide; no engine sees it
class Op {
 public:
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Op>)
      Op(S settings)  // NOLINT(google-explicit-constructor): an op is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(std::move(settings))) {}

  /// The settings, where they are of that type; null otherwise.
  template <class S>
  const S* as() const {
    return rules_ == &kRulesOf<S> ? static_cast<const S*>(settings_.get()) : nullptr;
  }
  template <class S>
  bool is() const {
    return rules_ == &kRulesOf<S>;
  }

  std::string_view name() const { return rules_->name; }
  Keeps keeps() const { return rules_->keeps; }
  Settings settings() const { return rules_->settings(settings_.get()); }
  /// "Conv(stride=[2, 2], groups=1)".
  std::string text() const;

  Types infer(std::span<const Type> inputs) const { return rules_->infer(settings_.get(), inputs); }
  bool has_gradient() const { return rules_->gradient != nullptr; }
  /// Why there is no gradient; "" where there is one.
  std::string_view no_gradient() const { return rules_->no_gradient; }
  /// unfit() where there is none.
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;
  std::optional<Turned> turned(const Node& node, const Axes& axes) const;
  /// Whether other nodes stand for it once the graph is bound.
  bool is_expanded() const { return rules_->expanded != nullptr; }
  /// unfit() comes through.
  Values expanded(GraphBuilder& graph, const Values& inputs) const;
  std::vector<size_t> decided_by() const;

  /// Same kind, same settings.
  friend bool operator==(const Op& a, const Op& b);

 private:
  struct Rules {
    std::string_view name, no_gradient;
    Keeps keeps = Keeps::Nothing;
    Types (*infer)(const void*, std::span<const Type>) = nullptr;
    Values (*gradient)(const void*, GraphBuilder&, const Node&, const Values&) = nullptr;
    std::optional<Values> (*training)(const void*, GraphBuilder&, const Node&) = nullptr;
    std::optional<Turned> (*turned)(const void*, const Node&, const Axes&) = nullptr;
    Values (*expanded)(const void*, GraphBuilder&, const Values&) = nullptr;
    std::vector<size_t> (*decided_by)(const void*) = nullptr;
    Settings (*settings)(const void*) = nullptr;
  };

  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    rules.name = S::kName;
    if constexpr (requires { S::kKeeps; }) rules.keeps = S::kKeeps;
    rules.infer = [](const void* s, std::span<const Type> inputs) { return static_cast<const S*>(s)->infer(inputs); };
    rules.settings = [](const void* s) { return settings_of(*static_cast<const S*>(s)); };
    if constexpr (requires { &S::gradient; }) {
      rules.gradient = [](const void* s, GraphBuilder& graph, const Node& node, const Values& dy) {
        return static_cast<const S*>(s)->gradient(graph, node, dy);
      };
    } else {
      rules.no_gradient = S::kNoGradient;
    }
    if constexpr (requires { &S::training; }) {
      rules.training = [](const void* s, GraphBuilder& graph, const Node& node) {
        return static_cast<const S*>(s)->training(graph, node);
      };
    }
    if constexpr (requires { &S::turned; }) {
      rules.turned = [](const void* s, const Node& node, const Axes& axes) {
        return static_cast<const S*>(s)->turned(node, axes);
      };
    }
    if constexpr (requires { &S::expanded; }) {
      rules.expanded = [](const void* s, GraphBuilder& graph, const Values& inputs) {
        return static_cast<const S*>(s)->expanded(graph, inputs);
      };
      rules.decided_by = [](const void* s) { return static_cast<const S*>(s)->decided_by(); };
    }
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
};

/// What an integer list among an op's inputs says of the axes of its other ones: nothing; one entry an axis (lengths,
/// repeats); two, those before each axis and then those after each (pads); or its entries are axes.
enum class AxisList { None, PerAxis, PerSide, Names };

/// An op on inputs whose axes stand in another order. Where the node's own input i is transpose(x_i, inputs[i]), the op
/// takes x_i in its place; its output y'_k is the node's y_k before transpose(y'_k, outputs[k]). An input that lists[i]
/// says speaks of axes must be brought along: see ops::turned_list().
struct Turned {
  Op op;
  std::vector<Axes> inputs, outputs;
  std::vector<AxisList> lists = {};
};

/// The order that undoes `axes`.
Axes inverse(const Axes& axes);
/// First `first`, then `then`: transpose(transpose(x, first), then).
Axes composed(const Axes& first, const Axes& then);
bool is_identity(const Axes& axes);

}  // namespace causeway
