#pragma once

#include <string>

namespace causeway::tests {

/// docs/operators.md as it should be: a row an op of op_list.h, with what its header says of it.
std::string operators_page();

/// Where it lies.
std::string operators_page_path();

}  // namespace causeway::tests
