#include "causeway/formats/pytorch/unpickler.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>

#include "tests/formats/pytorch/archive_maker.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::PickleMaker;

/// What a pickle leaves, and the heap it lies in.
struct Unpickled {
  explicit Unpickled(std::string bytes) : pickle(std::move(bytes)), heap(pickle) {
    Unpickler unpickler(pickle, 0, heap, {.where = "p"});
    value = unpickler.run();
    doubled = unpickler.doubled();
  }
  std::string pickle;
  PickleHeap heap;
  PickleValue value;
  std::vector<Fault> doubled;
};

PickleMaker pickle() { return {}; }

struct Case {
  const char* name;
  std::string bytes;
  const char* line;
};
const Case kRefused[] = {
    {"empty", "", "p: byte 0 is its end, and no STOP stands before it."},
    {"proto_cut", "\x80", "p: byte 0 is PROTO, and it takes 1 byte where 0 are."},
    {"proto_again", pickle().op("\x80\x02").finish(), "p: byte 2 is PROTO, and PROTO stands at the beginning alone."},
    {"stop_of_nothing", pickle().finish(), "p: byte 2 is STOP, and it takes 1 value where 0 are."},
    {"stop_behind_a_mark", pickle().op("(N").finish(),
     "p: byte 4 is STOP, and it takes 1 value where 1 are behind a MARK."},
    {"values_before_a_mark", pickle().op("NN(\x86").finish(),
     "p: byte 5 is TUPLE2, and it takes 2 values where 0 are."},
    {"reduce_of_one", pickle().op("N").op("R").finish(), "p: byte 3 is REDUCE, and it takes 2 values where 1 is."},
    {"reduce_of_none", pickle().op("N)R").finish(), "p: byte 4 is REDUCE, and it calls a name where None is."},
    {"reduce_without_tuple", pickle().global("collections", "OrderedDict").op("NR").finish(),
     "p: byte 28 is REDUCE, and it takes a tuple of arguments where None is."},
    {"reduce_of_a_dtype", pickle().global("torch", "float32").op(")R").finish(),
     "p: byte 18 is REDUCE, and it calls 'torch.float32', which is not called in a state dictionary."},
    {"dictionary_of_items", pickle().global("collections", "OrderedDict").op("]\x85R").finish(),
     "p: byte 29 is REDUCE, and its arguments are none that 'collections.OrderedDict' takes."},
    {"newobj_of_another", pickle().global("torch", "Size").op(")\x81").finish(),
     "p: byte 15 is NEWOBJ, and it makes nothing but an empty collections.OrderedDict."},
    {"build_of_a_plain_dictionary", pickle().op("}}b").finish(),
     "p: byte 4 is BUILD, and it gives nothing but a dictionary of attributes to a collections.OrderedDict."},
    {"build_by_a_list", pickle().global("collections", "OrderedDict").op(")R]b").finish(),
     "p: byte 30 is BUILD, and it gives nothing but a dictionary of attributes to a collections.OrderedDict."},
    {"global_cut", pickle().op("ctorch\n").op("Size").finish(), "p: byte 2 is GLOBAL, and its two lines do not end."},
    {"a_function", pickle().global("torch.hub", "load").finish(),
     "p: byte 2 names 'torch.hub.load', and nothing but tensors is built from a file."},
    {"a_class", pickle().global("models.yolo", "Detect").finish(),
     "p: byte 2 names 'models.yolo.Detect', and a state dictionary names no class. Save model.state_dict() on its "
     "own."},
    {"quantised", pickle().global("torch._utils", "_rebuild_qtensor").finish(),
     "p: byte 2 names 'torch._utils._rebuild_qtensor', and a quantised tensor is not read. Save a.dequantize()."},
    {"no_storage", pickle().op("NQ").finish(), "p: byte 3 is BINPERSID, and it takes a tuple where None is."},
    {"list_as_a_key", pickle().op("}]Ns").finish(),
     "p: byte 5 is SETITEM, and a dictionary's key is None, a bool, a number, text or a flat tuple of those, and here "
     "it "
     "is a list."},
    {"tuple_of_tuples_as_a_key", pickle().op("})\x85Ns").finish(),
     "p: byte 6 is SETITEM, and a dictionary's key is a tuple that is not flat, or longer than 64."},
    {"append_to_a_tuple", pickle().op(")Na").finish(), "p: byte 4 is APPEND, and it takes a list where a tuple is."},
    {"text_cut", pickle().op(std::string_view("X\x09\0\0\0ab", 7)).op("").finish(),
     "p: byte 2 is BINUNICODE, and it takes 9 bytes where 3 are."},
    {"tensor_of_none",
     pickle().global("torch._utils", "_rebuild_tensor_v2").op("(N").integer(0).op("))\x89NtR").finish(),
     "p: byte 52 is REDUCE, and its tensor takes a storage where None is."},
    {"view_of_another_arity", pickle().global("torch._utils", "_rebuild_tensor_v2").op(")R").finish(),
     "p: byte 36 is REDUCE, and its arguments are none that 'torch._utils._rebuild_tensor_v2' takes."},
};
class PickleRefused : public testing::TestWithParam<Case> {};
TEST_P(PickleRefused, NamesTheByteAndTheInstruction) {
  EXPECT_THAT(tests::refusal_of([] { Unpickled(GetParam().bytes); }), ElementsAre(GetParam().line));
}
INSTANTIATE_TEST_SUITE_P(Pickles, PickleRefused, testing::ValuesIn(kRefused), tests::by_name);

struct Number {
  const char* name;
  std::string bytes;
  int64_t right;
};
const Number kNumbers[] = {
    {"one_byte", pickle().op("K\xff").finish(), 255},
    {"two_bytes", pickle().op("M\xff\xff").finish(), 65535},
    {"four_bytes", pickle().op("J\xfe\xff\xff\xff").finish(), -2},
    {"long_of_nothing", pickle().op(std::string_view("\x8a\0", 2)).finish(), 0},
    {"long_of_one", pickle().op("\x8a\x01\x80").finish(), -128},
    {"long_of_two", pickle().op(std::string_view("\x8a\x02\x80\0", 4)).finish(), 128},
    {"long_of_eight", pickle().integer(INT64_MIN).finish(), INT64_MIN},
};
class PickleNumber : public testing::TestWithParam<Number> {};
TEST_P(PickleNumber, IsSigned) {
  const Unpickled unpickled(GetParam().bytes);
  ASSERT_TRUE(unpickled.value.is(PickleKind::Integer));
  EXPECT_EQ(unpickled.value.integer(), GetParam().right);
}
INSTANTIATE_TEST_SUITE_P(Pickles, PickleNumber, testing::ValuesIn(kNumbers), tests::by_name);

TEST(Unpickler, ReadsAReal) {
  const Unpickled unpickled(pickle().op(std::string_view("G\xbf\xe0\0\0\0\0\0\0", 9)).finish());
  EXPECT_EQ(unpickled.value.real(), -0.5);
}

TEST(Unpickler, TakesTrueOneAndOneAsOneKey) {
  const Unpickled unpickled(
      pickle().op("}(\x88NK\x01N").op(std::string_view("G\x3f\xf0\0\0\0\0\0\0", 9)).op("N").op("u").finish());
  EXPECT_EQ(unpickled.heap.dictionary(unpickled.value).size(), 1u);
  EXPECT_THAT(unpickled.doubled,
              ElementsAre(Fault{"p",
                                "a key that is a whole number is written twice, and only one of the two could be "
                                "read."}));
}

TEST(Unpickler, TakesEqualTextsAndTuplesAsOneKey) {
  const Unpickled unpickled(pickle()
                                .op("}(")
                                .text("a")
                                .op("N")
                                .text("a")
                                .op("\x85")
                                .op("N")
                                .text("b")
                                .op("N")
                                .text("a")
                                .op("\x85")
                                .op("N")
                                .text("a")
                                .op("\x88u")
                                .finish());
  EXPECT_EQ(unpickled.heap.dictionary(unpickled.value).size(), 3u);
  EXPECT_EQ(unpickled.doubled.size(), 2u);
}

TEST(Unpickler, KeepsAThousandKeys) {
  PickleMaker maker;
  maker.op("}(");
  for (int i = 0; i < 1000; ++i) maker.text(std::to_string(i)).integer(i);
  const Unpickled unpickled(maker.op("u").finish());
  const auto items = unpickled.heap.dictionary(unpickled.value);
  ASSERT_EQ(items.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(unpickled.heap.text_of(items[static_cast<size_t>(i)].first), std::to_string(i));
    EXPECT_EQ(items[static_cast<size_t>(i)].second.integer(), i);
  }
  EXPECT_THAT(unpickled.doubled, IsEmpty());
}

TEST(Unpickler, GivesAViewOfAStorage) {
  const Unpickled unpickled(pickle().tensor("k", 12, 1, {2, 3}, {1, 4}).finish());
  ASSERT_TRUE(unpickled.value.is(PickleKind::Tensor));
  const TensorRecord& tensor = unpickled.heap.tensor(unpickled.value);
  EXPECT_EQ(tensor.kind->torch_name, "float32");
  EXPECT_EQ(tensor.offset, 1);
  EXPECT_THAT(tensor.lengths, ElementsAre(2, 3));
  EXPECT_THAT(tensor.strides, ElementsAre(1, 4));
  EXPECT_EQ(unpickled.heap.storage(tensor.storage).key, "k");
  EXPECT_EQ(unpickled.heap.storage(tensor.storage).size_bytes, 48);
}

struct View {
  const char* name;
  int64_t count, offset;
  std::vector<int64_t> lengths, strides;
  bool fits, repeats = false;
};
const View kViews[] = {
    {"whole", 6, 0, {2, 3}, {3, 1}, true},
    {"last", 6, 5, {1}, {9}, true},
    {"scalar", 1, 0, {}, {}, true},
    {"scalar_past", 1, 1, {}, {}, false},
    {"one_past", 6, 1, {2, 3}, {3, 1}, false},
    {"empty_past", 6, 99, {0, 2}, {2, 1}, true},
    {"empty_of_too_many", 6, 0, {INT64_MAX, 2, 0}, {0, 0, 0}, false},
    {"overflowing", 6, INT64_MAX, {2}, {INT64_MAX}, false},
    {"repeating", 1, 0, {5}, {0}, true, true},
    {"repeating_past_counting", 1, 0, {INT64_MAX, 4}, {0, 0}, true, true},
    {"overlapping", 6, 0, {2, 3}, {1, 1}, true},
};
class PickleView : public testing::TestWithParam<View> {};
TEST_P(PickleView, LiesWithinItsStorage) {
  const View& view = GetParam();
  const std::string bytes = pickle().tensor("k", view.count, view.offset, view.lengths, view.strides).finish();
  if (view.fits) {
    const Unpickled unpickled(bytes);
    EXPECT_EQ(unpickled.heap.tensor(unpickled.value).repeats, view.repeats);
  } else {
    EXPECT_THAT(tests::refusal_of([&] { Unpickled{bytes}; }),
                ElementsAre(testing::HasSubstr("reaches past its storage")));
  }
}
INSTANTIATE_TEST_SUITE_P(Pickles, PickleView, testing::ValuesIn(kViews), tests::by_name);

}  // namespace
}  // namespace causeway::formats::pytorch
