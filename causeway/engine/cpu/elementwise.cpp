#include "causeway/engine/cpu/elementwise.h"

#include <limits>
#include <map>
#include <string_view>

#include "causeway/engine/cpu/elementwise_rows.h"
#include "causeway/ops/op_list.h"

namespace causeway::engine::cpu {
namespace {

// Steps whose op has no settings.
template <class S>
std::pair<const std::string_view, Code> plain(Code code) {
  return {S::kName, code};
}

const std::map<std::string_view, Code>& plain_codes() {
  static const std::map<std::string_view, Code> kCodes = {
      plain<ops::Add>(Code::Add),
      plain<ops::Sub>(Code::Sub),
      plain<ops::Mul>(Code::Mul),
      plain<ops::Div>(Code::Div),
      plain<ops::Max>(Code::Max),
      plain<ops::Min>(Code::Min),
      plain<ops::Pow>(Code::Pow),
      plain<ops::PRelu>(Code::PRelu),
      plain<ops::Fma>(Code::Fma),
      plain<ops::Where>(Code::Where),
      plain<ops::Equal>(Code::Equal),
      plain<ops::Less>(Code::Less),
      plain<ops::LessOrEqual>(Code::LessOrEqual),
      plain<ops::Greater>(Code::Greater),
      plain<ops::GreaterOrEqual>(Code::GreaterOrEqual),
      plain<ops::And>(Code::And),
      plain<ops::Or>(Code::Or),
      plain<ops::Xor>(Code::Xor),
      plain<ops::Identity>(Code::Copy),
      plain<ops::Neg>(Code::Neg),
      plain<ops::Abs>(Code::Abs),
      plain<ops::Reciprocal>(Code::Reciprocal),
      plain<ops::Sqrt>(Code::Sqrt),
      plain<ops::Sign>(Code::Sign),
      plain<ops::Floor>(Code::Floor),
      plain<ops::Ceil>(Code::Ceil),
      plain<ops::Round>(Code::Round),
      plain<ops::Not>(Code::Not),
      plain<ops::IsNaN>(Code::IsNaN),
      plain<ops::Relu>(Code::Relu),
      plain<ops::HardSwish>(Code::HardSwish),
      plain<ops::Softsign>(Code::Softsign),
      plain<ops::Exp>(Code::Exp),
      plain<ops::Log>(Code::Log),
      plain<ops::Sin>(Code::Sin),
      plain<ops::Cos>(Code::Cos),
      plain<ops::Erf>(Code::Erf),
      plain<ops::Tanh>(Code::Tanh),
      plain<ops::Sigmoid>(Code::Sigmoid),
      plain<ops::Softplus>(Code::Softplus),
      plain<ops::Mish>(Code::Mish),
  };
  return kCodes;
}

}  // namespace

Elementwise elementwise(Code code) {
  const Elementwise arithmetic = arithmetic_step(code);
  return arithmetic ? arithmetic : function_step(code);
}

std::optional<Coded> coded(const Op& op) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (const auto at = plain_codes().find(op.name()); at != plain_codes().end()) return Coded{at->second, {}};
  if (const auto* clip = op.as<ops::Clip>()) {
    return Coded{Code::Clip, {clip->low.value_or(-kInfinity), clip->high.value_or(kInfinity)}};
  }
  if (const auto* leaky = op.as<ops::LeakyRelu>()) return Coded{Code::LeakyRelu, {leaky->slope, 0}};
  if (const auto* hard = op.as<ops::HardSigmoid>()) return Coded{Code::HardSigmoid, {hard->alpha, hard->beta}};
  if (const auto* elu = op.as<ops::Elu>()) return Coded{Code::Elu, {elu->alpha, 1}};
  if (const auto* selu = op.as<ops::Selu>()) return Coded{Code::Elu, {selu->alpha, selu->gamma}};
  if (const auto* celu = op.as<ops::Celu>()) return Coded{Code::Celu, {celu->alpha, 0}};
  if (const auto* swish = op.as<ops::Swish>()) return Coded{Code::Swish, {swish->alpha, 0}};
  if (const auto* gelu = op.as<ops::Gelu>()) return Coded{gelu->tanh_form ? Code::GeluTanh : Code::Gelu, {}};
  return std::nullopt;
}

}  // namespace causeway::engine::cpu
