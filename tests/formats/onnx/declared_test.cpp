// What a file declares beside its graph, and what the graph says.

#include <gmock/gmock.h>

#include "causeway/formats/byte_source.h"
#include "causeway/formats/onnx/graph_reader.h"
#include "causeway/formats/onnx/onnx_importer.h"
#include "causeway/formats/onnx/serialize.h"
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

// Memory and time are the file's own: more axes than any exporter writes are refused before a shape is worked out.
FileModel many_axes(size_t door, size_t initializer, std::vector<int64_t> reshaped) {
  FileModel model;
  model.ir_version = 8;
  model.opsets = {{"", 17}};
  model.graph.inputs = {{.name = "x", .dtype = DType::Float32, .shape = std::vector<Dim>(door, 1)}};
  model.graph.outputs = {{.name = "y", .dtype = DType::Float32, .shape = {}}};
  model.graph.initializers = {{.name = "w", .numbers = Tensor::of<float>(std::vector<int64_t>(initializer, 1), {1})},
                              {.name = "lengths", .numbers = Tensor::of_integers(std::move(reshaped))}};
  model.graph.nodes = {{.op = "Add", .inputs = {"x", "w"}, .outputs = {"sum"}},
                       {.op = "Reshape", .inputs = {"sum", "lengths"}, .outputs = {"y"}}};
  return model;
}

std::vector<std::string> refusal_behind_a_file(const FileModel& model) {
  const std::string bytes = serialized(model);
  return tests::refusal_of(
      [&] { OnnxImporter().read(ByteSource::in_memory("axes.onnx", std::as_bytes(std::span(bytes))), {}); });
}

TEST(OnnxDeclared, MoreThan64AxesAreRefused) {
  EXPECT_NO_THROW(read_graph(many_axes(64, 64, {1}), {}, {}, {}));
  EXPECT_THAT(refusal_behind_a_file(many_axes(65, 1, {1})),
              ElementsAre("input 'x': it has 65 axes, and at most 64 are read."));
  EXPECT_THAT(refusal_behind_a_file(many_axes(1, 65, {1})),
              ElementsAre("initializer 'w': it has 65 axes, and at most 64 are read."));
  EXPECT_THAT(refusal_behind_a_file(many_axes(1, 100'000, {1})),
              ElementsAre("initializer 'w': it has 100000 axes, and at most 64 are read."));
  EXPECT_THAT(refusal_behind_a_file(many_axes(1, 1, std::vector<int64_t>(65, 1))),
              ElementsAre("node 1 (Reshape): 'lengths' names 65 axes, and 64 are the most."));
}

}  // namespace
}  // namespace causeway::formats::onnx
