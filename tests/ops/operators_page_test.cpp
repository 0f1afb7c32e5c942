#include "tests/ops/operators_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "causeway/ops/op_list.h"
#include "tests/support/files.h"

namespace causeway::tests {
namespace {

TEST(OperatorsPage, IsWhatTheListSays) {
  if (std::getenv("CAUSEWAY_WRITE_PAGES")) std::ofstream(operators_page_path(), std::ios::binary) << operators_page();
  EXPECT_EQ(bytes_of(operators_page_path()), operators_page())
      << "Run CAUSEWAY_WRITE_PAGES=1 ops_test --gtest_filter='OperatorsPage.*' and commit docs/operators.md.";
}

TEST(OperatorsPage, SaysSomethingOfEveryOp) {
  for (const ops::OpRow& row : ops::all_ops()) {
    EXPECT_EQ(operators_page().find("| " + std::string(row.name) + " |  |"), std::string::npos) << row.name;
  }
}

}  // namespace
}  // namespace causeway::tests
