#include "causeway/pipeline/verb_table.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/declare.h"
#include "causeway/pipeline/encode.h"
#include "causeway/pipeline/fill_missing.h"
#include "causeway/pipeline/metrics.h"
#include "causeway/pipeline/normalize.h"
#include "causeway/pipeline/parameters.h"
#include "causeway/pipeline/read_step.h"
#include "causeway/pipeline/split.h"
#include "causeway/pipeline/target.h"

namespace causeway::pipeline {
namespace {

using enum ParameterKind;

constexpr double kLargestSeed = 9007199254740991.0;  // 2^53 - 1: whole in every reader of JSON

constexpr std::string_view kDialectWords[] = {"rfc4180", "semicolon", "tab"};
constexpr std::string_view kRemainderWords[] = {"drop", "refuse"};
constexpr std::string_view kWithWords[] = {"mean", "median", "zero", "most_frequent", "previous"};
constexpr std::string_view kAsWords[] = {"onehot", "ordinal"};
constexpr std::string_view kUnseenWords[] = {"reserve", "refuse"};
constexpr std::string_view kScaleWords[] = {"midrange", "minmax", "standard"};
constexpr std::string_view kOutOfRangeWords[] = {"pass", "clip", "refuse"};
constexpr std::string_view kTakesWords[] = {"bounded", "any"};

constexpr Parameter kReadCsv[] = {
    {"path", Text, nullptr, "the file, from the declaration's folder"},
    {"dialect", Word, R"("rfc4180")", "what stands between fields, and inside numbers", kDialectWords},
};
constexpr Parameter kReadRows[] = {
    {"description", Text, nullptr, "what the rows are"},
};
constexpr Parameter kDeclare[] = {
    {"columns", Schema, nullptr, "the columns, each with its name and kind"},
    {"remainder", Word, R"("drop")", "what is done about columns of the source that are not declared", kRemainderWords},
};
constexpr Parameter kSplitStratified[] = {
    {"column", Column, nullptr, "each of its texts is dealt by itself"},
    {"train", Share, nullptr, "the share of training rows", {}, 0, 1},
    {"validation", Share, nullptr, "the share of validation rows; the test part is the rest", {}, 0, 1},
    {"seed", Whole, "0", "another seed, another deal", {}, 0, kLargestSeed},
};
constexpr Parameter kSplitAtRandom[] = {
    {"train", Share, nullptr, "the share of training rows", {}, 0, 1},
    {"validation", Share, nullptr, "the share of validation rows; the test part is the rest", {}, 0, 1},
    {"seed", Whole, "0", "another seed, another deal", {}, 0, kLargestSeed},
    {"group", ColumnsOrNone, "[]", "columns that name what is never divided; the ids, or every column, without them"},
    {"test_seed", Whole, "", "deals the test part by this seed, and the rest anew by `seed`", {}, 0, kLargestSeed},
};
constexpr Parameter kTarget[] = {
    {"column", Column, nullptr, "a number, an integer or a boolean: one answer"},
};
constexpr Parameter kFillMissing[] = {
    {"columns", Columns, nullptr, "the columns whose gaps are filled"},
    {"with", FillValue, nullptr, "the value, learned from the training rows or stated", kWithWords},
    {"mark", Flag, "true", "adds `<column>_was_missing`, 0 or 1, behind each column"},
    {"refuse_above", Real, "1", "a larger share of gaps in the training rows is a fault", {}, 0, 1},
};
constexpr Parameter kEncodeCategories[] = {
    {"as", Word, R"("onehot")", "a column for each category, or the category's place in byte order", kAsWords},
    {"unseen", Word, R"("reserve")", "whether a category that no training row had gets a feature or is a fault",
     kUnseenWords},
    {"at_most", Whole, "1000", "more categories in a column are a fault", {}, 1, 1e6},
};
constexpr Parameter kNormalize[] = {
    {"columns", Columns, nullptr, "numbers and integers; the target too, below its step"},
    {"scale", Word, R"("midrange")", "where the training rows come to lie", kScaleWords},
    {"out_of_range", Word, R"("pass")", "what is done about values past the ends of the fitted range",
     kOutOfRangeWords},
};
constexpr Parameter kFeatures[] = {
    {"order", Columns, "", "every feature once; the columns' own order where it is left out"},
    {"takes", Word, R"("bounded")", "whether every feature must be bounded by declaration", kTakesWords},
};
constexpr Parameter kEvidenceMetrics[] = {
    {"metrics", Words, nullptr, "what is counted", kMetricWords},
    {"parts", Words, R"(["test"])", "on which parts", kPartNames},
};

template <class Made>
std::unique_ptr<Step> make(StepDeclared declared) {
  return std::make_unique<Made>(std::move(declared));
}

constexpr VerbRow kVerbs[] = {
    {"read.csv", Role::Read, "Reads a CSV file as RFC 4180 says it, strictly.", kReadCsv, make<ReadCsv>},
    {"read.rows", Role::Read, "Takes rows that are handed over in code.", kReadRows, make<ReadRows>},
    {"declare", Role::Declare, "Says which columns there are and what their cells hold.", kDeclare, make<DeclareStep>},
    {"split.stratified", Role::Split, "Deals the rows of each stratum into training, validation and test.",
     kSplitStratified, make<SplitStep>},
    {"split.at_random", Role::Split, "Deals all rows into training, validation and test.", kSplitAtRandom,
     make<SplitStep>},
    {"target", Role::Target, "Says which column the network shall answer.", kTarget, make<TargetStep>},
    {"fill.missing", Role::Change, "Puts a value where a column holds gaps.", kFillMissing, make<FillMissing>},
    {"encode.categories", Role::Change, "Makes numbers of every category column that is no id and no target.",
     kEncodeCategories, make<EncodeCategories>},
    {"normalize", Role::Change, "Moves and divides columns by what the training rows say.", kNormalize,
     make<Normalize>},
    {"features", Role::Features, "States the order of the features, and what they may be.", kFeatures,
     make<FeaturesStep>},
    {"learn.network",
     Role::Learn,
     "Declares a network and how it is trained, in the words of networks; the rows say its input.",
     {},
     make<KeptStep>,
     true},
    {"evidence.metrics", Role::Evidence, "Judges the trained network, each metric beside its baseline.",
     kEvidenceMetrics, make<KeptStep>},
};

struct KnownRefusal {
  std::string_view verb, what;
};
constexpr KnownRefusal kRefusals[] = {
    {"read.parquet", "Parquet is not read here. Write it as CSV or SQLite first."},
    {"read.arrow", "Arrow is not read here. Write it as CSV or SQLite first."},
};

}  // namespace

std::span<const VerbRow> verbs() { return kVerbs; }

const VerbRow* find_verb(std::string_view verb) {
  const auto found = std::ranges::find(kVerbs, verb, &VerbRow::verb);
  return found == std::end(kVerbs) ? nullptr : found;
}

std::string unknown_verb(std::string_view verb) {
  for (const KnownRefusal& known : kRefusals) {
    if (known.verb == verb) return std::string(known.what);
  }
  std::vector<std::string_view> names;
  for (const VerbRow& row : kVerbs) names.push_back(row.verb);
  return quoted(verb) + " is no verb that is known here." + nearest_of(verb, names);
}

}  // namespace causeway::pipeline
