#include "causeway/formats/safetensors/container.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::safetensors {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;
using tests::fixture;
using tests::refusal_of;

ByteSource source_of(std::string_view bytes) {
  return ByteSource::in_memory("memory", std::as_bytes(std::span(bytes.data(), bytes.size())));
}

/// A file of that header and that many bytes of data, 0, 1, 2 …
ByteSource source_of(std::string_view header, size_t data_size) {
  const uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  for (size_t i = 0; i < data_size; ++i) file += static_cast<char>(i);
  return source_of(file);
}

struct Case {
  const char *name, *line;
};
constexpr Case kRefused[] = {
    {"after_object", "header: from its byte 71 on it is no JSON."},
    {"axes_33", "tensor '0.weight': its 'shape' has more than 32 axes."},
    {"begin_past_end", "tensor '0.weight': its 'data_offsets' are [4, 0], and the data is 4 bytes."},
    {"deep", "header: its JSON nests deeper than 32."},
    {"dim_fraction", "tensor '0.weight': its 'shape' is no list of whole numbers of at least 0."},
    {"dim_negative", "tensor '0.weight': its 'shape' is no list of whole numbers of at least 0."},
    {"dims_overflow",
     "tensor '0.weight': its shape [4611686018427387904, 4611686018427387904] is of more numbers than can be counted."},
    {"dims_overflow_zero",
     "tensor 'k': its shape [4611686018427387904, 4611686018427387904, 0] is of more numbers than can be counted."},
    {"field_missing",
     "tensor '0.weight': it states no 'shape', and an entry states 'dtype', 'shape' and 'data_offsets'."},
    {"field_unknown",
     "tensor '0.weight': it states 'more', and an entry states 'dtype', 'shape' and 'data_offsets' alone."},
    {"gap", "tensor 'k': its 'data_offsets' begin at 8, and the 4 bytes before belong to no tensor."},
    {"header_99_mb", "header: it is stated as 99000000 bytes, and the file holds 92."},
    {"header_empty", "header: it is empty, and a JSON object stands there."},
    {"header_ff", "header: it is stated as 18446744073709551615 bytes, and at most 100000000 are read."},
    {"metadata_number", "header: '__metadata__' holds 'a', whose value is no text."},
    {"metadata_twice", "header: '__metadata__' holds 'a' twice."},
    {"not_json", "header: from its byte 1 on it is no JSON."},
    {"not_object", "header: it is no JSON object."},
    {"not_utf8", "header: from its byte 2 on it is no JSON."},
    {"number_dtype_lower", "tensor '0.weight': its 'dtype' is 'f32', and safetensors has no such kind."},
    {"number_dtype_unknown", "tensor '0.weight': its 'dtype' is 'F31', and safetensors has no such kind."},
    {"offsets_huge", "tensor '0.weight': its 'data_offsets' are no two whole numbers."},
    {"offsets_three", "tensor '0.weight': its 'data_offsets' are no two whole numbers."},
    {"one_in_nothing",
     "tensor '0.weight': its 'data_offsets' [0, 0] span 0 bytes, and its shape [1, 1] of F32 takes 4."},
    {"overlap", "tensor 'k': its 'data_offsets' [0, 4] overlap those of '0.weight', [0, 4]."},
    {"past_end", "tensor '0.weight': its 'data_offsets' are [0, 4], and the data is 0 bytes."},
    {"seven_bytes", "header: the file is 7 bytes, and the first 8 state the length of the header."},
    {"tail", "tensor '0.weight': it is the last, and behind it 8 bytes of the data belong to no tensor."},
    {"twice_apart", "tensor '0.weight': '0.weight' is written twice, and only one of the two could be read."},
    {"twice_same", "tensor '0.weight': '0.weight' is written twice, and only one of the two could be read."},
};
class SafetensorsRefused : public testing::TestWithParam<Case> {};
TEST_P(SafetensorsRefused, NamesThePlaceAndTheReason) {
  const ByteSource source = ByteSource::open(fixture("pytorch/" + std::string(GetParam().name) + ".safetensors"));
  EXPECT_THAT(refusal_of([&] { read_safetensors(source); }), ElementsAre(GetParam().line));
}
INSTANTIATE_TEST_SUITE_P(Fixtures, SafetensorsRefused, testing::ValuesIn(kRefused), tests::by_name);

struct Text {
  const char *name, *header;
  size_t data_size;
  const char* part;  ///< Of the one fault's text.
};
constexpr Text kTexts[] = {
    {"entry_is_a_number", R"({"a":5})", 0, "is no object of 'dtype', 'shape' and 'data_offsets'."},
    {"entry_is_a_list", R"({"a":[{"dtype":"F32"}]})", 0, "is no object of 'dtype'"},
    {"dtype_is_a_number", R"({"a":{"dtype":1,"shape":[],"data_offsets":[0,4]}})", 4, "'dtype' is no text."},
    {"dtype_twice", R"({"a":{"dtype":"F32","dtype":"F32","shape":[],"data_offsets":[0,4]}})", 4, "'dtype' twice."},
    {"shape_is_an_object", R"({"a":{"dtype":"F32","shape":{},"data_offsets":[0,4]}})", 4, "'shape' is no list"},
    {"shape_holds_a_list", R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4, "'shape' is no list"},
    {"length_is_true", R"({"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}})", 4, "'shape' is no list"},
    {"length_past_int64", R"({"a":{"dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,4]}})", 4,
     "'shape' is no list"},
    {"one_offset", R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0]}})", 4, "no two whole numbers."},
    {"negative_zero", R"({"a":{"dtype":"F32","shape":[-0],"data_offsets":[0,0]}})", 0, "'shape' is no list"},
    {"half_a_byte", R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2, "fills no whole number of bytes."},
    {"metadata_is_a_list", R"({"__metadata__":[]})", 0, "neither null nor an object of texts."},
    {"metadata_holds_an_object", R"({"__metadata__":{"a":{"b":"c"}}})", 0, "whose value is no text."},
    {"metadata_itself_twice", R"({"__metadata__":{},"__metadata__":{}})", 0, "'__metadata__' is written twice"},
    {"data_without_tensors", R"({})", 3, "3 bytes of the data belong to no tensor."},
    {"byte_order_mark", "\xEF\xBB\xBF{}", 0, "it is no JSON object."},
    {"a_comment", R"({}/**/)", 0, "it is no JSON."},
};
class SafetensorsText : public testing::TestWithParam<Text> {};
TEST_P(SafetensorsText, IsRefusedOnce) {
  EXPECT_THAT(refusal_of([&] { read_safetensors(source_of(GetParam().header, GetParam().data_size)); }),
              ElementsAre(HasSubstr(GetParam().part)));
}
INSTANTIATE_TEST_SUITE_P(Headers, SafetensorsText, testing::ValuesIn(kTexts), tests::by_name);

TEST(Safetensors, NamesEveryFaultyEntryAtOnce) {
  const ByteSource source = source_of(R"({"a":{"dtype":"F31","shape":[],"data_offsets":[0,4]},"b":{"shape":[]},)"
                                      R"("c":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})",
                                      4);
  EXPECT_THAT(refusal_of([&] { read_safetensors(source); }),
              ElementsAre(HasSubstr("tensor 'a': its 'dtype' is 'F31'"), HasSubstr("tensor 'b': it states no 'dtype'"),
                          HasSubstr("tensor 'c': its 'data_offsets' [0, 4] span 4 bytes")));
}

TEST(Safetensors, ReadsTensorsInTheOrderOfTheHeader) {
  const SafetensorsFile file = read_safetensors(
      source_of(R"(  {"b":{"dtype":"U8","shape":[2,1],"data_offsets":[4,6]},"__metadata__":{"k":"v"},)"
                R"("a":{"dtype":"I32","shape":[],"data_offsets":[0,4]},"e":{"dtype":"F64","shape":[0,3],)"
                R"("data_offsets":[6,6]}} )",
                6));
  ASSERT_EQ(file.tensors.size(), 3u);
  EXPECT_EQ(file.tensors[0].name, "b");
  EXPECT_EQ(file.tensors[0].tensor().integer_at(1), 5);
  EXPECT_EQ(file.tensors[1].tensor().integer_at(0), 0x03020100);
  EXPECT_THAT(file.tensors[2].lengths, ElementsAre(0, 3));
  ASSERT_NE(file.find_metadata("k"), nullptr);
  EXPECT_EQ(*file.find_metadata("k"), "v");
  EXPECT_EQ(file.find_metadata("format"), nullptr);
}

TEST(Safetensors, MapsWhatIsAlignedAndCopiesTheRest) {
  const ByteSource aligned = ByteSource::open(fixture("pytorch/plain.safetensors"));
  for (const StoredTensor& tensor : read_safetensors(aligned).tensors) EXPECT_TRUE(tensor.tensor().is_mapped());
  const SafetensorsFile file = read_safetensors(ByteSource::open(fixture("pytorch/unaligned.safetensors")));
  EXPECT_FALSE(file.tensors[0].tensor().is_mapped());
  EXPECT_THAT(file.tensors[0].tensor().values<float>(), ElementsAre(FloatEq(1.0f)));
}

TEST(Safetensors, RefusesABoolThatIsNeitherNorEither) {
  const SafetensorsFile file =
      read_safetensors(source_of(R"({"a":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})", 3));
  EXPECT_EQ(tests::unfit_of([&] { file.tensors[0].tensor(); }),
            "'a' is bool, and holds a byte that is neither 0 nor 1.");
}

TEST(Safetensors, IsToldByItsFirstBytes) {
  EXPECT_TRUE(claims_safetensors(ByteSource::open(fixture("pytorch/spaces.safetensors"))));
  EXPECT_FALSE(claims_safetensors(ByteSource::open(fixture("pytorch/plain.pt"))));
  EXPECT_FALSE(claims_safetensors(source_of("{}")));
}

TEST(Safetensors, ReadsOrRefusesWhateverIsCutOrFlipped) {
  const std::string good = tests::bytes_of(fixture("pytorch/plain.safetensors"));
  const auto read = [](std::string_view bytes) {
    try {
      read_safetensors(source_of(bytes));
      return true;
    } catch (const Refused&) {
      return false;
    }
  };
  for (size_t length = 0; length < good.size(); ++length) EXPECT_FALSE(read(good.substr(0, length))) << length;
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string flipped = good;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    read(flipped);
  }
}

TEST(Safetensors, ReadsManyNamesInTheTimeTheyTake) {
  std::string header = "{";
  for (int i = 0; i < 200'000; ++i) {
    if (i > 0) header += ',';
    header += '"' + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  }
  EXPECT_EQ(read_safetensors(source_of(header + "}", 0)).tensors.size(), 200'000u);
}

}  // namespace
}  // namespace causeway::formats::safetensors
