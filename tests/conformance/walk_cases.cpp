// Walks the folders that make_cases.py writes:
//
//   walk_cases CASES EXPECTED [--update] [--only WORD]
//
// A case is passed when every output has the dtype and shape stated and lies within the suite's tolerance; refused when
// Refused says why; wrong is everything else: another number, another exception, a crash, no answer within a minute (five for the large pictures of the `real` cases).
// EXPECTED lists what is passed and what is refused by name. The walk fails where a case is wrong, or was passed there
// and is not any longer; --update writes the list anew. Each case has a process of its own.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/base/fault.h"
#include "causeway/formats/onnx/onnx_importer.h"
#include "causeway/formats/safetensors/container.h"

namespace {

using namespace causeway;

constexpr double kRelative = 1e-3, kAbsolute = 1e-7;
constexpr unsigned kSeconds = 60, kSecondsOfPictures = 300;

struct Set {
  NamedTensors inputs, outputs;
};

Tensor as_bfloat16(const Tensor& bits) {
  std::vector<BFloat16> numbers;
  for (const uint16_t each : bits.values<uint16_t>()) numbers.push_back({each});
  return Tensor::of<BFloat16>(bits.lengths(), numbers);
}

Set read_set(const std::filesystem::path& file) {
  const formats::ByteSource source = formats::ByteSource::open(file.string());
  Set set;
  for (const formats::safetensors::StoredTensor& stored : formats::safetensors::read_safetensors(source).tensors) {
    const size_t dot = stored.name.find('.');
    NamedTensors& side = stored.name.substr(0, dot) == "in" ? set.inputs : set.outputs;
    std::string name = stored.name.substr(dot + 1);
    Tensor tensor = stored.tensor();
    if (name.compare(0, 9, "bfloat16.") == 0) {
      name.erase(0, 9);
      tensor = as_bfloat16(tensor);
    }
    side[name] = std::move(tensor);
  }
  return set;
}

// How far two numbers may lie apart beside their size: the suite's tolerance, or two neighbours of a half width. (These
// are computed in float32 here and rounded at the end; what the suite expects was rounded at every step.)
double relative(DType dtype) {
  if (dtype == DType::BFloat16) return 0x1p-6;
  return dtype == DType::Float16 ? 0x1p-9 : kRelative;
}

std::string difference(const Tensor& made, const Tensor& expected) {
  if (made.dtype() != expected.dtype() || made.lengths() != expected.lengths()) {
    return std::string(name_of(made.dtype())) + " " + made.shape().text() + " for " +
           std::string(name_of(expected.dtype())) + " " + expected.shape().text();
  }
  for (int64_t i = 0; i < made.size(); ++i) {
    const double a = made.number_at(i), b = expected.number_at(i);
    const bool fits = a == b || (std::isnan(a) && std::isnan(b)) ||
                      std::abs(a - b) <= kAbsolute + relative(expected.dtype()) * std::abs(b);
    if (!fits) return text_of(a) + " for " + text_of(b) + " at " + std::to_string(i) + " of " + expected.shape().text();
  }
  return "";
}

// "passed", "refused: why" or "wrong: why".
std::string outcome_of(const std::filesystem::path& folder) {
  try {
    const SavedNetwork saved =
        formats::onnx::OnnxImporter().read(formats::ByteSource::open((folder / "model.onnx").string()), {});
    AnswerOptions options;
    options.engine = &reference_engine();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".no_tensor") return "wrong: it is read, and its values are no tensors";
      if (entry.path().extension() != ".safetensors") continue;
      const Set set = read_set(entry.path());
      const NamedTensors made = predict(saved, set.inputs, options);
      for (const auto& [name, expected] : set.outputs) {
        const auto at = made.find(name);
        if (at == made.end()) return "wrong: no output " + name;
        if (const std::string apart = difference(at->second, expected); !apart.empty()) {
          return "wrong: " + name + " is " + apart;
        }
      }
    }
    return "passed";
  } catch (const Refused& refused) {
    const Fault& fault = refused.faults().front();
    if (fault.where.empty() || fault.what.empty()) return "wrong: a refusal without a place or a reason";
    return "refused: " + fault.where + ": " + fault.what;
  } catch (const std::exception& error) {
    return std::string("wrong: ") + error.what();
  }
}

std::string outcome_apart(const std::filesystem::path& folder) {
  int pipes[2];
  if (pipe(pipes) != 0) return "wrong: no pipe";
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    const bool is_picture = folder.filename().string().compare(0, 5, "real.") == 0;  // plain loops over large ones
    alarm(is_picture ? kSecondsOfPictures : kSeconds);
    const std::string outcome = outcome_of(folder);
    if (write(pipes[1], outcome.data(), outcome.size()) < 0) _exit(1);
    _exit(0);
  }
  close(pipes[1]);
  std::string outcome;
  char buffer[4096];
  for (ssize_t count; (count = read(pipes[0], buffer, sizeof buffer)) > 0;)
    outcome.append(buffer, static_cast<size_t>(count));
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "wrong: signal " + std::to_string(WTERMSIG(status));
  return outcome;
}

std::map<std::string, std::string> read_expected(const std::string& path) {
  std::map<std::string, std::string> expected;
  std::ifstream stream(path);
  for (std::string outcome, name; stream >> outcome >> name;) expected[name] = outcome;
  return expected;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  bool updates = false;
  std::string only;
  for (int i = 3; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update") updates = true;
    if (std::string_view(argv[i]) == "--only" && i + 1 < argc) only = argv[++i];
  }
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.is_directory() && entry.path().filename().string().find(only) != std::string::npos) {
      folders.push_back(entry.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  const std::map<std::string, std::string> expected = read_expected(argv[2]);
  std::map<std::string, size_t> counts;
  std::map<std::string, std::string> found;
  bool fails = folders.empty();
  for (const auto& folder : folders) {
    const std::string name = folder.filename().string(), outcome = outcome_apart(folder);
    const std::string word = outcome.substr(0, outcome.find(':'));
    ++counts[word];
    found[name] = word;
    const auto before = expected.find(name);
    const bool is_lost = before != expected.end() && before->second == "passed" && word != "passed";
    fails = fails || word == "wrong" || is_lost;
    if (word == "wrong" || is_lost || !only.empty()) std::cout << name << ": " << outcome << '\n';
  }
  for (const auto& [word, count] : counts) std::cout << count << ' ' << word << '\n';
  if (updates) {
    std::ofstream stream(argv[2]);
    for (const auto& [name, word] : found) stream << word << ' ' << name << '\n';
  }
  return fails ? 1 : 0;
}
