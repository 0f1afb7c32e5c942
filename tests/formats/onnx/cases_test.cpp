#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <string>

#include "tests/formats/onnx/asked.h"
#include "tests/support/refusal.h"

namespace causeway::formats::onnx {
namespace {

constexpr const char* kFolder = "onnx/cases/";

bool is_answered(const std::string& name) {
  return std::filesystem::exists(tests::fixture(kFolder + name + ".answers.safetensors"));
}

std::vector<std::string> answered_cases() {
  std::vector<std::string> names;
  for (const std::string& name : models_in(kFolder)) {
    if (is_answered(name)) names.push_back(name);
  }
  return names;
}

class OnnxCase : public testing::TestWithParam<std::string> {};

TEST_P(OnnxCase, AnswersAsTheOperatorsTextHasIt) {
  const SavedNetwork saved = read(kFolder + GetParam() + ".onnx");
  NamedTensors inputs, outputs;
  for (const auto& [name, tensor] : tensors_of(kFolder + GetParam() + ".answers.safetensors")) {
    const size_t dot = name.find('.');
    (name.substr(0, dot) == "in" ? inputs : outputs)[name.substr(dot + 1)] = tensor;
  }
  const NamedTensors made = ask(saved, inputs);
  for (const auto& [name, expected] : outputs) {
    ASSERT_EQ(made.count(name), 1u) << name;
    EXPECT_EQ(made.at(name).dtype(), expected.dtype()) << name;
    EXPECT_LE(apart(made.at(name), expected), 2e-6) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxCase, testing::ValuesIn(answered_cases()),
                         [](const auto& row) { return row.param; });

// Every fault of each file that is refused, as it is read or asked.
const std::map<std::string, std::vector<std::string>> kRefused = {
    {"attribute_of_another_type", {"node 'node' (LeakyRelu): 'alpha' is an integer, and a float is read."}},
    {"attribute_unknown", {"node 'node' (Relu): 'slope' is no attribute of this op at opset 17."}},
    {"conv_bias", {"node 'node' (Conv): its bias is [1], and 4 channels are made."}},
    {"conv_groups", {"node 'node' (Conv): 'group' is 3, and its 4 channels do not divide by it."}},
    {"conv_scalar_weight", {"node 'node' (Conv): its weight is [], and one has rank 3 to 5."}},
    {"conv_two_borders", {"node 'node' (Conv): 'auto_pad' is 'SAME_UPPER', and 'pads' states a border as well."}},
    {"deep_graphs",
     {"node 'if3': graphs lie more than 16 deep in each other there.",
      "node 'if19' (If): 'else_branch' is absent, and it is a graph."}},
    {"dropout_drawn",
     {"node 'drop1' (Dropout): 'training_mode' is true, and its answers would be drawn at random; export the model in "
      "inference form."}},
    {"erfc", {"node 'gelu/Erfc' (Erfc): no op of this type is read. The nearest is Erf."}},
    {"external_above", {"the file: '../d.bin' leads out of the file's folder. 1 tensor is kept in it ('w' first)."}},
    {"external_absolute",
     {"the file: '/d.bin' is no relative path of plain names with '/' between them. 1 tensor is kept in it ('w' "
      "first)."}},
    {"external_missing", {"the file: 'none.bin' is not there. 1 tensor is kept in it ('w' first)."}},
    {"external_negative_offset",
     {"initializer 'w': its 'offset' is '-4', and a plain number from 0 to 2^63 - 1 is read."}},
    {"external_past_the_end", {"initializer 'w': it reaches from byte 8 over 8 bytes of 'd.bin', which has 12."}},
    {"external_short", {"initializer 'w': it holds 4 bytes, and float32 [2] takes 8."}},
    {"external_through_above",
     {"the file: 'sub/../d.bin' leads out of the file's folder. 1 tensor is kept in it ('w' first)."}},
    {"external_unknown_key",
     {"initializer 'w': its external data has the key 'checksum2'; 'location', 'offset', 'length' and 'checksum' are "
      "read."}},
    {"function_ring", {"function 'd.G', node 0 (d.F): functions call each other in a ring: 'd.F', 'd.G', 'd.F'."}},
    {"gather_4", {"node 0 (Gather): the index 4 at [0] lies outside the axis, which has 4 places."}},
    {"gather_minus_5", {"node 0 (Gather): the index -5 at [0] lies outside the axis, which has 4 places."}},
    {"gelu_newer_than_asked", {"node 'act' (Gelu): this op is of opset 20 on, and the file asks for 17."}},
    {"gemm_scalar", {"node 'node' (Gemm): its operands are [1, 3] and [], and both are matrices."}},
    {"group_norm_groups",
     {"node 'node' (GroupNormalization): 'num_groups' is 4, and its 2 channels do not divide by it."}},
    {"initializer_too_short", {"initializer 'w': it holds 8 bytes, and float32 [3] takes 12."}},
    {"initializer_twice", {"initializer 'w': it stands in the graph twice."}},
    {"length_too_large", {"input 'x': its lengths are [2147483648, 2147483648, 2147483648], and no tensor has these."}},
    {"made_by_nothing", {"node 'add' (Add): 'q' is made by no node, input or initializer."}},
    {"made_twice", {"node 'n2' (Neg): 'y' is made by two nodes: 'n1' and 'n2'."}},
    {"negative_length", {"input 'x': its lengths are [-1, 4], and no tensor has these."}},
    {"new_ir", {"the file: it is of IR version 15, and 3 to 14 are read."}},
    {"new_opset", {"the file: it asks for opset 29, and 1 to 28 are read."}},
    {"newline_in_name", {"node 'a\\nb' (Foo): no op of this type is read."}},
    {"no_inputs", {"node 'relu' (Relu): it has 0 inputs, and 1 are read."}},
    {"not_finite", {"initializer 'w': 'w' holds nan at [1], and a slot holds finite numbers."}},
    {"old_ir", {"the file: it is of IR version 2, and 3 to 14 are read."}},
    {"pad_reflected_too_far",
     {"node 'node' (Pad): an axis of 3 is to be padded by 4 cells in mode 'reflect', which has not as many to copy."}},
    {"random",
     {"node 'noise' (RandomNormalLike): its answers are drawn at random; export the model in inference form."}},
    {"reshape_copies_past_the_end",
     {"node 'node' (Reshape): 'lengths' is [0, 0, 0, 0], whose 0 at place 3 copies a length, and x is [2, 3, 4]."}},
    {"reshape_two_open", {"node 'node' (Reshape): 'lengths' is [-1, -1], and one -1 can be worked out."}},
    {"reshape_zero_and_open",
     {"node 'node' (Reshape): 'lengths' is [0, -1], and beside a 0 that means 0 no -1 can stand."}},
    {"ring", {"node 'add' (Add): it is in a ring: 'b', 'y', 'b'."}},
    {"sequence", {"node 'empty' (SequenceEmpty): it works on sequences of tensors, and only tensors are read."}},
    {"softmax_axis_2", {"node 'node' (Softmax): 'axis' is 2, and the range here is [-2, 1]."}},
    {"softmax_axis_minus_3", {"node 'node' (Softmax): 'axis' is -3, and the range here is [-2, 1]."}},
    {"squeeze_of_two", {"node 'node' (Squeeze): axis 0 of [3, 4] is to go, and its length is not 1."}},
    {"three_faults",
     {"node 'first' (Bar): no op of this type is read.",
      "node 1 (d.e.Foo): the file imports no operators of its domain, 'd.e'.",
      "node 'last' (Baz): no op of this type is read."}},
    {"unknown_field", {"the file: the message NodeProto holds field 31, which no IR read here has."}},
};

TEST(OnnxRefused, NamesThePlaceAndTheReason) {
  for (const std::string& name : models_in(kFolder)) {
    if (is_answered(name)) continue;
    std::vector<std::string> lines;
    try {
      const SavedNetwork saved = read(kFolder + name + ".onnx");
      NamedTensors inputs;
      for (const Door& door : saved.network.inputs()) {
        inputs[door.name] = Tensor(door.value.dtype(), door.value.shape().lengths());
      }
      ask(saved, inputs);
    } catch (const Refused& refused) {
      for (const Fault& fault : refused.faults()) lines.push_back(fault.where + ": " + fault.what);
    }
    const auto expected = kRefused.find(name);
    ASSERT_NE(expected, kRefused.end()) << name << " has no row: " << testing::PrintToString(lines);
    EXPECT_EQ(lines, expected->second) << name;
  }
}

}  // namespace
}  // namespace causeway::formats::onnx
