#include "causeway/base/check.h"

#include <string>

namespace causeway {

void broken_promise(const char* file, int line, const char* condition, const char* what) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what + " (" + condition + ")");
}

}  // namespace causeway
