// Wrong words of a network: each is refused with its line and column and the nearest word, every fault at once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/nn/words.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

struct Row {
  const char* name;
  const char* words;
  std::vector<std::string> lines;
};

const Row kRows[] = {
    {"no_object",
     R"([1, 2])",
     {"net.json, line 1:1: a network is an object with its \"layers\", and an array stands here."}},
    {"nothing_in_it",
     R"({})",
     {"net.json, line 1:1: its \"input\" is missing: the shape of an example, such as [14].",
      "net.json, line 1:1: \"layers\" is a list of one layer or more."}},
    {"no_layers", R"({"input": [4]})", {"net.json, line 1:1: \"layers\" is a list of one layer or more."}},
    {"empty_layers",
     R"({"input": [4], "layers": []})",
     {"net.json, line 1:26: \"layers\" is a list of one layer or more."}},
    {"layers_of_another_kind",
     R"({"input": [4], "layers": 3})",
     {"net.json, line 1:26: \"layers\" is a list of one layer or more."}},
    {"input_of_another_kind",
     R"({"input": "four", "layers": ["relu"]})",
     {"net.json, line 1:11: an input is a list of lengths, such as [28, 28, 1], without the batch."}},
    {"length_of_nought",
     R"({"input": [0],
 "layers": [
  {"kind": "dense", "units": 3}]})",
     {"net.json, line 1:12: a length is a whole number of at least 1, or a name such as \"L\" (\"N\" is the batch)."}},
    {"length_below_nought",
     R"({"input": [-4],
 "layers": [
  {"kind": "dense", "units": 3}]})",
     {"net.json, line 1:12: a length is a whole number of at least 1, or a name such as \"L\" (\"N\" is the batch)."}},
    {"length_not_whole",
     R"({"input": [4.5],
 "layers": [
  {"kind": "dense", "units": 3}]})",
     {"net.json, line 1:12: a length is a whole number of at least 1, or a name such as \"L\" (\"N\" is the batch)."}},
    {"batch_among_lengths",
     R"({"input": ["N", 4],
 "layers": [
  {"kind": "dense", "units": 3}]})",
     {"net.json, line 1:12: a length is a whole number of at least 1, or a name such as \"L\" (\"N\" is the batch)."}},
    {"input_and_inputs",
     R"({"input": [4], "inputs": {"a": [4]},
 "layers": ["relu"]})",
     {"net.json, line 1:26: either \"input\" or \"inputs\" is stated, and both are here."}},
    {"unknown_dtype",
     R"({"inputs": {"a": {"shape": [4], "dtype": "float12"}},
 "layers": ["relu"]})",
     {"net.json, line 1:42: float32, int64, int32, uint8 or bool is read here."}},
    {"unknown_key_of_an_input",
     R"({"inputs": {"a": {"shape": [4], "type": "bool"}},
 "layers": ["relu"]})",
     {"net.json, line 1:41: an input has no 'type'."}},
    {"name_of_an_input_with_an_at",
     R"({"inputs": {"@a": [4]},
 "layers": ["relu"]})",
     {"net.json, line 1:19: '@a' is no name of an input."}},
    {"unknown_key_of_a_network",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "ouputs": ["0"]})",
     {"net.json, line 4:12: a network has no 'ouputs'. The nearest is 'outputs'."}},
    {"unknown_kind",
     R"({"input": [4],
 "layers": [
  {"kind": "dens", "units": 3}]})",
     {"net.json, line 3:12: 'dens' is no layer. The nearest is 'dense'."}},
    {"keras_class_name",
     R"({"input": [4],
 "layers": [
  "re_lu"]})",
     {"net.json, line 3:3: 're_lu' is no layer. The nearest is 'relu'."}},
    {"pytorchs_class_name",
     R"({"input": [4],
 "layers": [
  {"kind": "batchnorm"}]})",
     {"net.json, line 3:12: 'batchnorm' is no layer. The nearest is 'batch_normalization'."}},
    {"kind_near_no_other",
     R"({"input": [4],
 "layers": [
  {"kind": "quaternion_mixer"}]})",
     {"net.json, line 3:12: 'quaternion_mixer' is no layer. docs/layers.md lists every layer."}},
    {"first_layer_of_several_inputs",
     R"({"inputs": {"a": [5], "b": [5]},
 "layers": [
  {"kind": "dense", "units": 1}, "relu"]})",
     {"net.json, line 3:3: it is the first layer, and the inputs are 'a', 'b': name what it takes with 'from'."}},
    {"first_layer_of_several_inner_inputs",
     R"({"inputs": {"a": [5], "b": [5]},
 "layers": [
  {"kind": "network", "from": ["a", "b"], "inputs": ["p", "q"], "layers": [
    "relu"]}]})",
     {"net.json, line 4:5: it is the first layer, and the inputs are 'p', 'q': name what it takes with 'from'."}},
    {"kind_missing",
     R"({"input": [4],
 "layers": [
  {"units": 3}]})",
     {"net.json, line 3:3: a layer is a word, or an object with its \"kind\"."}},
    {"kind_of_another_kind",
     R"({"input": [4],
 "layers": [
  {"kind": 7}]})",
     {"net.json, line 3:3: a layer is a word, or an object with its \"kind\"."}},
    {"layer_of_another_kind",
     R"({"input": [4],
 "layers": [
  17]})",
     {"net.json, line 3:3: a layer is a word, or an object with its \"kind\"."}},
    {"unknown_setting",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "unit": 3}]})",
     {"net.json, line 3:3: dense: setting 'units' is missing, and dense needs it.",
      "net.json, line 3:29: dense: it has no setting 'unit'. The nearest is 'units'."}},
    {"setting_missing",
     R"({"input": [4],
 "layers": [
  {"kind": "dense"}]})",
     {"net.json, line 3:3: dense: setting 'units' is missing, and dense needs it."}},
    {"setting_of_another_type",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": "three"}]})",
     {"net.json, line 3:30: dense: 'units' is 'three', and a whole number is read here."}},
    {"units_not_whole",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 2.5}]})",
     {"net.json, line 3:30: dense: 'units' is 2.5, and a whole number is read here."}},
    {"units_of_nought",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 0}]})",
     {"net.json, line 3:3, layer '0' (Dense): 'units' is 0, and at least 1 is made."}},
    {"truth_expected",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "use_bias": 1}]})",
     {"net.json, line 3:45: dense: 'use_bias' is 1, and true or false is read here."}},
    {"unknown_initializer",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_initializer": "glorot_unifrom"}]})",
     {"net.json, line 3:55: dense: 'kernel_initializer' is 'glorot_unifrom', and no initializer has this name. The "
      "nearest is 'glorot_uniform'."}},
    {"unknown_key_of_a_penalty",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_regularizer": {"l3": 1}}]})",
     {"net.json, line 3:55: dense: 'kernel_regularizer' is {\"l3\":1}, and \"l1\", \"l2\" or {\"l1\": …, \"l2\": …} is "
      "read here."}},
    {"bound_below_nought",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_constraint": {"max_norm": -1}}]})",
     {"net.json, line 3:54: dense: 'kernel_constraint' is {\"max_norm\":-1}, and a norm above 0 is read here."}},
    {"unknown_activation",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "activation": "rellu"}]})",
     {"net.json, line 3:47: 'rellu' is no layer. The nearest is 'relu'."}},
    {"activation_of_another_type",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "activation": 3}]})",
     {"net.json, line 3:47: an activation is a word, or an object with its \"kind\"."}},
    {"setting_of_an_activation",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "activation": {"kind": "elu", "alfa": 1}}]})",
     {"net.json, line 3:71: elu: it has no setting 'alfa'. The nearest is 'alpha'."}},
    {"trainable_of_another_type",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "trainable": "no"}]})",
     {"net.json, line 3:46: 'trainable' is true or false."}},
    {"name_taken",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "a"},
  {"kind": "relu", "name": "a"}]})",
     {"net.json, line 4:3: the name 'a' is taken by a layer or input above."}},
    {"name_taken_by_another_width",
     R"({"input": [5],
 "layers": [
  {"kind": "dense", "units": 3, "name": "a"},
  {"kind": "dense", "units": 1, "name": "a"}]})",
     {"net.json, line 4:3: the name 'a' is taken by a layer or input above."}},
    {"name_taken_and_a_wrong_setting",
     R"({"input": [5],
 "layers": [
  {"kind": "dense", "units": 3, "name": "a"},
  {"kind": "dense", "unit": 1, "name": "a"}]})",
     {"net.json, line 4:3: the name 'a' is taken by a layer or input above.",
      "net.json, line 4:3: dense: setting 'units' is missing, and dense needs it.",
      "net.json, line 4:29: dense: it has no setting 'unit'. The nearest is 'units'."}},
    {"path_of_a_layer_in_a_network_taken",
     R"({"input": [3],
 "layers": [
  {"kind": "network", "name": "b", "layers": [{"kind": "dense", "units": 3, "name": "c"}]},
  {"kind": "dense", "units": 3, "name": "b.c"}]})",
     {"net.json, line 4:3: its path 'b.c' is that of the layer at line 3:47 too. Name one of the two otherwise."}},
    {"path_taken_before_a_network",
     R"({"input": [3],
 "layers": [
  {"kind": "dense", "units": 3, "name": "b.c"},
  {"kind": "network", "name": "b", "layers": [{"kind": "dense", "units": 3, "name": "c"}]},
  {"kind": "again", "layer": "b"}]})",
     {"net.json, line 4:47: its path 'b.c' is that of the layer at line 3:3 too. Name one of the two otherwise."}},
    {"path_of_an_activation_taken",
     R"({"input": [3],
 "layers": [
  {"kind": "network", "name": "b", "layers": [{"kind": "dense", "units": 3, "name": "c", "activation": "prelu"}]},
  {"kind": "prelu", "name": "b.c.activation"}]})",
     {"net.json, line 4:3: its path 'b.c.activation' is that of the layer at line 3:104 too. Name one of the two "
      "otherwise."}},
    {"slot_of_a_low_rank_pair_taken",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 4, "lora_rank": 4, "name": "b"},
  {"kind": "dense", "units": 4, "use_bias": false, "name": "b.lora_A"}]})",
     {"net.json, line 4:3, layer 'b.lora_A' (Dense): its slot 'b.lora_A.weight' is that of net.json, line 3:3, layer "
      "'b' (Dense) too. Name one of the two otherwise."}},
    {"slot_of_an_encoder_taken",
     R"({"input": [5, 4],
 "layers": [
  {"kind": "dense", "units": 4, "name": "t.linear2"},
  {"kind": "transformer_encoder_layer", "nhead": 2, "dim_feedforward": 4, "name": "t"}]})",
     {"net.json, line 4:3, layer 't' (TransformerEncoderLayer): its slot 't.linear2.weight' is that of net.json, line "
      "3:3, layer 't.linear2' (Dense) too. Name one of the two otherwise."}},
    {"evenly_between_bounds_that_are_turned",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_initializer": {"kind": "random_uniform", "minval": 1, "maxval": -1}}]})",
     {"net.json, line 3:55: dense: 'kernel_initializer' starts from random_uniform between 1 and -1, and 'minval' is "
      "at most 'maxval'."}},
    {"spread_below_nought",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_initializer": {"kind": "random_normal", "stddev": -1}}]})",
     {"net.json, line 3:55: dense: 'kernel_initializer' starts from random_normal with a 'stddev' of -1, and at least "
      "0 is read."}},
    {"constant_past_float32",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_initializer": {"kind": "constant", "value": 1e39}}]})",
     {"net.json, line 3:55: dense: 'kernel_initializer' starts from constant by 1e+39, and numbers within float32 are "
      "read."}},
    {"bound_of_nought",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "kernel_constraint": {"max_norm": 0}}]})",
     {"net.json, line 3:54: dense: 'kernel_constraint' is {\"max_norm\":0}, and a norm above 0 is read here."}},
    {"loss_by_output_of_one_output",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "loss": {"a": "huber", "b": {"kind": "huber"}}})",
     {"net.json, line 4:16: the network has no output 'a'. It has 'output'.",
      "net.json, line 4:30: the network has no output 'b'. It has 'output'."}},
    {"name_of_an_input_taken",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "input"}]})",
     {"net.json, line 3:3: the name 'input' is taken by a layer or input above."}},
    {"name_with_a_slash",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "a/b"}]})",
     {"net.json, line 3:41: a name is a text without '#', '/' and '@'."}},
    {"empty_name",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": ""}]})",
     {"net.json, line 3:41: a name is a text without '#', '/' and '@'."}},
    {"from_below",
     R"({"input": [4],
 "layers": [
  {"kind": "relu", "from": "1"},
  {"kind": "dense", "units": 3}]})",
     {"net.json, line 3:28: no layer or input above is named '1'."}},
    {"from_itself",
     R"({"input": [4],
 "layers": [
  {"kind": "relu", "name": "loop", "from": "loop"}]})",
     {"net.json, line 3:44: no layer or input above is named 'loop'."}},
    {"from_nothing_known",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "encoder"},
  {"kind": "relu", "from": "encodr"}]})",
     {"net.json, line 4:28: no layer or input above is named 'encodr'. The nearest is 'encoder'."}},
    {"from_of_another_type",
     R"({"input": [4],
 "layers": [
  {"kind": "relu", "from": 0}]})",
     {"net.json, line 3:28: 'from' is the path of a layer or input above, or a list of such."}},
    {"two_into_one",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3},
  {"kind": "relu", "from": ["input", "0"]}]})",
     {"net.json, line 4:3, layer '1' (ReLU): it takes one value, and 2 are handed to it."}},
    {"one_into_a_merge",
     R"({"input": [4],
 "layers": [
  "add"]})",
     {"net.json, line 3:3, layer '0' (Add): it takes two or more values, and 1 is handed to it."}},
    {"shapes_that_cannot_meet",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3},
  {"kind": "add", "from": ["input", "0"]}]})",
     {"net.json, line 4:3, layer '1' (Add): [N, 4] and [N, 3] do not broadcast: counted from the last axis, two "
      "lengths are the same or one is 1."}},
    {"ranks_that_cannot_meet",
     R"({"input": [4],
 "layers": [
  {"kind": "conv2d", "filters": 2, "kernel_size": 3}]})",
     {"net.json, line 3:3, layer '0' (Conv2D): it is handed [N, 4], and takes images, [N, H, W, C]."}},
    {"window_past_the_input",
     R"({"input": [4, 1],
 "layers": [
  {"kind": "conv1d", "filters": 2, "kernel_size": 9}]})",
     {"net.json, line 3:3, layer '0' (Conv1D): the window reaches over 9 cells, and the input has 4 with a border of 0 "
      "and 0."}},
    {"groups_that_do_not_divide",
     R"({"input": [4, 4],
 "layers": [
  {"kind": "conv1d", "filters": 2, "kernel_size": 1, "groups": 3}]})",
     {"net.json, line 3:3, layer '0' (Conv1D): 'groups' is 3, and 4 channels in and 2 filters do not both divide by "
      "it."}},
    {"causal_image",
     R"({"input": [4, 4, 1],
 "layers": [
  {"kind": "conv2d", "filters": 2, "kernel_size": 1, "padding": "causal"}]})",
     {"net.json, line 3:3, layer '0' (Conv2D): 'padding' is \"causal\", and only a convolution of one axis has such a "
      "border."}},
    {"unknown_padding",
     R"({"input": [4, 1],
 "layers": [
  {"kind": "conv1d", "filters": 2, "kernel_size": 1, "padding": "full"}]})",
     {"net.json, line 3:65: conv1d: 'padding' is 'full', and \"valid\", \"same\", \"causal\", a number, or numbers for "
      "each axis or side is read here."}},
    {"rate_of_one",
     R"({"input": [4],
 "layers": [
  {"kind": "dropout", "rate": 1}]})",
     {"net.json, line 3:3, layer '0' (Dropout): 'rate' is 1, and lies in [0, 1)."}},
    {"noise_of_another_length",
     R"({"input": [5, 3],
 "layers": [
  {"kind": "dropout", "rate": 0.5, "noise_shape": [7, 4, 1]}]})",
     {"net.json, line 3:3, layer '0' (Dropout): 'noise_shape' is 4 along axis 1, and [N, 5, 3] is handed to it: 1 "
      "shares "
      "a draw, the length draws for each."}},
    {"axis_of_the_batch",
     R"({"input": [4],
 "layers": [
  {"kind": "batch_normalization", "axis": 0}]})",
     {"net.json, line 3:3, layer '0' (BatchNormalization): 'axis' is the batch, and a normalization runs along "
      "another."}},
    {"axis_past_the_rank",
     R"({"input": [4],
 "layers": [
  {"kind": "softmax", "axis": 3}]})",
     {"net.json, line 3:3, layer '0' (Softmax): 'axis' is 3, and the range here is [-2, 1]."}},
    {"slots_of_an_open_length",
     R"({"input": ["L", 4],
 "layers": [
  "flatten",
  {"kind": "dense", "units": 3}]})",
     {"net.json, line 4:3, layer '1' (Dense): it depends on a length that is open here, [N, 4*L]. Bind 'L' to a "
      "number first."}},
    {"unknown_output",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "outputs": ["1"]})",
     {"net.json, line 4:14: no layer or input above is named '1'."}},
    {"output_twice",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "outputs": ["0", "0"]})",
     {"net.json, line 4:19: an output is named once."}},
    {"outputs_of_another_type",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "outputs": "0"})",
     {"net.json, line 4:13: \"outputs\" is a list of paths."}},
    {"unknown_loss",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "loss": "mean_square_error"})",
     {"net.json, line 4:10: 'mean_square_error' is no loss. The nearest is 'mean_squared_error'. Known are "
      "binary_crossentropy, binary_focal_crossentropy, categorical_crossentropy, earth_movers_distance, hinge, huber, "
      "mean_absolute_error, mean_squared_error, poisson, sparse_categorical_crossentropy."}},
    {"setting_of_a_loss",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3}],
 "loss": {"kind": "huber", "delt": 1}})",
     {"net.json, line 4:36: huber: it has no setting 'delt'. The nearest is 'delta'."}},
    {"loss_of_an_unknown_output",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3},
  {"kind": "dense", "units": 1}],
 "outputs": ["0", "1"],
 "loss": {"2": "huber"}})",
     {"net.json, line 6:16: the network has no output '2'."}},
    {"one_loss_of_two_outputs",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3},
  {"kind": "dense", "units": 1}],
 "outputs": ["0", "1"],
 "loss": "huber"})",
     {"net.json, line 6:10: there are several outputs, and their losses are stated by output, {\"OUTPUT\": …}."}},
    {"activation_not_the_losss",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3},
  "softmax"],
 "loss": "binary_crossentropy"})",
     {"layer '1' (Softmax), Softmax: it ends in a Softmax, and binary_crossentropy goes with a Sigmoid."}},
    {"mask_of_nothing_known",
     R"({"input": [4, 1],
 "layers": [
  {"kind": "lstm", "units": 2, "mask": "msk"}]})",
     {"net.json, line 3:3, layer '0' (LSTM): 'mask' names 'msk', and no layer or input above has this name."}},
    {"again_of_nothing_known",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "twin"},
  {"kind": "again", "layer": "twn"}]})",
     {"net.json, line 4:30: no layer or inner network above is named 'twn'. The nearest is 'twin'."}},
    {"again_on_another_width",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "twin"},
  {"kind": "again", "layer": "twin"}]})",
     {"net.json, line 4:3, layer 'twin' (Dense): 'weight' is [4, 3] where it was called first, and [3, 3] here. A "
      "layer called again is handed the same channels."}},
    {"again_with_a_setting",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 4, "name": "twin"},
  {"kind": "again", "layer": "twin", "units": 3}]})",
     {"net.json, line 4:47: 'again' has no setting 'units'."}},
    {"again_of_a_dense_in_reverse",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 4, "name": "twin"},
  {"kind": "again", "layer": "twin", "reverse": true}]})",
     {"net.json, line 4:49: 'reverse' calls a reversible_embedding the other way round, and 'twin' is dense."}},
    {"again_in_reverse_of_another_kind",
     R"({"input": [],
 "layers": [
  {"kind": "reversible_embedding", "input_dim": 4, "output_dim": 1, "name": "table"},
  {"kind": "again", "layer": "table", "reverse": 1}]})",
     {"net.json, line 4:50: reversible_embedding: 'reverse' is 1, and true or false is read here."}},
    {"inner_network_without_layers",
     R"({"input": [4],
 "layers": [
  {"kind": "network"}]})",
     {"net.json, line 3:3: \"layers\" is a list of one layer or more."}},
    {"inner_network_of_two_inputs",
     R"({"input": [4],
 "layers": [
  {"kind": "network", "inputs": ["a", "b"], "layers": ["relu"]}]})",
     {"net.json, line 3:33: it takes 2 values, and 1 are handed to it."}},
    {"inner_name_from_outside",
     R"({"input": [4],
 "layers": [
  {"kind": "dense", "units": 3, "name": "a"},
  {"kind": "network", "layers": [{"kind": "relu", "from": "a"}]}]})",
     {"net.json, line 4:59: no layer or input above is named 'a'."}},
    {"wrapped_normalization",
     R"({"input": [4, 2],
 "layers": [
  {"kind": "time_distributed", "layer": "batch_normalization"}]})",
     {"net.json, line 3:3, layer '0' (TimeDistributed): 'layer' is a batch_normalization, which mixes rows in "
      "training: the steps would be rows to it. Put it behind."}},
    {"wrapped_nothing",
     R"({"input": [4, 2],
 "layers": [
  {"kind": "time_distributed", "layer": {"kind": "dens"}}]})",
     {"net.json, line 3:41: time_distributed: 'layer' is 'dens', which is no layer. The nearest is 'dense'."}},
    {"all_faults_at_once",
     R"({"input": [4],
 "layers": [
  {"kind": "dens", "units": 3},
  {"kind": "dense", "unit": 3},
  {"kind": "relu", "from": "nowhere"},
  {"kind": "dropout", "rate": 2}]})",
     {"net.json, line 3:12: 'dens' is no layer. The nearest is 'dense'.",
      "net.json, line 4:3: dense: setting 'units' is missing, and dense needs it.",
      "net.json, line 4:29: dense: it has no setting 'unit'. The nearest is 'units'.",
      "net.json, line 5:28: no layer or input above is named 'nowhere'.",
      "net.json, line 6:3, layer '3' (Dropout): 'rate' is 2, and lies in [0, 1)."}},
    {"text_that_is_no_json",
     R"({"input": [4],
 "layers": [})",
     {"net.json, line 2:13: '}' stands where a value is expected."}},
    {"doubled_key",
     R"({"input": [4], "input": [5],
 "layers": ["relu"]})",
     {"net.json, line 1:16: the key 'input' stands in this object already, at line 1:2."}},
};

// Networks in one another, each called three times more on its level: four times as many layers a level.
TEST(ManyWords, OfFewLettersMakeNoMoreLayersThanAreRead) {
  std::string words = R"({"kind": "relu", "name": "k"})";
  for (int level = 0; level < 12; ++level) {
    words = R"({"kind": "network", "name": "m", "layers": [)" + words;
    for (const char* call : {"q", "r", "s"}) {
      words += std::string(R"(, {"kind": "again", "layer": ")") + (level == 0 ? "k" : "m") + R"(", "name": ")" + call +
               R"("})";
    }
    words += "]}";
  }
  EXPECT_THAT(tests::refusal_of([&] { network_of_words(R"({"input": [3], "layers": [)" + words + "]}", "net.json"); }),
              testing::ElementsAre(testing::EndsWith(
                  "the network has more than 100000 layers, counted with each call of a layer, which are the most.")));
}

TEST(ManyWords, OfABinMakeItOnce) {
  const Network network =
      network_of_words(R"({"input": [3, 3], "layers": [{"kind": "adaptive_max_pooling1d", "output_size": 1000000}]})",
                       "net.json")
          .network;
  EXPECT_LT(network.graph().nodes().size(), 20u);
}

class WrongWords : public testing::TestWithParam<Row> {};

TEST_P(WrongWords, AreRefusedAtTheirPlaces) {
  EXPECT_THAT(tests::refusal_of([] { network_of_words(GetParam().words, "net.json"); }),
              testing::ElementsAreArray(GetParam().lines));
}

INSTANTIATE_TEST_SUITE_P(Words, WrongWords, testing::ValuesIn(kRows), tests::by_name);

}  // namespace
}  // namespace causeway
