#include "causeway/train/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "causeway/train/schedule_words.h"

namespace causeway {
namespace {

// Gathers the settings a schedule cannot have.
class Faults {
 public:
  explicit Faults(std::string_view schedule) : where_("schedule " + std::string(schedule)) {}

  Faults& count(std::string_view name, int64_t number) {
    return number >= 1 ? *this : say(name, std::to_string(number), "it is at least 1");
  }
  Faults& at_least(std::string_view name, double number, double least) {
    if (std::isfinite(number) && number >= least) return *this;
    return say(name, text_of(number), "it is finite and at least " + text_of(least));
  }
  Faults& say(std::string_view name, const std::string& number, const std::string& rule) {
    return say("'" + std::string(name) + "' is " + number + ", and " + rule + ".");
  }
  Faults& say(std::string what) {
    faults_.push_back({where_, std::move(what)});
    return *this;
  }
  std::vector<Fault> take() { return std::move(faults_); }

 private:
  std::string where_;
  std::vector<Fault> faults_;
};

// From 1 at 0 down to 0 at 1 and beyond.
double cosine(double share) { return (1 + std::cos(std::numbers::pi * std::min(share, 1.0))) / 2; }

double share_of(int64_t at, int64_t length) { return static_cast<double>(at) / static_cast<double>(length); }

}  // namespace

Json Schedule::json() const {
  Json json{Json::Object{}};
  json.set("kind", std::string(name()));
  for (auto& [key, value] : rules_->settings(settings_.get())) json.set(key, std::move(value));
  json.set("per", per_ == Per::Step ? "step" : "epoch");
  return json;
}

std::vector<Fault> Schedule::check() const {
  std::vector<Fault> faults = rules_->check(settings_.get());
  if (as<ReduceOnPlateau>() && per_ == Per::Step) {
    faults.push_back({"schedule " + std::string(name()),
                      "it counts steps, and a plateau is judged by the loss of an epoch. Let it count epochs."});
  }
  return faults;
}

std::vector<Fault> StepDecay::check() const {
  return Faults(kName).count("every", every).at_least("factor", factor, 0).take();
}
double StepDecay::rate(double own, int64_t at) const {
  const int64_t decays = at / every;
  return own * std::pow(factor, static_cast<double>(decays));
}

std::vector<Fault> ExponentialDecay::check() const { return Faults(kName).at_least("factor", factor, 0).take(); }
double ExponentialDecay::rate(double own, int64_t at) const { return own * std::pow(factor, static_cast<double>(at)); }

std::vector<Fault> Piecewise::check() const {
  Faults faults(kName);
  for (size_t i = 0; i < boundaries.size(); ++i) {
    if (boundaries[i] < (i == 0 ? 0 : boundaries[i - 1] + 1)) {
      faults.say("'boundaries' are at least 0 and rise, and number " + std::to_string(i) + " is " +
                 std::to_string(boundaries[i]) + ".");
    }
  }
  for (const double factor : factors) faults.at_least("factors", factor, 0);
  if (factors.size() != boundaries.size() + 1) {
    faults.say("it has " + std::to_string(factors.size()) + " factors and " + std::to_string(boundaries.size()) +
               " boundaries, and there is one factor more: each boundary parts two.");
  }
  return faults.take();
}
double Piecewise::rate(double own, int64_t at) const {
  const auto passed = std::upper_bound(boundaries.begin(), boundaries.end(), at) - boundaries.begin();
  return own * factors[static_cast<size_t>(passed)];
}

std::vector<Fault> PolynomialDecay::check() const {
  return Faults(kName).count("length", length).at_least("end", end, 0).at_least("power", power, 0).take();
}
double PolynomialDecay::rate(double own, int64_t at) const {
  return end + (own - end) * std::pow(1 - share_of(std::min(at, length), length), power);
}

std::vector<Fault> CosineDecay::check() const {
  return Faults(kName).count("length", length).at_least("minimum", minimum, 0).take();
}
double CosineDecay::rate(double own, int64_t at) const {
  return minimum + (own - minimum) * cosine(share_of(at, length));
}

std::vector<Fault> CosineRestarts::check() const {
  return Faults(kName).count("length", length).at_least("factor", factor, 1).take();
}
double CosineRestarts::rate(double own, int64_t at) const {
  if (factor == 1) return own * cosine(share_of(at % length, length));
  const auto first = static_cast<double>(length), place = static_cast<double>(at);
  const auto start_of = [&](double cycle) { return first * (std::pow(factor, cycle) - 1) / (factor - 1); };
  double cycle = std::floor(std::log1p(place / first * (factor - 1)) / std::log(factor));
  // The logarithms may miss a cycle that begins right here.
  while (start_of(cycle + 1) <= place) ++cycle;
  while (start_of(cycle) > place) --cycle;
  return own * cosine((place - start_of(cycle)) / (first * std::pow(factor, cycle)));
}

std::vector<Fault> LinearWarmup::check() const {
  Faults faults(kName);
  faults.count("length", length).at_least("start", start, 0);
  for (Fault& fault : then.check()) faults.say("'then': " + std::move(fault.what));
  if (then.as<ReduceOnPlateau>()) faults.say("'then' is reduce_on_plateau, which goes by losses and follows no other.");
  return faults.take();
}
double LinearWarmup::rate(double own, int64_t at) const {
  if (at >= length) return then.rate(own, at - length);
  return own * (start + (1 - start) * share_of(at, length));
}

std::vector<Fault> ReduceOnPlateau::check() const {
  Faults faults(kName);
  if (!(factor >= 0 && factor < 1)) faults.say("factor", text_of(factor), "it lies in [0, 1)");
  if (patience < 0) faults.say("patience", std::to_string(patience), "it is at least 0");
  return faults.at_least("threshold", threshold, 0).at_least("minimum", minimum, 0).take();
}

void train::Plateau::sees(double validation_loss) {
  if (!state_.best || validation_loss < *state_.best * (1 - rules_.threshold)) {
    state_.best = validation_loss;
    state_.worse = 0;
  } else if (++state_.worse > rules_.patience) {
    state_.rate = std::max(state_.rate * rules_.factor, rules_.minimum);
    state_.worse = 0;
  }
}

}  // namespace causeway
