#include "causeway/pipeline/timestamp.h"

#include <gtest/gtest.h>

namespace causeway::pipeline {
namespace {

constexpr int64_t kSecond = 1'000'000;

struct Case {
  const char *cell, *format;
  std::optional<int64_t> moment;
};
const Case kCases[] = {
    {"1970-01-01", "", 0},
    {"1970-01-01T00:00", "", 0},
    {"1970-01-01 00:00:01Z", "", kSecond},
    {"1970-01-01T00:00:00.5", "", kSecond / 2},
    {"1970-01-01T00:00:00.000001Z", "", 1},
    {"1970-01-01T01:00:00+01:00", "", 0},
    {"1969-12-31T23:59:59-00:01", "", 59 * kSecond},
    {"2024-02-29", "", 1'709'164'800 * kSecond},
    {"0000-01-01", "", -62'167'219'200 * kSecond},
    {"2023-02-29", "", std::nullopt},
    {"2024-13-01", "", std::nullopt},
    {"2024-1-01", "", std::nullopt},
    {"1970-01-01T", "", std::nullopt},
    {"1970-01-01T24:00", "", std::nullopt},
    {"1970-01-01T00:60", "", std::nullopt},
    {"1970-01-01T00:00:00.", "", std::nullopt},
    {"1970-01-01T00:00:00.1234567", "", std::nullopt},
    {"1970-01-01T00:00+0100", "", std::nullopt},
    {"1970-01-01T00:00 ", "", std::nullopt},
    {"", "", std::nullopt},
    {"31.12.1969 23:59:59", "%d.%m.%Y %H:%M:%S", -kSecond},
    {"1.1.1970", "%d.%m.%Y", 0},
    {"1970-01-01 12:00 -0030", "%Y-%m-%d %H:%M %z", (12 * 3600 + 1800) * kSecond},
    {"19700101 .25%", "%Y%m%d .%f%%", kSecond / 4},
    {"1.1.70", "%d.%m.%Y", std::nullopt},
};

TEST(Timestamp, ReadsMoments) {
  for (const Case& one : kCases) EXPECT_EQ(moment_of(one.cell, one.format), one.moment) << one.cell;
}

TEST(Timestamp, WritesWhatReadsBackTheSame) {
  for (const char* text :
       {"1970-01-01", "2024-02-29T08:30:00Z", "1969-12-31T23:59:59.999999Z", "2000-01-01T00:00:00.25Z"}) {
    EXPECT_EQ(moment_text(*moment_of(text)), text);
  }
}

TEST(Timestamp, FormatsAreASubsetOfStrptimes) {
  EXPECT_EQ(format_fault("%Y-%m-%dT%H:%M:%S.%f%z"), "");
  EXPECT_EQ(format_fault("%Y %j").substr(0, 4), "'%j'");
  EXPECT_EQ(format_fault("%Y %").substr(0, 3), "'%'");
  EXPECT_NE(format_fault(""), "");
}

}  // namespace
}  // namespace causeway::pipeline
