#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/graph/graph.h"

namespace causeway {

namespace train {

/// What an optimizer's rule works with for one slot: its value and gradient, its memory by name (as large as the slot,
/// zeros at first), and the scalars of the step. All are graph values; the rule adds nodes and assigns memory.
struct SlotStep {
  GraphBuilder& graph;
  Value weight, gradient;
  /// Weight decay of the slot's group.
  double decay = 0;
  std::function<Value(std::string_view name)> memory;
  std::function<void(std::string_view name, Value value)> remember;
  std::function<Value(std::string_view name)> scalar;
};

}  // namespace train

/// An optimizer: a plain settings struct, held by value, with
///
///   static constexpr std::string_view kName;                            its word
///   double learning_rate;                                               and its other settings
///   static void fields(auto& each);
///   std::vector<Fault> check() const;                                   settings it cannot have
///   std::vector<std::string_view> memory() const;                       PyTorch's names of what it keeps a slot
///   std::vector<std::string_view> scalars() const;                      names of the numbers that change from step to
///                                                                       step
///   void work(double rate, double decay, int64_t step, std::span<double> into) const;    those numbers, in that order;
///                                                                       step counts from 1
///   Value step(const train::SlotStep& slot) const;                      the slot's next value
///
/// Arithmetic and order are PyTorch's on the processor: float32, each weight by itself, a product and a sum fused where
/// PyTorch fuses them and nowhere else.
class Optimizer {
 public:
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Optimizer>)
      Optimizer(S settings)  // NOLINT(google-explicit-constructor): an optimizer is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(std::move(settings))) {}

  std::string_view name() const { return rules_->name; }
  Settings settings() const { return rules_->settings(settings_.get()); }
  double learning_rate() const { return rules_->rate(settings_.get()); }
  double weight_decay() const { return rules_->decay(settings_.get()); }
  std::vector<Fault> check() const { return rules_->check(settings_.get()); }
  std::vector<std::string_view> memory() const { return rules_->memory(settings_.get()); }
  std::vector<std::string_view> scalars() const { return rules_->scalars(settings_.get()); }
  void work(double rate, double decay, int64_t step, std::span<double> into) const {
    rules_->work(settings_.get(), rate, decay, step, into);
  }
  Value step(const train::SlotStep& slot) const { return rules_->step(settings_.get(), slot); }

 private:
  struct Rules {
    std::string_view name;
    Settings (*settings)(const void*) = nullptr;
    double (*rate)(const void*) = nullptr;
    double (*decay)(const void*) = nullptr;
    std::vector<Fault> (*check)(const void*) = nullptr;
    std::vector<std::string_view> (*memory)(const void*) = nullptr;
    std::vector<std::string_view> (*scalars)(const void*) = nullptr;
    void (*work)(const void*, double, double, int64_t, std::span<double>) = nullptr;
    Value (*step)(const void*, const train::SlotStep&) = nullptr;
  };
  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    rules.name = S::kName;
    rules.settings = [](const void* s) { return settings_of(*static_cast<const S*>(s)); };
    rules.rate = [](const void* s) { return static_cast<const S*>(s)->learning_rate; };
    rules.decay = [](const void* s) { return static_cast<const S*>(s)->weight_decay; };
    rules.check = [](const void* s) { return static_cast<const S*>(s)->check(); };
    rules.memory = [](const void* s) { return static_cast<const S*>(s)->memory(); };
    rules.scalars = [](const void* s) { return static_cast<const S*>(s)->scalars(); };
    rules.work = [](const void* s, double rate, double decay, int64_t step, std::span<double> into) {
      static_cast<const S*>(s)->work(rate, decay, step, into);
    };
    rules.step = [](const void* s, const train::SlotStep& slot) { return static_cast<const S*>(s)->step(slot); };
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
};

/// Gradient descent, with or without momentum. Memory: momentum_buffer.
struct Sgd {
  static constexpr std::string_view kName = "sgd";
  double learning_rate = 1e-3, momentum = 0, dampening = 0, weight_decay = 0;
  bool nesterov = false;

  static void fields(auto&& each) {
    each("learning_rate", &Sgd::learning_rate);
    each("momentum", &Sgd::momentum);
    each("dampening", &Sgd::dampening);
    each("nesterov", &Sgd::nesterov);
    each("weight_decay", &Sgd::weight_decay);
  }
  std::vector<Fault> check() const;
  std::vector<std::string_view> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(double rate, double decay, int64_t step, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

/// Kingma and Ba 2014, https://arxiv.org/abs/1412.6980. Memory: exp_avg, exp_avg_sq, and max_exp_avg_sq with amsgrad.
struct Adam {
  static constexpr std::string_view kName = "adam";
  double learning_rate = 1e-3, beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-8, weight_decay = 0;
  bool amsgrad = false;

  static void fields(auto&& each) {
    each("learning_rate", &Adam::learning_rate);
    each("beta_1", &Adam::beta_1);
    each("beta_2", &Adam::beta_2);
    each("epsilon", &Adam::epsilon);
    each("weight_decay", &Adam::weight_decay);
    each("amsgrad", &Adam::amsgrad);
  }
  std::vector<Fault> check() const;
  std::vector<std::string_view> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(double rate, double decay, int64_t step, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

/// Adam with its decay taken from the weight itself: Loshchilov and Hutter 2017, https://arxiv.org/abs/1711.05101.
struct AdamW {
  static constexpr std::string_view kName = "adamw";
  double learning_rate = 1e-3, beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-8, weight_decay = 0.01;
  bool amsgrad = false;

  static void fields(auto&& each) {
    each("learning_rate", &AdamW::learning_rate);
    each("beta_1", &AdamW::beta_1);
    each("beta_2", &AdamW::beta_2);
    each("epsilon", &AdamW::epsilon);
    each("weight_decay", &AdamW::weight_decay);
    each("amsgrad", &AdamW::amsgrad);
  }
  std::vector<Fault> check() const;
  std::vector<std::string_view> memory() const;
  std::vector<std::string_view> scalars() const;
  void work(double rate, double decay, int64_t step, std::span<double> into) const;
  Value step(const train::SlotStep& slot) const;
};

}  // namespace causeway
