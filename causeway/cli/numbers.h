#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace causeway::cli {

// What a numeric option takes. Anything else is a wrong command line, and one sentence says what is taken.

/// A whole number in decimal from `least` to `most`; a transform(), since the parser itself takes 010 for an eight.
CLI::Validator whole_number(int64_t least, int64_t most = std::numeric_limits<int64_t>::max());
/// A finite number of at least `least`.
CLI::Validator number_from(double least);
/// A finite number above `bound`.
CLI::Validator number_above(double bound);

}  // namespace causeway::cli
