#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "causeway/pipeline/verb_table.h"
#include "tests/support/files.h"

namespace causeway::pipeline {
namespace {

constexpr char kPage[] = CAUSEWAY_DATA "/../docs/pipeline.md";
constexpr char kBegin[] =
    "<!-- Made from causeway/pipeline/verb_table.cpp: CAUSEWAY_WRITE_PAGES=1 pipeline_test writes it. -->\n";
constexpr char kEnd[] = "<!-- End of what is made. -->\n";

TEST(VerbPages, AreWhatTheTableSays) {
  const std::string page = tests::bytes_of(kPage);
  const size_t begin = page.find(kBegin), end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string made = page.substr(0, begin) + kBegin + "\n" + verb_pages() + page.substr(end);
  if (std::getenv("CAUSEWAY_WRITE_PAGES") != nullptr) std::ofstream(kPage, std::ios::binary) << made;
  EXPECT_EQ(page, made) << "Set CAUSEWAY_WRITE_PAGES=1 and run this test again to write the page.";
}

TEST(VerbTable, SaysSomethingOfEachVerbAndParameter) {
  for (const VerbRow& row : verbs()) {
    EXPECT_EQ(find_verb(row.verb), &row);
    EXPECT_FALSE(row.summary.empty()) << row.verb;
    for (const Parameter& parameter : row.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << row.verb << " " << parameter.name;
      if (parameter.fallback != nullptr && parameter.fallback[0] != '\0') parse_json(parameter.fallback, "");
    }
  }
}

}  // namespace
}  // namespace causeway::pipeline
