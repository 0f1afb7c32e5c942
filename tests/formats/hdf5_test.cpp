#include "causeway/formats/hdf5.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::by_name;
using tests::bytes_of;
using tests::fixture;
using tests::refusal_of;

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// A file in memory, and the reader over it.
struct Opened {
  explicit Opened(const std::string& name)
      : bytes(bytes_of(fixture("hdf5/" + name + ".h5"))), file(Hdf5File::open(as_bytes(bytes))) {}
  Hdf5Object at(std::string_view path) const { return file.root().find(path).value(); }
  std::string bytes;
  Hdf5File file;
};

/// Every number of the fixtures is its own place in the dataset.
void expect_counted(const Tensor& numbers, const std::string& what) {
  for (int64_t i = 0; i < numbers.size(); ++i) {
    if (numbers.number_at(i) == static_cast<double>(i)) continue;
    ADD_FAILURE() << what << ": number " << i << " is " << numbers.number_at(i);
    return;
  }
}

void expect_all_counted(const Hdf5Object& object) {
  if (object.is_dataset()) expect_counted(object.dataset().read(), object.path());
  for (const Hdf5Object& child : object.children()) expect_all_counted(child);
}

struct FileRow {
  const char* name;
};
void PrintTo(const FileRow& row, std::ostream* out) { *out << row.name; }

// What a small Keras file holds, whatever the version of its superblock, groups and headers.
class Hdf5Small : public testing::TestWithParam<FileRow> {};

TEST_P(Hdf5Small, IsReadWhole) {
  const Opened opened(GetParam().name);
  const Hdf5Object vars = opened.at("layers/dense/vars");
  EXPECT_EQ(vars.path(), "/layers/dense/vars");
  EXPECT_TRUE(vars.is_group());
  EXPECT_EQ(vars.text("name"), "dense_7");
  ASSERT_EQ(vars.children().size(), 2u);
  EXPECT_EQ(vars.children()[1].name(), "1");
  const Hdf5Dataset kernel = opened.at("layers/dense/vars/0").dataset();
  EXPECT_EQ(kernel.dtype(), DType::Float32);
  EXPECT_THAT(kernel.lengths(), ElementsAre(3, 2));
  expect_all_counted(opened.file.root());
  EXPECT_FALSE(opened.file.root().find("layers/dense/vars/2"));
}

TEST_P(Hdf5Small, IsRefusedOrReadCutAtEveryLength) {
  const std::string whole = bytes_of(fixture(std::string("hdf5/") + GetParam().name + ".h5"));
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string cut(whole.data(), length);
    EXPECT_THROW(Hdf5File::open(as_bytes(cut)), Refused) << length;
  }
}

TEST_P(Hdf5Small, IsRefusedOrReadWithAnyBitFlipped) {
  std::string bytes = bytes_of(fixture(std::string("hdf5/") + GetParam().name + ".h5"));
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto flip = [&] { bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8))); };
    flip();
    try {
      const Hdf5File file = Hdf5File::open(as_bytes(bytes));
      const std::optional<Hdf5Object> vars = file.root().find("layers/dense/vars");
      if (vars && vars->has_attribute("name")) vars->text("name");
      for (const char* name : {"0", "1"}) {
        const std::optional<Hdf5Object> dataset = vars ? vars->find(name) : std::nullopt;
        if (dataset) dataset->dataset().read();
      }
    } catch (const Refused&) {
    }
    flip();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Hdf5Small,
                         testing::Values(FileRow{"small_earliest"}, FileRow{"small_v108"}, FileRow{"small_latest"},
                                         FileRow{"user_block"}, FileRow{"user_block_latest"}),
                         by_name);

class Hdf5Variants : public testing::TestWithParam<FileRow> {};

TEST_P(Hdf5Variants, TypesAreReadInTheirOwnDType) {
  const Opened opened(GetParam().name);
  const std::map<std::string, DType> kTypes = {
      {"little_f2", DType::Float16}, {"little_f4", DType::Float32}, {"little_f8", DType::Float64},
      {"big_f2", DType::Float16},    {"big_f4", DType::Float32},    {"big_f8", DType::Float64},
      {"i1", DType::Int8},           {"u1", DType::UInt8},          {"little_i2", DType::Int16},
      {"big_i2", DType::Int16},      {"little_u2", DType::UInt16},  {"little_i4", DType::Int32},
      {"little_u4", DType::UInt32},  {"little_i8", DType::Int64},   {"big_i8", DType::Int64},
      {"little_u8", DType::UInt64},  {"scalar", DType::Float32},    {"empty", DType::Float32},
  };
  const Hdf5Object types = opened.at("types");
  EXPECT_EQ(types.children().size(), kTypes.size());
  for (const auto& [name, dtype] : kTypes) EXPECT_EQ(types.find(name)->dataset().dtype(), dtype) << name;
  expect_all_counted(types);
}

TEST_P(Hdf5Variants, LayoutsAndFiltersAreRead) {
  const Opened opened(GetParam().name);
  EXPECT_EQ(opened.at("layouts").children().size(), 17u);
  expect_all_counted(opened.at("layouts"));
}

TEST_P(Hdf5Variants, LargeGroupsAreRead) {
  const Opened opened(GetParam().name);
  const std::vector<Hdf5Object> many = opened.at("many").children();
  ASSERT_EQ(many.size(), 30u);
  EXPECT_EQ(many.front().name(), "numbers_00");
  EXPECT_EQ(many.back().name(), "numbers_29");
  expect_all_counted(opened.at("many"));
}

TEST_P(Hdf5Variants, TextsAreRead) {
  const Opened opened(GetParam().name);
  const Hdf5Object texts = opened.at("texts");
  EXPECT_EQ(texts.text("long"), "a text of variable length, with ü");
  EXPECT_THAT(texts.texts("long_list"), ElementsAre("one", "", "three"));
  EXPECT_EQ(texts.text("fixed"), "fixed");
  EXPECT_THAT(texts.texts("fixed_list"), ElementsAre("dense", "dense_1", ""));
  EXPECT_THAT(texts.texts("empty_list"), ElementsAre());
  EXPECT_THAT(refusal_of([&] { texts.texts("number"); }),
              ElementsAre("/texts, attribute 'number': it holds int64, and texts are expected."));
  EXPECT_THAT(refusal_of([&] { texts.texts("square"); }),
              ElementsAre("/texts, attribute 'square': it has 2 axes, and a text or a list of texts is expected."));
  EXPECT_THAT(refusal_of([&] { texts.text("fixed_list"); }),
              ElementsAre("/texts, attribute 'fixed_list': it holds 3 texts, and one is expected."));
  EXPECT_THAT(refusal_of([&] { texts.text("absent"); }),
              ElementsAre("/texts, attribute 'absent': the file has no such attribute."));
  EXPECT_FALSE(texts.has_attribute("absent"));
}

TEST_P(Hdf5Variants, ManyAndLongAttributesAreRead) {
  const Opened opened(GetParam().name);
  const Hdf5Object attributes = opened.at("attributes");
  EXPECT_EQ(attributes.text("attribute_00"), "value 0");
  EXPECT_EQ(attributes.text("attribute_19"), "value 19");
  const std::vector<std::string> names = attributes.texts("names");
  ASSERT_EQ(names.size(), 300u);
  EXPECT_EQ(names[299], "layer_0299_xxxxxxxxxxxxxxxxxxxx");
}

TEST_P(Hdf5Variants, AnExpectedShapeIsCheckedFirst) {
  const Opened opened(GetParam().name);
  const Hdf5Dataset dataset = opened.at("layouts/fixed").dataset();
  EXPECT_EQ(dataset.read(std::vector<int64_t>{5, 7}).size(), 35);
  EXPECT_THAT(refusal_of([&] {
                dataset.read(std::vector<int64_t>{7, 5});
              }),
              ElementsAre("/layouts/fixed: it is [5, 7], and [7, 5] is expected."));
}

INSTANTIATE_TEST_SUITE_P(Files, Hdf5Variants, testing::Values(FileRow{"variants_earliest"}, FileRow{"variants_latest"}),
                         by_name);

TEST(Hdf5, ArraysOfManyChunksAreRead) { expect_all_counted(Opened("many_chunks_latest").file.root()); }

TEST(Hdf5, MappedNumbersStayInTheFile) {
  const auto bytes = std::make_shared<const std::string>(bytes_of(fixture("hdf5/small_latest.h5")));
  const Hdf5File file = Hdf5File::open(as_bytes(*bytes), bytes);
  const Tensor kernel = file.root().find("layers/dense/vars/0")->dataset().read();
  const auto* data = static_cast<const char*>(kernel.data());
  EXPECT_TRUE(data >= bytes->data() && data < bytes->data() + bytes->size());
  expect_counted(kernel, "kernel");
}

struct RefusedRow {
  const char* name;  // of the dataset
  const char* line;
};
void PrintTo(const RefusedRow& row, std::ostream* out) { *out << row.name; }

constexpr char kOnlyNumbers[] = ", and only float16, float32, float64 and integers are read.";
constexpr RefusedRow kRefused[] = {
    {"lzf", "'lzf' is packed by filter 32000 (lzf), and only deflate, shuffle and Fletcher-32 are read."},
    {"scale_offset",
     "'scale_offset' is packed by filter 6 (scale-offset), and only deflate, shuffle and Fletcher-32 are read."},
    {"opaque", "it holds opaque elements of 2 bytes*"},
    {"compound", "it holds compound elements*"},
    {"complex", "it holds compound elements*"},
    {"truth", "it holds enumerated values*"},
    {"text", "it holds texts of 3 bytes*"},
    {"references", "it holds references*"},
    {"nothing", "it holds no number at all."},
    {"not_stored", "its numbers are not stored: the file has a fill value for them alone."},
    {"partly_stored", "only 1 of its 2 chunks are stored, and the rest would be a fill value."},
    {"elsewhere", "its numbers lie in other files, and the file alone is read."},
    {"virtual", "it is a virtual dataset, made of other files' numbers, and the file alone is read."},
    {"bomb", "a chunk of it comes to 4000000 bytes, and 57 are stored, and at most 1,000 times as many are read."},
};
class Hdf5Refused : public testing::TestWithParam<RefusedRow> {};

TEST_P(Hdf5Refused, NamesTheDatasetAndTheReason) {
  std::string reason = GetParam().line;
  if (reason.back() == '*') reason.replace(reason.size() - 1, 1, kOnlyNumbers);
  for (const char* name : {"refused_earliest", "refused_latest"}) {
    const Opened opened(name);
    EXPECT_THAT(refusal_of([&] { opened.at(GetParam().name).dataset().read(); }),
                ElementsAre("/" + std::string(GetParam().name) + ": " + reason))
        << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Datasets, Hdf5Refused, testing::ValuesIn(kRefused), by_name);

TEST(Hdf5, LinksThatLeadElsewhereAreRefusedTogether) {
  for (const char* name : {"links_earliest", "links_latest"}) {
    EXPECT_THAT(
        refusal_of([&] { Opened{name}; }),
        ElementsAre("/external: it is a link into another file, and the file alone is read.",
                    "/second: it is a second name of an object that the file has under another, and each number is "
                    "read once.",
                    "/soft: it is a soft link, a name for something elsewhere, and each number is read once."))
        << name;
  }
}

TEST(Hdf5, CyclesAndDepthsAreRefused) {
  EXPECT_THAT(refusal_of([] { Opened("cycle"); }),
              ElementsAre("/a/b/a: it is a second name of an object that the file has under another, and each number "
                          "is read once."));
  EXPECT_THAT(refusal_of([] { Opened("deep"); }), ElementsAre(HasSubstr("its group is more than 64 groups deep.")));
}

TEST(Hdf5, ABrokenChecksumIsRefused) {
  const Opened opened("fletcher_broken");
  EXPECT_THAT(refusal_of([&] { opened.at("kernel").dataset().read(); }),
              ElementsAre("/kernel: a chunk does not fit its Fletcher-32 checksum."));
}

TEST(Hdf5, ANamedTypeIsRefused) {
  const Opened opened("named_type");
  EXPECT_THAT(refusal_of([&] { opened.at("numbers").dataset(); }),
              ElementsAre("/numbers: its datatype is held by another object (a named datatype), and only what the "
                          "object itself says is read."));
}

TEST(Hdf5, WhatIsNoHdf5FileIsNotClaimed) {
  for (const std::string_view text : {"", "PK\3\4", "\x89HDF\r\n\x1a"}) {
    EXPECT_FALSE(Hdf5File::claims(std::as_bytes(std::span(text.data(), text.size()))));
  }
  EXPECT_THAT(refusal_of([] { Hdf5File::open({}); }),
              ElementsAre("byte 0: this is no HDF5 file: its signature is missing."));
}

}  // namespace
}  // namespace causeway::formats
