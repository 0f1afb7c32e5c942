#include "causeway/formats/pytorch/containers.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "causeway/formats/safetensors/container.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::pytorch {
namespace {

using testing::ElementsAre;
using tests::fixture;
using tests::refusal_of;

StateDictionary read(std::string_view name, std::string_view key = {}) {
  return read_state(ByteSource::open(fixture("pytorch/" + std::string(name))), key);
}

struct Case {
  const char *name, *line;
};
constexpr Case kRefused[] = {
    {"before_0_1_10.pt",
     "before_0_1_10.pt: this is a tar of PyTorch before 0.1.10, which is not read. Load it in PyTorch and save it "
     "again."},
    {"before_1_6_big_endian.pt",
     "system pickle: the file is big-endian, and of this format only little-endian files are read."},
    {"before_1_6_longer.pt", "before_1_6_longer.pt: 4 bytes stand behind the last storage."},
    {"before_1_6_posix_system.pt",
     "state pickle: byte 2 names 'posix.system', and nothing but tensors is built from a file."},
    {"builtins_eval.pt", "data.pkl: byte 17 names 'builtins.eval', and nothing but tensors is built from a file."},
    {"byteorder_odd.pt", "byteorder_odd.pt: the archive's byteorder is 'middle', and little and big are read."},
    {"count_huge.pt", "data.pkl: byte 109 is BINPERSID, and its storage '0' is of more bytes than can be counted."},
    {"encrypted.pt", "member 'archive/data.pkl': it is encrypted, and only plain members are read."},
    {"exported.pt2",
     "exported.pt2: this is a torch.export archive: a program with its numbers. Save torch.export.load(f).state_dict "
     "on its own, or export the model as ONNX."},
    {"half_zip.pt", "byte 1220: the archive's end record is missing: the file was cut short, or is no zip archive."},
    {"inst.pt", "data.pkl: byte 3 is INST, and a state dictionary needs no such instruction."},
    {"list.pt",
     "data.pkl: it holds a list, and a state dictionary is read: a tensor under each name. Save model.state_dict() on "
     "its own."},
    {"member_twice.pt", "member 'archive/data/0': the archive holds two members of this name."},
    {"meta.pt",
     "data.pkl: byte 20 names 'torch._utils._rebuild_meta_tensor_no_storage', and a meta tensor holds no numbers. Save "
     "the module once it has some."},
    {"no_version.pt", "no_version.pt: the archive holds no version."},
    {"nothing.pt", "nothing.pt: this is neither a safetensors file nor one that torch.save wrote."},
    {"one_key_two_kinds.pt", "data.pkl: byte 237 is BINPERSID, and its storage '0' had another kind or count before."},
    {"os_system.pt", "data.pkl: byte 2 names 'os.system', and nothing but tensors is built from a file."},
    {"outside.pt", "member 'else/x': it lies outside the one folder of a torch.save archive."},
    {"past_offset.pt",
     "data.pkl: byte 145 is REDUCE, and its tensor of shape [1, 1] reaches past its storage of 4 numbers."},
    {"past_offset_huge.pt",
     "data.pkl: byte 153 is REDUCE, and its tensor of shape [1, 1] reaches past its storage of 4 numbers."},
    {"past_offset_negative.pt",
     "data.pkl: byte 148 is REDUCE, and its tensor's offset is no whole number of at least 0."},
    {"past_ranks.pt", "data.pkl: byte 143 is REDUCE, and its tensor has 2 lengths and 1 strides."},
    {"past_size.pt",
     "data.pkl: byte 144 is REDUCE, and its tensor of shape [1000] reaches past its storage of 4 numbers."},
    {"past_size_negative.pt", "data.pkl: byte 148 is REDUCE, and its tensor's size is no whole number of at least 0."},
    {"past_stride_huge.pt",
     "data.pkl: byte 161 is REDUCE, and its tensor of shape [2, 2] reaches past its storage of 4 numbers."},
    {"past_stride_negative.pt",
     "data.pkl: byte 148 is REDUCE, and its tensor's stride is no whole number of at least 0."},
    {"pickle_after_stop.pt", "data.pkl: byte 4 stands behind STOP, and a pickle ends with it."},
    {"pickle_append_to_none.pt", "data.pkl: byte 4 is APPEND, and it takes a list where None is."},
    {"pickle_bad_utf8.pt", "data.pkl: byte 2 is SHORT_BINUNICODE, and a state dictionary needs no such instruction."},
    {"pickle_bad_utf8_binunicode.pt", "data.pkl: byte 2 is BINUNICODE, and its text is no UTF-8."},
    {"pickle_mark_missing.pt", "data.pkl: byte 2 is TUPLE, and no MARK stands before it."},
    {"pickle_memo_unset.pt", "data.pkl: byte 2 is BINGET, and nothing is kept under 5."},
    {"pickle_nested.pt", "data.pkl: byte 165 is APPEND, and its values nest deeper than 64."},
    {"pickle_no_proto.pt", "data.pkl: byte 0 is EMPTY_DICT, and a pickle of torch.save begins with PROTO 2."},
    {"pickle_no_stop.pt", "data.pkl: byte 3 is its end, and no STOP stands before it."},
    {"pickle_opcode_ff.pt", "data.pkl: byte 2 is opcode 0xff, and a state dictionary needs no such instruction."},
    {"pickle_operand_short.pt", "data.pkl: byte 2 is BININT, and it takes 4 bytes where 1 is."},
    {"pickle_setitems_odd.pt",
     "data.pkl: byte 10 is SETITEMS, and it takes keys and values in pairs where 3 values are."},
    {"pickle_stack_left.pt", "data.pkl: byte 4 is STOP, and it takes 1 value where 2 are."},
    {"pickle_tuple3_empty.pt", "data.pkl: byte 2 is TUPLE3, and it takes 3 values where 0 are."},
    {"posix_system.pt", "data.pkl: byte 2 names 'posix.system', and nothing but tensors is built from a file."},
    {"protocol_4.pt",
     "data.pkl: byte 0 is PROTO 4, and torch.save's own protocol, 2, is read. Save without pickle_protocol."},
    {"protocol_5.pt",
     "data.pkl: byte 0 is PROTO 5, and torch.save's own protocol, 2, is read. Save without pickle_protocol."},
    {"record_long.pt", "record 'data/0': it is 20 bytes, and data.pkl says 16."},
    {"record_missing.pt", "record 'data/0': it is not in the archive, and data.pkl speaks of it."},
    {"record_short.pt", "record 'data/0': it is 12 bytes, and data.pkl says 16."},
    {"sparse.pt",
     "data.pkl: byte 20 names 'torch._utils._rebuild_sparse_tensor', and a sparse tensor keeps no number for most "
     "places. Save a.to_dense()."},
    {"stack_global.pt", "data.pkl: byte 2 is SHORT_BINUNICODE, and a state dictionary needs no such instruction."},
    {"tensor.pt",
     "data.pkl: it holds a tensor, and a state dictionary is read: a tensor under each name. Save model.state_dict() "
     "on its own."},
    {"torchscript.pt",
     "torchscript.pt: this is a TorchScript archive: a program with its numbers. Save torch.jit.load(f).state_dict() "
     "on its own, or export the model as ONNX."},
    {"under_dotted_key.pt",
     "data.pkl: this is no state dictionary: under 'a.b' it holds 4 tensors by name. Read it with --key a.b, or save "
     "model.state_dict() on its own."},
    {"under_key.pt",
     "data.pkl: this is no state dictionary: under 'state_dict' it holds 4 tensors by name. Read it with --key "
     "state_dict, or save model.state_dict() on its own."},
    {"under_nested_key.pt",
     "data.pkl: this is no state dictionary: under 'model' it holds 4 tensors by name, under 'ema.model' 4 tensors. "
     "Read it with --key model or --key ema.model, or save model.state_dict() on its own."},
    {"version_11.pt", "version_11.pt: the archive's version is '11\\n', and 1 to 10 are read."},
    {"whole_module.pt",
     "data.pkl: byte 2 names 'torch.nn.modules.linear.Linear', and a state dictionary names no class. Save "
     "model.state_dict() on its own."},
    {"whole_own_module.pt",
     "data.pkl: byte 2 names '__main__.Own', and a state dictionary names no class. Save model.state_dict() on its "
     "own."},
};
class TorchFileRefused : public testing::TestWithParam<Case> {};
TEST_P(TorchFileRefused, NamesThePlaceAndTheReason) {
  EXPECT_THAT(refusal_of([] { read(GetParam().name); }), ElementsAre(GetParam().line));
  EXPECT_FALSE(std::filesystem::exists("causeway_was_here"));
}
INSTANTIATE_TEST_SUITE_P(Fixtures, TorchFileRefused, testing::ValuesIn(kRefused), tests::by_name);

/// Files of the network `rows` that hold its numbers as they are.
struct Good {
  const char *name, *key;
};
constexpr Good kGood[] = {
    {"plain.pt", ""},
    {"plain_dict.pt", ""},
    {"protocol_3.pt", ""},
    {"before_1_6.pt", ""},
    {"parameters.pt", ""},
    {"buffers.pt", ""},
    {"one_storage.pt", ""},
    {"one_storage_before_1_6.pt", ""},
    {"under_key.pt", "state_dict"},
    {"under_nested_key.pt", "ema.model"},
    {"under_nested_key.pt", "model"},
    {"under_dotted_key.pt", "a.b"},
    {"plain.safetensors", ""},
    {"no_metadata.safetensors", ""},
    {"sharded/model.safetensors.index.json", ""},
};
class TorchFileRead : public testing::TestWithParam<Good> {};
TEST_P(TorchFileRead, HoldsTheNumbersUnderTheirNames) {
  const safetensors::SafetensorsFile right =
      safetensors::read_safetensors(ByteSource::open(fixture("pytorch/rows.answers.safetensors")));
  const StateDictionary state = read(GetParam().name, GetParam().key);
  EXPECT_THAT(state.faults, testing::IsEmpty());
  ASSERT_EQ(state.tensors.size(), 4u);
  for (const StateTensor& tensor : state.tensors) {
    for (const safetensors::StoredTensor& twin : right.tensors) {
      if (twin.name == tensor.name) {
        EXPECT_TRUE(numbers_of(tensor).same_bits(twin.tensor())) << tensor.name;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Fixtures, TorchFileRead, testing::ValuesIn(kGood),
                         [](const testing::TestParamInfo<Good>& row) { return "file_" + std::to_string(row.index); });

TEST(TorchFile, NamesTheStorageThatIsCutShort) {
  // A storage's key is where it lay in the memory of the process that saved it.
  EXPECT_THAT(
      refusal_of([] { read("before_1_6_cut.pt"); }),
      ElementsAre(testing::MatchesRegex("storage '[0-9]+': byte [0-9]+: 8 bytes are read here, and 4 are left.")));
}

TEST(TorchFile, MapsAStoredRecord) {
  for (const StateTensor& tensor : read("plain.pt").tensors) EXPECT_TRUE(numbers_of(tensor).is_mapped());
}

TEST(TorchFile, GathersByStride) {
  EXPECT_THAT(numbers_of(read("strided.pt").tensors[0]).values<float>(), ElementsAre(0, 3, 1, 4, 2, 5));
  const Tensor weight = numbers_of(read("channels_last.pt").tensors[0]);
  EXPECT_THAT(weight.lengths(), ElementsAre(2, 3, 3, 3));
  for (int64_t i = 0; i < weight.size(); ++i) EXPECT_EQ(weight.number_at(i), static_cast<double>(i));
}

TEST(TorchFile, SwapsABigEndianRecord) {
  EXPECT_THAT(numbers_of(read("big_endian.pt").tensors[0]).values<float>(), ElementsAre(1));
}

TEST(TorchFile, WidensEightBitFloatsAlikeInBothContainers) {
  for (const char* name : {"f8_e4m3", "f8_e5m2"}) {
    const StateDictionary pickled = read(std::string(name) + ".pt"), plain = read(std::string(name) + ".safetensors");
    for (const StateTensor& tensor : pickled.tensors) {
      for (const StateTensor& twin : plain.tensors) {
        if (twin.name == tensor.name) {
          EXPECT_TRUE(numbers_of(tensor).same_bits(numbers_of(twin))) << tensor.name;
        }
      }
    }
  }
}

TEST(TorchFile, ReadsThreeHundredTensors) {
  const StateDictionary state = read("many.pt");
  ASSERT_EQ(state.tensors.size(), 300u);
  for (size_t i = 0; i < 300; ++i) EXPECT_EQ(numbers_of(state.tensors[i]).number_at(0), static_cast<double>(i) / 64);
}

TEST(TorchFile, SaysWhatATensorHasAgainstIt) {
  EXPECT_EQ(read("repeated.pt").tensors[0].refused,
            "'0.weight' repeats its storage's numbers. Save 0.weight.contiguous().");
  EXPECT_EQ(read("negative_view.pt").tensors[0].refused,
            "'0.weight' is a negated view of its storage. Save 0.weight.resolve_neg().");
  EXPECT_EQ(read("conjugate.pt").tensors[0].refused,
            "'0.weight' is a conjugated view of its storage. Save 0.weight.resolve_conj().");
}

TEST(TorchFile, NamesWhatIsNoTensor) {
  EXPECT_THAT(read("extra_state.pt").faults,
              ElementsAre(Fault{"data.pkl",
                                "'_extra_state' is a dictionary in the file, and a state dictionary holds "
                                "tensors."}));
  EXPECT_THAT(read("number_entry.pt").faults,
              ElementsAre(Fault{"data.pkl",
                                "'epoch' is a whole number in the file, and a state dictionary holds "
                                "tensors."}));
}

TEST(TorchFile, NamesAKeyWrittenTwice) {
  EXPECT_THAT(
      read("key_twice.pt").faults,
      ElementsAre(Fault{"tensor '0.weight'", "'0.weight' is written twice, and only one of the two could be read."}));
}

TEST(TorchFile, ChecksARecordWhenItsNumbersAreTaken) {
  const StateDictionary state = read("wrong_crc.pt");
  EXPECT_THAT(refusal_of([&] { numbers_of(state.tensors[0]); }),
              ElementsAre("member 'archive/data/0': its bytes do not fit its CRC-32."));
}

TEST(TorchFile, KeepsToPyTorchsLayout) {
  EXPECT_THAT(refusal_of([] { read("format_tf.safetensors"); }),
              ElementsAre("header: 'format' is 'tf', and only PyTorch's layout, 'pt', is read."));
}

TEST(TorchFile, RefusesAKeyThatIsNotThere) {
  EXPECT_THAT(refusal_of([] { read("under_key.pt", "ema"); }), ElementsAre("data.pkl: it holds nothing under 'ema'."));
  EXPECT_THAT(
      refusal_of([] { read("under_key.pt", "epoch"); }),
      ElementsAre("data.pkl: under 'epoch' it holds a whole number, and a state dictionary is read: a tensor under "
                  "each name. Save model.state_dict() on its own."));
  EXPECT_THAT(refusal_of([] { read("plain.safetensors", "ema"); }),
              ElementsAre("plain.safetensors: a safetensors file has no keys, and 'ema' is asked for."));
}

}  // namespace
}  // namespace causeway::formats::pytorch
