#include "causeway/formats/onnx/inline_functions.h"

#include <gmock/gmock.h>

#include <chrono>

#include "tests/support/refusal.h"

namespace causeway::formats::onnx {
namespace {

using testing::ElementsAre;
using testing::EndsWith;

FileNode call(std::string op, std::string domain = "d") {
  return {.op = std::move(op), .domain = std::move(domain), .inputs = {"a"}, .outputs = {"b"}};
}

// f0 is `leaf`, and each further function calls the one before it `times`; the graph calls the last.
FileModel chain(int functions, size_t times, std::vector<FileNode> leaf) {
  FileModel model;
  model.opsets = {{"", 18}, {"d", 1}};
  for (int i = 0; i < functions; ++i) {
    FileFunction function{.name = "f" + std::to_string(i), .domain = "d", .inputs = {"a"}, .outputs = {"b"}};
    function.opsets = model.opsets;
    if (i == 0) function.nodes = leaf;
    if (i > 0) function.nodes = std::vector<FileNode>(times, call("f" + std::to_string(i - 1)));
    model.functions.push_back(std::move(function));
  }
  model.graph.nodes = {call("f" + std::to_string(functions - 1))};
  return model;
}

struct Row {
  const char* name;
  int functions;
  size_t times;
  bool has_leaf;
  const char* ends;  // the refusal's; none where it is written out
};
constexpr const char* kTooMany = "with its functions written out it has more than 100000 nodes and calls.";
constexpr Row kRows[] = {
    {"as_deep_as_is_read", 64, 1, true, ""},
    {"a_step_deeper", 65, 1, true, "functions call each other more than 64 deep."},
    {"thousands_deep", 5000, 1, true, "functions call each other more than 64 deep."},
    {"multiplied_within_bounds", 8, 4, true, ""},
    {"multiplied_past_them", 31, 4, true, kTooMany},
    {"multiplied_and_empty", 31, 4, false, kTooMany},
    {"past_what_a_number_holds", 60, 1000, false, kTooMany},
};

TEST(OnnxFunctions, AreMeasuredBeforeTheyAreWrittenOut) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    FileModel model = chain(row.functions, row.times,
                            row.has_leaf ? std::vector<FileNode>{call("Relu", "")} : std::vector<FileNode>{});
    const auto start = std::chrono::steady_clock::now();
    if (*row.ends) {
      EXPECT_THAT(tests::refusal_of([&] { inlined_nodes(model); }), ElementsAre(EndsWith(row.ends)));
    } else {
      EXPECT_NO_THROW(inlined_nodes(model));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
}

// A call among the nodes of an If counts, and is seen in a ring, as one beside it.
TEST(OnnxFunctions, AreSeenInsideGraphsOfTheirNodes) {
  FileModel model = chain(2, 1, {});
  auto branch = std::make_shared<FileGraph>();
  branch->nodes = {call("f1")};
  FileNode choice = call("If", "");
  choice.attributes.push_back({.name = "then_branch", .kind = Attribute::Kind::Graph, .graph = branch});
  model.functions[0].nodes = {choice};
  EXPECT_THAT(
      tests::refusal_of([&] { inlined_nodes(model); }),
      ElementsAre("function 'd.f0', node 0 (d.f1): functions call each other in a ring: 'd.f1', 'd.f0', 'd.f1'."));
}

}  // namespace
}  // namespace causeway::formats::onnx
