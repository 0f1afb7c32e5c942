#include "causeway/train/optimizer.h"

#include <array>
#include <string>

namespace causeway {
namespace {

constexpr std::array<std::string_view, 4> kCommon{"rate", "descent", "decay", "kept"};

}  // namespace

void read_setting(const Json& json, ByForm& into) {
  double number = 0;
  nn::read_setting(json, number);
  into = number;
}

Json write_setting(const ByForm& value) { return double{value}; }

Json Optimizer::json() const {
  Json json{Json::Object{}};
  json.set("kind", std::string(name()));
  for (auto& [key, value] : rules_->settings(settings_.get())) json.set(key, std::move(value));
  return json;
}

std::vector<std::string_view> Optimizer::scalars() const {
  std::vector<std::string_view> names(kCommon.begin(), kCommon.end());
  for (const std::string_view own : rules_->scalars(settings_.get())) names.push_back(own);
  return names;
}

void Optimizer::work(const train::StepNumbers& at, double decay, std::span<double> into) const {
  into[0] = at.rate;
  into[1] = -at.rate;
  into[2] = decay;
  into[3] = 1 - at.rate * decay;
  rules_->work(settings_.get(), at, into.subspan(kCommon.size()));
}

}  // namespace causeway
