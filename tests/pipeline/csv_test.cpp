#include "causeway/pipeline/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace causeway::pipeline {
namespace {

using testing::ElementsAre;
using Row = std::vector<std::string>;

class Collector : public CellSink {
 public:
  void cell(size_t, std::string_view text) override { row_.emplace_back(text); }
  void end_row() override { rows.push_back(std::move(row_)), row_.clear(); }

  std::vector<Row> rows;

 private:
  Row row_;
};

std::vector<Row> read(Source& source) {
  Collector collector;
  RowFaults faults;
  source.read(collector, faults);
  faults.refuse_if_any();
  collector.rows.insert(collector.rows.begin(), source.names());
  return collector.rows;
}

std::vector<Row> rows_of(std::string_view text, Dialect dialect = {}) {
  return read(*CsvSource::over(text, "t.csv", dialect));
}

struct Good {
  const char* name;
  std::string_view text;
  std::vector<Row> rows;
};
const Good kGood[] = {
    {"Plain", "a,b\n1,2\n", {{"a", "b"}, {"1", "2"}}},
    {"LastLineWithoutEnd", "a,b\n1,2", {{"a", "b"}, {"1", "2"}}},
    {"HeaderAlone", "a,b", {{"a", "b"}}},
    {"HeaderAndEnd", "a,b\n", {{"a", "b"}}},
    {"CarriageReturns", "a,b\r\n1,2\r\n", {{"a", "b"}, {"1", "2"}}},
    {"MixedLineEnds", "a,b\r\n1,2\n3,4\r\n", {{"a", "b"}, {"1", "2"}, {"3", "4"}}},
    {"ByteOrderMark",
     "\xEF\xBB\xBF"
     "a,b\n1,2\n",
     {{"a", "b"}, {"1", "2"}}},
    {"EveryFieldQuoted", "\"a\",\"b\"\n\"1\",\"2\"\n", {{"a", "b"}, {"1", "2"}}},
    {"DoubledQuotes", "a,b\n\"say \"\"so\"\"\",\"\"\"\"\n", {{"a", "b"}, {"say \"so\"", "\""}}},
    {"LineBreaksInQuotes", "a,b\n\"1\n2\r\n3\",x\n", {{"a", "b"}, {"1\n2\r\n3", "x"}}},
    {"SeparatorInQuotes", "a,b\n\"1,2\",x\n", {{"a", "b"}, {"1,2", "x"}}},
    {"EmptyFields", "a,b\n,\n\"\",\n", {{"a", "b"}, {"", ""}, {"", ""}}},
    {"SpacesStay", "a,b\n 1 ,\t2\n", {{"a", "b"}, {" 1 ", "\t2"}}},
    {"EmptyLinesAtTheEnd", "a,b\n1,2\n\n\r\n\n", {{"a", "b"}, {"1", "2"}}},
    {"EmptyLinesInOneColumn", "a\n1\n\n\n2\n\n", {{"a"}, {"1"}, {""}, {""}, {"2"}}},
    {"QuotedEmptyInOneColumn", "a\n\"\"\n", {{"a"}, {""}}},
    {"BeyondAscii", "a,b\n\xC3\xA4,\"\xE2\x82\xAC\"\n", {{"a", "b"}, {"\xC3\xA4", "\xE2\x82\xAC"}}},
    {"TextThatLooksLikeControl", "a,b\n\x01,!\n", {{"a", "b"}, {"\x01", "!"}}},
};
class CsvGood : public testing::TestWithParam<Good> {};
TEST_P(CsvGood, GivesItsCells) { EXPECT_EQ(rows_of(GetParam().text), GetParam().rows); }
INSTANTIATE_TEST_SUITE_P(Texts, CsvGood, testing::ValuesIn(kGood),
                         [](const auto& info) { return std::string(info.param.name); });

struct Bad {
  const char* name;
  std::string_view text;
  std::vector<std::string> lines;
};
const Bad kBad[] = {
    {"Empty", "", {"t.csv, line 1:1: The file is empty. A header line with the columns' names comes first."}},
    {"TooFewCells", "a,b,c\n1,2\n3,4,5\n", {"t.csv, line 2:4: The row ends after 2 of 3 cells."}},
    {"TooManyCells", "a,b\n1,2,3,4\n", {"t.csv, line 2:5: A cell too many: the header names 2 columns."}},
    {"EveryRaggedRow",
     "a,b\n1\n1,2\n3\n",
     {"t.csv, line 2:2: The row ends after 1 of 2 cells.", "t.csv, line 4:2: The row ends after 1 of 2 cells."}},
    {"EmptyLineBetween", "a,b\n1,2\n\n3,4\n", {"t.csv, line 3:1: The line is empty, and the header names 2 columns."}},
    {"TextBehindQuote",
     "a,b\n\"1\"x,2\n",
     {"t.csv, line 2:4: Text stands behind the closing quote of a field. A quote inside quotes is doubled."}},
    {"SpaceBehindQuote",
     "a,b\n\"1\" ,2\n",
     {"t.csv, line 2:4: Text stands behind the closing quote of a field. A quote inside quotes is doubled."}},
    {"QuoteInside",
     "a,b\n1,x\"y\n",
     {"t.csv, line 2:4: A quote stands inside an unquoted field. Quote the whole field, and double the quotes in it."}},
    {"QuoteBehindSpace",
     "a,b\n1, \"y\"\n",
     {"t.csv, line 2:4: A quote stands inside an unquoted field. Quote the whole field, and double the quotes in it."}},
    {"UnclosedQuote", "a,b\n1,\"x\ny\n", {"t.csv, line 2:3: The quote that opens here is never closed."}},
    {"UnclosedDoubledQuote", "a,b\n1,\"x\"\"", {"t.csv, line 2:3: The quote that opens here is never closed."}},
    {"LoneReturn", "a,b\n1,2\r3,4\n", {"t.csv, line 2:4: A CR stands here without LF. Lines end in LF or CRLF."}},
    {"LoneReturnAtTheEnd", "a,b\n1,2\r", {"t.csv, line 2:4: A CR stands here without LF. Lines end in LF or CRLF."}},
    {"NoUtf8", "a,b\n1,x\xFFy\n", {"t.csv, line 2:3: The field that begins here holds bytes that are no UTF-8."}},
    {"OverlongUtf8",
     "a,b\n1,\"\xC0\x80\"\n",
     {"t.csv, line 2:3: The field that begins here holds bytes that are no UTF-8."}},
    {"ZeroByte",
     std::string_view("a,b\n1,x\0y\n", 10),
     {"t.csv, line 2:4: A zero byte stands here. The file is no text."}},
    {"ZeroByteInQuotes",
     std::string_view("a,b\n1,\"x\n\0\"\n", 12),
     {"t.csv, line 3:1: A zero byte stands here. The file is no text."}},
    {"EmptyName", "a,,c\n", {"t.csv, line 1:3: The column has no name."}},
    {"DoubledName", "a,b,a\n", {"t.csv, line 1:5: A column 'a' stands further left already."}},
    {"EmptyHeader", "\na,b\n", {"t.csv, line 1:1: The column has no name."}},
    // Columns are counted in characters, and lines go on behind line breaks in quotes.
    {"PlaceBehindCharacters",
     "a,b\n\xC3\xA4\xC3\xA4,x\"\n",
     {"t.csv, line 2:5: A quote stands inside an unquoted field. Quote the whole field, and double the quotes in it."}},
    {"PlaceBehindLineBreaks", "a,b\n\"1\n2\",3\n4\n", {"t.csv, line 4:2: The row ends after 1 of 2 cells."}},
};
class CsvBad : public testing::TestWithParam<Bad> {};
TEST_P(CsvBad, IsRefusedAtItsPlace) {
  EXPECT_EQ(tests::refusal_of([] { rows_of(GetParam().text); }), GetParam().lines);
}
INSTANTIATE_TEST_SUITE_P(Texts, CsvBad, testing::ValuesIn(kBad),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Csv, DialectsSayWhatSeparates) {
  EXPECT_THAT(rows_of("a;b\n1,5;2\n", kDialects[1]), ElementsAre(Row{"a", "b"}, Row{"1,5", "2"}));
  EXPECT_THAT(rows_of("a\tb\n1,5\t2\n", kDialects[2]), ElementsAre(Row{"a", "b"}, Row{"1,5", "2"}));
}

TEST(Csv, FieldsUpToAMebibyteAreRead) {
  const std::string longest(CsvSource::kLongestField, 'x');
  EXPECT_EQ(rows_of("a\n" + longest + "\n")[1][0].size(), longest.size());
  EXPECT_EQ(rows_of("a\n\"" + longest + "\"\n")[1][0].size(), longest.size());
  const std::string line =
      "t.csv, line 2:1: The field that begins here is longer than 1 MiB, the longest that is read.";
  EXPECT_THAT(tests::refusal_of([&] { rows_of("a\n" + longest + "x\n"); }), ElementsAre(line));
  EXPECT_THAT(tests::refusal_of([&] { rows_of("a\n\"" + longest + "x\"\n"); }), ElementsAre(line));
}

TEST(Csv, ColumnsAreCounted) {
  std::string header = "c0";
  for (size_t i = 1; i < CsvSource::kMostColumns; ++i) header += ",c" + std::to_string(i);
  EXPECT_EQ(rows_of(header + "\n")[0].size(), CsvSource::kMostColumns);
  EXPECT_EQ(tests::refusal_of([&] { rows_of(header + ",more\n"); }).at(0).substr(0, 13), "t.csv, line 1");
}

// Fields, quotes, line ends and characters fall on every side of the ends of the buffers that a file is read in.
TEST(Csv, AFileGivesWhatItsTextGives) {
  const tests::TemporaryFolder folder;
  std::string text = "a,b\n";
  for (int i = 0; text.size() < 1'500'000; ++i) {
    const std::string filler(static_cast<size_t>(i * 7919 % 9000), i % 3 == 0 ? 'x' : '"');
    text += i % 3 == 0 ? filler + ",\xC3\xA4" + std::to_string(i) + "\r\n" : "1,\"\n" + filler + filler + "\"\n";
  }
  const std::string path = folder.write("t.csv", text);
  EXPECT_EQ(read(*CsvSource::open(path, "t.csv")), rows_of(text));

  const std::string broken = text + "\xC3\xA4,x\"";
  const std::string broken_path = folder.write("broken.csv", broken);
  EXPECT_EQ(tests::refusal_of([&] { read(*CsvSource::open(broken_path, "t.csv")); }),
            tests::refusal_of([&] { rows_of(broken); }));
  std::string without_end = text + "1,\"" + std::string(5 * CsvSource::kLongestField, 'x');
  const std::string endless = folder.write("endless.csv", without_end);
  EXPECT_THAT(tests::refusal_of([&] { read(*CsvSource::open(endless, "t.csv")); }),
              ElementsAre(testing::HasSubstr("longer than 1 MiB")));
}

TEST(Csv, AMissingFileIsRefused) {
  EXPECT_THAT(tests::refusal_of([] { CsvSource::open("/nowhere/t.csv", "t.csv"); }),
              ElementsAre("t.csv: there is no file of this name."));
}

TEST(Csv, CutAndFlippedTextGivesRowsOrARefusal) {
  const std::string text = "\xEF\xBB\xBF\"a\",b\r\n1,\"x\"\"\n\xC3\xA4\"\n\n,2\r\n";
  const auto survives = [](const std::string& damaged) {
    try {
      rows_of(damaged);
    } catch (const Refused&) {
    }
  };
  for (size_t length = 0; length <= text.size(); ++length) survives(text.substr(0, length));
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    survives(flipped);
  }
}

}  // namespace
}  // namespace causeway::pipeline
