#include <gmock/gmock.h>

#include "causeway/nn/loss_list.h"
#include "tests/formats/keras/asked.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway::formats::keras {
namespace {

using testing::ElementsAre;
using tests::by_name;
using tests::refusal_of;

struct Row {
  const char* name;
  std::vector<std::string> lines;  // a `*` at the beginning or the end stands for the rest
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row kRefused[] = {
    {"../recurrent/keras_attention_masked_query.keras",
     {"config.json, layer 'attend' (MultiHeadAttention): it is called with 'query_mask', which Keras passes over for "
      "the "
      "mask of the query itself."}},
    {"../recurrent/keras_attention_masked_query.h5",
     {"model_config, layer 'attend' (MultiHeadAttention): it is called with 'query_mask', which Keras passes over for "
      "the mask of the query itself."}},
    {"activity.keras",
     {"config.json, layer 'dense' (Dense): 'activity_regularizer' is 'L2': it penalises what the layer makes, and only "
      "numbers are penalised here."}},
    {"bzip2.keras",
     {"member 'metadata.json': it is packed by method 12, and only stored (0) and deflated (8) members are read."}},
    {"deep.keras", {"config.json, line 1:201: the value is nested deeper than the 200 levels that are read."}},
    {"enable_unsafe.keras",
     {"config.json, layer 1 (function): it holds code, and a file is data. Rewrite it in layers, or export the model "
      "as ONNX."}},
    {"extra.keras", {"model.weights.h5, layers/dense/vars/2: 'layers/dense/vars/2' is no slot of this network."}},
    {"float64.keras",
     {"config.json, layer 'narrow' (Dense): it computes in float64, and only float32 is read. Build it under "
      "keras.config.set_dtype_policy(\"float32\"), load these weights, and save again."}},
    {"int8.keras",
     {"config.json, layer 'dense' (Dense): it is quantised, and int8 and float8 kernels are not read.",
      "config.json, layer 'dense' (Dense): 'quantization_config' is 'Int8QuantizationConfig': a quantised layer's int8 "
      "and float8 kernels are not read."}},
    {"keras_2.keras",
     {"metadata.json: this archive was written by Keras 2.15.0, and archives are read from Keras 3 on. Save it as .h5 "
      "there."}},
    {"key_twice.keras", {"config.json, line 1:541: the key 'name' stands in this object already, at line 1:524."}},
    {"lambda.keras",
     {"config.json, layer 'code' (Lambda): the layer holds code, and a file is data. Rewrite it in layers, or export "
      "the model as ONNX."}},
    {"loss_chances_missing.keras",
     {"config.json, layer 'end' (Dense), Add: binary_crossentropy is told chances, and the network does not end in a "
      "Sigmoid. Say from_logits true, or end the network in it."}},
    {"loss_ignore_class.keras",
     {"config.json, compile_config: the loss 'SparseCategoricalCrossentropy': 'ignore_class' is 0: a class that is "
      "left out is not read."}},
    {"loss_own.keras",
     {"config.json, compile_config: the loss 'own_loss' holds code, and a file is data. Hand a loss with --loss NAME, "
      "which takes its place."}},
    {"loss_reduction.keras",
     {"config.json, compile_config: the loss 'MeanSquaredError': 'reduction' is 'sum', and sum_over_batch_size, auto "
      "are read."}},
    {"loss_softmax_binary.keras",
     {"config.json, layer 'end.activation' (Softmax), Softmax: it ends in a Softmax, and binary_crossentropy goes with "
      "a Sigmoid."}},
    {"loss_twice.keras",
     {"config.json, layer 'end.activation' (Sigmoid), Sigmoid: binary_crossentropy is told logits, and the network "
      "ends in its Sigmoid already, which would be applied twice. Say from_logits false, or take the layer off."}},
    {"loss_unknown.keras",
     {"config.json, compile_config: the loss 'log_cosh' is not read. Hand a loss with --loss NAME, which takes its "
      "place."}},
    {"loss_weights_below_nought.keras",
     {"config.json, compile_config: 'loss_weights' says -0.5 for 'amount', and a weight is finite and at least 0."}},
    {"loss_weights_sole.keras",
     {"config.json, compile_config: 'loss_weights' is 2.0, and the one output's loss has no weight."}},
    {"member_twice.keras", {"member 'config.json': the archive holds two members of this name."}},
    {"misshapen.keras",
     {"model.weights.h5, layers/dense/vars/0: 'first.weight' is [2, 3] in the file, and its slot here is [3, 2]."}},
    {"missing.keras", {"slot 'first.bias': 'first.bias' is missing: every slot of the network is written once."}},
    {"mixed_bfloat16.keras",
     {"config.json, layer 'narrow' (Dense): it computes in mixed_bfloat16, and only float32 is read. Build it under "
      "keras.config.set_dtype_policy(\"float32\"), load these weights, and save again."}},
    {"mixed_float16.keras",
     {"config.json, layer 'narrow' (Dense): it computes in mixed_float16, and only float32 is read. Build it under "
      "keras.config.set_dtype_policy(\"float32\"), load these weights, and save again."}},
    {"name_twice.keras", {"config.json, layer 'first' (Dense): two layers have this name."}},
    {"no_group.keras",
     {"slot 'second.weight': 'second.weight' is missing: every slot of the network is written once.",
      "slot 'second.bias': 'second.bias' is missing: every slot of the network is written once."}},
    {"no_input.keras",
     {"config.json: the model says no input shape: it has neither an InputLayer nor a 'build_input_shape'."}},
    {"no_layers.keras", {"config.json: the model has no layers."}},
    {"no_metadata.keras", {"metadata.json: the archive has no member of this name, and Keras writes one."}},
    {"no_hdf5.keras", {"model.weights.h5, byte 0: this is no HDF5 file: its signature is missing."}},
    {"no_weights.keras", {"model.weights.h5: the archive has no member of this name, and Keras writes one."}},
    {"non_negative.keras",
     {"config.json, layer 'dense' (Dense): 'kernel_constraint' is 'NonNeg', and only MaxNorm is read."}},
    {"not_finite.keras",
     {"model.weights.h5, layers/dense/vars/1: 'first.bias' holds nan at [1], and a slot holds finite numbers."}},
    {"not_json.keras", {"config.json, line 1:2: '\\'' stands where a key in double quotes is expected."}},
    {"os_activation.keras",
     {"config.json, layer 'first' (Dense): its activation 'system' holds code, and a file is data. Rewrite it in "
      "layers, or export the model as ONNX."}},
    {"os_function.keras",
     {"config.json, layer 1 (function): it holds code, and a file is data. Rewrite it in layers, or export the model "
      "as ONNX."}},
    {"other_units.keras",
     {"model.weights.h5, layers/dense/vars/0: 'first.weight' is [3, 2] in the file, and its slot here is [3, 3].",
      "model.weights.h5, layers/dense/vars/1: 'first.bias' is [2] in the file, and its slot here is [3].",
      "model.weights.h5, layers/dense_1/vars/0: 'second.weight' is [2, 1] in the file, and its slot here is [3, 1]."}},
    {"own_class.keras",
     {"config.json, layer 'first' (Dense): 'own>First' is not Keras's own: the layer holds code, and a file is data. "
      "Rewrite it in layers, or export the model as ONNX."}},
    {"subclass.keras",
     {"config.json: 'Subclass' is a class of its own program, and only Sequential and Functional say their layers. "
      "Export it as ONNX."}},
    {"two_faults.keras",
     {"config.json, layer 'first' (Dense): 'activation' is 'reluu', and the words read are celu, elu, *",
      "config.json, layer 'second' (Dense): 'units' is 0, and at least 1 is read."}},
    {"units_text.keras", {"config.json, layer 'first' (Dense): 'units' is 'two', and a whole number is read."}},
    {"unknown_activation.keras",
     {"config.json, layer 'first' (Dense): 'activation' is 'reluu', and the words read are celu, elu, *"}},
    {"unknown_class.keras",
     {"config.json, layer 'first' (Densest): no layer of this class is read. Is 'Dense' meant?"}},
    {"unknown_key.keras", {"config.json, layer 'first' (Dense): 'temperature' is a setting that is not read."}},
    {"wrong_attribute.keras",
     {"model.weights.h5, layers/dense/vars/0: 'layers/dense/vars/0' is no slot of this network.",
      "model.weights.h5, layers/dense/vars/1: 'layers/dense/vars/1' is no slot of this network.",
      "slot 'first.weight': 'first.weight' is missing: every slot of the network is written once.",
      "slot 'first.bias': 'first.bias' is missing: every slot of the network is written once."}},
    {"wrong_crc.keras", {"member 'model.weights.h5': its bytes do not fit its CRC-32."}},
    {"zero_units.keras", {"config.json, layer 'first' (Dense): 'units' is 0, and at least 1 is read."}},
    {"h5_compound.h5",
     {"/model_weights/first/rows/first/kernel: it holds compound elements, and only float16, float32, float64 and "
      "integers are read.",
      "/model_weights/first/rows/first/bias: it holds compound elements, and only float16, float32, float64 and "
      "integers are read.",
      "/model_weights/second/rows/second/kernel: it holds compound elements, and only float16, float32, float64 and "
      "integers are read.",
      "/model_weights/second/rows/second/bias: it holds compound elements, and only float16, float32, float64 and "
      "integers are read."}},
    {"h5_cut.h5",
     {"the superblock: the file is cut short: its superblock says that it ends at byte 17208, and it has 10000 "
      "bytes."}},
    {"h5_cycle.h5",
     {"/model_weights/first/rows/first/again: it is a second name of an object that the file has under another, and "
      "each number is read once."}},
    {"h5_external_link.h5",
     {"/model_weights/first/rows/first/kernel: it is a link into another file, and the file alone is read."}},
    {"h5_external_storage.h5",
     {"/model_weights/first/rows/first/kernel: its numbers lie in other files, and the file alone is read."}},
    {"h5_extra.h5",
     {"/model_weights/first/rows/first/gamma: 'model_weights/first/rows/first/gamma' is no slot of this network."}},
    {"h5_fletcher_broken.h5",
     {"/model_weights/first/rows/first/kernel: a chunk does not fit its Fletcher-32 checksum."}},
    {"h5_hard_link.h5",
     {"/model_weights/first/rows/first/kernel: it is a second name of an object that the file has under another, and "
      "each number is read once."}},
    {"h5_integers.h5",
     {"/model_weights/first/rows/first/kernel: 'first.weight' holds int32 in the file, and a slot here holds float32.",
      "/model_weights/first/rows/first/bias: 'first.bias' holds int32 in the file, and a slot here holds float32.",
      "/model_weights/second/rows/second/kernel: 'second.weight' holds int32 in the file, and a slot here holds "
      "float32.",
      "/model_weights/second/rows/second/bias: 'second.bias' holds int32 in the file, and a slot here holds float32."}},
    {"h5_lambda.h5",
     {"model_config, layer 'code' (Lambda): the layer holds code, and a file is data. Rewrite it in layers, or export "
      "the model as ONNX."}},
    {"h5_lzf.h5",
     {"/model_weights/first/rows/first/kernel: 'kernel' is packed by filter 32000 (lzf), and only deflate, shuffle and "
      "Fletcher-32 are read.",
      "/model_weights/first/rows/first/bias: 'bias' is packed by filter 32000 (lzf), and only deflate, shuffle and "
      "Fletcher-32 are read.",
      "/model_weights/second/rows/second/kernel: 'kernel' is packed by filter 32000 (lzf), and only deflate, shuffle "
      "and Fletcher-32 are read.",
      "/model_weights/second/rows/second/bias: 'bias' is packed by filter 32000 (lzf), and only deflate, shuffle and "
      "Fletcher-32 are read."}},
    {"h5_lzf_latest.h5",
     {"/model_weights/first/rows/first/kernel: 'kernel' is packed by filter 32000 (lzf), and only deflate, shuffle and "
      "Fletcher-32 are read.",
      "/model_weights/first/rows/first/bias: 'bias' is packed by filter 32000 (lzf), and only deflate, shuffle and "
      "Fletcher-32 are read.",
      "/model_weights/second/rows/second/kernel: 'kernel' is packed by filter 32000 (lzf), and only deflate, shuffle "
      "and Fletcher-32 are read.",
      "/model_weights/second/rows/second/bias: 'bias' is packed by filter 32000 (lzf), and only deflate, shuffle and "
      "Fletcher-32 are read."}},
    {"h5_missing.h5",
     {"/model_weights/first: 'weight_names' says 'rows/first/kernel', and the file has no such dataset.",
      "slot 'first.weight': 'first.weight' is missing: every slot of the network is written once."}},
    {"h5_no_config.h5", {"*: this file holds numbers and no network. Save the model whole, as .keras."}},
    {"h5_opaque.h5",
     {"/model_weights/first/rows/first/kernel: it holds opaque elements of 2 bytes, and only float16, float32, float64 "
      "and integers are read.",
      "/model_weights/first/rows/first/bias: it holds opaque elements of 2 bytes, and only float16, float32, float64 "
      "and integers are read.",
      "/model_weights/second/rows/second/kernel: it holds opaque elements of 2 bytes, and only float16, float32, "
      "float64 and integers are read.",
      "/model_weights/second/rows/second/bias: it holds opaque elements of 2 bytes, and only float16, float32, float64 "
      "and integers are read."}},
    {"h5_scale_offset.h5",
     {"/model_weights/first/rows/first/kernel: 'kernel' is packed by filter 6 (scale-offset), and only deflate, "
      "shuffle and Fletcher-32 are read.",
      "/model_weights/first/rows/first/bias: 'bias' is packed by filter 6 (scale-offset), and only deflate, shuffle "
      "and Fletcher-32 are read.",
      "/model_weights/second/rows/second/kernel: 'kernel' is packed by filter 6 (scale-offset), and only deflate, "
      "shuffle and Fletcher-32 are read.",
      "/model_weights/second/rows/second/bias: 'bias' is packed by filter 6 (scale-offset), and only deflate, shuffle "
      "and Fletcher-32 are read."}},
    {"h5_scale_offset_latest.h5",
     {"/model_weights/first/rows/first/kernel: 'kernel' is packed by filter 6 (scale-offset), and only deflate, "
      "shuffle and Fletcher-32 are read.",
      "/model_weights/first/rows/first/bias: 'bias' is packed by filter 6 (scale-offset), and only deflate, shuffle "
      "and Fletcher-32 are read.",
      "/model_weights/second/rows/second/kernel: 'kernel' is packed by filter 6 (scale-offset), and only deflate, "
      "shuffle and Fletcher-32 are read.",
      "/model_weights/second/rows/second/bias: 'bias' is packed by filter 6 (scale-offset), and only deflate, shuffle "
      "and Fletcher-32 are read."}},
    {"h5_soft_link.h5",
     {"/model_weights/first/rows/first/kernel: it is a soft link, a name for something elsewhere, and each number is "
      "read once."}},
    {"h5_split_both.h5",
     {"/model_weights: it has both 'layer_names' and 'layer_names0', and one list of names is read.",
      "slot 'first.weight': 'first.weight' is missing: every slot of the network is written once.",
      "slot 'first.bias': 'first.bias' is missing: every slot of the network is written once.",
      "slot 'second.weight': 'second.weight' is missing: every slot of the network is written once.",
      "slot 'second.bias': 'second.bias' is missing: every slot of the network is written once."}},
    {"h5_unwritten.h5",
     {"/model_weights/first/rows/first/kernel: its numbers are not stored: the file has a fill value for them alone.",
      "/model_weights/first/rows/first/bias: its numbers are not stored: the file has a fill value for them alone.",
      "/model_weights/second/rows/second/kernel: its numbers are not stored: the file has a fill value for them alone.",
      "/model_weights/second/rows/second/bias: its numbers are not stored: the file has a fill value for them alone."}},
    {"h5_virtual.h5",
     {"/model_weights/first/rows/first/kernel: it is a virtual dataset, made of other files' numbers, and the file "
      "alone is read."}},
    {"keras_2_cudnn.h5",
     {"model_config, layer 'g' (CuDNNGRU): it has another kernel layout. Save the model with LSTM and GRU."}},
    {"keras_2_depthwise_groups.h5",
     {"model_config, layer 'd' (DepthwiseConv2D): 'groups' is more than 1, and each channel has its own kernel "
      "already."}},
    {"lambda.h5",
     {"model_config, layer 'code' (Lambda): the layer holds code, and a file is data. Rewrite it in layers, or export "
      "the model as ONNX."}},
    {"no_batch_mean.keras",
     {"config.json, layer 'mean' (Mean): it works across the batch, and each row is answered by itself here."}},
    {"no_batch_place.keras",
     {"config.json, layer 'get_item' (GetItem): it works across the batch, and each row is answered by itself here."}},
    {"no_both_ways.keras",
     {"config.json, layer 'a' (Bidirectional): 'backward_layer' has other settings than 'layer', and both directions "
      "share them here."}},
    {"no_both_ways_dense.keras",
     {"config.json, layer 'a' (Bidirectional): 'layer' is 'ConvLSTM1D', and LSTM, GRU and SimpleRNN are walked in both "
      "directions."}},
    {"no_cell_class.keras",
     {"config.json, layer 'a' (RNN): its cell is 'ConvLSTMCell', and LSTMCell, GRUCell, SimpleRNNCell and "
      "StackedRNNCells of these are read."}},
    {"no_cell_code.keras",
     {"config.json, layer 'a' (RNN): 'cell' is of 'os', which is not Keras's own: it holds code, and a file is data. "
      "Rewrite it in layers, or export the model as ONNX."}},
    {"no_cell_word.keras",
     {"config.json, layer 'a' (LSTM): 'activation' is 'softmax', and a cell takes no such activation: they work "
      "element by element and have no slot.",
      "config.json, layer 'a' (LSTM): 'recurrent_activation' is 'own', and the words read are celu, elu, exponential, "
      "gelu, glu, hard_shrink, hard_sigmoid, hard_silu, hard_swish, hard_tanh, leaky_relu, linear, log_sigmoid, "
      "log_softmax, mish, relu, relu6, selu, sigmoid, silu, soft_shrink, softmax, softplus, softsign, sparse_plus, "
      "sparse_sigmoid, squareplus, swish, tanh, tanh_shrink."}},
    {"no_crop.keras", {"config.json, layer 'a' (CenterCrop): 'height' is 4, and the image has 3 places there."}},
    {"no_each_step_rows.keras",
     {"config.json, layer 'a' (TimeDistributed): 'layer' is a BatchNormalization, which mixes rows in training: the "
      "steps would be rows to it. Put it behind, or hold it."}},
    {"no_einsum.keras",
     {"config.json, layer 'a' (EinsumDense): 'equation' is 'abc,bd->ad', and no letter of x alone is summed over."}},
    {"no_input_class.keras",
     {"config.json, layer 'x' (InputLayer): 'os' is not Keras's own: the layer holds code, and a file is data. Rewrite "
      "it in layers, or export the model as ONNX."}},
    {"no_lookup.keras", {"config.json, layer 'a' (Embedding): 'input_dim' is 0, and at least 1 is read."}},
    {"no_masked_softmax.keras",
     {"config.json, layer 'b' (Softmax): it is called on a series with a mask, which Keras fails on."}},
    {"no_noise_shape.keras",
     {"config.json, layer 'a' (Dropout): 'noise_shape' is [null,1,2]: a draw that several numbers share is not read."}},
    {"no_operator.keras", {"config.json, layer 'sort' (Sort): the operator 'keras.src.ops.numpy.Sort' is not read."}},
    {"no_resizing.keras",
     {"config.json, layer 'a' (Resizing): 'interpolation' is 'bicubic', and bilinear, nearest are read.",
      "config.json, layer 'a' (Resizing): 'antialias' is true: images are read at their places alone."}},
    {"no_stateful.keras", {"config.json, layer 'a' (GRU): 'stateful' is true: it answers by what it saw before."}},
    {"no_training.keras",
     {"config.json, layer 'a' (Dropout): it is called with 'training' true, and this is not read."}},
    {"weights_alone.weights.h5", {"*: this file holds numbers and no network. Save the model whole, as .keras."}},
};

class KerasRefused : public testing::TestWithParam<Row> {};

bool fits(const std::string& line, const std::string& expected) {
  if (expected.front() == '*') {
    const std::string end = expected.substr(1);
    return line.size() >= end.size() && line.compare(line.size() - end.size(), end.size(), end) == 0;
  }
  if (expected.back() == '*') return line.compare(0, expected.size() - 1, expected, 0, expected.size() - 1) == 0;
  return line == expected;
}

TEST_P(KerasRefused, NamesEveryPlaceAndReason) {
  const std::vector<std::string> lines = refusal_of([] { read(std::string("keras/") + GetParam().name); });
  ASSERT_EQ(lines.size(), GetParam().lines.size()) << testing::PrintToString(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(fits(lines[i], GetParam().lines[i])) << lines[i] << "\n" << GetParam().lines[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, KerasRefused, testing::ValuesIn(kRefused), by_name);

TEST(KerasRefused, AFileCutShortIsRefused) {
  EXPECT_THAT(
      refusal_of([] { read("keras/half.keras"); }),
      ElementsAre("byte 9000: the archive's end record is missing: the file was cut short, or is no zip archive."));
}

TEST(KerasRefused, AnotherLossThanTheFilesTakesItsPlace) {
  ReadOptions options;
  options.loss = MeanSquaredError{};
  EXPECT_EQ(read("keras/loss_own.keras", options).losses.at("end").name(), "mean_squared_error");
}

TEST(KerasRefused, ALossOfOneOutputLeavesTheOthersTheFiles) {
  ReadOptions options;
  options.losses.emplace("amount", MeanAbsoluteError{});
  const SavedNetwork saved = read("keras/loss_two_outputs.keras", options);
  EXPECT_EQ(saved.losses.at("amount").name(), "mean_absolute_error");
  EXPECT_EQ(saved.losses.at("chance").name(), "binary_crossentropy");
}

}  // namespace
}  // namespace causeway::formats::keras
