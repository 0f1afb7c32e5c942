#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace causeway::tests {

/// Names a parameterised test after its row's field `name`, as GoogleTest allows names: letters, digits and `_`.
inline constexpr auto by_name = [](const auto& row) {
  std::string name(row.param.name);
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
};

}  // namespace causeway::tests
