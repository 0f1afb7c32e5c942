// The program as people and other programs call it: a row is a command line, its exit code, and what it prints where.

#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "causeway/base/fault.h"
#include "causeway/base/json.h"
#include "causeway/cli/arrays.h"
#include "causeway/formats/byte_source.h"
#include "causeway/formats/safetensors/container.h"
#include "causeway/formats/safetensors/writer.h"
#include "tests/support/files.h"
#include "tests/support/rows.h"

namespace causeway::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Named = std::map<std::string, Tensor, std::less<>>;

// The first rows of an array.
Tensor first_rows(const Tensor& tensor, int64_t rows) {
  std::vector<int64_t> lengths = tensor.lengths();
  lengths[0] = rows;
  Tensor first = Tensor::uninitialized(tensor.dtype(), lengths);
  std::copy_n(tensor.bytes().data(), first.size_bytes(), static_cast<std::byte*>(first.mutable_data()));
  return first;
}

// What the command lines of a test read, in a folder of their own.
class Files {
 public:
  Files() {
    const Arrays rows = read_arrays(tests::fixture("titanic/rows.safetensors"));
    const Tensor x = rows.named.at("test_x"), y = rows.named.at("test_y");
    for (const char* suffix : {".npy", ".npz", ".safetensors", ".csv"}) {
      write_arrays({{"input_layer", x}}, folder_.file(std::string("x") + suffix));
      write_arrays({{"dense_1", y}}, folder_.file(std::string("y") + suffix));
    }
    write_arrays({{"x", first_rows(x, 3)}}, folder_.file("three.npy"));
    write_arrays({{"x", x.converted(DType::Float64)}}, folder_.file("double.npy"));
    write_arrays({{"x", Tensor(DType::Float32, {5, 13})}}, folder_.file("narrow.npy"));
    write_arrays({{"x", Tensor::of_integers({1, 2})}}, folder_.file("whole.npy"));
    write_arrays({{"a", x}, {"b", x}}, folder_.file("others.npz"));
    write_arrays({{"input_layer", x}, {"dense_1", y}}, folder_.file("both.npz"));
    write_arrays({{"weights", Tensor::of<float>({135}, std::vector<float>(135, 2))}}, folder_.file("weights.npy"));
    folder_.write("empty", "");
    folder_.write("words.csv", "a,b\n1,two\n3,4\nfive,6\n");
    folder_.write("headerless.csv", "1,2\n3,4\n");
    const std::string header = R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                               R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    folder_.write("order.safetensors",
                  std::string{static_cast<char>(header.size())} + std::string(7, '\0') + header + std::string(8, '\0'));
    folder_.write("zip.npz", "PK\x03\x04 and nothing more");
    folder_.write("text.txt", "no model");
    write_faulty();
    write_odd_words();
    write_two_outputs();
    write_deep();
    write_open();
  }

  std::string file(std::string_view name) const { return folder_.file(name); }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  // The numbers of dense.safetensors, one missing, one extra, one misshapen and one not finite.
  void write_faulty() {
    using formats::safetensors::WrittenTensor;
    const Tensor bias = Tensor::of<float>({16}, [] {
      std::vector<float> numbers(16, 1);
      numbers[3] = std::numeric_limits<float>::quiet_NaN();
      return numbers;
    }());
    const std::vector<WrittenTensor> tensors{{"0.bias", bias, {}},
                                             {"0.weight", Tensor(DType::Float32, {14, 16}), {}},
                                             {"2.weight", Tensor(DType::Float32, {1, 16}), {}},
                                             {"3.weight", Tensor(DType::Float32, {1}), {}}};
    formats::safetensors::write_safetensors(file("faulty.safetensors"), {}, tensors);
  }

  void write_odd_words() {
    folder_.write("odd.json",
                  "{\"input\": [14],\n \"layers\": [\n  {\"kind\": \"dens\", \"units\": 16},\n"
                  "  {\"kind\": \"dense\", \"unit\": 1}]}\n");
  }

  void write_two_outputs() {
    folder_.write("two.json",
                  "{\"input\": [2], \"layers\": [{\"kind\": \"dense\", \"units\": 1, \"name\": \"a\"},\n"
                  " {\"kind\": \"dense\", \"units\": 1, \"name\": \"b\"}], \"outputs\": [\"a\", \"b\"]}");
    formats::safetensors::write_safetensors(
        file("two.safetensors"), {},
        std::vector<formats::safetensors::WrittenTensor>{{"a.weight", Tensor::of<float>({1, 2}, {1, 2}), {}},
                                                         {"a.bias", Tensor(DType::Float32, {1}), {}},
                                                         {"b.weight", Tensor::of<float>({1, 1}, {3}), {}},
                                                         {"b.bias", Tensor(DType::Float32, {1}), {}}});
    folder_.write("two_turned.json",
                  "{\"input\": [2], \"layers\": [{\"kind\": \"dense\", \"units\": 1, \"name\": \"a\"},\n"
                  " {\"kind\": \"dense\", \"units\": 1, \"name\": \"b\"}], \"outputs\": [\"b\", \"a\"]}");
    write_arrays({{"input", Tensor::of<float>({2, 2}, {1, 2, 3, 4})}}, folder_.file("two_x.npy"));
    write_arrays({{"b", Tensor::of<float>({2, 1}, {1, 2})}}, folder_.file("two_y.npy"));
  }

  // Two networks of two layers that differ in the second, and one of one.
  void write_deep() {
    folder_.write("deep.json", R"({"input": [14], "layers": [{"kind": "dense", "units": 1}, "tanh",
                                  {"kind": "dense", "units": 1}]})");
    folder_.write("unread.json", R"({"inputs": {"x": [14], "more": [3]}, "layers": [
                                    {"kind": "dense", "units": 16, "from": "x"}, "relu", {"kind": "dense", "units": 1}]})");
    folder_.write("bare.json", R"({"input": [14], "layers": [{"kind": "dense", "units": 1}]})");
    const auto numbers = [](const std::string& layer, std::vector<int64_t> lengths, float number) {
      const size_t count = static_cast<size_t>(lengths[0] * lengths[1]);
      return std::vector<formats::safetensors::WrittenTensor>{
          {layer + ".weight", Tensor::of<float>(std::move(lengths), std::vector<float>(count, number)), {}},
          {layer + ".bias", Tensor(DType::Float32, {1}), {}}};
    };
    const auto write = [&](const std::string& name, std::vector<formats::safetensors::WrittenTensor> tensors,
                           const std::vector<formats::safetensors::WrittenTensor>& more) {
      tensors.insert(tensors.end(), more.begin(), more.end());
      formats::safetensors::write_safetensors(file(name), {}, tensors);
    };
    write("first.safetensors", numbers("0", {1, 14}, .5f), numbers("2", {1, 1}, 1));
    write("second.safetensors", numbers("0", {1, 14}, .5f), numbers("2", {1, 1}, 2));
    write("bare.safetensors", numbers("0", {1, 14}, .5f), {});
  }

  // A network over any number of steps.
  void write_open() {
    folder_.write("open.json", R"({"input": ["L", 2], "layers": [{"kind": "dense", "units": 1}, "flatten"]})");
    formats::safetensors::write_safetensors(
        file("open.safetensors"), {},
        std::vector<formats::safetensors::WrittenTensor>{{"0.weight", Tensor::of<float>({1, 2}, {1, 2}), {}},
                                                         {"0.bias", Tensor(DType::Float32, {1}), {}}});
    write_arrays({{"input", Tensor(DType::Float32, {1, 4, 2})}}, folder_.file("open_x.npy"));
  }

  tests::TemporaryFolder folder_;
};

std::string replaced(std::string line, std::string_view name, const std::string& path) {
  for (size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + path.size())) {
    line.replace(at, name.size(), path);
  }
  return line;
}

// {titanic}, {keras} and {pytorch} are folders of fixtures, {work} the test's own, {dense} a file of numbers with its words.
std::string filled(std::string line, const Files& files) {
  line = replaced(line, "{dense}", "{titanic}/dense.safetensors --network {titanic}/dense.network.json");
  line = replaced(line, "{titanic}", tests::fixture("titanic"));
  line = replaced(line, "{keras}", tests::fixture("keras"));
  line = replaced(line, "{pytorch}", tests::fixture("pytorch"));
  line = replaced(line, "{examples}", tests::data_file("../examples"));
  line = replaced(line, "{data}", tests::data_file(""));
  return replaced(line, "{work}", files.folder().string());
}

struct Case {
  const char* name;
  const char* line;
  int exit;
  std::vector<std::string> out = {}, err = {};

  friend void PrintTo(const Case& row, std::ostream* out) { *out << "causeway " << row.line; }
};

class Program : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() { files_ = new Files; }
  static void TearDownTestSuite() {
    delete files_;
    files_ = nullptr;
  }
  static Files* files_;

  // Holds for every command line: results alone on stdout, a refusal counted and a line a fault, one object of JSON.
  static void expect_manners(const tests::Ran& ran, bool json) {
    size_t lines = 0;
    for (size_t at = 0; (at = ran.err.find("refused: ", at)) != std::string::npos; ++at) {
      lines += at == 0 || ran.err[at - 1] == '\n';
    }
    if (ran.exit == 0) {
      EXPECT_EQ(lines, 0u);
    }
    if (ran.exit == 2) {
      EXPECT_EQ(ran.out, "");
    }
    if (lines > 0) {
      EXPECT_EQ(ran.out, "");
      EXPECT_THAT(ran.err, HasSubstr(std::to_string(lines) + (lines == 1 ? " fault:\n" : " faults:\n")));
    }
    if (!json || ran.exit == 2) return;
    EXPECT_EQ(lines, 0u) << "a refusal is JSON then";
    EXPECT_TRUE(parse_json(ran.out, "stdout").is_object());
  }
};
Files* Program::files_ = nullptr;

TEST_P(Program, EndsAndPrintsAsItShould) {
  const std::string line = filled(GetParam().line, *files_);
  const tests::Ran ran = tests::causeway(tests::words_of(line));
  SCOPED_TRACE("causeway " + line + "\nstdout: " + ran.out + "\nstderr: " + ran.err);
  EXPECT_EQ(ran.exit, GetParam().exit);
  for (const std::string& text : GetParam().out) EXPECT_THAT(ran.out, HasSubstr(filled(text, *files_)));
  for (const std::string& text : GetParam().err) EXPECT_THAT(ran.err, HasSubstr(filled(text, *files_)));
  expect_manners(ran, line.find("--json") != std::string::npos);
}

const Case kCommandLines[] = {
    {"no_verb", "", 2, {}, {"A subcommand is required"}},
    {"unknown_verb", "inspct {titanic}/dense.keras", 2, {}, {"'inspct' is no verb. The nearest is 'inspect'.\n"}},
    {"a_word_alone", "guess", 2, {}, {"'guess' is no verb. Known are 'inspect', 'predict', "}},
    {"unknown_option", "inspect {titanic}/dense.keras --colour", 2, {}, {"--colour"}},
    {"without_model", "inspect", 2, {}, {"MODEL is required"}},
    {"without_input", "predict {titanic}/dense.keras", 2, {}, {"--input is required"}},
    {"without_out", "convert {titanic}/dense.keras", 2, {}, {"OUT is required"}},
    {"batch_of_none",
     "predict {titanic}/dense.keras --input {work}/x.npy --batch 0",
     2,
     {},
     {"--batch: '0' is no whole number of at least 1.\n"}},
    {"batch_of_a_word",
     "bench {titanic}/dense.keras --batch many",
     2,
     {},
     {"--batch: 'many' is no whole number of at"}},
    {"seed_too_large",
     "compare {titanic}/dense.keras {titanic}/dense.h5 --seed 9007199254740992",
     2,
     {},
     {"--seed: '9007199254740992' is no whole number from 0 to 9007199254740991.\n"}},
    {"threads_of_none",
     "predict {titanic}/dense.keras --input {work}/x.npy --threads 0",
     2,
     {},
     {"--threads: '0' is no whole number from 1 to 1024.\n"}},
    {"tolerance_below_nought", "compare a b --atol -1", 2, {}, {"--atol: '-1' is no number of at least 0.\n"}},
    {"tolerance_without_end", "compare a b --rtol inf", 2, {}, {"--rtol: 'inf' is not finite.\n"}},
    {"no_seconds", "bench {titanic}/dense.keras --seconds 0", 2, {}, {"--seconds: '0' is no number above 0.\n"}},
    {"rate_of_a_word",
     "train a --out b.onnx --learning-rate big",
     2,
     {},
     {"--learning-rate: 'big' is no number above"}},
    {"clip_of_nought", "train a --out b.onnx --clip-norm 0", 2, {}, {"--clip-norm: '0' is no number above 0.\n"}},
    {"half_an_epoch",
     "train a --out b.onnx --patience 1.5",
     2,
     {},
     {"--patience: '1.5' is no whole number from 0 to "}},
    {"zero_in_front", "bench {titanic}/dense.keras --seconds 0.01 --batch 010 --json", 0, {"\"batch\": 10,"}},
    {"dim_without_a_number", "inspect {titanic}/dense_dynamo.onnx --dim N=many", 2, {}, {"--dim: 'many'"}},
    {"dim_without_a_name", "inspect {titanic}/dense_dynamo.onnx --dim 3", 2, {}, {"--dim takes NAME=VALUE"}},
    {"half_of_safetensors", "convert {titanic}/dense.keras {work}/a.safetensors --half", 2, {}, {"--half goes with"}},
    {"opset_of_safetensors", "convert {titanic}/dense.keras {work}/a.safetensors --opset 17", 2, {}, {"--opset goes"}},
    {"opset_too_old",
     "convert {titanic}/dense.keras {work}/a.onnx --opset 3",
     2,
     {},
     {"--opset: '3' is no whole number from 7 to 25.\n"}},
    {"both_doors",
     "convert {titanic}/dense.keras {work}/a.onnx --channels-first --channels-last",
     2,
     {},
     {"--channels-first excludes --channels-last"}},
    {"rows_twice",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --pipeline {examples}/titanic_prepare.json "
     "--out {work}/a.causeway",
     2,
     {},
     {"one of the two"}},
    {"no_out", "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy", 2, {}, {"--out"}},
    {"no_rows", "train {titanic}/dense.keras --out {work}/a.causeway", 2, {}, {"one of the two"}},
    {"rows_without_answers",
     "train {titanic}/dense.keras --data {work}/x.npy --out {work}/a.causeway",
     2,
     {},
     {"--data and --target go together"}},
    {"epochs_of_none",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.causeway --epochs 0",
     2,
     {},
     {"--epochs: '0' is no whole number from 1 to 1000000.\n"}},
    {"run_without_a_pipeline", "run", 2, {}, {"P.json is required"}},
    {"version", "--version", 0, {"causeway 0.1.0"}},
    {"help", "--help", 0, {"inspect", "predict", "convert", "compare", "train", "run", "check", "bench"}},
    {"help_inspect", "inspect --help", 0, {"Example: causeway inspect"}},
    {"help_predict", "predict --help", 0, {"Example: causeway predict", "--logits"}},
    {"help_convert", "convert --help", 0, {"Example: causeway convert", "--opset"}},
    {"help_compare", "compare --help", 0, {"Example: causeway compare", "--atol"}},
    {"help_train", "train --help", 0, {"Example: causeway train", "--accumulate"}},
    {"help_run", "run --help", 0, {"Example: causeway run"}},
    {"help_check", "check --help", 0, {"Example: causeway check"}},
    {"help_bench", "bench --help", 0, {"Example: causeway bench", "--seconds"}},
};
INSTANTIATE_TEST_SUITE_P(CommandLines, Program, testing::ValuesIn(kCommandLines), tests::by_name);

const Case kInspect[] = {
    {"keras",
     "inspect {titanic}/dense.keras",
     0,
     {"format: keras, by Keras 3.15.1\n", "input 'input_layer': float32 [N, 14] (NC)\n",
      "output 'dense_1': float32 [N, 1] (NC)\n", "loss of 'dense_1': binary_crossentropy\n", "parameters: 257\n"},
     {"note: the file holds the state of an optimizer, which is left behind.\n"}},
    {"numbers_in_the_files_order",
     "inspect {work}/order.safetensors --json",
     0,
     {"\"path\": \"b\",\n      \"dtype\": \"float32\",\n      \"shape\": [\n        1\n      ],\n      \"role\": "
      "null\n    },\n"
      "    {\n      \"path\": \"a\""}},
    {"tensors", "inspect {titanic}/dense.keras --tensors", 0, {"dense.weight    float32  [14, 16]  learned\n"}},
    {"rules",
     "inspect {titanic}/../keras/rules.keras --tensors",
     0,
     {"penalised.weight: l1 0.1, l2 0.2; penalised.bias: l2 0.01\n", "bound.weight: norm at most 2\n", "  held\n",
      "learned, held\n", "learned        l1 0.1, l2 0.2\n"}},
    {"masks", "inspect {titanic}/../keras/exact_masked.keras", 0, {"makes a mask\n", "reads a mask\n"}},
    {"nodes", "inspect {titanic}/dense.keras --nodes", 0, {"nodes:\n", "MatMul"}},
    {"onnx", "inspect {titanic}/dense_dynamo.onnx", 0, {"input 'x': float32 [N, 14]", "loss of 'y': none"}},
    {"loss_weights",
     "inspect {titanic}/../keras/loss_weights_by_name.keras",
     0,
     {"loss of 'chance': binary_crossentropy\n", "loss of 'amount': huber (weight 0.25)\n"}},
    {"numbers_alone", "inspect {titanic}/dense.pt", 0, {"0.weight  float32  [16, 14]\n", "--network NET.json"}},
    {"numbers_with_words", "inspect {dense}", 0, {"binary_crossentropy", "parameters: 257"}},
    {"numbers_under_a_key", "inspect {pytorch}/under_key.pt", 0, {}, {"state_dict"}},
    {"json",
     "inspect {titanic}/dense.keras --json",
     0,
     {"\"format\": \"keras\"", "\"loss\": \"binary_crossentropy\"", "\"parameters\": 257", "\"role\": \"learned\""}},
    {"two_outputs_json",
     "inspect {work}/two.safetensors --network {work}/two.json --json",
     0,
     {"\"loss\": {\n    \"a\": null,\n    \"b\": null\n  }"}},
    {"no_file", "inspect {work}/none.onnx", 1, {}, {"refused: {work}/none.onnx: there is no file of this name.\n"}},
    {"no_file_json", "inspect {work}/none.onnx --json", 1, {"\"where\": \"{work}/none.onnx\""}},
    {"a_folder", "inspect {work}", 1, {}, {"refused: {work}: "}},
    {"empty", "inspect {work}/empty", 1, {}, {"no format read here begins like this"}},
    {"text", "inspect {work}/text.txt", 1, {}, {"no format read here begins like this"}},
    {"words_alone",
     "inspect {work}/deep.json",
     1,
     {},
     {"refused: {work}/deep.json: it says a network in words, and holds no numbers. Name it with --network beside the "
      "file of its numbers; to train it from its first numbers, state it as 'learn.network' of a pipeline and use "
      "causeway run, or read it in C++ with network_of_words().\n"}},
    {"words_alone_trained",
     "train {work}/deep.json --data {work}/two_x.npy --target {work}/two_y.npy --out {work}/a.onnx",
     1,
     {},
     {"refused: {work}/deep.json: it says a network in words"}},
    {"words_without_their_numbers",
     "train --network {work}/deep.json --data {work}/two_x.npy --target {work}/two_y.npy --out {work}/a.onnx",
     2,
     {},
     {"MODEL is required", "MODEL is the file of its numbers."}},
    {"json_of_another_kind",
     "convert {examples}/titanic_prepare.json {work}/a.onnx",
     1,
     {},
     {"no format read here begins like this"}},
    {"input_that_nothing_reads",
     "inspect {titanic}/dense.safetensors --network {work}/unread.json",
     0,
     {},
     {"note: input 'more': no output depends on it.\n"}},
    {"odd_words",
     "inspect {titanic}/dense.safetensors --network {work}/odd.json",
     1,
     {},
     {"3 faults:\n", "refused: {work}/odd.json, line 3:12: 'dens' is no layer. The nearest is 'dense'.\n",
      "refused: {work}/odd.json, line 4:3: dense: setting 'units' is missing, and dense needs it.\n",
      "refused: {work}/odd.json, line 4:29: dense: it has no setting 'unit'. The nearest is 'units'.\n"}},
    {"no_words",
     "inspect {titanic}/dense.safetensors --network {work}/none.json",
     1,
     {},
     {"refused: {work}/none.json: there is no file of this name."}},
    {"unknown_loss",
     "inspect {dense} --loss mse",
     1,
     {},
     {"refused: --loss: 'mse' is no loss. Known are binary_crossentropy, ", "mean_squared_error"}},
    {"misspelt_loss",
     "inspect {dense} --loss mean_square_error",
     1,
     {},
     {"'mean_square_error' is no loss. The nearest is 'mean_squared_error'."}},
    {"loss_of_no_output",
     "inspect {dense} --loss other=binary_crossentropy",
     1,
     {},
     {"'other' is no output of this network, which has 'output'."}},
    {"loss_of_one_output",
     "inspect {titanic}/../keras/loss_two_outputs.keras --loss amount=mean_absolute_error",
     0,
     {"loss of 'amount': mean_absolute_error\n", "loss of 'chance': binary_crossentropy\n"}},
    {"loss_with_settings",
     "inspect {dense} --loss '{\"kind\": \"binary_crossentropy\", \"label_smoothing\": 0.25}'",
     0,
     {"loss of 'output': binary_crossentropy (label_smoothing 0.25)\n"}},
    {"one_file",
     "inspect {titanic}/../native/titanic.causeway",
     0,
     {"format: causeway", "features: pclass_1, ", "pipeline: ", "which answer survived; prepared by ",
      "  fill.missing ", "history: ", " epochs by seed "}},
    {"one_file_json",
     "inspect {titanic}/../native/titanic.causeway --json",
     0,
     {"\"features\": [", "\"pipeline\": {", "\"verb\": \"fill.missing\"", "\"trained_behind\": ", "\"history\": {"}},
};
INSTANTIATE_TEST_SUITE_P(Inspect, Program, testing::ValuesIn(kInspect), tests::by_name);

// The first of the 135 passengers has a chance of .615168154 by dense.keras, and .601… by dense.safetensors.
const Case kPredict[] = {
    {"npy", "predict {titanic}/dense.keras --input {work}/x.npy", 0, {"dense_1\n0.61516815"}},
    {"npz", "predict {titanic}/dense.keras --input {work}/x.npz", 0, {"dense_1\n0.61516815"}},
    {"safetensors", "predict {titanic}/dense.keras --input {work}/x.safetensors", 0, {"dense_1\n0.61516815"}},
    {"csv", "predict {titanic}/dense.keras --input {work}/x.csv", 0, {"dense_1\n0.61516815"}},
    {"double", "predict {titanic}/dense.keras --input {work}/double.npy", 0, {"dense_1\n0.61516815"}},
    {"by_name", "predict {titanic}/dense.keras --input input_layer={work}/x.npy", 0, {"dense_1\n0.61516815"}},
    {"one_array_of_several", "predict {titanic}/dense.keras --input {work}/both.npz", 0, {"dense_1\n0.61516815"}},
    {"options_before_the_model", "predict --input {work}/x.npy {titanic}/dense.keras", 0, {"dense_1\n0.61516815"}},
    {"in_batches", "predict {titanic}/dense.keras --input {work}/x.npy --batch 32", 0, {"dense_1\n0.61516815"}},
    {"reference", "predict {titanic}/dense.keras --input {work}/x.npy --engine reference", 0, {"dense_1\n0.61516"}},
    {"two_threads", "predict {titanic}/dense.keras --input {work}/x.npy --threads 2", 0, {"dense_1\n0.61516815"}},
    {"pipeline_with_a_loss",
     "predict {titanic}/../native/titanic.causeway --input {data}/titanic.csv --loss mean_squared_error",
     2,
     {},
     {"A file with a pipeline says its network, loss and lengths itself."}},
    {"logits", "predict {titanic}/dense.keras --input {work}/three.npy --logits", 0, {"dense_1\n0.4690"}},
    {"json", "predict {titanic}/dense.keras --input {work}/three.npy --json", 0, {"\"outputs\"", "\"dense_1\": ["}},
    {"to_npy", "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/out.npy", 0},
    {"to_npz", "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/out.npz", 0},
    {"to_safetensors", "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/out.safetensors", 0},
    {"to_csv", "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/out.csv", 0},
    {"another_loss_than_the_words", "predict {dense} --loss mean_squared_error --input {work}/three.npy", 0},
    {"two_outputs_to_npz",
     "predict {work}/two.safetensors --network {work}/two.json --input {work}/two_x.npy --output {work}/two.npz", 0},
    {"two_outputs_json",
     "predict {work}/two.safetensors --network {work}/two.json --input {work}/two_x.npy --json",
     0,
     {"\"a\": [", "\"b\": ["}},
    {"two_outputs_to_stdout",
     "predict {work}/two.safetensors --network {work}/two.json --input {work}/two_x.npy",
     2,
     {},
     {"The network has 2 outputs"}},
    {"two_outputs_to_csv",
     "predict {work}/two.safetensors --network {work}/two.json --input {work}/two_x.npy --output {work}/two.csv",
     1,
     {},
     {"refused: {work}/two.csv: there are 2 arrays, and .csv holds one."}},
    {"to_text",
     "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/out.txt",
     1,
     {},
     {"refused: {work}/out.txt: arrays are written as .npy, .npz, .safetensors or .csv"}},
    {"to_no_folder",
     "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/none/out.npy",
     1,
     {},
     {"refused: {work}/none/out.npy: "}},
    {"no_input_file",
     "predict {titanic}/dense.keras --input {work}/none.npy",
     1,
     {},
     {"refused: {work}/none.npy: there is no file of this name."}},
    {"arrays_of_other_names",
     "predict {titanic}/dense.keras --input {work}/others.npz",
     1,
     {},
     {"1 fault:\nrefused: {work}/others.npz: it holds the arrays 'a', 'b', and the network's inputs are 'input_layer'. "
      "An "
      "array feeds the input of its name.\n"}},
    {"one_array_of_another_name",
     "predict {titanic}/dense.keras --input {work}/y.npz",
     1,
     {},
     {"it holds the array 'dense_1', and the network's inputs are 'input_layer'. An array feeds the input of its name, "
      "or "
      "the one that is said: input_layer={work}/y.npz.\n"}},
    {"json_beside_a_file",
     "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/out.npy --json",
     0,
     {"{\n  \"out\": \"{work}/out.npy\"\n}\n"}},
    {"rows_json_beside_a_file",
     "predict {titanic}/../native/titanic.causeway --input {data}/titanic.csv --output {work}/rows.npy --json",
     0,
     {"{\n  \"out\": \"{work}/rows.npy\",\n  \"answers\": [\n    \"survived\"", "\"passenger_id\": ["}},
    {"another_width",
     "predict {titanic}/dense.keras --input {work}/narrow.npy",
     1,
     {},
     {"1 fault:\nrefused: input 'input_layer': ", "[5, 13]", "[N, 14]"}},
    {"another_name",
     "predict {titanic}/dense.keras --input rows={work}/x.npy",
     1,
     {},
     {"refused: input 'rows': the network has no input of this name: it has 'input_layer'.\n"}},
    {"whole_numbers", "predict {titanic}/dense.keras --input {work}/whole.npy", 1, {}, {"it is int64 here"}},
    {"no_array_of_that_name",
     "predict {titanic}/dense.keras --input input_layer={work}/others.npz",
     1,
     {},
     {"refused: {work}/others.npz: it holds the arrays 'a', 'b', and none is named 'input_layer'."}},
    {"no_number",
     "predict {titanic}/dense.keras --input {work}/words.csv",
     1,
     {},
     {"2 faults:\n", "refused: {work}/words.csv, line 2:3: 'two' is no number.\n", "line 4:1: 'five' is no number.\n"}},
    {"no_header",
     "predict {work}/two.safetensors --network {work}/two.json --input {work}/headerless.csv --json",
     1,
     {"{work}/headerless.csv, line 1", "it holds numbers alone, from '1' on, and the first line is a header"}},
    {"logits_of_a_network_without_a_loss",
     "predict {work}/two.safetensors --network {work}/two.json --input {work}/two_x.npy --output {work}/two.npz "
     "--logits",
     0,
     {},
     {"note: --logits: no output has a loss, and what the network gives is the same with it or without.\n"}},
    {"broken_archive", "predict {titanic}/dense.keras --input {work}/zip.npz", 1, {}, {"refused: "}},
    {"no_array", "predict {titanic}/dense.keras --input {work}/text.txt", 1, {}, {"begins like none of .npy"}},
    {"unknown_engine",
     "predict {titanic}/dense.keras --input {work}/x.npy --engine abacus",
     1,
     {},
     {"no engine is named 'abacus'"}},
    {"every_fault_of_a_file",
     "predict {work}/faulty.safetensors --network {titanic}/dense.network.json --input {work}/x.npy",
     1,
     {},
     {"4 faults:\n", "refused: tensor '0.bias': '0.bias' holds nan at [3], and a slot holds finite numbers.\n",
      "refused: tensor '0.weight': '0.weight' is [14, 16] in the file, and its slot here is [16, 14].\n",
      "refused: tensor '3.weight': '3.weight' is no slot of this network.\n",
      "refused: slot '2.bias': '2.bias' is missing: every slot of the network is written once.\n"}},
    {"every_fault_of_a_file_json",
     "predict {work}/faulty.safetensors --network {titanic}/dense.network.json --input {work}/x.npy --json",
     1,
     {"\"refused\": [", "\"where\": \"tensor '0.bias'\"", "\"where\": \"tensor '0.weight'\"",
      "\"where\": \"tensor '3.weight'\"", "\"where\": \"slot '2.bias'\""}},
};
INSTANTIATE_TEST_SUITE_P(Predict, Program, testing::ValuesIn(kPredict), tests::by_name);

const Case kConvert[] = {
    {"to_onnx", "convert {titanic}/dense.keras {work}/dense.onnx", 0},
    {"to_onnx_opset_20", "convert {dense} {work}/dense_20.onnx --opset 20", 0},
    {"to_half", "convert {titanic}/dense.keras {work}/half.onnx --half", 0},
    {"to_native_half", "convert {titanic}/dense.keras {work}/half.causeway --half", 0},
    {"to_safetensors", "convert {titanic}/dense.keras {work}/dense.safetensors", 0},
    {"to_native", "convert {titanic}/dense.keras {work}/dense.causeway", 0},
    {"json", "convert {titanic}/dense.keras {work}/dense.onnx --json", 0, {"\"out\": \"{work}/dense.onnx\"", "notes"}},
    {"to_pt",
     "convert {titanic}/dense.keras {work}/dense.pt",
     1,
     {},
     {"refused: {work}/dense.pt: a pickle is a program and is never written."}},
    {"to_h5",
     "convert {titanic}/dense.keras {work}/dense.h5",
     1,
     {},
     {"no format that is written has the suffix '.h5'"}},
    {"to_no_folder",
     "convert {titanic}/dense.keras {work}/none/dense.onnx",
     1,
     {},
     {"refused: {work}/none/dense.onnx"}},
    {"of_a_shape_that_is_handed_in",
     "convert {titanic}/../onnx/cases/sum_of_axes_handed_in.onnx {work}/a.causeway",
     1,
     {},
     {"1 fault:\nrefused: node 0 (BoundNode): a native file has no word for this op. Keep the file that the network "
      "was "
      "read from.\n"}},
    {"from_numbers_alone", "convert {titanic}/dense.pt {work}/a.onnx", 1, {}, {"Give it with --network NET.json."}},
};
INSTANTIATE_TEST_SUITE_P(Convert, Program, testing::ValuesIn(kConvert), tests::by_name);

const Case kCompare[] = {
    {"same", "compare {titanic}/dense.keras {titanic}/dense.h5", 0, {"largest difference 0,", "the same within"}},
    {"same_json",
     "compare {titanic}/dense.keras {titanic}/dense_keras.onnx --json",
     0,
     {"\"same\": true", "\"max_ulp\": ", "\"first_difference\": null"}},
    {"with_rows", "compare {titanic}/dense.keras {titanic}/dense.h5 --input {work}/x.npy", 0, {"the same within"}},
    {"by_seed", "compare {titanic}/dense.keras {titanic}/dense.h5 --seed 3", 0, {"the same within"}},
    {"apart", "compare {titanic}/dense.keras {titanic}/batchnorm.keras", 1, {"they differ past the tolerance"}},
    {"apart_json", "compare {titanic}/dense.keras {titanic}/batchnorm.keras --json", 1, {"\"same\": false"}},
    {"layers_of_other_names",
     "compare {titanic}/dense.keras {titanic}/dense_from_torch.keras --json",
     1,
     {"\"same\": false", "\"first_difference\": null"}},
    {"first_layer",
     "compare {work}/first.safetensors {work}/second.safetensors --network {work}/deep.json",
     1,
     {"they differ past the tolerance\nthe first layer that differs: 2, by "}},
    {"first_layer_json",
     "compare {work}/first.safetensors {work}/second.safetensors --network {work}/deep.json --json",
     1,
     {"\"a\": \"2\",\n    \"b\": \"2\""}},
    {"a_network_for_each",
     "compare {work}/first.safetensors {work}/bare.safetensors --network {work}/deep.json --network {work}/bare.json",
     1,
     {"they differ past the tolerance"}},
    {"the_same_network_for_each",
     "compare {work}/first.safetensors {work}/first.safetensors --network {work}/deep.json --network {work}/deep.json",
     0,
     {"the same within the tolerance"}},
    {"more_networks_than_files",
     "compare {work}/first.safetensors {work}/first.safetensors --network {work}/deep.json --network {work}/deep.json "
     "--network {work}/deep.json",
     2,
     {},
     {"--network"}},
    {"two_networks_and_one_file_of_numbers",
     "compare {titanic}/dense.keras {work}/first.safetensors --network {work}/deep.json --network {work}/deep.json",
     1,
     {},
     {"it says its own network, and --network goes with a file of numbers alone."}},
    {"within_what_is_asked",
     "compare {titanic}/dense.keras {titanic}/dense_from_torch.keras --atol 1",
     0,
     {"the same within"}},
    {"another_shape",
     "compare {titanic}/dense.keras {work}/two.safetensors --network {work}/two.json",
     1,
     {},
     {"refused: {work}/two.safetensors, input 'input': "}},
    {"one_side_ends_in_its_loss",
     "compare {titanic}/dense.keras {titanic}/dense_dynamo.onnx",
     1,
     {"they differ past the tolerance"},
     {"A's answers end in a Sigmoid, and B's in no activation."}},
    {"no_second", "compare {titanic}/dense.keras {work}/none.onnx", 1, {}, {"there is no file of this name"}},
};
INSTANTIATE_TEST_SUITE_P(Compare, Program, testing::ValuesIn(kCompare), tests::by_name);

const Case kCheck[] = {
    {"keras", "check {titanic}/dense.keras", 0, {"ok: keras\n"}},
    {"onnx_json", "check {titanic}/dense_dynamo.onnx --json", 0, {"\"format\": \"onnx\"", "\"ok\": true"}},
    {"numbers_alone", "check {titanic}/dense.pt", 0, {"ok: ", ", numbers alone: ", "--network NET.json\n"}},
    {"numbers_alone_json", "check {titanic}/dense.pt --json", 0, {"\"ok\": true"}, {"numbers alone: "}},
    {"os_system",
     "check {pytorch}/os_system.pt",
     1,
     {},
     {"1 fault:\nrefused: data.pkl: byte 2 names 'os.system', and nothing but tensors is built from a file.\n"}},
    {"os_system_json", "check {pytorch}/os_system.pt --json", 1, {"\"where\": \"data.pkl\"", "os.system"}},
    {"every_fault", "check {work}/faulty.safetensors --network {titanic}/dense.network.json", 1, {}, {"4 faults:\n"}},
    {"no_file", "check {work}/none", 1, {}, {"refused: {work}/none: there is no file of this name."}},
};
INSTANTIATE_TEST_SUITE_P(Check, Program, testing::ValuesIn(kCheck), tests::by_name);

const Case kBench[] = {
    {"answers", "bench {titanic}/dense.keras --seconds 0.01", 0, {"batch: 1\n", "median_us: ", "peak_rss_bytes: "}},
    {"batch_json",
     "bench {titanic}/dense.keras --seconds 0.01 --batch 128 --json",
     0,
     {"\"batch\": 128", "\"threads\": 1", "\"load_ms\": ", "\"p99_us\": ", "\"train_step_median_us\": null"}},
    {"train_json", "bench {titanic}/dense.keras --seconds 0.01 --train --json", 0, {"\"train_step_median_us\": "}},
    {"train_by_class_numbers",
     "bench {keras}/loss_sparse.keras --seconds 0.01 --train --json",
     0,
     {"\"train_step_median_us\": "}},
    {"train_with_rows",
     "bench {titanic}/dense.keras --seconds 0.01 --train --batch 32 --input {work}/x.npy --target {work}/y.npy "
     "--optimizer sgd",
     0,
     {"train_step_median_us: "}},
    {"train_without_a_loss", "bench {titanic}/dense_dynamo.onnx --train --seconds 0.01", 1, {}, {"refused: "}},
    {"target_of_no_loss",
     "bench {titanic}/dense_dynamo.onnx --train --seconds 0.01 --target {work}/y.npy",
     1,
     {},
     {"refused: "}},
    {"unknown_optimizer", "bench {titanic}/dense.keras --train --optimizer guess", 1, {}, {"refused: --optimizer: "}},
};
INSTANTIATE_TEST_SUITE_P(Bench, Program, testing::ValuesIn(kBench), tests::by_name);

const Case kTrain[] = {
    {"arrays",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/further.causeway --seed 7",
     0,
     {"epoch 1: loss ", "stopping: all_epochs_ran\n"}},
    {"to_onnx",
     "train {titanic}/dense.keras --data {work}/x.npz --target {work}/y.npz --out {work}/further.onnx",
     0,
     {"epoch 1: loss "}},
    {"numbers_alone",
     "train {dense} --data {work}/x.npy --target {work}/y.npy --out {work}/further.safetensors",
     0,
     {"epoch 1: loss "}},
    {"exported",
     "train {titanic}/dense_dynamo.onnx --loss binary_crossentropy --data {work}/x.npy --target {work}/y.npy --out "
     "{work}/exported.onnx",
     0,
     {"epoch 1: loss "}},
    {"all_that_can_be_said_json",
     "train {titanic}/batchnorm.keras --data {work}/x.npy --target {work}/y.npy --out {work}/all.causeway --epochs 2 "
     "--batch-size 16 --no-shuffle --optimizer '{\"kind\": \"sgd\", \"momentum\": 0.9}' --learning-rate 0.01 "
     "--schedule '{\"kind\": \"cosine_decay\", \"length\": 4}' --clip-norm 1 --clip-value 0.5 --accumulate 2 "
     "--validation 0.2 --patience 3 --min-delta 0.001 --restore-best "
     "--start-from-epoch 1 --hold dense_4 --sample-weight {work}/weights.npy --class-weight '{\"0\": 1, \"1\": 2}' "
     "--checkpoint {work}/checkpoint.causeway --best-only --threads 2 --seed 3 --json",
     0,
     {"\"history\": [", "\"validation_loss\": ", "\"learning_rate\": 0.01", "\"best_epoch\": ", "\"stopping\": "}},
    {"validation_file",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/v.causeway --validation "
     "{work}/both.npz",
     0,
     {"validation loss "}},
    {"behind_a_pipeline",
     "train {titanic}/dense.keras --pipeline {examples}/titanic_prepare.json --epochs 1 --seed 7 --out "
     "{work}/titanic.causeway",
     0,
     {"epoch 1: loss ", "validation loss "}},
    {"behind_a_pipeline_to_onnx",
     "train {titanic}/dense.keras --pipeline {examples}/titanic_prepare.json --out {work}/a.onnx",
     1,
     {},
     {"refused: {work}/a.onnx: network and pipeline are one file, and its suffix is .causeway."}},
    {"behind_a_pipeline_with_a_network",
     "train {titanic}/dense.keras --pipeline {examples}/titanic_learn.json --out {work}/a.causeway",
     1,
     {},
     {"(learn.network)", "MODEL is the network to be trained"}},
    {"without_a_loss",
     "train {titanic}/dense_dynamo.onnx --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx",
     1,
     {},
     {"refused: "}},
    {"of_a_file_that_answers_more_rows",
     "train {titanic}/dense.keras --data {work}/three.npy --target {work}/y.npy --out {work}/a.onnx",
     1,
     {},
     {"refused: "}},
    {"hold_what_is_not_there",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --hold none",
     1,
     {},
     {"'none'"}},
    {"unknown_optimizer",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --optimizer guess",
     1,
     {},
     {"refused: --optimizer: 'guess' is no optimizer. Known are 'ada", "'sgd'"}},
    {"answers_of_other_names",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/others.npz --out {work}/a.onnx",
     1,
     {},
     {"refused: {work}/others.npz: it holds the arrays 'a', 'b', and none is named 'dense_1'."}},
    {"output_without_a_loss",
     "train {work}/two.safetensors --network {work}/two.json --loss b=mean_squared_error --data {work}/two_x.npy "
     "--target {work}/two_y.npy --out {work}/a.onnx",
     0,
     {"epoch 1: loss "},
     {"note: output 'a' has no loss: it is answered, and nothing trains it.\n"}},
    {"by_a_schedule_json",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --epochs 3 "
     "--learning-rate 0.5 --schedule '{\"kind\": \"exponential_decay\", \"factor\": 0.5}' --json",
     0,
     {"\"learning_rate\": 0.5\n", "\"learning_rate\": 0.25\n", "\"learning_rate\": 0.125\n"}},
    {"by_steps_json",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --epochs 2 "
     "--batch-size 45 --learning-rate 0.5 "
     "--schedule '{\"kind\": \"exponential_decay\", \"factor\": 0.5, \"per\": \"step\"}' --json",
     0,
     {"\"learning_rate\": 0.5\n", "\"learning_rate\": 0.0625\n"}},
    {"by_a_plateau_json",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --epochs 2 "
     "--schedule reduce_on_plateau --validation 0.2 --json",
     0,
     {"\"learning_rate\": 0.001\n"}},
    {"as_keras_json",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway "
     "--optimizer '{\"kind\": \"sgd\", \"form\": \"keras\"}' --json",
     0,
     {"\"learning_rate\": 0.01\n"}},
    {"stops_early_by_any_of_its_options",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --epochs 9 "
     "--validation 0.2 --min-delta 100",
     0,
     {"epoch 2: ", "best epoch: 1\n", "stopping: no_longer_improving\n"}},
    {"stops_early_from_an_epoch_on",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --epochs 9 "
     "--validation 0.2 --min-delta 100 --start-from-epoch 3",
     0,
     {"epoch 5: ", "best epoch: 4\n", "stopping: no_longer_improving\n"}},
    {"holds_several_paths",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --hold "
     "dense.weight "
     "dense_1",
     0,
     {"epoch 1: loss "}},
    {"holds_all",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/s.causeway --hold dense "
     "--hold "
     "dense_1",
     1,
     {},
     {"refused: network: no slot of it learns"}},
    {"unknown_schedule",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --schedule cosine",
     1,
     {},
     {"refused: --schedule: 'cosine' is no schedule."}},
    {"schedule_misstated",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --schedule "
     "'{\"kind\": \"step_decay\", \"every\": 0, \"factor\": -1}'",
     1,
     {},
     {"refused: --schedule, line 1:33: 'every' is 0", "refused: --schedule, line 1:46: 'factor' is -1"}},
    {"early_stopping_without_validation",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --patience 3",
     1,
     {},
     {"refused: options: early stopping judges by a validation loss"}},
    {"best_only_without_a_checkpoint",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --best-only",
     2,
     {},
     {"--best-only requires --checkpoint"}},
    {"share_past_one",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --validation 1.5",
     1,
     {},
     {"refused: options: the validation share is 1.5"}},
    {"validation_file_that_is_not_there",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --validation "
     "{work}/none",
     1,
     {},
     {"refused: {work}/none"}},
    {"weights_of_other_rows",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --sample-weight "
     "{work}/three.npy",
     1,
     {},
     {"refused: training rows, weights: "}},
    {"class_that_there_is_not",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --class-weight "
     "'{\"2\": 3}'",
     1,
     {},
     {"refused: class weights: class 2 has one, and there are 2 classes, from 0."}},
    {"resume_from_a_network",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --resume "
     "{titanic}/../native/dense.causeway",
     1,
     {},
     {"it holds no training run. Resume from a file that --checkpoint wrote."}},
    {"clip_of_nought",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --clip-norm 0",
     2,
     {},
     {"--clip-norm"}},
    {"class_weight_that_is_none",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --class-weight x",
     1,
     {},
     {"refused: --class-weight"}},
    {"resume_from_nothing",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.onnx --resume {work}/none",
     1,
     {},
     {"refused: {work}/none"}},
    {"to_pt",
     "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --out {work}/a.pt",
     1,
     {},
     {"a pickle is a program"}},
};
INSTANTIATE_TEST_SUITE_P(Train, Program, testing::ValuesIn(kTrain), tests::by_name);

const Case kRun[] = {
    {"prepares",
     "run {examples}/titanic_prepare.json --out {work}/parts.npz",
     0,
     {"rows: train 623  validation 133  test 135", "features: pclass_1 "}},
    {"learns_json",
     "run {examples}/titanic_learn.json --out {work}/learned.causeway --json",
     0,
     {"\"train\": 623", "\"fit_sha256\": ", "\"history\": [", "\"auc\": {", "\"baseline\": 0.5"}},
    {"to_onnx", "run {examples}/titanic_learn.json --out {work}/a.onnx", 1, {}, {"its suffix is .causeway"}},
    {"parts_to_native",
     "run {examples}/titanic_prepare.json --out {work}/a.causeway",
     1,
     {},
     {"the pipeline declares no network"}},
    {"no_file", "run {work}/none.json", 1, {}, {"refused: {work}/none.json: "}},
    {"no_pipeline", "run {titanic}/dense.network.json", 1, {}, {"refused: "}},
};
INSTANTIATE_TEST_SUITE_P(Run, Program, testing::ValuesIn(kRun), tests::by_name);

// What several command lines do together.
class Walk : public testing::Test {
 protected:
  tests::Ran run(const std::string& line) const {
    const tests::Ran ran = tests::causeway(tests::words_of(filled(line, files_)));
    EXPECT_EQ(ran.exit, 0) << line << "\n" << ran.err;
    return ran;
  }
  Arrays arrays(std::string_view name) const { return read_arrays(files_.file(name)); }

  const Files files_;
};

TEST_F(Walk, GivesTheSameAnswersInEveryFormat) {
  const std::string told = "predict {titanic}/dense.keras --input {work}/x.npy --output {work}/answers";
  for (const char* suffix : {".npy", ".npz", ".safetensors", ".csv"}) run(told + suffix);
  const Tensor expected = arrays("answers.npy").sole();
  EXPECT_TRUE(arrays("answers.npz").named.at("dense_1").same_bits(expected));
  EXPECT_TRUE(arrays("answers.safetensors").named.at("dense_1").same_bits(expected));
  EXPECT_TRUE(arrays("answers.csv").sole().converted(DType::Float32).same_bits(expected)) << "9 digits say a float32";
  run(told + "_in_batches.npy --batch 32");
  // An engine may sum another way in another batch.
  const Tensor in_batches = arrays("answers_in_batches.npy").sole();
  ASSERT_EQ(in_batches.lengths(), expected.lengths());
  for (int64_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(in_batches.number_at(i), expected.number_at(i), 1e-6);
}

TEST_F(Walk, AnswersTheSameWhateverIsConverted) {
  for (const char* suffix : {".onnx", ".causeway"}) {
    run(std::string("convert {titanic}/dense.keras {work}/dense") + suffix);
    EXPECT_THAT(run(std::string("compare {titanic}/dense.keras {work}/dense") + suffix + " --input {work}/x.npy").out,
                HasSubstr("the same within"));
  }
}

TEST_F(Walk, TakesTheWordsOwnSigmoidBackWhereAnotherLossIsNamed) {
  run("predict {dense} --input {work}/x.npy --output {work}/chances.npy --logits");
  run("predict {dense} --loss mean_squared_error --input {work}/x.npy --output {work}/plain.npy");
  run("convert {titanic}/dense.keras {work}/dense.causeway");
  run("predict {work}/dense.causeway --input {work}/x.npy --output {work}/native.npy");
  run("predict {work}/dense.causeway --loss mean_squared_error --input {work}/x.npy --output {work}/other.npy");
  EXPECT_TRUE(arrays("other.npy").sole().same_bits(arrays("native.npy").sole()));
}

TEST_F(Walk, LearnsBehindAPipelineAndAnswersItsRows) {
  run("train {titanic}/dense.keras --pipeline {examples}/titanic_prepare.json --seed 7 --out {work}/titanic.causeway");
  EXPECT_THAT(run("predict {work}/titanic.causeway --input {data}/titanic.csv").out,
              StartsWith("passenger_id,survived\n1,0."));
  const Json json = parse_json(run("predict {work}/titanic.causeway --input {data}/titanic.csv --json").out, "stdout");
  EXPECT_EQ(json.find("ids")->find("passenger_id")->items().size(), 891u);
  EXPECT_EQ(json.find("answers")->items()[0].text(), "survived");
  // Written on as a network alone, and as one file again.
  EXPECT_THAT(run("convert {work}/titanic.causeway {work}/alone.onnx").err, HasSubstr("the pipeline is left out"));
  run("convert {work}/titanic.causeway {work}/again.causeway");
  EXPECT_EQ(tests::bytes_of(files_.file("again.causeway")), tests::bytes_of(files_.file("titanic.causeway")));
  EXPECT_THAT(run("inspect {work}/titanic.causeway").out, HasSubstr("format: causeway"));
}

TEST_F(Walk, TurnsTheDoorsOfANetworkOfWords) {
  const std::string image =
      "{titanic}/../convolution/torch_image.safetensors --network "
      "{titanic}/../convolution/torch_image.network.json ";
  for (const char* suffix : {".causeway", ".onnx"}) {
    run("convert " + image + "--channels-first {work}/turned" + suffix);
    EXPECT_THAT(run(std::string("inspect {work}/turned") + suffix).out, HasSubstr("3, 13, 11] (NCHW)"));
  }
  run("convert {work}/turned.causeway {work}/back.causeway --channels-last");
  EXPECT_THAT(run("compare {work}/back.causeway " + image).out, HasSubstr("the same within"));
}

TEST_F(Walk, BindsALengthOfEveryFormat) {
  run("convert {work}/open.safetensors {work}/open.causeway --network {work}/open.json");
  run("convert {work}/open.causeway {work}/open.onnx");
  run("convert {work}/open.causeway {work}/bound.causeway --dim L=4");
  for (const std::string model : {"open.safetensors --network {work}/open.json", "open.causeway", "open.onnx"}) {
    SCOPED_TRACE(model);
    EXPECT_THAT(run("inspect {work}/" + model + " --dim L=4").out, HasSubstr("[N, 4, 2]"));
    run("bench {work}/" + model + " --dim L=4 --seconds 0.01");
    run("predict {work}/" + model + " --dim L=4 --input {work}/open_x.npy");
    run("convert {work}/" + model + " {work}/bound.onnx --dim L=4");
  }
  EXPECT_THAT(run("inspect {work}/bound.causeway").out, HasSubstr("[N, 4, 2]"));
  EXPECT_THAT(run("inspect {work}/bound.onnx").out, HasSubstr("[N, 4, 2]"));
  run("compare {work}/open.causeway {work}/open.onnx --dim L=4");
}

TEST_F(Walk, HandsOutputsOverInTheNetworksOrder) {
  const std::string told = "predict {work}/two.safetensors --network {work}/two_turned.json --input {work}/two_x.npy ";
  EXPECT_THAT(run(told + "--json").out, HasSubstr("\"outputs\": {\n    \"b\": ["));
  run(told + "--output {work}/turned.npz");
  const std::string archive = tests::bytes_of(files_.file("turned.npz"));
  EXPECT_LT(archive.find("b.npy"), archive.find("a.npy"));
}

TEST_F(Walk, AnswersRowsBatchByBatch) {
  const std::string told = "predict {titanic}/../native/titanic.causeway --input {data}/titanic.csv --output {work}/";
  run(told + "whole.npy");
  run(told + "batches.npy --batch 100");
  const Tensor whole = arrays("whole.npy").sole(), batches = arrays("batches.npy").sole();
  ASSERT_EQ(batches.lengths(), whole.lengths());
  for (int64_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(batches.number_at(i), whole.number_at(i), 1e-6);
}

// Arrays stand under the output's name, columns of CSV under the answers', however the rows came.
TEST_F(Walk, NamesAnswersOfAOneFileModelAlike) {
  run("run {examples}/titanic_prepare.json --out {work}/parts.npz");
  write_arrays({{"prepared", arrays("parts.npz").named.at("test_x")}}, files_.file("prepared.npy"));
  const std::string told = "predict {titanic}/../native/titanic.causeway --input ";
  EXPECT_THAT(run(told + "{work}/prepared.npy").out, StartsWith("survived\n0."));
  EXPECT_THAT(run(told + "{data}/titanic.csv").out, StartsWith("passenger_id,survived\n"));
  run(told + "{work}/prepared.npy --output {work}/a.npz");
  run(told + "{data}/titanic.csv --output {work}/b.npz");
  EXPECT_EQ(arrays("a.npz").named.size(), 1u);
  EXPECT_EQ(arrays("a.npz").named.begin()->first, arrays("b.npz").named.begin()->first);
}

TEST_F(Walk, TellsACheckpointsRun) {
  run("train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --seed 5 --epochs 2 --out "
      "{work}/a.causeway "
      "--checkpoint {work}/checkpoint.causeway");
  EXPECT_THAT(run("inspect {work}/checkpoint.causeway").out,
              testing::AllOf(HasSubstr("history: 2 epochs by seed 5, loss "), HasSubstr("train --resume goes on"),
                             HasSubstr("optimizer"), HasSubstr("batch_size")));
  const Json json = parse_json(run("inspect {work}/checkpoint.causeway --json").out, "stdout");
  EXPECT_EQ(json.find("training")->find("epochs")->integer(), 2);
  EXPECT_EQ(json.find("training")->find("seed")->integer(), 5);
}

TEST_F(Walk, KeepsTheKindsOfLayersInOnnx) {
  for (const char* model : {"convolution/keras_image.keras", "keras/activations.keras", "keras/merges.keras"}) {
    const std::string source = std::string("{titanic}/../") + model + " ";
    const auto kinds = [&](const std::string& file) {
      const Json json = parse_json(run("inspect " + file + " --json").out, "stdout");
      std::map<std::string, std::string> by_path;
      for (const Json& layer : json.find("layers")->items()) {
        by_path[layer.find("path")->text()] = layer.find("kind")->text();
      }
      return by_path;
    };
    for (const char* opset : {"", " --opset 21"}) {
      run("convert " + source + "{work}/kinds.onnx" + opset);
      EXPECT_EQ(kinds("{work}/kinds.onnx"), kinds(source)) << model << opset;
    }
  }
}

TEST_F(Walk, KeepsThePipelineInHalfPrecision) {
  run("train {titanic}/dense.keras --pipeline {examples}/titanic_prepare.json --seed 7 --out {work}/titanic.causeway");
  run("convert {work}/titanic.causeway {work}/half.causeway --half");
  EXPECT_THAT(run("predict {work}/half.causeway --input {data}/titanic.csv").out,
              StartsWith("passenger_id,survived\n"));
}

TEST_F(Walk, ReadsAPipeOnce) {
  const std::string line = "cat '{titanic}/dense.keras' | '" CAUSEWAY_PROGRAM "' ";
  for (const char* verb : {"inspect /dev/stdin", "check /dev/stdin", "predict /dev/stdin --input '{work}/x.npy'",
                           "convert /dev/stdin '{work}/piped.onnx'"}) {
    EXPECT_EQ(std::system(filled(line + verb + " > /dev/null 2>&1", files_).c_str()), 0) << verb;
  }
}

TEST_F(Walk, GoesOnFromACheckpointToTheSameBits) {
  const std::string told = "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --seed 5 ";
  run(told + "--epochs 3 --out {work}/whole.causeway");
  run(told + "--epochs 2 --out {work}/half.causeway --checkpoint {work}/checkpoint.causeway");
  run(told + "--epochs 3 --out {work}/resumed.causeway --resume {work}/checkpoint.causeway");
  EXPECT_EQ(tests::bytes_of(files_.file("resumed.causeway")), tests::bytes_of(files_.file("whole.causeway")));
}

TEST_F(Walk, ResumesFromTheFileItWrites) {
  const std::string told =
      "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --seed 5 "
      "--validation 0.2 --schedule reduce_on_plateau --optimizer nadam --accumulate 3 ";
  run(told + "--epochs 4 --out {work}/whole.causeway --checkpoint {work}/whole_run.causeway");
  run(told + "--epochs 2 --out {work}/half.causeway --checkpoint {work}/run.causeway");
  run(told + "--epochs 4 --out {work}/resumed.causeway --checkpoint {work}/run.causeway --resume {work}/run.causeway");
  EXPECT_EQ(tests::bytes_of(files_.file("resumed.causeway")), tests::bytes_of(files_.file("whole.causeway")));
  EXPECT_EQ(tests::bytes_of(files_.file("run.causeway")), tests::bytes_of(files_.file("whole_run.causeway")));
}

TEST_F(Walk, TrainsWhatWasKeptInHalfPrecisionOnceItIsWidened) {
  const std::string told = " --data {work}/x.npy --target {work}/y.npy --out {work}/further.causeway";
  run("convert {titanic}/dense.keras {work}/half.causeway --half");
  const tests::Ran refused = tests::causeway(tests::words_of(filled("train {work}/half.causeway" + told, files_)));
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("refused: network: its file keeps its numbers in half precision"));
  run("convert {work}/half.causeway {work}/wide.causeway");
  run("train {work}/wide.causeway" + told);
}

TEST_F(Walk, TrainsTheSameAtAnyNumberOfThreads) {
  const std::string told = "train {titanic}/dense.keras --data {work}/x.npy --target {work}/y.npy --seed 5 --epochs 2 ";
  run(told + "--threads 1 --out {work}/one.causeway");
  run(told + "--threads 2 --out {work}/two.causeway");
  EXPECT_EQ(tests::bytes_of(files_.file("two.causeway")), tests::bytes_of(files_.file("one.causeway")));
}

}  // namespace
}  // namespace causeway::cli
