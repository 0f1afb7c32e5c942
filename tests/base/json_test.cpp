#include "causeway/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "causeway/base/fault.h"

namespace causeway {
namespace {

using testing::ElementsAre;

std::string refusal_of(std::string_view text, const std::string& where = "", JsonLimits limits = {}) {
  try {
    parse_json(text, where, limits);
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "read";
}

struct RefusedCase {
  std::string_view text, message;
};

TEST(Json, IsRefusedWithItsPlace) {
  const RefusedCase cases[] = {
      {"", "line 1:1: the text ends where a value is expected."},
      {" \n\t", "line 2:2: the text ends where a value is expected."},
      {"[1, 2", "line 1:6: the end of the text stands where ',' or ']' is expected in an array."},
      {"[1 2]", "line 1:4: '2' stands where ',' or ']' is expected in an array."},
      {"[1,]", "line 1:4: a comma stands before the end of an array."},
      {"{\"a\": 1,\n}", "line 2:1: a comma stands before the end of an object."},
      {"{a: 1}", "line 1:2: 'a' stands where a key in double quotes is expected."},
      {"{\"a\" 1}", "line 1:6: '1' stands where ':' is expected after a key."},
      {"1 2", "line 1:3: '2' stands after the value."},
      {"1\n// note", "line 2:1: '/' stands after the value."},
      {"NaN", "line 1:1: 'N' stands where a value is expected."},
      {"nan", "line 1:1: no JSON value begins so; the words are true, false and null."},
      {"-Infinity", "line 1:1: a number is not written to its end."},
      {"'a'", R"(line 1:1: '\'' stands where a value is expected.)"},
      {"\xEF\xBB\xBF{}", R"(line 1:1: '\ufeff' stands where a value is expected.)"},
      {"01", "line 1:1: a number begins with a 0 too many."},
      {"+1", "line 1:1: '+' stands where a value is expected."},
      {"1.", "line 1:1: a number is not written to its end."},
      {".5", "line 1:1: '.' stands where a value is expected."},
      {"1e", "line 1:1: a number is not written to its end."},
      {"1e400", "line 1:1: '1e400' is larger than a float64 holds."},
      {"-0.1e99999999999999999999", "line 1:1: '-0.1e99999999999999999999' is larger than a float64 holds."},
      {"\"a", "line 1:3: the text ends inside a string."},
      {"\"a\nb\"", R"(line 1:3: '\n' stands in a string as it is; it is written escaped.)"},
      {R"("\x")", "line 1:3: 'x' stands after a backslash, and no escape is written so."},
      {R"("\u12")", R"(line 1:3: four hexadecimal digits are expected after '\u'.)"},
      {R"("\u+123")", R"(line 1:3: four hexadecimal digits are expected after '\u'.)"},
      {R"("\ud800x")", "line 1:8: an escape gives half a surrogate pair."},
      {R"("\ud800\u0041")", "line 1:14: an escape gives half a surrogate pair."},
      {R"("\udc00")", "line 1:8: an escape gives half a surrogate pair."},
      {"\"é\xFF\"", R"(line 1:3: '\xff' is no UTF-8.)"},
      {"[\"éé\", \xE2\x82]", R"(line 1:8: '\xe2' stands where a value is expected.)"},
      {"[[[[1]]]]", "line 1:4: the value is nested deeper than the 3 levels that are read."},
      {R"([{"a":{"a":{}}}])", "line 1:12: the value is nested deeper than the 3 levels that are read."},
  };
  for (const RefusedCase& one : cases) EXPECT_EQ(refusal_of(one.text, "", {.depth = 3}), one.message) << one.text;
}

TEST(Json, NamesTheTextItStandsIn) {
  EXPECT_EQ(refusal_of("{", "config.json"),
            "config.json, line 1:2: the end of the text stands where a key in double "
            "quotes is expected.");
  EXPECT_EQ(refusal_of("[1, 2]", "header", {.size_bytes = 5}),
            "header: the JSON text has 6 bytes, and at most 5 are read.");
}

TEST(Json, NamesEveryDoubledKey) {
  EXPECT_EQ(refusal_of("{\"é\": 1, \"é\": {\"b\": 1,\n\"b\": 2}, \"\\u00e9\": 3}"),
            "line 2:1: the key 'b' stands in this object already, at line 1:16.\n"
            "line 1:10: the key 'é' stands in this object already, at line 1:2.\n"
            "line 2:10: the key 'é' stands in this object already, at line 1:2.");
  std::string many = "{";
  for (int i = 0; i < 1000; ++i) many += "\"" + std::to_string(i % 999) + "\":0,\n";
  many += "\"end\":0}";
  EXPECT_EQ(refusal_of(many), "line 1000:1: the key '0' stands in this object already, at line 1:2.");
}

TEST(Json, StopsAtAHundredFaults) {
  std::string many = "{\"a\":0";
  for (int i = 0; i < 100000; ++i) many += ",\"a\":0";
  try {
    parse_json(many + "}", "");
    FAIL() << "a doubled key was read";
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.faults().size(), 100u);
  }
}

TEST(Json, IsNotDeeperThanItsLimit) {
  const std::string deep(100000, '[');
  EXPECT_EQ(refusal_of(deep), "line 1:65: the value is nested deeper than the 64 levels that are read.");
  const std::string fits = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(parse_json(fits, "").dump(), fits);
}

TEST(Json, KnowsWhereItsValuesStand) {
  const Json json = parse_json("{\n  \"größe\": [1, \"a\"],\n  \"b\": {\"c\": null}}", "");
  EXPECT_EQ(json.place(), "line 1:1");
  EXPECT_EQ(json.find("größe")->place(), "line 2:12");
  EXPECT_EQ(json.find("größe")->items()[1].place(), "line 2:16");
  EXPECT_EQ(json.find("b")->find("c")->place(), "line 3:14");
  EXPECT_EQ(json.find("none"), nullptr);
  EXPECT_EQ(json.find("b")->find("c")->find("d"), nullptr);
}

struct NumberCase {
  std::string_view text;
  Json value;
};

TEST(Json, TellsWholeNumbersFromReals) {
  const NumberCase cases[] = {
      {"0", 0},
      {"-0", 0},
      {"-0.0", -0.0},
      {"1.0", 1.0},
      {"1e2", 100.0},
      {"9223372036854775807", std::numeric_limits<int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<int64_t>::min()},
      {"9223372036854775808", 9223372036854775808.0},
      {"0.1", 0.1},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"5e-324", std::numeric_limits<double>::denorm_min()},
      {"1e-400", 0.0},
      {"-0.00000000000000000000001e-99999999999999999999", -0.0},
      {"0e999999999999999999999", 0.0},
  };
  for (const NumberCase& one : cases) {
    const Json read = parse_json(one.text, "");
    EXPECT_EQ(read, one.value) << one.text;
    EXPECT_EQ(read.is_integer(), one.value.is_integer()) << one.text;
    EXPECT_EQ(std::signbit(read.number()), std::signbit(one.value.number())) << one.text;
    EXPECT_EQ(parse_json(read.dump(), ""), read) << one.text;
  }
}

TEST(Json, ReadsEveryEscape) {
  EXPECT_EQ(parse_json(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")", "").text(), "\"\\/\b\f\n\r\tAé€😀");
  using namespace std::string_view_literals;
  EXPECT_EQ(parse_json(R"("\u0000")", "").text(), "\0"sv);
}

TEST(Json, IsBuiltInCode) {
  Json json;
  json.set("b", 1).set_place(0, 0);
  json.set("a", Json::Array{true, nullptr, 0.5, "x"});
  json.set("b", 2);
  json.find("a");
  Json list;
  list.push("first");
  json.set("c", list);
  EXPECT_EQ(json.dump(), R"({"b":2,"a":[true,null,0.5,"x"],"c":["first"]})");
  EXPECT_EQ(json.canonical(), R"({"a":[true,null,0.5,"x"],"b":2,"c":["first"]})");
  EXPECT_EQ(json.pretty(),
            "{\n  \"b\": 2,\n  \"a\": [\n    true,\n    null,\n    0.5,\n    \"x\"\n  ],\n  \"c\": [\n    \"first\"\n  "
            "]\n}");
  EXPECT_EQ(Json(Json::Array{}).pretty(), "[]");
  EXPECT_EQ(Json(Json::Object{}).pretty(), "{}");
  EXPECT_THROW(Json(std::nan("")).dump(), std::logic_error);
  EXPECT_EQ(Json("cut \xC3").dump(), "\"cut \xEF\xBF\xBD\"");
  EXPECT_EQ(Json("\x1f\x7f\"\\").dump(), "\"\\u001f\x7f\\\"\\\\\"");
}

TEST(Json, NamesItsKind) {
  const Json values[] = {nullptr, true, 1, 0.5, "a", Json::Array{}, Json::Object{}};
  std::vector<std::string_view> names;
  for (const Json& value : values) names.push_back(value.kind_name());
  EXPECT_THAT(names, ElementsAre("null", "a truth value", "a number", "a number", "a text", "an array", "an object"));
}

struct CanonicalCase {
  double number;
  std::string_view text;
};

// RFC 8785, appendix B, and the borders at which ECMAScript changes its form.
TEST(JsonCanonical, PrintsNumbersAsEcmaScript) {
  const CanonicalCase cases[] = {
      {0.0, "0"},
      {-0.0, "0"},
      {5e-324, "5e-324"},
      {-5e-324, "-5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {9007199254740992, "9007199254740992"},
      {-9007199254740992, "-9007199254740992"},
      {295147905179352830000.0, "295147905179352830000"},
      {9.999999999999997e22, "9.999999999999997e+22"},
      {1e23, "1e+23"},
      {1.0000000000000001e23, "1.0000000000000001e+23"},
      {999999999999999700000.0, "999999999999999700000"},
      {999999999999999900000.0, "999999999999999900000"},
      {1e21, "1e+21"},
      {9.999999999999997e-7, "9.999999999999997e-7"},
      {0.000001, "0.000001"},
      {333333333.3333332, "333333333.3333332"},
      {333333333.33333325, "333333333.33333325"},
      {-0.0000033333333333333333, "-0.0000033333333333333333"},
      {1424953923781206.2, "1424953923781206.2"},
      {100, "100"},
      {12.5, "12.5"},
  };
  for (const CanonicalCase& one : cases) EXPECT_EQ(Json(one.number).canonical(), one.text);
  EXPECT_EQ(Json(int64_t{9007199254740993}).canonical(), "9007199254740992");
}

// RFC 8785, sections 3.2.2 and 3.2.3.
TEST(JsonCanonical, GivesTheStandardsExamples) {
  const Json values = parse_json(
      R"({"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]})",
      "");
  EXPECT_EQ(values.canonical(),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");

  const Json sorted = parse_json(
      R"({"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
          "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"})",
      "");
  std::vector<std::string> order;
  const Json again = parse_json(sorted.canonical(), "");
  for (const Json::Member& member : again.members()) order.push_back(member.second.text());
  EXPECT_THAT(order, ElementsAre("Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis",
                                 "Euro Sign", "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh"));
}

}  // namespace
}  // namespace causeway
