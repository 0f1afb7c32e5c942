#include "causeway/cli/numbers.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::cli {
namespace {

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

CLI::Validator real_number(bool (*fits)(double number, double bound), double bound, const std::string& range) {
  return {[=](std::string& text) -> std::string {
            const std::optional<double> number = number_of<double>(text);
            if (number && !std::isfinite(*number)) return causeway::quoted(text) + " is not finite.";
            if (number && fits(*number, bound)) return {};
            return causeway::quoted(text) + " is no number " + range + ".";
          },
          ""};
}

}  // namespace

CLI::Validator whole_number(int64_t least, int64_t most) {
  const bool open = most == std::numeric_limits<int64_t>::max();
  const std::string range =
      open ? "of at least " + std::to_string(least) : "from " + std::to_string(least) + " to " + std::to_string(most);
  return {[=](std::string& text) -> std::string {
            const std::optional<int64_t> number = number_of<int64_t>(text);
            if (!number || *number < least || *number > most) {
              return causeway::quoted(text) + " is no whole number " + range + ".";
            }
            text = std::to_string(*number);
            return {};
          },
          ""};
}

CLI::Validator number_from(double least) {
  return real_number([](double number, double bound) { return number >= bound; }, least,
                     "of at least " + text_of(least));
}

CLI::Validator number_above(double bound) {
  return real_number([](double number, double below) { return number > below; }, bound, "above " + text_of(bound));
}

}  // namespace causeway::cli
