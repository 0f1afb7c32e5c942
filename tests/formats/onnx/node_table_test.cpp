#include "causeway/formats/onnx/node_table.h"

#include <gtest/gtest.h>

#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

TEST(OnnxNodeTable, IsInTheOrderOfNames) {
  const std::span<const NodeRow> rows = node_table();
  for (size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].op, rows[i].op);
}

TEST(OnnxNodeTable, HasNoRowThatNeitherReadsNorWrites) {
  for (const NodeRow& row : node_table()) EXPECT_TRUE(row.read || row.write) << row.op;
}

TEST(OnnxNodeTable, WritesEveryOpOfANetworkOrSaysWhyNot) {
  for (const ops::OpRow& op : ops::all_ops()) {
    EXPECT_NE(not_written(op.name), "no op of ONNX is this one, and it is not spelled out.") << op.name;
  }
}

TEST(OnnxNodeTable, RefusesNoOpThatItReads) {
  for (const NodeRow& row : node_table()) EXPECT_EQ(refused_op(row.op), "") << row.op;
}

struct Nearest {
  const char *op, *line;
};

constexpr Nearest kNearest[] = {
    {"Erfc", "no op of this type is read. The nearest is Erf."},
    {"Relu6", "no op of this type is read. The nearest is Relu."},
    {"Foo", "no op of this type is read."},
    {"", "no op of this type is read."},
};

TEST(OnnxNodeTable, NamesTheNearestOp) {
  for (const Nearest& row : kNearest) EXPECT_EQ(no_such_op(row.op), row.line);
}

}  // namespace
}  // namespace causeway::formats::onnx
