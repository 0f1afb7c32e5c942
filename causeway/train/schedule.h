#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/nn/setting_words.h"

namespace causeway {

/// What a schedule counts: epochs or optimizer steps, both from 0.
enum class Per { Epoch, Step };

/// The optimizer's own rate, all along.
struct ConstantRate {
  static constexpr std::string_view kName = "constant";

  static void settings(auto&&) {}
  std::vector<Fault> check() const { return {}; }
  double rate(double own, int64_t) const { return own; }
};

/// How the learning rate moves over a run: a plain settings struct, held by value, with
///
///   static constexpr std::string_view kName;             its word
///   static void settings(auto&& each);
///   std::vector<Fault> check() const;                    settings it cannot have
///   double rate(double own, int64_t at) const;           the rate at a place counted from 0, in double, `own` being the
///                                                        optimizer's
///
/// A group of parameters with a rate of its own is moved in the same proportion.
class Schedule {
 public:
  Schedule() : Schedule(ConstantRate{}) {}
  template <class S>
  requires(!std::same_as<std::remove_cvref_t<S>, Schedule>)
      Schedule(S settings, Per per = Per::Epoch)  // NOLINT(google-explicit-constructor): a schedule is its settings
      : rules_(&kRulesOf<S>), settings_(std::make_shared<const S>(std::move(settings))), per_(per) {}

  template <class S>
  const S* as() const {
    return rules_ == &kRulesOf<S> ? static_cast<const S*>(settings_.get()) : nullptr;
  }
  std::string_view name() const { return rules_->name; }
  Per per() const { return per_; }
  /// {"kind": its word, every setting, "per": "epoch" or "step"}.
  Json json() const;
  std::vector<Fault> check() const;
  double rate(double own, int64_t at) const { return rules_->rate(settings_.get(), own, at); }

  friend bool operator==(const Schedule& a, const Schedule& b) { return a.json() == b.json(); }

  /// The same, counting something else.
  Schedule counting(Per per) const {
    Schedule other = *this;
    other.per_ = per;
    return other;
  }

 private:
  struct Rules {
    std::string_view name;
    Json::Object (*settings)(const void*) = nullptr;
    std::vector<Fault> (*check)(const void*) = nullptr;
    double (*rate)(const void*, double, int64_t) = nullptr;
  };
  template <class S>
  static constexpr Rules rules_of() {
    Rules rules;
    rules.name = S::kName;
    rules.settings = [](const void* s) { return nn::written_settings(*static_cast<const S*>(s), /*all=*/true); };
    rules.check = [](const void* s) { return static_cast<const S*>(s)->check(); };
    rules.rate = [](const void* s, double own, int64_t at) { return static_cast<const S*>(s)->rate(own, at); };
    return rules;
  }
  template <class S>
  static inline const Rules kRulesOf = rules_of<S>();

  const Rules* rules_;
  std::shared_ptr<const void> settings_;
  Per per_ = Per::Epoch;
};

// A schedule as a setting of another, whose count it takes.
void read_setting(const Json& json, Schedule& into);
Json write_setting(const Schedule& schedule);

}  // namespace causeway
