// Every case of every op, written as ONNX at every set and read back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/formats/onnx/graph_writer.h"
#include "causeway/formats/onnx/node_table.h"
#include "causeway/formats/onnx/serialize.h"
#include "causeway/ops/op_list.h"
#include "causeway/reference/reference.h"
#include "tests/formats/onnx/asked.h"
#include "tests/formats/onnx/op_networks.h"
#include "tests/ops/case_graph.h"
#include "tests/support/refusal.h"

namespace causeway::formats::onnx {
namespace {

/// How far what is spelled out in other ops may lie apart; what moves or compares numbers keeps its bits.
double bound_of(const tests::OpCase& one) {
  const bool is_exact = one.bound.kind == tests::Bound::Kind::Relative && one.bound.relative == 0;
  return is_exact ? 1e-6 : 2e-5;
}

class OnnxOp : public testing::TestWithParam<std::string_view> {};

TEST_P(OnnxOp, IsTheSameBehindAFileOfAnySetOrIsRefused) {
  for (const tests::OpCase& one : tests::all_op_cases()) {
    if (one.op.name() != GetParam() || tests::has_hole_in_mask(one)) continue;
    SCOPED_TRACE(one.name);
    const std::vector<Tensor> inputs = tests::forward_graph(one).inputs;
    const SavedNetwork saved = tests::network_of(one);
    const std::vector<Tensor> wanted = tests::answers_of(saved, inputs);
    const std::string_view reason = not_written(GetParam());
    for (int64_t opset = 7; opset <= 25; ++opset) {
      SCOPED_TRACE("opset " + std::to_string(opset));
      SavedNetwork again;
      try {
        const std::string bytes = serialized(written_model(saved, {.opset = opset}));
        ASSERT_EQ(reason, "");
        again = OnnxImporter().read(ByteSource::in_memory("written.onnx", std::as_bytes(std::span(bytes))), {});
      } catch (const Refused& refused) {
        EXPECT_THAT(refused.what(), testing::HasSubstr(std::string(reason)));
        continue;
      }
      const std::vector<Tensor> found = tests::answers_of(again, inputs);
      ASSERT_EQ(found.size(), wanted.size());
      for (size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(found[i].dtype(), wanted[i].dtype()) << i;
        if (found[i].same_bits(wanted[i])) continue;
        EXPECT_LE(apart(found[i], wanted[i]), bound_of(one)) << i;
      }
    }
  }
}

TEST(OnnxRecurrent, RefusesWhatItKeepsForItsGradient) {
  for (const tests::OpCase& one : tests::all_op_cases()) {
    if (!one.op.is<ops::Recurrent>()) continue;
    tests::CaseGraph made = tests::forward_graph(one);
    const SavedNetwork saved{.network = Network(std::move(made.graph), std::move(made.slots))};
    EXPECT_THAT(tests::refusal_of([&] { written_model(saved, {}); }),
                testing::ElementsAre("node 0 (Recurrent): what it keeps for its gradient is read, and no op of ONNX "
                                     "gives it."));
  }
}

std::vector<std::string_view> names_of_ops() {
  std::vector<std::string_view> names;
  for (const ops::OpRow& row : ops::all_ops()) names.push_back(row.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, OnnxOp, testing::ValuesIn(names_of_ops()),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace causeway::formats::onnx
