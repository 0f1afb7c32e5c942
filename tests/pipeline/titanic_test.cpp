#include "tests/pipeline/titanic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "causeway/base/sha256.h"
#include "causeway/pipeline/row_key.h"
#include "causeway/pipeline/split.h"
#include "tests/support/files.h"

namespace causeway::pipeline {
namespace {

using testing::ElementsAre;

std::vector<std::string> first_ids(const Part& part) {
  std::vector<std::string> ids = ids_of(part);
  ids.resize(5);
  return ids;
}

TEST(TitanicRows, TheDataAreTheOnesTheNumbersAreFor) {
  EXPECT_EQ(hex(sha256(tests::bytes_of(tests::data_file("titanic.csv")))),
            "bb71408e537cc4a7ad90b66f32cf0828e6d4b34ea492907dde3e587472e0b5bb");
}

TEST(TitanicRows, KeyAndRankOfPassenger1) {
  RowKey key({"passenger_id"});
  key.set(0, "1");
  const std::string& bytes = key.bytes();
  EXPECT_EQ(hex({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}),
            "0c00000070617373656e6765725f6964010100000031");
  EXPECT_EQ(hex(key.digest()), "bf7bb9ac24ec709d8be949104f9c08b4a824f0e1dc8345f1055cebd2a4e37805");
  EXPECT_EQ(hex(rank_of(7, key.digest())), "bd86c9d3dbb2fa504af677875dc859ed20fbe089c231efe262ab2387f241ec27");
}

TEST(TitanicRows, KeyOfARowWithoutAnId) {
  RowKey key({"survived", "pclass", "sex", "age", "sibsp", "parch", "fare"});
  const std::map<std::string, std::string> cells = {{"survived", "0"}, {"pclass", "3"}, {"sex", "male"}, {"age", "22"},
                                                    {"sibsp", "1"},    {"parch", "0"},  {"fare", "7.25"}};
  for (size_t i = 0; i < key.names().size(); ++i) key.set(i, cells.at(key.names()[i]));
  EXPECT_EQ(hex(key.digest()), "be6e32cbf8418f5affe828bc0d27b29882b414eaed9cd05f6d74f6c370901c12");
}

TEST(TitanicRows, PartsAreDealtHalvesUp) {
  EXPECT_EQ(count_of(549, 700'000), 384u);
  EXPECT_EQ(count_of(549, 150'000), 82u);
  EXPECT_EQ(count_of(342, 700'000), 239u);
  EXPECT_EQ(count_of(342, 150'000), 51u);
  EXPECT_EQ(count_of(1, 500'000), 1u);
  EXPECT_EQ(count_of(3, 500'000), 2u);
  EXPECT_EQ(count_of(0, 1'000'000), 0u);
}

struct DealCase {
  const char* name;
  bool stratified;
  uint64_t seed;
  size_t train, validation, test;
  const char *train_ids, *validation_ids, *test_ids;
};
const DealCase kDeals[] = {
    {"Stratified7", true, 7, 623, 133, 135, "cc0e1235848901dc70e1f216b77cd284e311e942465a6a94167910f07d535f0f",
     "dc2be572cd055edccb6ae7c9b092e94c8995bd3f05e432ddee8c62dde2bb8042",
     "2a3c6132a25ed8888a5f3b7c125c91acd01bb4b138ed081f8b4289e37ef717e5"},
    {"Stratified0", true, 0, 623, 133, 135, "48076a928afe48bebb9f9db217a7947bb9ffa23a4931f84e9570b49bfe5350b4",
     "c1b6e8f2860a4fb47c94b6d885bc00633d8d3272d22a387bd1e34b2ed65e3172",
     "89361dcc912703f90f7f1ab8362adc39041c1f08b3bf99b53c0ab651814d4c7a"},
    {"AtRandom7", false, 7, 624, 134, 133, "9af67a52c7c122c7aad7e4e0289ef54927910437afb9e6a116022a19efe3838c",
     "5e46d5996bb6ca1095f830e672a1905d034821e4f44a19de71cd0e40ddb5f409",
     "11bf6d545bdd1987f287d65e4114238b89436ccbf0bff4c88ff7338dea6d170b"},
};
class TitanicDeal : public testing::TestWithParam<DealCase> {};
TEST_P(TitanicDeal, GivesThesePassengers) {
  const DealCase& deal = GetParam();
  PipelineBuilder builder = Pipeline::read_csv(CAUSEWAY_DATA "/titanic.csv").declare(titanic_schema());
  if (deal.stratified) {
    builder.split_stratified("survived", {.train = 0.7, .validation = 0.15, .seed = deal.seed});
  } else {
    builder.split_at_random({.train = 0.7, .validation = 0.15, .seed = deal.seed});
  }
  builder.target("survived").fill_missing({"age"}, With::Median).encode_categories();
  const Prepared rows = builder.normalize({"age", "sibsp", "parch", "fare"}).build().run();
  EXPECT_EQ(rows.train.rows(), deal.train);
  EXPECT_EQ(rows.validation.rows(), deal.validation);
  EXPECT_EQ(rows.test.rows(), deal.test);
  EXPECT_EQ(ids_hash(rows.train), deal.train_ids);
  EXPECT_EQ(ids_hash(rows.validation), deal.validation_ids);
  EXPECT_EQ(ids_hash(rows.test), deal.test_ids);
}
INSTANTIATE_TEST_SUITE_P(Splits, TitanicDeal, testing::ValuesIn(kDeals),
                         [](const auto& info) { return std::string(info.param.name); });

class Titanic : public testing::Test {
 protected:
  static const Prepared& rows() {
    static const Prepared prepared = titanic_pipeline().run();
    return prepared;
  }
  static std::vector<float> features_of_passenger(const std::string& id) {
    for (size_t part = 0; part < 3; ++part) {
      const std::vector<std::string> ids = ids_of(rows().part(part));
      for (size_t row = 0; row < ids.size(); ++row) {
        if (ids[row] != id) continue;
        const auto values = rows().part(part).features.values<float>().subspan(row * 14, 14);
        return {values.begin(), values.end()};
      }
    }
    return {};
  }
};

TEST_F(Titanic, RowsOfAPartStandInRankOrder) {
  EXPECT_THAT(first_ids(rows().train), ElementsAre("147", "857", "443", "796", "165"));
  EXPECT_THAT(first_ids(rows().validation), ElementsAre("537", "531", "23", "533", "559"));
  EXPECT_THAT(first_ids(rows().test), ElementsAre("506", "68", "795", "341", "136"));
}

TEST_F(Titanic, FeaturesInOrder) {
  EXPECT_THAT(rows().features, ElementsAre("pclass_1", "pclass_2", "pclass_3", "pclass_other", "pclass_was_missing",
                                           "sex_female", "sex_male", "sex_other", "sex_was_missing", "age",
                                           "age_was_missing", "sibsp", "parch", "fare"));
  EXPECT_THAT(rows().answers, ElementsAre("survived"));
}

TEST_F(Titanic, FeaturesOfTwoPassengers) {
  EXPECT_THAT(features_of_passenger("1"),
              ElementsAre(0, 0, 1, 0, 0, 0, 1, 0, 0, -0.4576526880264282f, 0, -0.75f, -1, -0.9716979265213013f));
  EXPECT_THAT(features_of_passenger("6"),
              ElementsAre(0, 0, 1, 0, 0, 0, 1, 0, 0, -0.306861013174057f, 1, -1, -1, -0.9669744372367859f));
}

TEST_F(Titanic, EveryBitOfEveryPart) {
  EXPECT_EQ(bytes_hash(rows().train.features), "e6d703b2c9411b53b1f723c7378c8b991ee6ad4980bd5663c54a1704773c5549");
  EXPECT_EQ(bytes_hash(rows().train.answers), "3bad35014e127d6cd17c9352709293bba593e158646fff6d6cd5f38f6db0d9ac");
  EXPECT_EQ(bytes_hash(rows().validation.features), "3dc93947acbdd8eeb0b6ed8dde09f40c531c990e776123577f3600ced7e4660f");
  EXPECT_EQ(bytes_hash(rows().validation.answers), "7efeb0de5de4be9a7537b612a3a63144cb7de287e922ed649c78a3c84de34692");
  EXPECT_EQ(bytes_hash(rows().test.features), "f7e9200c73a3918d85da315a72b4f2945b96af948dbb86b5eebd466672655f02");
  EXPECT_EQ(bytes_hash(rows().test.answers), "06da90d77a1ae087326500dd28891e0eca8676b94ffde626abbf70c4b34dae38");
}

TEST_F(Titanic, EveryValueIsBounded) {
  for (size_t part = 0; part < 3; ++part) {
    for (const float value : rows().part(part).features.values<float>()) EXPECT_LE(std::abs(value), 1.0f);
    EXPECT_EQ(rows().part(part).unfamiliar_rows, 0u);
  }
}

TEST_F(Titanic, PreparationAndItsHash) {
  EXPECT_EQ(rows().fit.preparation().size(), 1996u);
  EXPECT_EQ(
      rows().fit.preparation(),
      R"({"fit":{"answers":["survived"],"features":["pclass_1","pclass_2","pclass_3","pclass_other","pclass_was_missing","sex_female","sex_male","sex_other","sex_was_missing","age","age_was_missing","sibsp","parch","fare"],"steps":[{"parts":{"test":{"keys":"be4130258a003fbd9daf1bdd5ed780ed8abec9fb6077c6ef8ffa65b2083213ae","rows":135},"train":{"keys":"c81092c66ba0dbb13665cc3a79167381911d64d5c044219836defdde1e9b4c08","rows":623},"validation":{"keys":"f0944149619fc1275304b7ba82f1a4a4a7a0412927e29e77c427f9534ac3648b","rows":133}},"step":1},{"columns":{"age":28},"step":3},{"columns":{"pclass":["1","2","3"],"sex":["female","male"]},"step":4},{"columns":{"age":[0.42,80],"fare":[0,512.33],"parch":[0,6],"sibsp":[0,8]},"step":5}],"unvaried":{"pclass_other":0,"pclass_was_missing":0,"sex_other":0,"sex_was_missing":0}},"pipeline":1,"steps":[{"columns":[{"id":true,"kind":"integer","missing":[],"name":"passenger_id","optional":false,"was":"passenger_id"},{"id":false,"kind":"integer","missing":[],"name":"survived","optional":false,"was":"survived"},{"id":false,"kind":"category","missing":[],"name":"pclass","optional":false,"was":"pclass"},{"id":false,"kind":"category","missing":[],"name":"sex","optional":false,"was":"sex"},{"id":false,"kind":"number","missing":[],"name":"age","optional":true,"was":"age"},{"id":false,"kind":"integer","missing":[],"name":"sibsp","optional":false,"was":"sibsp"},{"id":false,"kind":"integer","missing":[],"name":"parch","optional":false,"was":"parch"},{"id":false,"kind":"number","missing":[],"name":"fare","optional":false,"was":"fare"}],"remainder":"drop","verb":"declare"},{"column":"survived","seed":7,"train":0.7,"validation":0.15,"verb":"split.stratified"},{"column":"survived","verb":"target"},{"columns":["age"],"mark":true,"refuse_above":1,"verb":"fill.missing","with":"median"},{"as":"onehot","at_most":1000,"unseen":"reserve","verb":"encode.categories"},{"columns":["age","sibsp","parch","fare"],"out_of_range":"pass","scale":"midrange","verb":"normalize"}]})");
  EXPECT_EQ(rows().fit.trained_behind(), kTitanicTrainedBehind);
}

TEST_F(Titanic, JsonDeclaresTheSame) {
  const Prepared prepared = Pipeline::from_text(kTitanicDeclaration, CAUSEWAY_DATA).run();
  EXPECT_EQ(prepared.fit.trained_behind(), kTitanicTrainedBehind);
  EXPECT_TRUE(prepared.train.features.same_bits(rows().train.features));
}

TEST_F(Titanic, GapsInAge) {
  const size_t gaps[] = {122, 28, 27};
  for (size_t part = 0; part < 3; ++part) {
    size_t marked = 0;
    const std::span<const float> values = rows().part(part).features.values<float>();
    for (size_t row = 0; row < rows().part(part).rows(); ++row) marked += values[row * 14 + 10] == 1 ? 1 : 0;
    EXPECT_EQ(marked, gaps[part]);
  }
}

TEST(TitanicWithoutIds, EqualRowsAreNeverDivided) {
  const Prepared rows = Pipeline::read_csv(CAUSEWAY_DATA "/titanic.csv")
                            .declare(Schema()
                                         .integer("survived")
                                         .category("pclass", "sex")
                                         .optional("age", Kind::Number)
                                         .integer("sibsp", "parch")
                                         .number("fare"))
                            .split_stratified("survived", {.train = 0.7, .validation = 0.15, .seed = 7})
                            .target("survived")
                            .fill_missing({"age"}, With::Median)
                            .encode_categories()
                            .normalize({"age", "sibsp", "parch", "fare"})
                            .build()
                            .run();
  EXPECT_EQ(rows.train.rows(), 623u);
  EXPECT_EQ(rows.validation.rows(), 133u);
  EXPECT_EQ(rows.test.rows(), 135u);
}

}  // namespace
}  // namespace causeway::pipeline
