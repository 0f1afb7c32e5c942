#pragma once

#include <stdexcept>

namespace causeway {

[[noreturn]] void broken_promise(const char* file, int line, const char* condition, const char* what);

}  // namespace causeway

/// What only a mistake in a program can break; no input reaches one. Throws std::logic_error.
#define CAUSEWAY_CHECK(condition, what) \
  ((condition) ? static_cast<void>(0) : ::causeway::broken_promise(__FILE__, __LINE__, #condition, what))
