#include "causeway/pipeline/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

Rows passengers() { return Rows({"fare", "sex", "passenger_id", "pclass", "age", "sibsp", "parch"}); }

/// The source's rows of a part, in the part's order.
Cells source_rows(const Part& part) {
  const Cells cells = titanic_cells();
  Cells made;
  for (const uint32_t row : part.source_rows) made.push_back(cells.at(row + 1));
  return made;
}

Rows rows_of(const Cells& cells) {
  Rows rows({"passenger_id", "survived", "pclass", "sex", "age", "sibsp", "parch", "fare", "embarked"});
  for (const std::vector<std::string>& row : cells) rows.add({row.begin(), row.end()});
  return rows;
}

TEST(Replay, ABatchGivesTheTrainingsBits) {
  for (size_t part = 0; part < 3; ++part) {
    const Part& trained = titanic().part(part);
    Rows rows = rows_of(source_rows(trained));
    const Part replayed = titanic().fit.prepare(rows, {.answers = true});
    EXPECT_TRUE(replayed.features.same_bits(trained.features));
    EXPECT_TRUE(replayed.answers.same_bits(trained.answers));
    EXPECT_EQ(ids_of(replayed), ids_of(trained));
    EXPECT_EQ(replayed.unfamiliar_rows, 0u);
  }
}

TEST(Replay, OneRowAtATimeGivesTheTrainingsBits) {
  const Cells lines = source_rows(titanic().train);
  for (size_t row = 0; row < lines.size(); ++row) {
    Rows rows = rows_of({lines[row]});
    const Part replayed = prepare(rows, titanic().fit);
    const auto trained = titanic().train.features.values<float>().subspan(row * 14, 14);
    ASSERT_TRUE(std::ranges::equal(replayed.features.values<float>(), trained)) << row;
  }
}

TEST(Replay, WithAFitThatWasWrittenAndRead) {
  const Fit read = Fit::from_json(parse_json(titanic().fit.to_json().dump(), ""));
  EXPECT_EQ(read.trained_behind(), kTitanicTrainedBehind);
  EXPECT_EQ(read.to_json().dump(), titanic().fit.to_json().dump());
  Rows rows = rows_of(source_rows(titanic().test));
  EXPECT_TRUE(prepare(rows, read).features.same_bits(titanic().test.features));
}

TEST(Replay, TakesColumnsInAnyOrderWithoutTheTarget) {
  Rows rows = passengers();
  rows.add({7.25, "male", 1, 3, 22, 1, 0}).add({8.46, "male", 6, "3", std::nullopt, 0, 0});
  const Part part = prepare(rows, titanic().fit);
  EXPECT_THAT(part.features.lengths(), ElementsAre(2, 14));
  EXPECT_THAT(part.answers.lengths(), ElementsAre(2, 0));
  EXPECT_THAT(ids_of(part), ElementsAre("1", "6"));
  EXPECT_EQ(part.features.values<float>()[9], -0.4576526880264282f);
  EXPECT_EQ(part.features.values<float>()[14 + 9], -0.306861013174057f);
  EXPECT_THAT(part.source_rows, ElementsAre(0, 1));
}

TEST(Replay, OfNoRowsIsNoRows) {
  Rows rows = passengers();
  EXPECT_THAT(prepare(rows, titanic().fit).features.lengths(), ElementsAre(0, 14));
}

TEST(Replay, UnfamiliarRowsGetANote) {
  Rows rows = passengers();
  rows.add({7.25, "male", 1, 3, 22, 1, 0});
  rows.add({600, "male", 2, 3, 22, 1, 0});
  rows.add({7.25, "x", 3, 3, 22, 1, 0});
  rows.add({7.25, "", 4, 9, 0, 9, 0});
  const Part part = prepare(rows, titanic().fit);
  std::vector<std::string> notes;
  for (const Unfamiliar& one : part.unfamiliar) notes.push_back(one.text());
  EXPECT_THAT(notes, testing::UnorderedElementsAre("row 2: fare: 600 lies outside the training rows' 0 to 512.33.",
                                                   "row 3: sex: 'x' was in no training row.",
                                                   "row 4: sex: the cell is a gap, and no training row had one.",
                                                   "row 4: pclass: '9' was in no training row.",
                                                   "row 4: age: 0 lies outside the training rows' 0.42 to 80.",
                                                   "row 4: sibsp: 9 lies outside the training rows' 0 to 8."));
  EXPECT_EQ(part.unfamiliar_rows, 3u);
  EXPECT_EQ(part.features.values<float>()[2 * 14 + 7], 1);  // sex_other
  EXPECT_EQ(part.features.values<float>()[3 * 14 + 8], 1);  // sex_was_missing
}

TEST(Replay, AFeatureThatNeverVariedIsWatched) {
  Rows training({"a", "b", "y"});
  training.add({1, true, 0}).add({2, true, 1});
  const Prepared prepared = Pipeline::read_rows("two")
                                .declare(Schema().number("a").boolean("b").integer("y"))
                                .target("y")
                                .normalize({"a"})
                                .build()
                                .run(training);
  EXPECT_THAT(prepared.fit.unvaried(), ElementsAre(testing::Pair("b", 1)));
  Rows rows({"a", "b"});
  rows.add({1.5, true}).add({1.5, false});
  const Part part = prepare(rows, prepared.fit);
  ASSERT_EQ(part.unfamiliar.size(), 1u);
  EXPECT_EQ(part.unfamiliar[0].text(), "row 2: b: 'b' is 0, and was 1 in every training row.");
}

TEST(Replay, RefusesWhatDoesNotFit) {
  Rows rows = passengers();
  rows.add({"", "male", 1, 3, 22, 1, 0}).add({7.25, "male", "b", 3, "old", 1, 0});
  EXPECT_THAT(
      tests::refusal_of([&] { prepare(rows, titanic().fit); }),
      ElementsAre("row 1: column 'fare': The cell is a gap, and the column is required. Declare it optional, or "
                  "fill it in the source.",
                  "row 2: column 'passenger_id': 'b' is no whole number. Declare the column as 'number' if it "
                  "holds fractions.",
                  "row 2: column 'age': 'old' is no finite number. A word that means a gap is listed in the "
                  "column's 'missing'."));
  Rows few({"passenger_id", "sexe"});
  EXPECT_THAT(tests::refusal_of([&] { prepare(few, titanic().fit); }),
              ElementsAre(HasSubstr("has no column 'pclass'."), HasSubstr("has no column 'sex'. Did you mean 'sexe'?"),
                          HasSubstr("has no column 'age'."), HasSubstr("has no column 'sibsp'."),
                          HasSubstr("has no column 'parch'."), HasSubstr("has no column 'fare'.")));
  Rows without_answers = passengers();
  EXPECT_THAT(tests::refusal_of([&] { prepare(without_answers, titanic().fit, {.answers = true}); }),
              ElementsAre(HasSubstr("has no column 'survived'.")));
}

TEST(Undo, GivesTheTargetsOwnUnits) {
  Rows training({"a", "y"});
  training.add({1, 10}).add({2, 20}).add({3, 60});
  const auto fit_of = [&](const char* scale) {
    Rows rows = training;
    return Pipeline::read_rows("three")
        .declare(Schema().number("a", "y"))
        .target("y")
        .normalize({"a"})
        .normalize({"y"}, {.scale = scale})
        .build()
        .run(rows);
  };
  for (const char* scale : {"midrange", "minmax", "standard"}) {
    const Prepared prepared = fit_of(scale);
    const Tensor undone = prepared.fit.undo(prepared.train.answers);
    EXPECT_EQ(undone.dtype(), DType::Float64);
    EXPECT_THAT(undone.lengths(), ElementsAre(3, 1));
    for (size_t row = 0; row < 3; ++row) {
      EXPECT_NEAR(undone.values<double>()[row], row == 0 ? 10 : row == 1 ? 20 : 60, 1e-5) << scale;
    }
  }
  const Fit midrange = fit_of("midrange").fit;
  EXPECT_EQ(midrange.undo(Tensor::of<double>({1, 1}, {-1})).values<double>()[0], 10);
  EXPECT_EQ(midrange.undo(Tensor::of<double>({1, 1}, {1})).values<double>()[0], 60);
  EXPECT_THAT(tests::refusal_of([&] {
                midrange.undo(Tensor::of<float>({1, 2}, {0, 0}));
              }),
              ElementsAre("answers: They are [1, 2], and [rows, 1] is what the target makes."));
}

TEST(FitDocument, ReadsWhatWasWrittenBefore) {
  const std::string text = tests::bytes_of(tests::fixture("pipeline/titanic_fit.json"));
  const Fit fit = Fit::from_json(parse_json(text, "titanic_fit.json"));
  EXPECT_EQ(fit.trained_behind(), kTitanicTrainedBehind);
  EXPECT_EQ(fit.to_json().pretty() + "\n", text);
}

/// The titanic document with one piece of text put in the place of another.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = titanic().fit.to_json().dump();
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Hostile {
  const char *from, *to, *fault;
};
const Hostile kHostile[] = {
    {R"({"age":28.0})", R"({"age":"28"})", "The fit has no value of kind number to fill 'age' with."},
    {R"({"age":28.0})", R"({})", "The fit has no value of kind number to fill 'age' with."},
    {R"({"age":28.0})", R"({"age":28.0,"more":1})", "The fit says more or other than the step learns."},
    {R"(["1","2","3"])", R"(["1","3","2"])", "The categories of 'pclass' are no texts in ascending order."},
    {R"(["1","2","3"])", R"(["1","2"])", "and its steps make"},
    {R"(["1","2","3"])", R"("1")", "The fit has no categories of 'pclass'."},
    {R"(["1","2","3"])", R"(["1","2","3","was_missing"])", "Two columns are named 'pclass_was_missing' here."},
    {R"([0.42,80.0])", R"([80.0,0.42])", "The fit has no least and largest value of 'age'."},
    {R"([0.42,80.0])", R"([0.42])", "The fit has no least and largest value of 'age'."},
    {R"({"step":3,)", R"({"step":9,)", "What a step learned is"},
    {R"({"step":3,)", R"({"step":4,)", "Step 4 has learned something already."},
    {R"({"step":3,)", R"({"step":2,)", "The fit has no value of kind number"},
    {R"("answers":["survived"])", R"("answers":["fare"])", "The fit's 'answers' are"},
    {R"("sex_other":0.0)", R"("sex_other":"0")", "The value that 'sex_other' never left is no number."},
    {R"("sex_other":0.0)", R"("sex":0.0)", "There is no feature 'sex' that could be unvaried."},
    {R"("rows":623)", R"("rows":-1)", "The part 'train' is no"},
    {R"("validation":{)", R"("valid":{)", "The part 'validation' is no"},
    {R"("unvaried":)", R"("unvarying":)", "A fit has no key 'unvarying'."},
    {R"("fit":)", R"("fitted":)", "A pipeline has no key 'fitted'."},
};
TEST(FitDocument, IsItsOwnOrRefused) {
  for (const Hostile& one : kHostile) {
    const std::string text = changed(one.from, one.to);
    const std::vector<std::string> lines = tests::refusal_of([&] { Fit::from_json(parse_json(text, "")); });
    EXPECT_THAT(lines, testing::Contains(HasSubstr(one.fault))) << one.to;
  }
  EXPECT_THAT(tests::refusal_of([] { Fit::from_json(parse_json(kTitanicDeclaration, ""), "m"); }),
              ElementsAre(R"(m: The pipeline has no "fit": it was declared, and nothing was learned.)"));
}

TEST(FitDocument, CutAndFlippedItIsReadOrRefused) {
  const std::string text = titanic().fit.to_json().dump();
  Rows rows = rows_of({source_rows(titanic().test)[0]});
  const auto survives = [&](const std::string& damaged) {
    try {
      Fit::from_json(parse_json(damaged, "")).prepare(rows);
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
