#include "causeway/cli/arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/base/fault.h"
#include "causeway/cli/npy.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::cli {
namespace {

using testing::ElementsAre;

// The files of tests/fuzz/corpus/arrays are NumPy's own.
std::string from_numpy(std::string_view name) { return tests::fixture("../fuzz/corpus/arrays/").append(name); }

TEST(ReadArrays, ReadsWhatNumPyWrites) {
  const Tensor floats = read_arrays(from_numpy("float.npy")).sole();
  EXPECT_EQ(floats.lengths(), (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(floats.values<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
  // Fortran's order, and the other order of bytes.
  const Tensor turned = read_arrays(from_numpy("fortran.npy")).sole();
  EXPECT_EQ(turned.lengths(), (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(turned.values<double>(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(read_arrays(from_numpy("truths.npy")).sole().dtype(), DType::Bool);
  const Arrays two = read_arrays(from_numpy("two.npz"));
  EXPECT_TRUE(two.has_names);
  EXPECT_THAT(two.named.at("a").values<int64_t>(), ElementsAre(0, 1, 2));
  EXPECT_EQ(two.named.at("b").rank(), 0u);
  const Arrays packed = read_arrays(from_numpy("packed.npz"));
  EXPECT_EQ(packed.named.at("a").dtype(), DType::Float16);
  EXPECT_EQ(packed.named.at("a").size(), 40);
}

// An .npy file of a version, a header and its data.
std::string npy(std::string_view header, std::string_view data, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(header.size());
  file.append(version == 1 ? 1 : 3, '\0');
  return file.append(header).append(data);
}

Tensor read(const std::string& file) { return read_npy(std::as_bytes(std::span(file.data(), file.size()))); }

struct Kind {
  const char *name, *descr;
  std::string data;
  DType dtype;
  double number;
};
const Kind kKinds[] = {
    {"f4", "<f4", std::string("\0\0\xc0\x3f", 4), DType::Float32, 1.5},
    {"f4_other_bytes", ">f4", std::string("\x3f\xc0\0\0", 4), DType::Float32, 1.5},
    {"f8", "<f8", std::string("\0\0\0\0\0\0\xf8\x3f", 8), DType::Float64, 1.5},
    {"f2", "<f2", std::string("\0\x3e", 2), DType::Float16, 1.5},
    {"i8", "<i8", std::string("\xfe\xff\xff\xff\xff\xff\xff\xff", 8), DType::Int64, -2},
    {"i4", ">i4", std::string("\xff\xff\xff\xfe", 4), DType::Int32, -2},
    {"i2", "<i2", std::string("\xfe\xff", 2), DType::Int16, -2},
    {"i1", "|i1", "\xfe", DType::Int8, -2},
    {"u4", "<u4", std::string("\x02\0\0\0", 4), DType::UInt32, 2},
    {"u1", "|u1", "\xfe", DType::UInt8, 254},
    {"b1", "|b1", "\x01", DType::Bool, 1},
    {"native_order", "=u2", std::string("\x02\0", 2), DType::UInt16, 2},
};
class NpyKind : public testing::TestWithParam<Kind> {};
TEST_P(NpyKind, IsReadInItsOwnDtype) {
  for (const char version : {'\x01', '\x02', '\x03'}) {
    const Tensor tensor =
        read(npy("{'descr': '" + std::string(GetParam().descr) + "', 'fortran_order': False, 'shape': (1,), }\n",
                 GetParam().data, version));
    EXPECT_EQ(tensor.dtype(), GetParam().dtype);
    EXPECT_EQ(tensor.lengths(), std::vector<int64_t>{1});
    EXPECT_EQ(tensor.number_at(0), GetParam().number);
  }
}
INSTANTIATE_TEST_SUITE_P(Kinds, NpyKind, testing::ValuesIn(kKinds), tests::by_name);

TEST(Npy, IsReadInFortransOrder) {
  const Tensor tensor =
      read(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }", {"\0\6\2\b\4\n\1\7\3\t\5\v", 12}));
  EXPECT_EQ(tensor.lengths(), (std::vector<int64_t>{2, 3, 2}));
  EXPECT_THAT(tensor.values<uint8_t>(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(Npy, IsWrittenSoThatItReadsBackTheSame) {
  for (const Tensor& tensor :
       {Tensor::of<float>({2, 2}, {1, 2, 3, 4}), Tensor::scalar<double>(0.5), Tensor::of_integers({7}),
        Tensor(DType::Bool, {3}), Tensor(DType::Float32, {0, 14}), Tensor(DType::Float16, {1, 1, 5})}) {
    const std::string file = npy_of(tensor);
    EXPECT_TRUE(read(file).same_bits(tensor));
    EXPECT_EQ((file.size() - tensor.size_bytes()) % 64, 0u) << "the data begins at a multiple of 64";
  }
}

struct Broken {
  const char* name;
  std::string file;
  const char* what;
};
const Broken kBroken[] = {
    {"version_0", npy("{}", "", 0), "it is of version 0, and 1 to 3 are read."},
    {"version_4", npy("{}", "", 4), "it is of version 4, and 1 to 3 are read."},
    {"objects", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "x"),
     "its elements are '|O'; floats, whole numbers and booleans are read."},
    {"texts", npy("{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }", "x"),
     "its elements are '<U3'; floats, whole numbers and booleans are read."},
    {"complex", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "x"),
     "its elements are '<c8'; floats, whole numbers and booleans are read."},
    {"records", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "x"),
     "its header is no dictionary of 'descr', 'fortran_order' and 'shape'."},
    {"no_shape", npy("{'descr': '<f4', 'fortran_order': False, }", ""),
     "its header is no dictionary of 'descr', 'fortran_order' and 'shape'."},
    {"shape_twice", npy("{'descr': '<f4', 'shape': (), 'shape': (), 'fortran_order': False, }", ""),
     "its header is no dictionary of 'descr', 'fortran_order' and 'shape'."},
    {"length_below_nought", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", ""),
     "its header is no dictionary of 'descr', 'fortran_order' and 'shape'."},
    {"too_few_bytes", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234"),
     "it is float32 [2], which takes 8 bytes, and 4 stand behind its header."},
    {"too_many_bytes", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "12345"),
     "it is float32 [], which takes 4 bytes, and 5 stand behind its header."},
    {"more_than_there_is",
     npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904), }", "1234"),
     "its shape is [4611686018427387904, 4611686018427387904], and no array has it."},
    {"text_behind_its_dictionary", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } and more\n", "1234"),
     "its header goes on behind its dictionary: 'and more'."},
};
class BrokenNpy : public testing::TestWithParam<Broken> {};
TEST_P(BrokenNpy, IsRefusedAtItsFile) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("a.npy", GetParam().file);
  EXPECT_THAT(tests::refusal_of([&] { read_arrays(path); }), ElementsAre(path + ": " + GetParam().what));
}
INSTANTIATE_TEST_SUITE_P(Files, BrokenNpy, testing::ValuesIn(kBroken), tests::by_name);

TEST(ReadArrays, RefusesEveryCellThatIsNoNumber) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "a,b\n1,two\n,4\n5,6e400\n");
  EXPECT_THAT(tests::refusal_of([&] { read_arrays(path); }),
              ElementsAre(path + ", line 2:3: 'two' is no number.", path + ", line 3:1: '' is no number.",
                          path + ", line 4:3: '6e400' is no number."));
}

TEST(CsvOf, NamesEveryColumnAndGivesDigitsThatReadBack) {
  EXPECT_EQ(csv_of("y", Tensor::of<float>({2, 1}, {0.1f, 1e-20f})), "y\n0.100000001\n9.99999968e-21\n");
  EXPECT_EQ(csv_of("y", Tensor::of<double>({1, 2}, {0.1, 2})), "y.0,y.1\n0.10000000000000001,2\n");
  EXPECT_EQ(csv_of("y", Tensor::of_integers({3, 4})), "y\n3\n4\n");
  EXPECT_EQ(csv_of("y", Tensor(DType::Float32, {0, 2})), "y.0,y.1\n");
  EXPECT_EQ(csv_of("a,\"b\"", Tensor::of_integers({3}), {{"id", {"x\ny"}}}), "id,\"a,\"\"b\"\"\"\n\"x\ny\",3\n");
}

}  // namespace
}  // namespace causeway::cli
