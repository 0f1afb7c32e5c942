// What a file declares beside its graph, and what the graph says.

#include <gmock/gmock.h>

#include "causeway/formats/onnx/graph_reader.h"
#include "tests/support/refusal.h"

namespace causeway::formats::onnx {
namespace {

using testing::Contains;
using testing::ElementsAre;

// y = x + w, with w [4] as an initializer that is declared as an input too.
FileModel sum(Shape declared_w, Shape declared_y) {
  FileModel model;
  model.ir_version = 8;
  model.opsets = {{"", 17}};
  model.graph.inputs = {{.name = "x", .dtype = DType::Float32, .shape = std::vector<Dim>{3, 4}},
                        {.name = "w", .dtype = DType::Float32, .shape = std::move(declared_w)}};
  model.graph.outputs = {{.name = "y", .dtype = DType::Float32, .shape = std::move(declared_y)}};
  model.graph.initializers = {{.name = "w", .numbers = Tensor::of<float>({4}, {1, 2, 3, 4})}};
  model.graph.nodes = {{.op = "Add", .inputs = {"x", "w"}, .outputs = {"y"}}};
  return model;
}

TEST(OnnxDeclared, ShapeOfAnInitializerHolds) {
  for (const Shape& declared : {Shape(), Shape(std::vector<Dim>{4}), Shape(std::vector<Dim>{Dim::named("N")})}) {
    EXPECT_NO_THROW(read_graph(sum(declared, {}), {}, {}, {})) << declared.text();
  }
  EXPECT_THAT(tests::refusal_of([] {
                read_graph(sum(std::vector<Dim>{4, 5}, {}), {}, {}, {});
              }),
              ElementsAre("input 'w': it is declared as [4, 5], and the initializer of its name is [4]."));
}

TEST(OnnxDeclared, ShapeOfAnOutputIsNotedWhereTheGraphMakesAnother) {
  const char* note = "output 'y': it is declared as [2, 4], and the graph makes [3, 4].";
  EXPECT_THAT(read_graph(sum({}, std::vector<Dim>{2, 4}), {}, {}, {}).notes, Contains(note));
  EXPECT_THAT(read_graph(sum({}, std::vector<Dim>{Dim::named("N"), 4}), {}, {}, {}).notes,
              testing::Not(Contains(note)));
}

}  // namespace
}  // namespace causeway::formats::onnx
