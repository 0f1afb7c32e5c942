#include "tests/ops/case_list.h"

#include "tests/ops/op_case.h"

namespace causeway::tests {
namespace {

using Family = OpCases (*)();
// clang-format off
constexpr Family kFamilies[] = {
    activation_cases,
    arithmetic_cases,
    attention_cases,
    average_pool_cases,
    batch_norm_cases,
    comparison_cases,
    concat_cases,
    conv_cases,
    dropout_cases,
    elementary_cases,
    gather_cases,
    layer_norm_cases,
    mat_mul_cases,
    max_pool_cases,
    pad_cases,
    recurrent_cases,
    reduce_cases,
    shaping_cases,
    slice_cases,
    softmax_cases,
    sparsemax_cases,
};
// clang-format on

}  // namespace

const OpCases& all_op_cases() {
  static const OpCases kAll = [] {
    OpCases all;
    for (const Family family : kFamilies) {
      for (OpCase& one : family()) all.push_back(std::move(one));
    }
    return all;
  }();
  return kAll;
}

}  // namespace causeway::tests
