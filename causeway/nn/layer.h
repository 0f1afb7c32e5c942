#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/graph/graph.h"
#include "causeway/nn/flow.h"
#include "causeway/nn/initializer.h"
#include "causeway/nn/mask_rules.h"
#include "causeway/nn/setting_words.h"

namespace causeway::nn {

/// The word of that number, from 0: names the kinds of a template. (Clang 14 takes no static array of a template that is
/// instantiated elsewhere for a constant.)
constexpr std::string_view nth(size_t number, std::initializer_list<std::string_view> words) {
  return words.begin()[number];
}

/// Elements begin … end - 1 of a slot, which start at one number whatever its initializer.
struct StartingBlock {
  int64_t begin = 0, end = 0;
  float number = 0;
};

/// How a slot starts, kept until the network is built: readers fill slots and draw nothing.
struct SlotStart {
  std::string path;
  Initializer initializer;
  Fans fans;
  StartingBlock block = {};
  /// Its numbers where the words state them, one for all or as many as it has; the initializer then draws nothing.
  std::vector<float> stated = {};
};

/// What a slot starts from and how it is trained.
struct SlotSpec {
  std::vector<int64_t> lengths;
  Initializer initializer = {};
  Penalty penalty = {};
  MaxNorm max_norm = {};
  Role role = Role::Learned;
  /// Where the lengths do not tell.
  std::optional<Fans> fans = std::nullopt;
  StartingBlock block = {};
  /// As SlotStart's.
  std::vector<float> stated = {};
  /// Held from the start: the layer learns beside it.
  bool held = false;
  /// Over which axes the norm of a bound runs; all but the last unless stated (over the whole of one axis).
  std::optional<std::vector<size_t>> bound_axes = std::nullopt;

  /// The same with one norm over all of it.
  SlotSpec bounded_as_a_whole() const;
};

class Layer;

/// What a layer builds with: the graph, under the layer's scope, and its slots under its path. Called a second time
/// (`path#2`), the slots are those of the first.
class LayerBuild {
 public:
  LayerBuild(GraphBuilder& builder, std::string path, std::vector<SlotStart>& starts)
      : graph(builder), path_(std::move(path)), starts_(starts) {}

  GraphBuilder& graph;
  /// An inner part of the layer, at PATH.name.
  LayerBuild part(std::string_view name) const;
  /// A layer inside this one, at PATH.name and in a scope of its own.
  Flow inner(std::string_view name, const Layer& layer, const Flow& x) const;

  /// What a new slot of that path and those lengths holds at first, where it is not zeros: a reader of files takes no
  /// memory for what its file cannot fill.
  std::function<Tensor(const std::string& path, const std::vector<int64_t>& lengths)> first_numbers = {};

  /// The values above by their names, for settings that name one.
  const NamedFlows* above = nullptr;

  /// The values that a setting names, in its order; unfit() for a name that nothing above has.
  std::vector<Flow> named(std::string_view setting, const ValueNames& names) const;
  /// The one value that it may name; empty where it names none, unfit() for several.
  Value named_value(std::string_view setting, const ValueNames& names) const;

  /// Where what a layer makes beside its value is kept, by name.
  NamedFlows* also_made = nullptr;
  /// Makes a value beside the layer's own: layers below take it as PATH.name.
  void also(std::string_view name, const Flow& flow) const;

  /// The slot PATH.name. A bound runs over all axes but the last (over the whole of one axis).
  Value slot(std::string_view name, const SlotSpec& spec);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<SlotStart>& starts_;
};

/// A layer: a plain settings struct, held by value, with
///
///   static constexpr std::string_view kWord, kKind;          "dense", "Dense"
///   static void settings(auto&& each);                       each("units", &S::units, Need::Required)
///   Flow build(LayerBuild&, const Flow& x) const;            or over std::span<const Flow>, for merges; calls unfit()
///
/// Whether a mask goes on behind it is said in mask_rules.cpp, whatever build() gives.
class Layer {
 public:
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Layer>)
      Layer(S settings)  // NOLINT(google-explicit-constructor): a layer is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(std::move(settings))) {}

  template <class S>
  const S* as() const {
    return rules_ == &kRulesOf<S> ? static_cast<const S*>(settings_.get()) : nullptr;
  }
  std::string_view word() const { return rules_->word(settings_.get()); }
  std::string_view kind() const { return rules_->kind(settings_.get()); }
  /// The settings that differ from their defaults, or all.
  Json::Object settings(bool all = false) const { return rules_->settings(settings_.get(), all); }

  /// unfit() where the values do not fit, or are more or fewer than it takes.
  Flow build(LayerBuild& build, std::span<const Flow> from) const {
    return with_mask_by_rule(word(), rules_->build(settings_.get(), build, from), from);
  }

 private:
  struct Rules {
    std::string_view (*word)(const void*) = nullptr;
    std::string_view (*kind)(const void*) = nullptr;
    Json::Object (*settings)(const void*, bool) = nullptr;
    Flow (*build)(const void*, LayerBuild&, std::span<const Flow>) = nullptr;
  };
  template <class S>
  static Flow build_one(const S& settings, LayerBuild& build, std::span<const Flow> from) {
    if constexpr (requires(const Flow& x) { settings.build(build, x); }) {
      if (from.size() != 1) unfit("it takes one value, and " + std::to_string(from.size()) + " are handed to it.");
      return settings.build(build, from[0]);
    } else {
      return settings.build(build, from);
    }
  }
  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    if constexpr (requires { S::kWord; }) {
      rules.word = [](const void*) { return S::kWord; };
      rules.kind = [](const void*) { return S::kKind; };
    } else {
      rules.word = [](const void* s) { return static_cast<const S*>(s)->word(); };
      rules.kind = [](const void* s) { return static_cast<const S*>(s)->kind(); };
    }
    rules.settings = [](const void* s, bool all) { return written_settings(*static_cast<const S*>(s), all); };
    rules.build = [](const void* s, LayerBuild& build, std::span<const Flow> from) {
      return build_one(*static_cast<const S*>(s), build, from);
    };
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
};

/// The length of an axis that decides a slot's shape; unfit() where it is open, saying how to bind it.
int64_t slot_length(const Value& x, int64_t axis);

}  // namespace causeway::nn
