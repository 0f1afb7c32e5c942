#include "causeway/pipeline/cells.h"

#include <gtest/gtest.h>

namespace causeway::pipeline {
namespace {

struct Case {
  Kind kind;
  std::string cell;
  std::string reads;  ///< the cell as a column writes it, "gap", or how the fault begins
  char decimal_mark = '.';
};
const Case kCases[] = {
    {Kind::Number, "1.5", "1.5"},
    {Kind::Number, " \t1e3 ", "1000"},
    {Kind::Number, "-0.25", "-0.25"},
    {Kind::Number, "", "gap"},
    {Kind::Number, "  ", "gap"},
    {Kind::Number, "NA", "gap"},
    {Kind::Number, "+1", "'+1' is no finite number."},
    {Kind::Number, "1,5", "'1,5' is no finite number."},
    {Kind::Number, "1.5x", "'1.5x' is no finite number."},
    {Kind::Number, "0x10", "'0x10' is no finite number."},
    {Kind::Number, "inf", "'inf' is no finite number."},
    {Kind::Number, "nan", "'nan' is no finite number."},
    {Kind::Number, "1e309", "'1e309' is past the largest double."},
    {Kind::Number, "-1e309", "'-1e309' is past the largest double."},
    {Kind::Number, "1e-400", "0"},
    {Kind::Number, "4e-324", "5e-324"},
    {Kind::Number, "1,5", "1.5", ','},
    {Kind::Number, "1.5", "'1.5' is no finite number.", ','},
    {Kind::Integer, " 42", "42"},
    {Kind::Integer, "-9223372036854775808", "-9223372036854775808"},
    {Kind::Integer, "9223372036854775808", "'9223372036854775808' is past int64."},
    {Kind::Integer, "1.0", "'1.0' is no whole number."},
    {Kind::Integer, "NA", "gap"},
    {Kind::Boolean, "true", "true"},
    {Kind::Boolean, "FALSE", "false"},
    {Kind::Boolean, "1", "true"},
    {Kind::Boolean, "0", "false"},
    {Kind::Boolean, "yes", "'yes' is no boolean."},
    {Kind::Category, " red ", "red"},
    {Kind::Category, "NA", "gap"},
    {Kind::Text, " red ", " red "},
    {Kind::Text, "", "gap"},
    {Kind::Timestamp, "2024-02-29", "2024-02-29"},
    {Kind::Timestamp, "29.02.2024", "'29.02.2024' is no moment"},
};

TEST(Cells, AreReadByTheKindOfTheirColumn) {
  for (const Case& one : kCases) {
    CellReader reader({.name = "c", .was = "c", .kind = one.kind, .missing = {"NA"}}, one.decimal_mark, true);
    std::string fault;
    const bool fits = reader.take(one.cell, fault);
    const Column column = std::move(reader).finish();
    ASSERT_EQ(column.rows(), 1u);
    const std::string reads = !fits ? fault.substr(0, one.reads.size()) : column.gap(0) ? "gap" : column.cell(0);
    EXPECT_EQ(reads, one.reads) << word_of(one.kind) << " " << one.cell;
  }
}

TEST(Cells, AGapInARequiredColumnIsAFault) {
  CellReader reader({.name = "c", .was = "c", .kind = Kind::Number}, '.', false);
  std::string fault;
  EXPECT_FALSE(reader.take("", fault));
  EXPECT_EQ(fault.substr(0, 17), "The cell is a gap");
}

TEST(Cells, EqualTextsShareOneNumber) {
  Words words;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(words.number_of("word " + std::to_string(i)), i);
  }
  EXPECT_EQ(words.size(), 1000u);
  EXPECT_EQ(words[999], "word 999");
}

}  // namespace
}  // namespace causeway::pipeline
