#pragma once

// nn/ makes networks: layers that add nodes and declare slots, the words and modules that lead to them from one table,
// losses and starting numbers. It builds graphs; it computes none and reads no files of numbers.

#include <array>
#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/graph/graph.h"
#include "causeway/nn/setting_words.h"
#include "causeway/tensor/tensor.h"

namespace causeway {

/// What the answers of a loss are: numbers of any size; chances, one a place (yes or no where they are hard); shares of
/// classes along the last axis, or the classes' numbers instead; or nothing but the classes' numbers.
enum class AnswerKind { Numbers, Chances, Shares, ClassNumbers };

/// By what the sum of the weighted rows' losses is divided: their count, or their weights' sum.
enum class WeightReduction { Rows, Weights };
constexpr std::array<std::string_view, 2> words_of(WeightReduction) { return {"rows", "weights"}; }

/// What every loss has beside its own settings.
struct LossWeight {
  /// Among the losses of several outputs: finite and at least 0.
  float weight = 1;
  WeightReduction weight_reduction = WeightReduction::Rows;

  static void settings(auto&& each) {
    each("weight", &LossWeight::weight);
    each("weight_reduction", &LossWeight::weight_reduction);
  }
  friend bool operator==(const LossWeight&, const LossWeight&) = default;
};

namespace nn {
class AnswerFaults;
}

/// What a network is trained by, and what its answers go through. A loss is a plain settings struct, held by value, with
///
///   static constexpr std::string_view kName;                 its word: "huber"
///   static constexpr AnswerKind kAnswers;                    what it is judged by
///   static void settings(auto&& each);                       each("delta", &Huber::delta)
///   Value rows(Value logits, Value answers) const;           [N]: each row's loss as graph nodes. Answers have the logits'
///                                                            shape; class numbers are int64 without the last axis
///   void check(const Tensor& answers, nn::AnswerFaults&) const;      the answers it cannot take, by row and column
/// and, where they mean something,
///   std::optional<Op> activation() const;                    its output activation
///   static constexpr bool kSaysLogits = true;                whether words say from_logits of it
///   void fits() const;                                       unfit() for settings that it cannot have
///   Tensor taken(Tensor answers) const;                      checked answers as rows() takes them
class Loss {
 public:
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Loss>)
      Loss(S settings, LossWeight weight = {})  // NOLINT(google-explicit-constructor): a loss is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(std::move(settings))), weight_(weight) {}

  template <class S>
  const S* as() const {
    return rules_ == &kRulesOf<S> ? static_cast<const S*>(settings_.get()) : nullptr;
  }
  std::string_view name() const { return rules_->name; }
  AnswerKind answers() const { return rules_->answers; }
  bool says_logits() const { return rules_->says_logits; }
  const LossWeight& weight() const { return weight_; }
  /// The same loss with another weight.
  Loss weighing(LossWeight weight) const;
  /// Its own settings, all of them.
  Json::Object settings() const { return rules_->settings(settings_.get()); }
  /// unfit() for settings, or a weight, that it cannot have.
  void fits() const;

  std::optional<Op> activation() const { return rules_->activation(settings_.get()); }
  /// Behind its activation, where it has one.
  Value answer(Value logits) const;
  Value rows(Value logits, Value answers) const { return rules_->rows(settings_.get(), logits, answers); }
  /// The answers that it cannot take, the first 20 and then a count; for logits of so many classes.
  std::vector<Fault> check(const Tensor& answers, int64_t classes) const;
  Tensor taken(Tensor answers) const { return rules_->taken(settings_.get(), std::move(answers)); }

  friend bool operator==(const Loss& a, const Loss& b) {
    return a.rules_ == b.rules_ && a.weight_ == b.weight_ && a.rules_->same(a.settings_.get(), b.settings_.get());
  }

 private:
  struct Rules {
    std::string_view name;
    AnswerKind answers = AnswerKind::Numbers;
    bool says_logits = false;
    Json::Object (*settings)(const void*) = nullptr;
    bool (*same)(const void*, const void*) = nullptr;
    void (*fits)(const void*) = nullptr;
    std::optional<Op> (*activation)(const void*) = nullptr;
    Value (*rows)(const void*, Value, Value) = nullptr;
    void (*check)(const void*, const Tensor&, nn::AnswerFaults&) = nullptr;
    Tensor (*taken)(const void*, Tensor) = nullptr;
  };
  template <class S>
  static const S& of(const void* settings) {
    return *static_cast<const S*>(settings);
  }
  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    rules.name = S::kName;
    rules.answers = S::kAnswers;
    if constexpr (requires { S::kSaysLogits; }) rules.says_logits = S::kSaysLogits;
    rules.settings = [](const void* s) { return nn::written_settings(of<S>(s), /*all=*/true); };
    rules.same = [](const void* a, const void* b) {
      bool same = true;
      S::settings([&](std::string_view, auto field) { same = same && of<S>(a).*field == of<S>(b).*field; });
      return same;
    };
    rules.fits = [](const void* s) {
      if constexpr (requires { of<S>(s).fits(); }) of<S>(s).fits();
    };
    rules.activation = [](const void* s) -> std::optional<Op> {
      if constexpr (requires { of<S>(s).activation(); }) return of<S>(s).activation();
      return std::nullopt;
    };
    rules.rows = [](const void* s, Value o, Value a) { return of<S>(s).rows(o, a); };
    rules.check = [](const void* s, const Tensor& a, nn::AnswerFaults& faults) { of<S>(s).check(a, faults); };
    rules.taken = [](const void* s, Tensor a) {
      if constexpr (requires { of<S>(s).taken(a); }) return of<S>(s).taken(std::move(a));
      return a;
    };
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
  LossWeight weight_;
};

}  // namespace causeway
