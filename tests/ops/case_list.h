#pragma once

#include "tests/ops/op_case.h"

// The families of cases, each in a file of its name; case_list.cpp puts them together.

namespace causeway::tests {

OpCases activation_cases();
OpCases arithmetic_cases();
OpCases average_pool_cases();
OpCases comparison_cases();
OpCases conv_cases();
OpCases elementary_cases();
OpCases mat_mul_cases();
OpCases max_pool_cases();
OpCases reduce_cases();
OpCases softmax_cases();
OpCases stated_cases();

}  // namespace causeway::tests
