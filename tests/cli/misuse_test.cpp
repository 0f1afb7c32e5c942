// Command lines that say too much, the same twice, or nothing at all; places that cannot be written; signals.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "causeway/cli/arrays.h"
#include "tests/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/rows.h"

namespace causeway::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// What the command lines read, in a folder of their own.
class Work {
 public:
  Work() {
    const Arrays rows = read_arrays(tests::fixture("titanic/rows.safetensors"));
    write_arrays({{"x", rows.named.at("test_x")}}, folder_.file("x.npy"));
    write_arrays({{"y", rows.named.at("test_y")}}, folder_.file("y.npy"));
    write_arrays({{"x", Tensor(DType::Float32, {0, 14})}}, folder_.file("none.npy"));
    // The same steps, and other rows that they learn from.
    const std::string steps = tests::bytes_of(tests::data_file("../examples/titanic_prepare.json"));
    folder_.write("other.json",
                  replaced(replaced(steps, "\"seed\": 7", "\"seed\": 8"), "../data/titanic.csv", "titanic.csv"));
    std::filesystem::copy_file(tests::data_file("titanic.csv"), folder_.file("titanic.csv"));
    for (const char* line :
         {"convert {titanic}/dense.keras {work}/dense.causeway",
          "train {titanic}/dense.keras --pipeline {examples}/titanic_prepare.json --out {work}/behind.causeway"}) {
      EXPECT_EQ(tests::causeway(words(line)).exit, 0) << line;
    }
  }

  std::string file(std::string_view name) const { return folder_.file(name); }
  std::vector<std::string> words(std::string line) const { return tests::words_of(filled(std::move(line))); }
  std::string filled(std::string line) const {
    line = replaced(std::move(line), "{titanic}", tests::fixture("titanic"));
    line = replaced(std::move(line), "{examples}", tests::data_file("../examples"));
    line = replaced(std::move(line), "{data}", tests::data_file(""));
    line =
        replaced(std::move(line), "{train}", "train {work}/dense.causeway --data {work}/x.npy --target {work}/y.npy");
    return replaced(std::move(line), "{work}", folder_.path().string());
  }

 private:
  static std::string replaced(std::string line, std::string_view name, const std::string& by) {
    for (size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + by.size())) {
      line.replace(at, name.size(), by);
    }
    return line;
  }

  tests::TemporaryFolder folder_;
};

struct Case {
  const char* name;
  const char* line;
  int exit;
  const char* err;

  friend void PrintTo(const Case& row, std::ostream* out) { *out << "causeway " << row.line; }
};

class Misuse : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() { work_ = new Work; }
  static void TearDownTestSuite() {
    delete work_;
    work_ = nullptr;
  }
  static Work* work_;
};
Work* Misuse::work_ = nullptr;

TEST_P(Misuse, IsToldWhatIsWrong) {
  const tests::Ran ran = tests::causeway(work_->words(GetParam().line));
  EXPECT_EQ(ran.exit, GetParam().exit) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(work_->filled(GetParam().err)));
}

const Case kCases[] = {
    {"no_name_of_a_model", "inspect ''", 2, "its value is empty."},
    {"no_name_of_an_output", "predict {titanic}/dense.keras --input {work}/x.npy --output ''", 2, "--output"},
    {"no_name_of_a_loss", "inspect {titanic}/dense.keras --loss ''", 2, "--loss: its value is empty."},
    {"no_name_behind_an_input", "predict {titanic}/dense.keras --input input_layer=", 1,
     "refused: a file to be read: its name is empty."},
    {"input_twice", "predict {titanic}/dense.keras --input {work}/x.npy --input {work}/x.npy", 1,
     "refused: {work}/x.npy: input 'input_layer' has an array already."},
    {"target_twice", "{train} --target {work}/y.npy --out {work}/a.onnx", 1,
     "refused: {work}/y.npy: output 'dense_1' has its answers already."},
    {"length_twice", "inspect {titanic}/dense_dynamo.onnx --dim N=1 --dim N=2", 2, "--dim: 'N' is bound twice."},
    {"loss_twice", "inspect {titanic}/dense.keras --loss poisson --loss huber", 2, "--loss: two are stated"},
    {"loss_of_an_output_twice", "inspect {titanic}/dense.keras --loss dense_1=poisson --loss dense_1=huber", 2,
     "--loss: that of output 'dense_1' is stated twice."},
    {"loss_of_logits_behind_its_activation",
     R"({train} --loss '{"kind": "binary_crossentropy", "from_logits": true}' --out {work}/a.onnx)", 1,
     "binary_crossentropy is told logits, and the network ends in its Sigmoid already"},
    {"loss_of_an_output_of_logits_behind_its_activation",
     R"(inspect {titanic}/dense.keras --loss 'dense_1={"kind": "binary_crossentropy", "from_logits": true}')", 1,
     "binary_crossentropy is told logits, and the network ends in its Sigmoid already"},
    {"loss_of_chances_behind_its_activation",
     R"({train} --loss '{"kind": "binary_crossentropy", "from_logits": false}' --out {work}/a.onnx)", 0, ""},
    {"loss_of_chances_behind_logits",
     R"(inspect {titanic}/dense_dynamo.onnx --loss '{"kind": "binary_crossentropy", "from_logits": false}')", 1,
     "binary_crossentropy is told chances, and the network does not end in a Sigmoid"},
    {"rate_that_trains_nothing", "{train} --learning-rate 1e-320 --out {work}/a.onnx", 1,
     "refused: --optimizer: 'learning_rate' is 1e-320, and a rate is a normal float32 above 0."},
    {"rate_at_its_place", R"({train} --optimizer '{"kind": "adam", "learning_rate": 1e-45}' --out {work}/a.onnx)", 1,
     "refused: --optimizer, line 1:35: 'learning_rate' is 1e-45, and a rate is a normal float32 above 0."},
    {"length_of_no_name", "convert {titanic}/dense.keras {work}/a.onnx --dim M=3", 1,
     "refused: length 'M': no input has a length of this name that could be bound: they have 'N'."},
    {"length_of_a_native_file", "inspect {work}/dense.causeway --dim M=3", 1,
     "refused: length 'M': no input has a length of this name that could be bound: they have 'N'."},
    {"loss_of_numbers_alone", "check {titanic}/dense.safetensors --loss huber", 1,
     "refused: {titanic}/dense.safetensors: it holds numbers alone, and --loss goes with the network"},
    {"nodes_of_numbers_alone", "inspect {titanic}/dense.safetensors --nodes", 1, "--nodes lists a network's."},
    {"key_for_neither", "compare {titanic}/dense.keras {work}/dense.causeway --key model", 1,
     "refused: {titanic}/dense.keras: it says its own network, and --key goes with a file of numbers alone."},
    {"nothing_to_compare", "compare {titanic}/dense.keras {work}/dense.causeway --input {work}/none.npy", 1,
     "refused: input 'input_layer': it is [0, 14] and holds no number, so nothing would be compared."},
    {"fault_in_one_of_two", "compare {titanic}/dense.keras {titanic}/faulty.keras", 1,
     "refused: {titanic}/faulty.keras: there is no file of this name."},
    {"batch_past_memory", "bench {titanic}/dense.keras --batch 999999999999999999 --json", 1, ""},
    {"target_without_training", "bench {titanic}/dense.keras --target {work}/y.npy", 2, "--target requires --train"},
    {"checkpoint_over_the_model", "{train} --checkpoint {work}/dense.causeway --out {work}/a.onnx", 1,
     "refused: --checkpoint {work}/dense.causeway: it is the file of MODEL too, and would be written over."},
    {"checkpoint_at_the_end", "{train} --checkpoint {work}/a.causeway --out {work}/./a.causeway", 1,
     "it is the file of --out too"},
    {"checkpoint_of_another_suffix", "{train} --checkpoint {work}/a.onnx --out {work}/b.onnx", 1,
     "a checkpoint is a native file, and its suffix is .causeway."},
    {"doors_of_numbers_alone", "convert {titanic}/dense.keras {work}/a.safetensors --channels-first", 2,
     "doors are turned in .onnx and .causeway."},
    {"no_pipeline_to_leave_out", "convert {titanic}/dense.keras {work}/a.onnx --network-only", 0,
     "note: --network-only: {titanic}/dense.keras holds no pipeline that could be left out."},
    {"pipeline_left_behind",
     "train {work}/behind.causeway --data {work}/x.npy --target {work}/y.npy --out {work}/a.causeway", 0,
     "note: the pipeline of {work}/behind.causeway is left behind"},
    {"behind_the_same_pipeline",
     "train {work}/behind.causeway --pipeline {examples}/titanic_prepare.json --out {work}/a.causeway", 0, ""},
    {"behind_another_pipeline", "train {work}/behind.causeway --pipeline {work}/other.json --out {work}/a.causeway", 1,
     "refused: {work}/other.json: the network was trained behind another pipeline"},
    {"rows_twice_of_a_one_file_model",
     "predict {work}/behind.causeway --input {data}/titanic.csv --input {data}/titanic.csv", 1,
     "has this one input, and 2 files are handed over."},
    {"rows_to_compare", "compare {work}/behind.causeway {work}/dense.causeway --input {data}/titanic.csv --atol 100", 0,
     ""},
    {"rows_to_time", "bench {work}/behind.causeway --input {data}/titanic.csv --batch 8 --seconds 0.01", 0, ""},
    {"batch_of_all_there_is", "{train} --batch-size 9223372036854775807 --out {work}/a.onnx", 0, ""},
    {"batch_past_64_bits", "{train} --batch-size 9223372036854775808 --out {work}/a.onnx", 2, "--batch-size"},
};
INSTANTIATE_TEST_SUITE_P(CommandLines, Misuse, testing::ValuesIn(kCases), tests::by_name);

TEST(Stdout, ThatCannotBeWrittenIsARefusal) {
  const Work work;
  for (const char* line : {"inspect {titanic}/dense.keras", "inspect {titanic}/dense.keras --json",
                           "predict {titanic}/dense.keras --input {work}/x.npy", "--version", "inspect --help"}) {
    for (const char* place : {"/dev/full", ""}) {
      SCOPED_TRACE(std::string(line) + " into '" + place + "'");
      const tests::Ran ran = tests::causeway_into(place, work.words(line));
      EXPECT_EQ(ran.exit, 1);
      EXPECT_THAT(ran.err, HasSubstr("1 fault:\nrefused: stdout: what is printed cannot be written there"));
    }
  }
  // Where nothing is printed nothing is missed, and no file takes what is.
  EXPECT_EQ(tests::causeway_into("", work.words("convert {titanic}/dense.keras {work}/a.onnx")).exit, 0);
}

TEST(Signal, StopsTrainingBehindItsLastCheckpoint) {
  const Work work;
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(work.file("run.causeway"));
    const tests::Ran ran = tests::causeway_until(
        work.file("run.causeway"), signal,
        work.words("{train} --epochs 1000000 --checkpoint {work}/run.causeway --out {work}/never.onnx"));
    EXPECT_EQ(ran.exit, 1);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("refused: training: it was stopped by a signal. "),
                               HasSubstr("run.causeway holds the last epoch written")));
    EXPECT_FALSE(std::filesystem::exists(work.file("never.onnx")));
    EXPECT_EQ(tests::causeway(work.words("check {work}/run.causeway")).exit, 0);
    for (const auto& entry : std::filesystem::directory_iterator(work.file("."))) {
      EXPECT_NE(entry.path().extension(), ".part") << entry.path();
    }
  }
}

}  // namespace
}  // namespace causeway::cli
