#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "causeway/nn/layer_list.h"
#include "tests/support/files.h"

namespace causeway::nn {
namespace {

std::filesystem::path root() { return std::filesystem::path(CAUSEWAY_FIXTURES) / ".." / ".."; }

std::string first_sentence(const std::string& paragraph) {
  const size_t end = paragraph.find(". ");
  return end == std::string::npos ? paragraph : paragraph.substr(0, end + 1);
}

/// The first sentence of the comment above each layer of nn/layers, by its word. A comment holds until the next one.
std::map<std::string, std::string, std::less<>> sentences() {
  std::map<std::string, std::string, std::less<>> by_word;
  for (const auto& entry : std::filesystem::directory_iterator(root() / "causeway" / "nn" / "layers")) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream stream(entry.path());
    std::string line, paragraph, words;
    bool is_in_comment = false, is_first = true;
    while (std::getline(stream, line)) {
      const bool is_comment = line.starts_with("///");
      if (is_comment && !is_in_comment) paragraph.clear(), is_first = true;
      is_in_comment = is_comment;
      is_first = is_first && line != "///";
      if (is_comment && is_first) paragraph += (paragraph.empty() ? "" : " ") + line.substr(4);
      if (line.find("kWord") != std::string::npos || !words.empty()) words += line;
      if (words.find(';') == std::string::npos) continue;
      // The words are the quoted texts before the kind's.
      for (size_t at = words.find('"'); at != std::string::npos && at < words.find("kKind");) {
        const size_t end = words.find('"', at + 1);
        by_word[words.substr(at + 1, end - at - 1)] = first_sentence(paragraph);
        at = words.find('"', end + 1);
      }
      words.clear();
    }
  }
  return by_word;
}

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char letter : text) escaped += letter == '|' ? "\\|" : std::string(1, letter);
  return escaped;
}

/// A default as a person says it: what is empty is none.
std::string default_text(const Json& value) {
  const std::string text = value.dump();
  return value.is_null() || text == "{}" || text == "[]" ? "none" : text;
}

/// The settings, those that must be stated first and in bold, the others with their defaults.
std::string settings_of(const Layer& plain) {
  std::string text;
  const Json::Object required = plain.settings();
  const auto must_be_stated = [&](const std::string& name) {
    for (const auto& [key, value] : required) {
      if (key == name) return true;
    }
    return false;
  };
  for (const auto& [name, value] : plain.settings(/*all=*/true)) {
    text += text.empty() ? "" : ", ";
    text += must_be_stated(name) ? "**`" + name + "`**" : "`" + name + "` " + default_text(value);
  }
  return cell(text);
}

std::string layers_page() {
  std::ostringstream page;
  page
      << "# Layers\n\n"
         "Every layer that the [words of a network](words.md) know, with its settings and their defaults. A setting in "
         "**bold**\n"
         "must be stated. The headers of `causeway/nn/layers` say the slots and the edge cases.\n\n"
         "*Mask* says what becomes of a mask of steps (`masking`, `mask_zero`) that comes with what the layer is "
         "handed: "
         "it\n"
         "passes to the next layer or stops here; *used* where the layer reads it, unless it names one itself (`mask`, "
         "`lengths`);\n"
         "*of all*: a step is real that is real in any of the values, where each of them has a mask.\n\n"
         "This page is written by `CAUSEWAY_WRITE_PAGES=1 nn_test --gtest_filter='LayersPage.*'` from "
         "`layer_list.h`.\n\n"
         "| word | what it does | settings | mask |\n"
         "|---|---|---|---|\n";
  const auto by_word = sentences();
  for (const LayerRow& row : all_layers()) {
    const auto at = by_word.find(row.word);
    page << "| `" << row.word << "` | " << (at == by_word.end() ? "An activation without settings." : cell(at->second))
         << " | " << settings_of(row.plain) << " | " << mask_row(row.word).says << " |\n";
  }
  return page.str();
}

TEST(LayersPage, IsWhatTheListSays) {
  const std::string path = (root() / "docs" / "layers.md").string(), page = layers_page();
  if (std::getenv("CAUSEWAY_WRITE_PAGES")) std::ofstream(path, std::ios::binary) << page;
  EXPECT_EQ(tests::bytes_of(path), page)
      << "Run CAUSEWAY_WRITE_PAGES=1 nn_test --gtest_filter='LayersPage.*' and commit docs/layers.md.";
}

TEST(LayersPage, SaysSomethingOfEveryLayer) {
  const std::string page = layers_page(), words = tests::bytes_of((root() / "docs" / "words.md").string());
  size_t settings = 0;
  for (const LayerRow& row : all_layers()) {
    settings += row.plain.settings(/*all=*/true).size();
    const std::string word = "`" + std::string(row.word) + "`";
    EXPECT_EQ(page.find("| " + word + " |  |"), std::string::npos) << word;
    // What it computes is said in words.md, where no header has it.
    const bool has_none = page.find("| " + word + " | An activation without settings.") != std::string::npos;
    EXPECT_TRUE(!has_none || words.find(word) != std::string::npos) << word;
  }
  RecordProperty("words", static_cast<int>(all_layers().size()));  // for tests/count_rows.py
  RecordProperty("settings_of_words", static_cast<int>(settings));
}

}  // namespace
}  // namespace causeway::nn
