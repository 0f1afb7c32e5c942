#include "causeway/pipeline/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "causeway/base/philox.h"
#include "causeway/pipeline/csv.h"
#include "tests/pipeline/titanic.h"
#include "tests/support/files.h"
#include "tests/support/refusal.h"

namespace causeway::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Prepared& titanic() {
  static const Prepared prepared = titanic_pipeline().run();
  return prepared;
}

/// The Titanic declaration over another text.
Prepared run_over(const std::string& csv) {
  const tests::TemporaryFolder folder;
  folder.write("titanic.csv", csv);
  return Pipeline::from_text(kTitanicDeclaration, folder.path().string()).run();
}

void expect_the_same(const Prepared& prepared) {
  EXPECT_EQ(prepared.fit.trained_behind(), kTitanicTrainedBehind);
  for (size_t part = 0; part < 3; ++part) {
    EXPECT_TRUE(prepared.part(part).features.same_bits(titanic().part(part).features));
    EXPECT_TRUE(prepared.part(part).answers.same_bits(titanic().part(part).answers));
    EXPECT_EQ(ids_of(prepared.part(part)), ids_of(titanic().part(part)));
  }
}

TEST(Rows, MayBeShuffled) {
  Cells cells = titanic_cells();
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const std::vector<int64_t> order = Draws(seed, "shuffle", 0).permutation(static_cast<int64_t>(cells.size()) - 1);
    Cells shuffled = {cells[0]};
    for (const int64_t row : order) shuffled.push_back(cells[static_cast<size_t>(row) + 1]);
    expect_the_same(run_over(csv_of(shuffled)));
  }
}

TEST(Columns, MayBeReordered) {
  Cells cells = titanic_cells();
  for (std::vector<std::string>& row : cells) std::ranges::reverse(row);
  expect_the_same(run_over(csv_of(cells)));
}

TEST(Cells, MayBeQuotedAndLinesEndInReturns) {
  std::string text = "\xEF\xBB\xBF";
  for (const std::vector<std::string>& row : titanic_cells()) {
    for (size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "\"" : ",\"") + row[i] + "\"";
    text += "\r\n";
  }
  expect_the_same(run_over(text));
}

TEST(Cells, MayStandBetweenSpaces) {
  Cells cells = titanic_cells();
  for (size_t row = 1; row < cells.size(); ++row) {
    for (std::string& cell : cells[row]) cell = " " + cell + "\t";
  }
  expect_the_same(run_over(csv_of(cells)));
}

TEST(TheFit, SeesTrainingRowsAlone) {
  Cells cells = titanic_cells();
  for (const Part* part : {&titanic().validation, &titanic().test}) {
    for (const uint32_t row : part->source_rows) {
      std::vector<std::string>& cells_of_row = cells[row + 1];
      cells_of_row[2] = "first";
      cells_of_row[4] = "1000";
      cells_of_row[7] = "-5";
    }
  }
  const Prepared changed = run_over(csv_of(cells));
  EXPECT_EQ(changed.fit.trained_behind(), kTitanicTrainedBehind);
  EXPECT_TRUE(changed.train.features.same_bits(titanic().train.features));
  EXPECT_EQ(changed.validation.unfamiliar_rows, 133u);
  EXPECT_EQ(changed.test.unfamiliar_rows, 135u);
  EXPECT_EQ(changed.train.unfamiliar_rows, 0u);
}

TEST(Splits, GroupsAreNeverDividedAndTestSeedsKeepTheTestPart) {
  Rows rows({"id", "who", "x", "y"});
  for (int i = 0; i < 200; ++i) rows.add({i, "person " + std::to_string(i / 4), i % 7, i % 2});
  const auto run = [&](const AtRandomOptions& options) {
    return Pipeline::read_rows("people")
        .declare(Schema().id("id", Kind::Integer).id("who", Kind::Text).integer("x", "y"))
        .split_at_random(options)
        .target("y")
        .normalize({"x"})
        .build()
        .run(rows);
  };
  const Prepared grouped = run({.train = 0.5, .validation = 0.25, .group = {"who"}});
  std::map<std::string, std::set<size_t>> parts;
  for (size_t part = 0; part < 3; ++part) {
    for (size_t row = 0; row < grouped.part(part).rows(); ++row)
      parts[grouped.part(part).ids[1].cell(row)].insert(part);
  }
  EXPECT_EQ(parts.size(), 50u);
  for (const auto& [who, where] : parts) EXPECT_EQ(where.size(), 1u) << who;

  const auto sorted = [](const Part& part) {
    std::vector<std::string> ids = ids_of(part);
    std::ranges::sort(ids);
    return ids;
  };
  const Prepared a = run({.train = 0.5, .validation = 0.25, .seed = 1, .test_seed = 9});
  const Prepared b = run({.train = 0.5, .validation = 0.25, .seed = 2, .test_seed = 9});
  EXPECT_EQ(sorted(a.test), sorted(b.test));
  EXPECT_NE(sorted(a.train), sorted(b.train));
  EXPECT_EQ(a.train.rows(), 100u);
  EXPECT_EQ(a.validation.rows(), 50u);
  EXPECT_EQ(sorted(run({.train = 0.5, .validation = 0.25, .seed = 9}).test), sorted(a.test));
}

TEST(Splits, AnEmptyPartIsAFault) {
  Rows rows({"x", "y"});
  rows.add({1, 0}).add({2, 1});
  const Pipeline pipeline = Pipeline::read_rows("two")
                                .declare(Schema().integer("x", "y"))
                                .split_stratified("y", {.train = 0.9, .validation = 0.05})
                                .target("y")
                                .normalize({"x"})
                                .build();
  EXPECT_THAT(
      tests::refusal_of([&] { pipeline.run(rows); }),
      ElementsAre("step 2 (split.stratified): The part 'validation' is empty: 2 rows are dealt, and its share is "
                  "0.05.",
                  "step 2 (split.stratified): The part 'test' is empty: 2 rows are dealt, and its share is 0.05."));
}

TEST(Splits, WithoutOneEveryRowIsATrainingRowInItsOrder) {
  const Prepared rows = Pipeline::read_csv(CAUSEWAY_DATA "/titanic.csv")
                            .declare(Schema().integer("survived", "parch"))
                            .target("survived")
                            .normalize({"parch"})
                            .build()
                            .run();
  EXPECT_EQ(rows.train.rows(), 891u);
  EXPECT_EQ(rows.test.rows(), 0u);
  EXPECT_EQ(rows.train.source_rows[5], 5u);
  EXPECT_EQ(Fit::from_json(parse_json(rows.fit.to_json().dump(), "")).trained_behind(), rows.fit.trained_behind());
}

struct Case {
  const char* name;
  std::string csv;
  std::vector<std::string> lines;
};
const Case kRefused[] = {
    {"UnreadableCells",
     "id,x,y\n1,2,0\n2,two,maybe\n3,,1\n",
     {"titanic.csv, line 3:3: column 'x': 'two' is no finite number. A word that means a gap is listed in the column's "
      "'missing'.",
      "titanic.csv, line 3:7: column 'y': 'maybe' is no boolean. Read are true, false, 1 and 0.",
      "titanic.csv, line 4:3: column 'x': The cell is a gap, and the column is required. Declare it optional, or fill "
      "it "
      "in the source."}},
    {"DoubledIds",
     "id,x,y\n1,2,0\n2,3,1\n1,4,1\n",
     {"titanic.csv, line 4: Its id ('id') is that of titanic.csv, line 2 too."}},
    {"MissingColumn",
     "id,xx,y\n1,2,0\n",
     {"step 1 (declare): The source (titanic.csv, line 1:1) has no column 'x'. Did you mean 'xx'?"}},
    {"NoRow", "id,x,y\n", {"titanic.csv, line 1:1: There is no row to learn from."}},
    {"RaggedRowsAndCells",
     "id,x,y\n1,2\n2,a,0\n",
     {"titanic.csv, line 2:4: The row ends after 2 of 3 cells.",
      "titanic.csv, line 3:3: column 'x': 'a' is no finite number. A word that means a gap is listed in the column's "
      "'missing'."}},
};
class RowsRefused : public testing::TestWithParam<Case> {};
TEST_P(RowsRefused, AtLineAndColumn) {
  const tests::TemporaryFolder folder;
  folder.write("titanic.csv", GetParam().csv);
  Json document = Pipeline::read_csv("titanic.csv")
                      .declare(Schema().id("id", Kind::Integer).number("x").boolean("y"))
                      .target("y")
                      .normalize({"x"})
                      .document();
  const Pipeline pipeline = Pipeline::from_json(document, folder.path().string());
  EXPECT_EQ(tests::refusal_of([&] { pipeline.run(); }), GetParam().lines);
}
INSTANTIATE_TEST_SUITE_P(Files, RowsRefused, testing::ValuesIn(kRefused),
                         [](const auto& info) { return std::string(info.param.name); });

// A line break inside quotes moves the lines of all rows behind it, and an empty line of a sole column is a row.
TEST(RowPlaces, AreTheLinesThatRowsBeginOn) {
  const auto places_in = [](const std::string& csv) {
    struct Counts : CellSink {
      void cell(size_t, std::string_view) override {}
      void end_row() override { ++rows; }
      size_t rows = 0;
    } sink;
    RowFaults faults;
    const auto source = CsvSource::over(csv, "t.csv");
    source->read(sink, faults);
    std::vector<std::string> places;
    for (size_t row = 0; row < sink.rows; ++row) places.push_back(source->row_places().of(row));
    return places;
  };
  EXPECT_THAT(places_in("a,b\n1,\"x\n\ny\"\n2,z\n\"3\",\"u\nv\"\n4,w\n"),
              ElementsAre("t.csv, line 2", "t.csv, line 5", "t.csv, line 6", "t.csv, line 8"));
  EXPECT_THAT(places_in("a\n1\n\n2\n"), ElementsAre("t.csv, line 2", "t.csv, line 3", "t.csv, line 4"));
  EXPECT_EQ(Rows({"a"}).row_places().of(2), "row 3");
}

TEST(Declare, RenamesRefusesTheRestAndKnowsWordsForGaps) {
  Rows rows({"Age", "extra", "y"});
  rows.add({"NA", 1, 0}).add({"3", 1, 1}).add({"5", 1, 1});
  const Schema schema =
      Schema().column("age", Kind::Number, {.was = "Age", .optional = true, .missing = {"NA"}}).boolean("y");
  const Prepared prepared = Pipeline::read_rows("three")
                                .declare(schema)
                                .target("y")
                                .fill_missing({"age"}, With::Mean)
                                .normalize({"age"})
                                .build()
                                .run(rows);
  EXPECT_THAT(prepared.features, ElementsAre("age", "age_was_missing"));
  EXPECT_THAT(std::vector<float>(prepared.train.features.values<float>().begin(),
                                 prepared.train.features.values<float>().end()),
              ElementsAre(0, 1, -1, 0, 1, 0));
  const Pipeline strict = Pipeline::read_rows("three")
                              .declare(schema, {.remainder = "refuse"})
                              .target("y")
                              .fill_missing({"age"}, With::Mean)
                              .normalize({"age"})
                              .build();
  EXPECT_THAT(tests::refusal_of([&] { strict.run(rows); }),
              ElementsAre("rows: The column 'extra' is not declared, and 'remainder' is 'refuse'."));
}

TEST(Declare, ReadsDecimalCommasWhereTheDialectHasThem) {
  const tests::TemporaryFolder folder;
  const Prepared prepared = Pipeline::read_csv(folder.write("t.csv", "x;y\n1,5;0\n2,5;1\n"), {.dialect = "semicolon"})
                                .declare(Schema().number("x").boolean("y"))
                                .target("y")
                                .normalize({"x"})
                                .build()
                                .run();
  EXPECT_EQ(prepared.train.features.values<float>()[0], -1);
  EXPECT_EQ(prepared.train.features.values<float>()[1], 1);
}

TEST(Pipeline, PathsAreTakenFromTheDeclarationsFolder) {
  const tests::TemporaryFolder folder;
  folder.write("titanic.csv", csv_of(titanic_cells()));
  expect_the_same(Pipeline::read(folder.write("p.json", kTitanicDeclaration)).run());
  EXPECT_THAT(tests::refusal_of([&] { Pipeline::read(folder.file("none.json")); }),
              ElementsAre(HasSubstr("none.json: there is no file of this name.")));
  const Pipeline lost = Pipeline::from_text(kTitanicDeclaration, folder.file("elsewhere"));
  EXPECT_THAT(
      tests::refusal_of([&] { lost.run(); }),
      ElementsAre("step 0 (read.csv), line 3:3: 'titanic.csv': there is no file of this name. Paths are taken from "
                  "the declaration's folder."));
  EXPECT_THAT(tests::refusal_of([] { Pipeline::read_rows("r").declare(Schema().boolean("b")).build().run(); }),
              ElementsAre("step 0 (read.rows): The rows of 'read.rows' are handed over in code: run the pipeline with "
                          "them."));
}

TEST(Rows, AreAsWideAsTheirNames) {
  EXPECT_THAT(tests::refusal_of([] {
                pipeline::Rows({"a", "a", ""});
              }),
              ElementsAre("rows: A column has no name.", "rows: Two columns are named 'a'."));
  EXPECT_THAT(tests::refusal_of([] {
                pipeline::Rows({"a", "b"}).add({1});
              }),
              ElementsAre("row 1: It has 1 cells, and the columns are 2."));
  EXPECT_THAT(tests::refusal_of([] { pipeline::Rows({"a"}).add({"\xFF"}); }),
              ElementsAre("row 1: The cell of 'a' is no UTF-8."));
}

}  // namespace
}  // namespace causeway::pipeline
