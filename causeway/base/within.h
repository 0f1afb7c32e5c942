#pragma once

#include <string>

#include "causeway/base/fault.h"

namespace causeway {

/// The refusal with "the file", where a fault stands there, called by its name.
inline Refused naming(const std::string& file, const Refused& refused) {
  std::vector<Fault> faults = refused.faults();
  for (Fault& fault : faults) {
    if (fault.where == "the file") fault.where = file;
  }
  return Refused(std::move(faults));
}

/// The refusal with each fault placed in `file`, for work on several files at once: "the file" is its name, and any other
/// place stands behind it.
inline Refused within(const std::string& file, const Refused& refused) {
  std::vector<Fault> faults = refused.faults();
  for (Fault& fault : faults) {
    if (fault.where.empty() || fault.where == "the file") {
      fault.where = file;
    } else if (!fault.where.starts_with(file)) {
      fault.where = file + ", " + fault.where;
    }
  }
  return Refused(std::move(faults));
}

/// Does `body`, a refusal of which is placed in `file`.
template <class Body>
auto in_file(const std::string& file, const Body& body) {
  try {
    return body();
  } catch (const Refused& refused) {
    throw within(file, refused);
  }
}

}  // namespace causeway
