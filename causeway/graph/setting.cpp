#include "causeway/graph/setting.h"

#include "causeway/base/quoted.h"

namespace causeway {
namespace {

template <class Number>
std::string list_text(const std::vector<Number>& numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    if constexpr (std::same_as<Number, double>) {
      text += text_of(numbers[i]);
    } else {
      text += std::to_string(numbers[i]);
    }
  }
  return text + "]";
}

}  // namespace

std::string setting_text(const Setting& setting) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "none"; }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return text_of(number); }
    std::string operator()(const std::string& word) const { return escaped(word); }
    std::string operator()(const std::vector<int64_t>& list) const { return list_text(list); }
    std::string operator()(const std::vector<double>& list) const { return list_text(list); }
    std::string operator()(const std::shared_ptr<const Graph>&) const { return "{…}"; }
  };
  return std::visit(Visitor{}, setting);
}

}  // namespace causeway
