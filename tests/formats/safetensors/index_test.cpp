#include "causeway/formats/safetensors/index.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::safetensors {
namespace {

using testing::ElementsAre;
using tests::fixture;
using tests::refusal_of;

std::string path_of(std::string_view name) { return fixture("pytorch/sharded/" + std::string(name) + ".index.json"); }

TEST(SafetensorsIndex, ReadsItsShardsAsOneFile) {
  const ByteSource index = ByteSource::open(path_of("model.safetensors"));
  ASSERT_TRUE(claims_index(index));
  const SafetensorsFile sharded = read_sharded(index);
  const SafetensorsFile whole = read_safetensors(ByteSource::open(fixture("pytorch/plain.safetensors")));
  ASSERT_EQ(sharded.tensors.size(), whole.tensors.size());
  for (const StoredTensor& tensor : sharded.tensors) {
    const auto twin = std::find_if(whole.tensors.begin(), whole.tensors.end(),
                                   [&](const StoredTensor& other) { return other.name == tensor.name; });
    ASSERT_NE(twin, whole.tensors.end()) << tensor.name;
    EXPECT_TRUE(tensor.tensor().same_bits(twin->tensor())) << tensor.name;
  }
}

struct Case {
  const char *name, *line;
};
constexpr Case kRefused[] = {
    {"missing_shard", "missing_shard.index.json: 'model-00003.safetensors' is not there. 2 tensors need it."},
    {"missing_name",
     "tensor '2.bias': '2.bias' lies in 'model-00001-of-00002.safetensors', and the index does not say so."},
    {"extra_name",
     "tensor '3.bias': '3.bias' is said to lie in 'model-00001-of-00002.safetensors', and is in no shard."},
    {"wrong_shard",
     "tensor '2.bias': '2.bias' is said to lie in 'model-00002-of-00002.safetensors', and lies in "
     "'model-00001-of-00002.safetensors'."},
    {"outside",
     "outside.index.json: '../plain.safetensors' is no plain name of a file in the same folder. 1 tensor needs it."},
    {"absolute",
     "absolute.index.json: '/etc/passwd' is no plain name of a file in the same folder. 1 tensor needs it."},
    {"further_key", "further_key.index.json: it states 'more', and an index states 'metadata' and 'weight_map' alone."},
};
class SafetensorsIndexRefused : public testing::TestWithParam<Case> {};
TEST_P(SafetensorsIndexRefused, NamesThePlaceAndTheReason) {
  const ByteSource index = ByteSource::open(path_of(GetParam().name));
  EXPECT_THAT(refusal_of([&] { read_sharded(index); }), ElementsAre(GetParam().line));
}
INSTANTIATE_TEST_SUITE_P(Fixtures, SafetensorsIndexRefused, testing::ValuesIn(kRefused), tests::by_name);

TEST(SafetensorsIndex, NeedsItsFolder) {
  const std::string text = tests::bytes_of(path_of("model.safetensors"));
  const ByteSource piped = ByteSource::in_memory("index", std::as_bytes(std::span(text.data(), text.size())));
  EXPECT_THAT(refusal_of([&] { read_sharded(piped); }),
              ElementsAre("index: an index needs the folder its shards lie in. Read it by its path."));
}

TEST(SafetensorsIndex, NamesTheShardOfAFault) {
  const tests::TemporaryFolder folder;
  folder.write("shard", "short");
  const std::string path = folder.write("index", R"({"weight_map":{"a":"shard"}})");
  EXPECT_THAT(refusal_of([&] { read_sharded(ByteSource::open(path)); }),
              ElementsAre("shard, header: the file is 5 bytes, and the first 8 state the length of the header."));
}

TEST(SafetensorsIndex, TakesNoMoreThanTenThousandShards) {
  std::string map;
  for (int i = 0; i < 10'001; ++i) {
    map += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":\"s" + std::to_string(i) + '"';
  }
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("index", "{\"weight_map\":{" + map + "}}");
  EXPECT_THAT(refusal_of([&] { read_sharded(ByteSource::open(path)); }),
              ElementsAre("index: it names more than 10000 shards."));
}

}  // namespace
}  // namespace causeway::formats::safetensors
