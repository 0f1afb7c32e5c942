#pragma once

#include "tests/ops/op_case.h"

// The families of cases, each in a file of its name; case_list.cpp puts them together.

namespace causeway::tests {

OpCases activation_cases();
OpCases arithmetic_cases();
OpCases attention_cases();
OpCases average_pool_cases();
OpCases batch_norm_cases();
OpCases comparison_cases();
OpCases concat_cases();
OpCases conv_cases();
OpCases dropout_cases();
OpCases elementary_cases();
OpCases gather_cases();
OpCases layer_norm_cases();
OpCases mat_mul_cases();
OpCases max_pool_cases();
OpCases pad_cases();
OpCases recurrent_cases();
OpCases reduce_cases();
OpCases shaping_cases();
OpCases slice_cases();
OpCases softmax_cases();
OpCases sparsemax_cases();

}  // namespace causeway::tests
