#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace causeway::pipeline {

/// The moment a cell states, in microseconds since 1970 in UTC; none where the cell does not follow `format`.
///
/// Format   "" is ISO 8601: YYYY-MM-DD, or that with `T` or a space and hh:mm[:ss[.ffffff]], then nothing (UTC), `Z`
///          or ±hh:mm. Otherwise plain text and %Y %m %d %H %M %S %f %z %%, as strptime has them.
std::optional<int64_t> moment_of(std::string_view cell, std::string_view format = {});

/// Why a format cannot be used, or "".
std::string format_fault(std::string_view format);

/// ISO 8601 in UTC, as short as it is exact: 2024-02-29, or 2024-02-29T08:30:00.25Z.
std::string moment_text(int64_t microseconds);

}  // namespace causeway::pipeline
