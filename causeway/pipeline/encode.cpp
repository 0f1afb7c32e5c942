#include "causeway/pipeline/encode.h"

#include <algorithm>
#include <map>

#include "causeway/base/quoted.h"

namespace causeway::pipeline {
namespace {

constexpr std::string_view kMark = "_was_missing", kOther = "_other";

struct Style {
  bool onehot = true, reserve = true;
};

bool is_encoded(const Column& column) { return column.kind == Kind::Category && !column.id && !column.target; }

/// One column's categories, in the order of their features.
struct Categories {
  std::string column;
  std::vector<std::string> words;
};

/// One feature a column becomes: 1 in the rows whose value falls to `place`, or the place itself where it is ordinal.
struct Feature {
  std::string name;
  uint32_t place;
  std::string stands_for;
};
constexpr uint32_t kOrdinal = 0xffffffff;

/// Places are 0 … k-1 for the categories, k for any other and k + 1 for a gap.
std::vector<Feature> features_of(const Categories& categories, bool optional, Style style) {
  const auto k = static_cast<uint32_t>(categories.words.size());
  const std::string of = " of " + quoted(categories.column);
  std::vector<Feature> made;
  if (!style.onehot) made.push_back({categories.column, kOrdinal, "the place" + of});
  for (uint32_t i = 0; style.onehot && i < k; ++i) {
    const std::string& word = categories.words[i];
    made.push_back({categories.column + "_" + word, i, "the category " + quoted(word) + of});
  }
  if (style.onehot && style.reserve) {
    made.push_back({categories.column + std::string(kOther), k, "the unseen categories" + of});
  }
  if (style.reserve || optional) made.push_back({categories.column + std::string(kMark), k + 1, "the gaps" + of});
  return made;
}

class Encoded : public Fitted {
 public:
  Encoded(std::vector<Categories> columns, Style style) : columns_(std::move(columns)), style_(style) {}

  Json learned() const override {
    Json made = Json::Object();
    for (const Categories& column : columns_) {
      Json words = Json::Array();
      for (const std::string& word : column.words) words.push(word);
      made.set(column.column, std::move(words));
    }
    return made;
  }

  void apply(Table& rows, Walk& walk) const override {
    for (const Categories& column : columns_)
      rows.replace(column.column, encoded(rows.at(column.column), column, walk));
  }

 private:
  /// Where each row's value falls: a category's place, `other`, or `other` + 1 for a gap.
  std::vector<uint32_t> places_of(const Column& column, const Categories& categories, Walk& walk) const {
    const Texts& texts = std::get<Texts>(column.values);
    const auto other = static_cast<uint32_t>(categories.words.size());
    std::vector<uint32_t> by_word(texts.words->size(), other);
    for (uint32_t number = 0; number < by_word.size(); ++number) {
      const auto found = std::ranges::lower_bound(categories.words, (*texts.words)[number]);
      if (found != categories.words.end() && *found == (*texts.words)[number]) {
        by_word[number] = static_cast<uint32_t>(found - categories.words.begin());
      }
    }
    std::vector<uint32_t> places(texts.numbers.size());
    for (size_t row = 0; row < places.size(); ++row) {
      if (column.gap(row)) {
        places[row] = other + 1;
        if (!column.optional) odd(row, column, "the cell is a gap, and no training row had one.", walk);
        continue;
      }
      places[row] = by_word[texts.numbers[row]];
      if (places[row] == other) odd(row, column, quoted(texts.at(row)) + " was in no training row.", walk);
    }
    return places;
  }

  void odd(size_t row, const Column& column, std::string what, Walk& walk) const {
    if (style_.reserve) {
      walk.note(row, column.origin, std::move(what));
    } else {
      walk.refuse(row, column.origin, std::move(what));
    }
  }

  std::vector<Column> encoded(const Column& column, const Categories& categories, Walk& walk) const {
    const std::vector<uint32_t> places = places_of(column, categories, walk);
    const auto other = static_cast<uint32_t>(categories.words.size());
    std::vector<Column> made;
    for (const Feature& feature : features_of(categories, column.optional, style_)) {
      made.push_back(Column::empty(feature.name, feature.place == kOrdinal ? Kind::Integer : Kind::Boolean));
      made.back().origin = column.origin;
      if (feature.place == kOrdinal) {
        std::vector<int64_t> values(places.size());
        for (size_t row = 0; row < values.size(); ++row) values[row] = places[row] > other ? 0 : places[row];
        made.back().values = std::move(values);
      } else {
        std::vector<uint8_t> flags(places.size());
        for (size_t row = 0; row < flags.size(); ++row) flags[row] = places[row] == feature.place ? 1 : 0;
        made.back().values = std::move(flags);
      }
    }
    return made;
  }

  std::vector<Categories> columns_;
  Style style_;
};

}  // namespace

EncodeCategories::EncodeCategories(StepDeclared declared)
    : ChangeStep(std::move(declared)),
      onehot_(this->declared().text("as") == "onehot"),
      reserve_(this->declared().text("unseen") == "reserve"),
      at_most_(static_cast<size_t>(this->declared().at("at_most").integer())) {}

void EncodeCategories::check(KnownColumns& columns, StepFaults& faults) const {
  std::vector<std::string> names;
  for (const KnownColumn& column : columns.all()) {
    if (column.kind == Kind::Category && !column.id && !columns.is_target(column.name)) names.push_back(column.name);
  }
  if (names.empty()) faults.add("No category is left here to encode. Leave the step out.");
  for (const std::string& name : names) {
    KnownColumn& column = *columns.find(name);
    const Json place = column.place;
    const bool mark = reserve_ || column.gaps;
    column.gaps = false;
    column.one_hot = column.bounded = onehot_;
    column.kind = onehot_ ? Kind::Boolean : Kind::Integer;
    const auto flag = [&](std::string_view ending) {
      return KnownColumn{.name = name + std::string(ending), .kind = Kind::Boolean, .bounded = true, .place = place};
    };
    if (mark) columns.add_after(name, flag(kMark), place, faults);
    if (onehot_ && reserve_) columns.add_after(name, flag(kOther), place, faults);
  }
}

std::unique_ptr<const Fitted> EncodeCategories::fit(const Table& rows, size_t training, StepFaults& faults,
                                                    std::vector<std::string>&) const {
  std::vector<Categories> made;
  std::map<std::string, std::string> names;  // and what stands under each
  for (const Column& column : rows.columns()) {
    if (!is_encoded(column)) names[column.name] = "the column of that name";
  }
  bool good = true;
  for (const Column& column : rows.columns()) {
    if (!is_encoded(column)) continue;
    const Texts& texts = std::get<Texts>(column.values);
    std::vector<bool> seen(texts.words->size(), false);
    for (size_t row = 0; row < training; ++row) {
      if (!column.gap(row)) seen[texts.numbers[row]] = true;
    }
    Categories categories{column.name, {}};
    for (uint32_t number = 0; number < seen.size(); ++number) {
      if (seen[number]) categories.words.emplace_back((*texts.words)[number]);
    }
    std::ranges::sort(categories.words);
    if (categories.words.size() > at_most_) {
      faults.add(declared().at("at_most"), quoted(column.name) + " holds " + std::to_string(categories.words.size()) +
                                               " categories in the training rows, and at most " +
                                               std::to_string(at_most_) + " are encoded.");
      good = false;
      continue;
    }
    for (const Feature& feature : features_of(categories, column.optional, {onehot_, reserve_})) {
      const auto [at, is_new] = names.emplace(feature.name, feature.stands_for);
      if (is_new) continue;
      faults.add("Two columns would be named " + quoted(feature.name) + ": " + at->second + ", and " +
                 feature.stands_for + ".");
      good = false;
    }
    made.push_back(std::move(categories));
  }
  if (!good) return nullptr;
  return std::make_unique<Encoded>(std::move(made), Style{onehot_, reserve_});
}

std::unique_ptr<const Fitted> EncodeCategories::recall(const Json& learned, const Table& rows,
                                                       StepFaults& faults) const {
  std::vector<Categories> made;
  for (const Column& column : rows.columns()) {
    if (!is_encoded(column)) continue;
    const Json* words = learned.find(column.name);
    if (words == nullptr || !words->is_array()) {
      faults.add(learned, "The fit has no categories of " + quoted(column.name) + ".");
      return nullptr;
    }
    Categories categories{column.name, {}};
    for (const Json& word : words->items()) {
      const bool ordered = word.is_text() && (categories.words.empty() || categories.words.back() < word.text());
      if (!ordered || word.text().empty()) {
        faults.add(word, "The categories of " + quoted(column.name) + " are no texts in ascending order.");
        return nullptr;
      }
      categories.words.push_back(word.text());
    }
    made.push_back(std::move(categories));
  }
  return std::make_unique<Encoded>(std::move(made), Style{onehot_, reserve_});
}

}  // namespace causeway::pipeline
