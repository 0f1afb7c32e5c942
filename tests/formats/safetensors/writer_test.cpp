#include "causeway/formats/safetensors/writer.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace causeway::formats::safetensors {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const SafetensorsFile& file) {
  std::vector<std::string> names;
  for (const StoredTensor& tensor : file.tensors) names.push_back(tensor.name);
  return names;
}

std::vector<WrittenTensor> some_tensors() {
  return {{"b", Tensor::of<float>({2}, {1, 2}), {}},
          {"half", Tensor::of<Half>({1}, {to_half(1.5f)}), {}},
          {"count", Tensor::scalar<int64_t>(7), {}},
          {"a", Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}), Turn::permute({1, 0})}};
}

TEST(SafetensorsWriter, WritesWhatTheReaderReadsBack) {
  const tests::TemporaryFolder folder;
  write_safetensors(folder.file("a"), {{"format", "pt"}, {"line", "a\nb\"c"}}, some_tensors());
  const SafetensorsFile file = read_safetensors(ByteSource::open(folder.file("a")));
  EXPECT_THAT(names_of(file), ElementsAre("count", "a", "b", "half"));
  EXPECT_THAT(file.metadata, ElementsAre(testing::Pair("format", "pt"), testing::Pair("line", "a\nb\"c")));
  EXPECT_EQ(file.tensors[0].tensor().integer_at(0), 7);
  EXPECT_THAT(file.tensors[1].lengths, ElementsAre(3, 2));
  EXPECT_THAT(file.tensors[1].tensor().values<float>(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(file.tensors[2].tensor().values<float>(), ElementsAre(1, 2));
  EXPECT_EQ(file.tensors[3].kind->name, "F16");
}

TEST(SafetensorsWriter, KeepsTheGivenOrderWithinASize) {
  const tests::TemporaryFolder folder;
  write_safetensors(folder.file("a"), {}, some_tensors(), {.header_multiple = 64, .order = TensorOrder::AsGiven});
  const SafetensorsFile file = read_safetensors(ByteSource::open(folder.file("a")));
  EXPECT_THAT(names_of(file), ElementsAre("count", "b", "a", "half"));
}

TEST(SafetensorsWriter, BeginsTheDataAtAMultiple) {
  const tests::TemporaryFolder folder;
  for (const size_t multiple : {size_t{8}, size_t{64}}) {
    for (size_t length = 0; length < 70; ++length) {
      write_safetensors(folder.file("a"), {{"k", std::string(length, 'x')}}, some_tensors(),
                        {.header_multiple = multiple});
      uint64_t header = 0;
      const std::string bytes = tests::bytes_of(folder.file("a"));
      std::memcpy(&header, bytes.data(), sizeof header);
      EXPECT_EQ((sizeof header + header) % multiple, 0u);
      EXPECT_LT(bytes.find_last_of('}', sizeof header + header - 1) + multiple, sizeof header + header + multiple);
    }
  }
}

TEST(SafetensorsWriter, GivesTheSameBytesForTheSameTensors) {
  const tests::TemporaryFolder folder;
  std::vector<WrittenTensor> tensors = some_tensors();
  write_safetensors(folder.file("a"), {{"format", "pt"}}, tensors);
  std::swap(tensors[0], tensors[3]);
  write_safetensors(folder.file("b"), {{"format", "pt"}}, tensors);
  EXPECT_EQ(tests::bytes_of(folder.file("a")), tests::bytes_of(folder.file("b")));
}

TEST(SafetensorsWriter, WritesAFileWithoutTensors) {
  const tests::TemporaryFolder folder;
  write_safetensors(folder.file("a"), {}, {});
  EXPECT_TRUE(read_safetensors(ByteSource::open(folder.file("a"))).tensors.empty());
}

}  // namespace
}  // namespace causeway::formats::safetensors
