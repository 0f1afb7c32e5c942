#pragma once

#include <optional>
#include <string>
#include <vector>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"

namespace causeway::tests {

/// What a word or a JSON text states, read by a reader that collects faults; Refused with all of them.
template <class Stated>
Stated stated(std::optional<Stated> (*read)(const Json&, const std::string&, std::vector<Fault>&),
              const std::string& text) {
  std::vector<Fault> faults;
  const Json json = text.starts_with("{") ? parse_json(text, "") : Json(text);
  std::optional<Stated> made = read(json, "", faults);
  refuse_if_any(std::move(faults));
  return *std::move(made);
}

}  // namespace causeway::tests
