#include "causeway/train/optimizer.h"

#include <cmath>
#include <string>

#include "causeway/ops/build.h"

namespace causeway {
namespace {

using train::SlotStep;

// Settings a rule cannot have, each where it is.
class SettingFaults {
 public:
  explicit SettingFaults(std::string_view optimizer) : where_("optimizer " + std::string(optimizer)) {}

  void rate(double value) {
    if (!std::isfinite(value) || value <= 0) add("learning_rate", value, "a rate is finite and above 0");
  }
  void share(std::string_view name, double value) {
    if (!(value >= 0 && value < 1)) add(name, value, "it lies in [0, 1)");
  }
  void at_least_nought(std::string_view name, double value) {
    if (!std::isfinite(value) || value < 0) add(name, value, "it is finite and at least 0");
  }
  void say(std::string what) { faults_.push_back({where_, std::move(what)}); }
  std::vector<Fault> take() { return std::move(faults_); }

 private:
  void add(std::string_view name, double value, std::string_view rule) {
    say("'" + std::string(name) + "' is " + text_of(value) + ", and " + std::string(rule) + ".");
  }
  std::string where_;
  std::vector<Fault> faults_;
};

// PyTorch's lerp: exact at both ends.
Value lerp(Value from, Value to, double weight) {
  const auto share = static_cast<float>(weight);
  const Value difference = ops::sub(to, from);
  if (weight < 0.5) return ops::fma(difference, ops::number_like(to, share), from);
  return ops::fma(ops::neg(difference), ops::number_like(to, static_cast<float>(1 - weight)), to);
}

// What Adam and AdamW share, from the gradient on.
template <class S>
Value adam_step(const S& settings, const SlotStep& slot, Value weight, Value gradient) {
  const Value average = lerp(slot.memory("exp_avg"), gradient, 1 - settings.beta_1);
  slot.remember("exp_avg", average);
  const Value square = ops::fma(ops::scale(gradient, static_cast<float>(1 - settings.beta_2)), gradient,
                                ops::scale(slot.memory("exp_avg_sq"), static_cast<float>(settings.beta_2)));
  slot.remember("exp_avg_sq", square);
  Value under_root = square;
  if (settings.amsgrad) {
    under_root = ops::max(slot.memory("max_exp_avg_sq"), square);
    slot.remember("max_exp_avg_sq", under_root);
  }
  const Value divisor = ops::shifted(ops::div(ops::sqrt(under_root), slot.scalar("second_correction")),
                                     static_cast<float>(settings.epsilon));
  return ops::add(weight, ops::div(ops::mul(slot.scalar("step_size"), average), divisor));
}

template <class S>
void adam_work(const S& settings, double rate, int64_t step, std::span<double> into) {
  const auto t = static_cast<double>(step);
  into[0] = -rate / (1 - std::pow(settings.beta_1, t));
  into[1] = std::sqrt(1 - std::pow(settings.beta_2, t));
}

template <class S>
std::vector<Fault> adam_faults(const S& settings) {
  SettingFaults faults(S::kName);
  faults.rate(settings.learning_rate);
  faults.share("beta_1", settings.beta_1);
  faults.share("beta_2", settings.beta_2);
  faults.at_least_nought("epsilon", settings.epsilon);
  faults.at_least_nought("weight_decay", settings.weight_decay);
  return faults.take();
}

template <class S>
std::vector<std::string_view> adam_memory(const S& settings) {
  if (settings.amsgrad) return {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
  return {"exp_avg", "exp_avg_sq"};
}

}  // namespace

std::vector<Fault> Sgd::check() const {
  SettingFaults faults(kName);
  faults.rate(learning_rate);
  faults.at_least_nought("momentum", momentum);
  faults.at_least_nought("weight_decay", weight_decay);
  if (nesterov && (momentum <= 0 || dampening != 0)) {
    faults.say("'nesterov' needs a momentum above 0 and a dampening of 0.");
  }
  return faults.take();
}

std::vector<std::string_view> Sgd::memory() const {
  if (momentum == 0) return {};
  return {"momentum_buffer"};
}

std::vector<std::string_view> Sgd::scalars() const { return {"step_size", "decay", "taken"}; }

// The first step has no buffer yet: the gradient is taken whole.
void Sgd::work(double rate, double decay, int64_t step, std::span<double> into) const {
  into[0] = -rate;
  into[1] = decay;
  into[2] = step == 1 ? 1 : 1 - dampening;
}

Value Sgd::step(const SlotStep& slot) const {
  Value gradient = slot.gradient;
  if (slot.decay != 0) gradient = ops::fma(slot.weight, slot.scalar("decay"), gradient);
  if (momentum != 0) {
    const Value kept = ops::scale(slot.memory("momentum_buffer"), static_cast<float>(momentum));
    const Value buffer = ops::fma(gradient, slot.scalar("taken"), kept);
    slot.remember("momentum_buffer", buffer);
    gradient = nesterov ? ops::fma(buffer, ops::number_like(buffer, static_cast<float>(momentum)), gradient) : buffer;
  }
  return ops::fma(gradient, slot.scalar("step_size"), slot.weight);
}

std::vector<Fault> Adam::check() const { return adam_faults(*this); }
std::vector<std::string_view> Adam::memory() const { return adam_memory(*this); }

std::vector<std::string_view> Adam::scalars() const { return {"step_size", "second_correction", "decay"}; }

void Adam::work(double rate, double decay, int64_t step, std::span<double> into) const {
  adam_work(*this, rate, step, into);
  into[2] = decay;
}

Value Adam::step(const SlotStep& slot) const {
  const Value gradient = slot.decay != 0 ? ops::fma(slot.weight, slot.scalar("decay"), slot.gradient) : slot.gradient;
  return adam_step(*this, slot, slot.weight, gradient);
}

std::vector<Fault> AdamW::check() const { return adam_faults(*this); }
std::vector<std::string_view> AdamW::memory() const { return adam_memory(*this); }

std::vector<std::string_view> AdamW::scalars() const { return {"step_size", "second_correction", "kept"}; }

void AdamW::work(double rate, double decay, int64_t step, std::span<double> into) const {
  adam_work(*this, rate, step, into);
  into[2] = 1 - rate * decay;
}

Value AdamW::step(const SlotStep& slot) const {
  return adam_step(*this, slot, ops::mul(slot.weight, slot.scalar("kept")), slot.gradient);
}

}  // namespace causeway
