#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace causeway {

/// Why a file that a user named cannot be opened, in the same words whoever was asked to.
inline std::string not_opened(int error) {
  if (error == ENOENT) return "there is no file of this name.";
  return "it cannot be opened: " + std::system_category().message(error) + ".";
}

}  // namespace causeway
