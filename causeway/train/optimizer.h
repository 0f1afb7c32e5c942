#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/graph/graph.h"
#include "causeway/nn/setting_words.h"

namespace causeway {

/// Whose arithmetic and defaults an optimizer follows: "pytorch" or "keras".
enum class OptimizerForm { PyTorch, Keras };
constexpr auto words_of(OptimizerForm) { return std::array<std::string_view, 2>{"pytorch", "keras"}; }

/// A setting whose default hangs on the form that is stated beside it.
class ByForm {
 public:
  constexpr ByForm(double stated) : stated_(stated) {}  // NOLINT(google-explicit-constructor): as a plain number
  constexpr ByForm(double pytorch, double keras) : pytorch_(pytorch), keras_(keras) {}

  /// Takes the form's default where nothing is stated.
  void settle(OptimizerForm form) {
    if (!stated_) stated_ = form == OptimizerForm::Keras ? keras_ : pytorch_;
  }
  constexpr operator double() const { return stated_.value_or(pytorch_); }  // NOLINT(google-explicit-constructor)

 private:
  std::optional<double> stated_;
  double pytorch_ = 0, keras_ = 0;
};
void read_setting(const Json& json, ByForm& into);
Json write_setting(const ByForm& value);

namespace train {

/// What an optimizer's rule works with for one slot: its value and gradient, its memory by name, and the scalars of the
/// step. All are graph values; the rule adds nodes and assigns memory.
struct SlotStep {
  GraphBuilder& graph;
  Value weight, gradient;
  /// Weight decay of the slot's group: whether there is any decides which nodes there are.
  double decay = 0;
  std::function<Value(std::string_view name)> memory;
  std::function<void(std::string_view name, Value value)> remember;
  /// One of the optimizer's own scalars, or one that every optimizer has: "rate", "descent" (the rate's negative),
  /// "decay" and "kept" (1 - rate * decay).
  std::function<Value(std::string_view name)> scalar;
};

/// What an optimizer keeps for a slot, as large as the slot, and the number it holds in every place at first.
struct Memory {
  std::string_view name;
  double start = 0;
};

/// What the scalars of one step are worked from.
struct StepNumbers {
  double rate = 0;
  int64_t step = 1;    ///< From 1.
  double carried = 1;  ///< What carry() made of it, step after step.
};

}  // namespace train

/// An optimizer: a plain settings struct, held by value, with
///
///   static constexpr std::string_view kName;                    its word
///   double learning_rate, weight_decay;                         and its other settings
///   static void settings(auto&& each);
///   std::vector<Fault> check() const;                           settings it cannot have
///   std::vector<train::Memory> memory() const;                  under PyTorch's names
///   std::vector<std::string_view> scalars() const;              names of the numbers that change from step to step
///   void work(const train::StepNumbers& at, std::span<double> into) const;     those numbers, in that order
///   Value step(const train::SlotStep& slot) const;              the slot's next value
///   double carry(double before, int64_t step) const;            a number that each step makes from the last, 1 at
///                                                               first; left out where there is none
///
/// Arithmetic and order are PyTorch's on the processor: float32, each weight by itself, a product and a sum fused where
/// PyTorch fuses them and nowhere else. An optimizer with a `form` has Keras's as well.
class Optimizer {
 public:
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Optimizer>)
      Optimizer(S settings)  // NOLINT(google-explicit-constructor): an optimizer is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(settled(std::move(settings)))) {}

  std::string_view name() const { return rules_->name; }
  /// {"kind": its word, and every setting}.
  Json json() const;
  double learning_rate() const { return rules_->rate(settings_.get()); }
  double weight_decay() const { return rules_->decay(settings_.get()); }
  std::vector<Fault> check() const { return rules_->check(settings_.get()); }
  std::vector<train::Memory> memory() const { return rules_->memory(settings_.get()); }
  /// Every optimizer's scalars, then its own.
  std::vector<std::string_view> scalars() const;
  void work(const train::StepNumbers& at, double decay, std::span<double> into) const;
  double carry(double before, int64_t step) const { return rules_->carry(settings_.get(), before, step); }
  Value step(const train::SlotStep& slot) const { return rules_->step(settings_.get(), slot); }

 private:
  struct Rules {
    std::string_view name;
    Json::Object (*settings)(const void*) = nullptr;
    double (*rate)(const void*) = nullptr;
    double (*decay)(const void*) = nullptr;
    std::vector<Fault> (*check)(const void*) = nullptr;
    std::vector<train::Memory> (*memory)(const void*) = nullptr;
    std::vector<std::string_view> (*scalars)(const void*) = nullptr;
    void (*work)(const void*, const train::StepNumbers&, std::span<double>) = nullptr;
    double (*carry)(const void*, double, int64_t) = nullptr;
    Value (*step)(const void*, const train::SlotStep&) = nullptr;
  };
  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    rules.name = S::kName;
    rules.settings = [](const void* s) { return nn::written_settings(*static_cast<const S*>(s), /*all=*/true); };
    rules.rate = [](const void* s) -> double { return static_cast<const S*>(s)->learning_rate; };
    rules.decay = [](const void* s) -> double { return static_cast<const S*>(s)->weight_decay; };
    rules.check = [](const void* s) { return static_cast<const S*>(s)->check(); };
    rules.memory = [](const void* s) { return static_cast<const S*>(s)->memory(); };
    rules.scalars = [](const void* s) { return static_cast<const S*>(s)->scalars(); };
    rules.work = [](const void* s, const train::StepNumbers& at, std::span<double> into) {
      static_cast<const S*>(s)->work(at, into);
    };
    rules.carry = [](const void* s, double before, int64_t step) {
      if constexpr (requires(const S& settings) { settings.carry(before, step); }) {
        return static_cast<const S*>(s)->carry(before, step);
      }
      return before;
    };
    rules.step = [](const void* s, const train::SlotStep& slot) { return static_cast<const S*>(s)->step(slot); };
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  template <class S>
  static S settled(S settings) {
    S::settings([&](std::string_view, auto field) {
      if constexpr (std::same_as<decltype(field), ByForm S::*>) (settings.*field).settle(settings.form);
    });
    return settings;
  }

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
};

}  // namespace causeway
