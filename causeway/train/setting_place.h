#pragma once

#include <string_view>

#include "causeway/base/json.h"

namespace causeway::train {

/// Where the setting is stated that a sentence begins with ("'beta_1' is 1, ..."); the whole object where it is not.
const Json& setting_place(const Json& object, std::string_view sentence);

}  // namespace causeway::train
