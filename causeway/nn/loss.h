#pragma once

// nn/ makes networks: layers that add nodes and declare slots, the words and modules that lead to them from one table,
// losses and starting numbers. It builds graphs; it computes none and reads no files of numbers.

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/graph/graph.h"
#include "causeway/tensor/tensor.h"

namespace causeway {

/// What a network is trained by, and what its answers go through. A loss is a plain settings struct, held by value, with
///
///   static constexpr std::string_view kName;             its word: "binary_crossentropy"
///   static void fields(auto& each);                      its settings; left out where there are none
///   Value rows(Value logits, Value answers) const;       [N]: each row's loss as graph nodes
///   Value answer(Value logits) const;                    its output activation; `logits` itself where it has none
///   std::vector<Fault> check(const Tensor& answers) const;   the answers it cannot take, by row and column
///   static constexpr std::string_view kActivation;       kName of the op answer() ends in ("Sigmoid"); "" for none
class Loss {
 public:
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Loss>)
      Loss(S settings)  // NOLINT(google-explicit-constructor): a loss is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(std::move(settings))) {}

  template <class S>
  const S* as() const {
    return rules_ == &kRulesOf<S> ? static_cast<const S*>(settings_.get()) : nullptr;
  }
  std::string_view name() const { return rules_->name; }
  /// "Sigmoid", "Softmax" or "".
  std::string_view activation() const { return rules_->activation; }
  Settings settings() const { return rules_->settings(settings_.get()); }

  Value rows(Value logits, Value answers) const { return rules_->rows(settings_.get(), logits, answers); }
  Value answer(Value logits) const { return rules_->answer(settings_.get(), logits); }
  std::vector<Fault> check(const Tensor& answers) const { return rules_->check(settings_.get(), answers); }

  friend bool operator==(const Loss& a, const Loss& b) { return a.rules_ == b.rules_ && a.settings() == b.settings(); }

 private:
  struct Rules {
    std::string_view name, activation;
    Settings (*settings)(const void*) = nullptr;
    Value (*rows)(const void*, Value, Value) = nullptr;
    Value (*answer)(const void*, Value) = nullptr;
    std::vector<Fault> (*check)(const void*, const Tensor&) = nullptr;
  };
  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    rules.name = S::kName;
    rules.activation = S::kActivation;
    rules.settings = [](const void* s) { return settings_of(*static_cast<const S*>(s)); };
    rules.rows = [](const void* s, Value o, Value a) { return static_cast<const S*>(s)->rows(o, a); };
    rules.answer = [](const void* s, Value o) { return static_cast<const S*>(s)->answer(o); };
    rules.check = [](const void* s, const Tensor& a) { return static_cast<const S*>(s)->check(a); };
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
};

}  // namespace causeway
