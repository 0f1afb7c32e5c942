#pragma once

#include <string>
#include <string_view>

#include "causeway/graph/value.h"

namespace causeway::tests {

/// A type as the rows of a table write it: "float32 [N, 3, (L-1)/2]"; "? […]" of which nothing is known; or an integer
/// list whose entries are known, "int64 {N, 3}", or scalar, "int64 {3}!".
Type type_of_text(std::string_view text);

/// The reverse: what is known of a list stands behind its shape, "int64 [2] {N, 3}".
std::string text_of_type(const Type& type);

}  // namespace causeway::tests
