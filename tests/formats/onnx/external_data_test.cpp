#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"

namespace causeway::formats::onnx {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using tests::TemporaryFolder;

/// The fixture whose weight lies in d.bin from byte 4, in a folder without d.bin.
std::string graph_in(const TemporaryFolder& folder) {
  return folder.write("net.onnx", tests::bytes_of(tests::fixture("onnx/cases/external.onnx")));
}

Tensor answer(const std::string& path) {
  return ask(read_file(path), {{"x", Tensor::of<float>({2}, {1, 10})}}).at("y");
}

TEST(OnnxExternalData, IsMappedFromBesideTheGraph) {
  const TemporaryFolder folder;
  const std::string graph = graph_in(folder);
  folder.write("d.bin", tests::bytes_of(tests::fixture("onnx/cases/d.bin")));
  EXPECT_EQ(apart(answer(graph), Tensor::of<float>({2}, {2, 30})), 0);
  const SavedNetwork saved = read_file(graph);
  EXPECT_TRUE(saved.network.slots().at("w").numbers.is_mapped());
  const SavedNetwork copied = read_file(graph, {.mapped = false});
  EXPECT_EQ(apart(copied.network.slots().at("w").numbers, saved.network.slots().at("w").numbers), 0);
}

TEST(OnnxExternalData, IsNotReadThroughALink) {
  const TemporaryFolder folder, elsewhere;
  const std::string graph = graph_in(folder);
  const std::string numbers = elsewhere.write("d.bin", tests::bytes_of(tests::fixture("onnx/cases/d.bin")));
  std::filesystem::create_symlink(numbers, folder.file("d.bin"));
  EXPECT_THAT(tests::refusal_of([&] { read_file(graph); }),
              ElementsAre(EndsWith("1 tensor is kept in it ('w' first).")));
  std::filesystem::remove(folder.file("d.bin"));
  std::filesystem::create_hard_link(numbers, folder.file("d.bin"));
  EXPECT_THAT(tests::refusal_of([&] { read_file(graph); }),
              ElementsAre(EndsWith("1 tensor is kept in it ('w' first).")));
}

TEST(OnnxExternalData, IsOneFaultForTheFileWhereThereIsNoFolder) {
  const std::string bytes = tests::bytes_of(tests::fixture("onnx/cases/external.onnx"));
  const ByteSource source = ByteSource::in_memory("net.onnx", std::as_bytes(std::span(bytes.data(), bytes.size())));
  EXPECT_THAT(
      tests::refusal_of([&] { OnnxImporter().read(source, {}); }),
      ElementsAre("the file: 'd.bin' is beside no file: 1 tensor is kept in it ('w' first). Read the graph from "
                  "its folder."));
}

TEST(OnnxExternalData, IsReadFarBehindTwoGibibytes) {
  constexpr int64_t kOffset = 2'500'000'000;
  const TemporaryFolder folder;
  folder.write("d.bin", "");
  std::filesystem::resize_file(folder.file("d.bin"), 3'000'000'000);
  std::fstream data(folder.file("d.bin"), std::ios::in | std::ios::out | std::ios::binary);
  data.seekp(kOffset);
  const float numbers[] = {2, 3};
  data.write(reinterpret_cast<const char*>(numbers), sizeof numbers);
  data.close();
  EXPECT_EQ(apart(answer(folder.write("far.onnx", tests::bytes_of(tests::fixture("onnx/cases/far/external_far.onnx")))),
                  Tensor::of<float>({2}, {2, 30})),
            0);
}

}  // namespace
}  // namespace causeway::formats::onnx
