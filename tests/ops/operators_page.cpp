#include "tests/ops/operators_page.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "causeway/ops/op_list.h"

namespace causeway::tests {
namespace {

std::filesystem::path root() { return std::filesystem::path(CAUSEWAY_FIXTURES) / ".." / ".."; }

/// What the headers of ops/ say of an op before the struct of that name: its comment's first sentence.
class Sentences {
 public:
  Sentences() {
    for (const auto& entry : std::filesystem::directory_iterator(root() / "causeway" / "ops")) {
      if (entry.path().extension() == ".h") read(entry.path());
    }
  }

  std::string of(std::string_view op) const {
    const auto at = by_op_.find(op);
    return at == by_op_.end() ? "" : first_sentence(at->second);
  }

 private:
  static std::string first_sentence(const std::string& paragraph) {
    const size_t end = paragraph.find(". ");
    return end == std::string::npos ? paragraph : paragraph.substr(0, end + 1);
  }

  void read(const std::filesystem::path& header) {
    std::ifstream stream(header);
    std::string line, paragraph;
    bool is_first = true;
    while (std::getline(stream, line)) {
      if (line.starts_with("/// ")) {
        if (is_first) paragraph += (paragraph.empty() ? "" : " ") + line.substr(4);
      } else if (line == "///") {
        is_first = false;
      } else if (const size_t name = line.find("kName = \""); name != std::string::npos) {
        const size_t begin = name + 9;
        by_op_[line.substr(begin, line.find('"', begin) - begin)] = paragraph;
      } else if (!line.starts_with("struct ")) {
        paragraph.clear();
        is_first = true;
      }
    }
  }

  std::map<std::string, std::string, std::less<>> by_op_;
};

/// A `|` would end the cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '|') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

/// A default as its header writes it: the settings are float32, and a double of theirs has digits nobody wrote.
std::string default_text(const Setting& setting) {
  if (std::holds_alternative<std::monostate>(setting)) return "none";
  const double* real = std::get_if<double>(&setting);
  return real ? text_of(static_cast<float>(*real)) : setting_text(setting);
}

std::string settings_of(const Op& op) {
  std::string text;
  bool has_window = false;
  for (const NamedSetting& setting : op.settings()) {
    has_window = has_window || setting.name.starts_with("window.");
    if (setting.name.starts_with("window.")) continue;
    text += (text.empty() ? "`" : ", `") + setting.name + "` " + default_text(setting.value);
  }
  return (has_window ? "`window`, " : "") + text;
}

std::string gradient_of(const Op& op) { return op.has_gradient() ? "yes" : "none: " + std::string(op.no_gradient()); }

}  // namespace

std::string operators_page_path() { return (root() / "docs" / "operators.md").string(); }

std::string operators_page() {
  std::ostringstream page;
  page
      << "# Operators\n\n"
         "Every op a network's graph is made of, each with its settings and their defaults. An op has ONNX's name "
         "where\n"
         "ONNX has it. *Gradient* says whether a network trains through it; *training*, whether something else stands\n"
         "for it in a training step; *turns*, whether a change of the order of axes passes through it. The headers of\n"
         "`causeway/ops` say the shapes and the edge cases.\n\n"
         "This page is written by `CAUSEWAY_WRITE_PAGES=1 ops_test --gtest_filter='OperatorsPage.*'` from "
         "`op_list.h`.\n\n"
         "| op | computes | settings | gradient | training | turns |\n"
         "|---|---|---|---|---|---|\n";
  const Sentences sentences;
  for (const ops::OpRow& row : ops::all_ops()) {
    const Op op = row.make({});
    page << "| " << row.name << " | " << cell(sentences.of(row.name)) << " | " << settings_of(op) << " | "
         << gradient_of(op) << " | " << (row.has_training ? "yes" : "") << " | " << (row.has_turned ? "yes" : "")
         << " |\n";
  }
  return page.str();
}

}  // namespace causeway::tests
