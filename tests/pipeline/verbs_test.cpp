#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/pipeline/pipeline.h"
#include "causeway/pipeline/statistics.h"
#include "tests/pipeline/titanic.h"
#include "tests/support/refusal.h"

namespace causeway::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// One column `x` and whatever else a case declares, all rows training rows, any feature taken.
struct Lab {
  Schema schema;
  std::vector<std::string> names;
  std::vector<std::vector<Cell>> rows;

  Prepared run(const std::function<void(PipelineBuilder&)>& steps) const {
    PipelineBuilder builder = Pipeline::read_rows("lab").declare(schema);
    steps(builder);
    Rows handed(names);
    for (const std::vector<Cell>& row : rows) handed.add(row);
    return builder.features({.takes = "any"}).build().run(handed);
  }
  std::vector<std::string> refusal(const std::function<void(PipelineBuilder&)>& steps) const {
    return tests::refusal_of([&] { run(steps); });
  }
};

std::vector<float> values_of(const Tensor& tensor) {
  const std::span<const float> values = tensor.values<float>();
  return {values.begin(), values.end()};
}

Json learned_by(const Prepared& prepared) {
  return *prepared.fit.to_json().find("fit")->find("steps")->items()[0].find("columns");
}

const Lab kNumbers = {Schema().optional("x", Kind::Number).optional("n", Kind::Integer),
                      {"x", "n"},
                      {{1.0, 1}, {std::nullopt, 2}, {4.0, std::nullopt}, {4.0, 2}, {8.0, 1}}};

TEST(FillMissing, ByWhatTheTrainingRowsSay) {
  struct Case {
    With with;
    const char* learned;
    float x, n;
  };
  const Case cases[] = {
      {With::Mean, R"({"n":1.5,"x":4.25})", 4.25, 1.5},
      {With::Median, R"({"n":1.5,"x":4})", 4, 1.5},
      {With::MostFrequent, R"({"n":1,"x":4})", 4, 1},
      {With::Zero, nullptr, 0, 0},
      {With::constant(-3), nullptr, -3, -3},
      {With::constant(0.5), nullptr, 0.5, 0.5},
  };
  for (const Case& one : cases) {
    const Prepared prepared = kNumbers.run([&](PipelineBuilder& builder) {
      builder.fill_missing({"x", "n"}, one.with);
    });
    EXPECT_THAT(prepared.features, ElementsAre("x", "x_was_missing", "n", "n_was_missing"));
    EXPECT_THAT(values_of(prepared.train.features),
                ElementsAre(1, 0, 1, 0, one.x, 1, 2, 0, 4, 0, one.n, 1, 4, 0, 2, 0, 8, 0, 1, 0));
    if (one.learned != nullptr) {
      EXPECT_EQ(learned_by(prepared).canonical(), one.learned);
    }
    EXPECT_EQ(Fit::from_json(parse_json(prepared.fit.to_json().dump(), "")).trained_behind(),
              prepared.fit.trained_behind());
  }
}

TEST(FillMissing, WithoutAMarkAddsNoColumn) {
  const Prepared prepared = kNumbers.run([](PipelineBuilder& builder) {
    builder.fill_missing({"x", "n"}, With::Zero, {.mark = false});
  });
  EXPECT_THAT(prepared.features, ElementsAre("x", "n"));
}

TEST(FillMissing, TextsAndBooleans) {
  const Lab lab = {Schema().optional("c", Kind::Category).optional("b", Kind::Boolean),
                   {"c", "b"},
                   {{"b", true}, {"a", std::nullopt}, {std::nullopt, true}, {"b", false}, {"a", true}}};
  const Prepared prepared = lab.run([](PipelineBuilder& builder) {
    builder.fill_missing({"c", "b"}, With::MostFrequent, {.mark = false}).encode_categories({.unseen = "refuse"});
  });
  EXPECT_EQ(learned_by(prepared).canonical(), R"({"b":true,"c":"a"})");  // a tie goes to the least in byte order
  EXPECT_THAT(values_of(prepared.train.features), ElementsAre(0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1));
}

TEST(FillMissing, AboveTheSplitByAConstant) {
  const Prepared prepared = kNumbers.run([](PipelineBuilder& builder) {
    builder.fill_missing({"x", "n"}, With::Zero, {.mark = false}).split_at_random({.train = 0.6, .validation = 0.2});
  });
  EXPECT_EQ(prepared.train.rows(), 3u);
  EXPECT_EQ(prepared.validation.rows(), 1u);
  EXPECT_EQ(prepared.test.rows(), 1u);
}

TEST(FillMissing, RefusesMoreGapsThanStated) {
  EXPECT_THAT(kNumbers.refusal([](PipelineBuilder& builder) {
    builder.fill_missing({"x", "n"}, With::Mean, {.refuse_above = 0.1});
  }),
              ElementsAre("step 2 (fill.missing): 'x' has 1 gaps in 5 training rows, more than the share of 0.1.",
                          "step 2 (fill.missing): 'n' has 1 gaps in 5 training rows, more than the share of 0.1."));
  const Lab gaps = {Schema().optional("x", Kind::Number), {"x"}, {{std::nullopt}, {std::nullopt}}};
  EXPECT_THAT(gaps.refusal([](PipelineBuilder& builder) { builder.fill_missing({"x"}, With::Mean); }),
              ElementsAre("step 2 (fill.missing): 'x' holds gaps alone in the training rows, so nothing is learned to "
                          "fill it with."));
}

const Lab kColors = {
    Schema().category("c").optional("d", Kind::Category), {"c", "d"}, {{"red", "1"}, {"blue", ""}, {"red", "2"}}};

struct EncodeCase {
  EncodeCategoriesOptions options;
  std::vector<std::string> features;
  std::vector<float> values;
};
TEST(EncodeCategories, InByteOrder) {
  const EncodeCase cases[] = {
      {{},
       {"c_blue", "c_red", "c_other", "c_was_missing", "d_1", "d_2", "d_other", "d_was_missing"},
       {0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0}},
      {{.unseen = "refuse"},
       {"c_blue", "c_red", "d_1", "d_2", "d_was_missing"},
       {0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0}},
      {{.as = "ordinal"}, {"c", "c_was_missing", "d", "d_was_missing"}, {1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0}},
      {{.as = "ordinal", .unseen = "refuse"}, {"c", "d", "d_was_missing"}, {1, 0, 0, 0, 0, 1, 1, 1, 0}},
  };
  for (const EncodeCase& one : cases) {
    const Prepared prepared = kColors.run([&](PipelineBuilder& builder) { builder.encode_categories(one.options); });
    EXPECT_EQ(prepared.features, one.features);
    EXPECT_EQ(values_of(prepared.train.features), one.values);
    EXPECT_EQ(Fit::from_json(parse_json(prepared.fit.to_json().dump(), "")).trained_behind(),
              prepared.fit.trained_behind());
  }
}

TEST(EncodeCategories, UnseenOnesAreReservedOrRefused) {
  const auto replay = [](const EncodeCategoriesOptions& options) {
    const Prepared prepared = kColors.run([&](PipelineBuilder& builder) { builder.encode_categories(options); });
    Rows rows({"c", "d"});
    rows.add({"green", "1"}).add({"blue", "3"});
    return values_of(prepared.fit.prepare(rows).features);
  };
  EXPECT_THAT(replay({.as = "ordinal"}), ElementsAre(2, 0, 0, 0, 0, 0, 2, 0));  // `other` is the place behind the last
  EXPECT_THAT(tests::refusal_of([&] { replay({.unseen = "refuse"}); }),
              ElementsAre("row 1: c: 'green' was in no training row.", "row 2: d: '3' was in no training row."));
  const Prepared refusing =
      kColors.run([&](PipelineBuilder& builder) { builder.encode_categories({.unseen = "refuse"}); });
  Rows gap({"c", "d"});
  gap.add({"", "1"});
  EXPECT_THAT(tests::refusal_of([&] { refusing.fit.prepare(gap); }),
              ElementsAre(HasSubstr("row 1: column 'c': The cell is a gap")));
}

TEST(EncodeCategories, RefusesWhatMakesTooManyOrEqualNames) {
  EXPECT_THAT(kColors.refusal([](PipelineBuilder& builder) { builder.encode_categories({.at_most = 1}); }),
              ElementsAre("step 2 (encode.categories): 'c' holds 2 categories in the training rows, and at most 1 are "
                          "encoded.",
                          "step 2 (encode.categories): 'd' holds 2 categories in the training rows, and at most 1 are "
                          "encoded."));
  const Lab doubled = {Schema().category("c").boolean("c_red"), {"c", "c_red"}, {{"red", true}, {"other", true}}};
  EXPECT_THAT(
      doubled.refusal([](PipelineBuilder& builder) { builder.encode_categories(); }),
      ElementsAre("step 2 (encode.categories): Two columns would be named 'c_red': the column of that name, and "
                  "the category 'red' of 'c'.",
                  "step 2 (encode.categories): Two columns would be named 'c_other': the category 'other' of "
                  "'c', and the unseen categories of 'c'."));
}

const Lab kFour = {Schema().number("x"), {"x"}, {{0}, {1}, {3}, {4}}};

TEST(Normalize, ToItsScale) {
  struct Case {
    const char* scale;
    std::vector<float> values;
    const char* learned;
  };
  const Case cases[] = {
      {"midrange", {-1, -0.5, 0.5, 1}, R"({"x":[0,4]})"},
      {"minmax", {0, 0.25, 0.75, 1}, R"({"x":[0,4]})"},
      {"standard",
       {-1.2649110640673518f, -0.6324555320336759f, 0.6324555320336759f, 1.2649110640673518f},
       R"({"x":[2,1.5811388300841898]})"},
  };
  for (const Case& one : cases) {
    const Prepared prepared =
        kFour.run([&](PipelineBuilder& builder) { builder.normalize({"x"}, {.scale = one.scale}); });
    EXPECT_EQ(values_of(prepared.train.features), one.values) << one.scale;
    EXPECT_EQ(learned_by(prepared).canonical(), one.learned);
  }
}

TEST(Normalize, WhatIsOutOfRange) {
  const auto replay = [](const char* scale, const char* out_of_range) {
    const Prepared prepared = kFour.run(
        [&](PipelineBuilder& builder) { builder.normalize({"x"}, {.scale = scale, .out_of_range = out_of_range}); });
    Rows rows({"x"});
    rows.add({-4}).add({2}).add({8});
    return values_of(prepared.fit.prepare(rows).features);
  };
  EXPECT_THAT(replay("midrange", "pass"), ElementsAre(-3, 0, 3));
  EXPECT_THAT(replay("midrange", "clip"), ElementsAre(-1, 0, 1));
  EXPECT_THAT(replay("minmax", "clip"), ElementsAre(0, 0.5, 1));
  EXPECT_THAT(replay("standard", "pass"), ElementsAre(-3.7947331922020551f, 0, 3.7947331922020551f));
  EXPECT_THAT(tests::refusal_of([&] { replay("minmax", "refuse"); }),
              ElementsAre("row 1: x: -4 lies outside the training rows' 0 to 4.",
                          "row 3: x: 8 lies outside the training rows' 0 to 4."));
}

TEST(Normalize, AConstantColumnBecomesNought) {
  const Lab lab = {Schema().number("x", "y"), {"x", "y"}, {{5, 0.1}, {5, 0.30000000000000004 - 0.2}, {5, 0.1}}};
  for (const char* scale : {"midrange", "minmax", "standard"}) {
    const Prepared prepared = lab.run([&](PipelineBuilder& builder) {
      builder.normalize({"x", "y"}, {.scale = scale});
    });
    for (const float value : values_of(prepared.train.features)) EXPECT_NEAR(value, 0, 1e-15) << scale;
    ASSERT_EQ(prepared.notes.size(), 2u);
    EXPECT_EQ(prepared.notes[0],
              "step 2 (normalize): 'x' holds one value, 5, in the training rows, and becomes 0 there.");
    Rows rows({"x", "y"});
    rows.add({6, 0.1});
    EXPECT_EQ(values_of(prepared.fit.prepare(rows).features)[0], 1) << scale;
  }
}

TEST(Normalize, MeetsTheEndsExactlyHoweverLargeTheyAre) {
  const Lab lab = {Schema().number("x"), {"x"}, {{-1.7e308}, {0.1}, {1.7e308}}};
  for (const char* scale : {"midrange", "minmax"}) {
    const Prepared prepared = lab.run([&](PipelineBuilder& builder) { builder.normalize({"x"}, {.scale = scale}); });
    EXPECT_THAT(values_of(prepared.train.features), ElementsAre(scale == std::string("midrange") ? -1.0f : 0.0f,
                                                                scale == std::string("midrange") ? 0.0f : 0.5f, 1));
  }
  const Lab odd = {Schema().number("x"), {"x"}, {{0.1}, {0.7}, {0.3}}};
  const Prepared prepared = odd.run([&](PipelineBuilder& builder) { builder.normalize({"x"}); });
  EXPECT_EQ(values_of(prepared.train.features)[0], -1);
  EXPECT_EQ(values_of(prepared.train.features)[1], 1);
}

TEST(Features, AreHandedOverInTheStatedOrder) {
  const Lab lab = {Schema().boolean("a", "b").category("c"), {"a", "b", "c"}, {{true, false, "x"}, {false, true, "x"}}};
  const auto run = [&](const std::vector<std::string>& order) {
    Rows rows(lab.names);
    for (const std::vector<Cell>& row : lab.rows) rows.add(row);
    return Pipeline::read_rows("lab")
        .declare(lab.schema)
        .encode_categories({.unseen = "refuse"})
        .features({.order = order})
        .build()
        .run(rows);
  };
  const Prepared prepared = run({"c_x", "b", "a"});
  EXPECT_THAT(prepared.features, ElementsAre("c_x", "b", "a"));
  EXPECT_THAT(values_of(prepared.train.features), ElementsAre(1, 0, 1, 1, 1, 0));
  EXPECT_EQ(Fit::from_json(parse_json(prepared.fit.to_json().dump(), "")).features(), prepared.features);
  EXPECT_THAT(tests::refusal_of([&] {
                run({"c_y", "b"});
              }),
              ElementsAre("step 3 (features): There is no feature 'c_y'. Did you mean 'c_x'?",
                          "step 3 (features): The feature 'a' is not listed, and every one is to be.",
                          "step 3 (features): The feature 'c_x' is not listed, and every one is to be.",
                          R"(step 3 (features): The features are, in the order they were made: ["a","b","c_x"].)"));
}

TEST(Handover, RefusesGapsAndWhatIsPastFloat32) {
  const Lab lab = {Schema().optional("x", Kind::Number).number("z").optional("y", Kind::Number),
                   {"x", "z", "y"},
                   {{1, 2, 3}, {std::nullopt, 1e39, std::nullopt}}};
  EXPECT_THAT(
      lab.refusal([](PipelineBuilder& builder) { builder.target("y"); }),
      ElementsAre("row 2: x: The cell is a gap. Fill it, or drop the rows.",
                  "row 2: z: 1e+39 is past the largest float32.", HasSubstr("row 2: y: The answer is missing.")));
}

TEST(Handover, CountsFaultsPastAHundred) {
  Lab lab = {Schema().optional("x", Kind::Number), {"x"}, {}};
  for (int i = 0; i < 150; ++i) lab.rows.push_back({std::nullopt});
  const std::vector<std::string> lines = lab.refusal([](PipelineBuilder&) {});
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_EQ(lines.back(), "rows: 50 more faults of rows were found and not listed.");
}

TEST(Builder, GivesTheFaultsOfTheSameJson) {
  const auto lines = tests::refusal_of([] {
    Pipeline::read_csv("x.csv", {.dialect = "excel"})
        .declare(Schema().number("x").optional("c", Kind::Category))
        .split_at_random({.train = 0.7, .validation = 0.4, .seed = uint64_t{1} << 60})
        .target("y")
        .fill_missing({"c"}, With::constant(std::nan("")))
        .step("nonsense")
        .build();
  });
  EXPECT_THAT(lines,
              ElementsAre("step 0 (read.csv): 'excel' is no word for 'dialect'. Known are rfc4180, semicolon and tab.",
                          "step 2 (split.at_random): 'seed' is 1152921504606846976, and 0 to 9007199254740991 is read.",
                          HasSubstr("step 4 (fill.missing): 'with' is"),
                          HasSubstr("step 5: 'nonsense' is no verb that is known here."),
                          HasSubstr("step 3 (target): There is no column 'y' here.")));
}

TEST(Statistics, AsTheyAreStated) {
  std::vector<double> values = {3, 1, 2, 10};
  EXPECT_EQ(quantile_of(values, 0), 1);
  EXPECT_EQ(quantile_of(values, 0.5), 2.5);
  EXPECT_EQ(quantile_of(values, 0.25), 1.75);
  EXPECT_EQ(quantile_of(values, 1), 10);
  EXPECT_EQ(mean_of({1e100, 1, -1e100, 1}), 0.5);  // compensated: a plain sum gives 0.25
  EXPECT_EQ(deviation_of({2, 4, 4, 4, 5, 5, 7, 9}, 5), 2);
  EXPECT_TRUE(is_constant(0, 1, 0));
  EXPECT_TRUE(is_constant(0x1p-52, 1, 1));
  EXPECT_FALSE(is_constant(0x1p-51, 1, 1));
}

struct FareCase {
  double (*statistic)(std::vector<double>& fares);
  double value;
};
TEST(Titanic13, StatisticsOfFareOverTheTrainingRows) {
  const Prepared rows = titanic_pipeline().run();
  const Cells cells = titanic_cells();
  std::vector<double> fares, ages;
  for (const uint32_t row : rows.train.source_rows) {
    fares.push_back(std::stod(cells[row + 1][7]));
    if (!cells[row + 1][4].empty()) ages.push_back(std::stod(cells[row + 1][4]));
  }
  EXPECT_EQ(ages.size(), 501u);
  EXPECT_NEAR(mean_of(fares), 31.804414125, 1e-9);
  EXPECT_NEAR(deviation_of(fares, mean_of(fares)), 49.100021291, 1e-9);
  EXPECT_EQ(quantile_of(fares, 0.5), 14);
  EXPECT_EQ(quantile_of(fares, 0.25), 7.9);
  EXPECT_NEAR(quantile_of(fares, 0.75), 30.035, 1e-12);
  EXPECT_EQ(quantile_of(fares, 0.01), 0);
  EXPECT_NEAR(quantile_of(fares, 0.99), 243.12, 1e-9);
  EXPECT_EQ(quantile_of(ages, 0.5), 28);
}

}  // namespace
}  // namespace causeway::pipeline
