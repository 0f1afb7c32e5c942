#include "causeway/base/fault.h"

#include <charconv>
#include <system_error>

namespace causeway {
namespace {

std::string message_of(const std::vector<Fault>& faults) {
  std::string message;
  for (const Fault& fault : faults) {
    if (!message.empty()) message += '\n';
    message += fault.where.empty() ? fault.what : fault.where + ": " + fault.what;
  }
  return message;
}

template <class Number>
std::string shortest(Number number) {
  if (number != number) return "nan";  // whatever its sign
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
  return std::string(text, end.ptr);
}

}  // namespace

Refused::Refused(std::vector<Fault> faults) : std::runtime_error(message_of(faults)), faults_(std::move(faults)) {}

void unfit(std::string what) { throw Unfit(what); }

void refuse_if_any(std::vector<Fault> faults) {
  if (!faults.empty()) throw Refused(std::move(faults));
}

std::string text_of(double number) { return shortest(number); }
std::string text_of(float number) { return shortest(number); }

}  // namespace causeway
