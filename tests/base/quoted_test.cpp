#include "causeway/base/quoted.h"

#include <gtest/gtest.h>

#include "causeway/base/utf8.h"

namespace causeway {
namespace {

struct QuotedCase {
  std::string_view name, shown;
};

TEST(Quoted, EscapesWhatCouldWriteALineOfItsOwn) {
  using namespace std::string_view_literals;
  const QuotedCase cases[] = {
      {"0.weight", "'0.weight'"},
      {"", "''"},
      {"a\nb\r\t", R"('a\nb\r\t')"},
      {"\0\x1b[31m"sv, R"('\x00\x1b[31m')"},
      {"naïve 网络 😀", "'naïve 网络 😀'"},
      {"next\u0085line", R"('next\x85line')"},
      {"a\u2028b", R"('a\u2028b')"},
      {"right\u202Eleft\u2066", R"('right\u202eleft\u2066')"},
      {"\U000E0041", R"('\U000e0041')"},
      {"cut \xC3", R"('cut \xc3')"},
      {"overlong \xC0\xAF", R"('overlong \xc0\xaf')"},
      {"half a pair \xED\xA0\x80", R"('half a pair \xed\xa0\x80')"},
      {"it's", R"('it\'s')"},
      {R"(back\slash)", R"('back\\slash')"},
  };
  for (const QuotedCase& one : cases) EXPECT_EQ(quoted(one.name), one.shown);
  EXPECT_EQ(escaped("it's\n"), R"(it's\n)");
}

TEST(Quoted, CutsPast200Characters) {
  const std::string longest(200, 'x');
  EXPECT_EQ(escaped(longest), longest);
  EXPECT_EQ(escaped(longest + "y"), std::string(199, 'x') + "…");
  EXPECT_EQ(escaped(std::string(1000, '\n')), [] {
    std::string text;
    for (int i = 0; i < 99; ++i) text += "\\n";
    return text + "…";
  }());
  EXPECT_EQ(utf8_at(escaped(std::string(199, 'x') + "é…é"), 199).code, U'…');
}

struct NearestCase {
  std::string_view word, nearest;
};

TEST(NearestWord, TakesWhatIsWithinAThird) {
  const std::vector<std::string_view> known = {"dense", "dropout", "conv_2d", "relu", "batch_normalization"};
  const NearestCase cases[] = {
      {"dens", "dense"},       {"drpoout", "dropout"},
      {"conv2d", "conv_2d"},   {"batchnormalisation", "batch_normalization"},
      {"relux", "relu"},       {"ab", ""},
      {"attention", ""},       {"", ""},
      {"dense_layer_two", ""},
  };
  for (const NearestCase& one : cases) EXPECT_EQ(nearest_word(one.word, known), one.nearest) << one.word;
  EXPECT_EQ(nearest_word(std::string(1 << 20, 'x'), known), "");
}

TEST(NearestOrAll, NamesTheNearestOrEveryKnownWord) {
  EXPECT_EQ(nearest_or_all("dens", {"dense", "relu"}), " The nearest is 'dense'.");
  EXPECT_EQ(nearest_or_all("attention", {"dense", "relu"}), " Known are 'dense', 'relu'.");
  EXPECT_EQ(nearest_or_all("attention", {}), "");
}

TEST(QuotedList, CountsPastTheFirstTwenty) {
  EXPECT_EQ(quoted_list({}), "");
  EXPECT_EQ(quoted_list({"a", "b\n"}), R"('a', 'b\n')");
  const std::string cut = quoted_list(std::vector<std::string_view>(23, "x"));
  EXPECT_EQ(cut.substr(cut.size() - 14), "'x' and 3 more");
}

}  // namespace
}  // namespace causeway
