#include "causeway/nn/setting_words.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/quoted.h"
#include "causeway/nn/setting_ranges.h"

namespace causeway::nn {
namespace {

// What is there, short enough for a message.
std::string shown(const Json& json) {
  if (json.is_text()) return quoted(json.text());
  const std::string text = json.dump();
  return text.size() <= 60 ? text : std::string(json.kind_name());
}

[[noreturn]] void wrong(const Json& json, std::string_view wanted) {
  unfit("is " + shown(json) + ", and " + std::string(wanted) + " is read here.");
}

std::vector<int64_t> integers_of(const Json& json, std::string_view wanted) {
  std::vector<int64_t> numbers;
  if (!json.is_array()) wrong(json, wanted);
  for (const Json& item : json.items()) {
    if (!item.is_integer()) wrong(json, wanted);
    numbers.push_back(item.integer());
  }
  return numbers;
}

Json array_of(const std::vector<int64_t>& numbers) {
  Json::Array items;
  for (const int64_t number : numbers) items.emplace_back(number);
  return items;
}

}  // namespace

std::vector<int64_t> PerAxis::over(size_t axes, std::string_view setting) const {
  if (numbers.size() == 1) return std::vector<int64_t>(axes, numbers[0]);
  if (numbers.size() != axes) {
    unfit("'" + std::string(setting) + "' has " + std::to_string(numbers.size()) + " numbers, and there are " +
          std::to_string(axes) + " axes. Give one number, or one an axis.");
  }
  return numbers;
}

std::vector<std::pair<int64_t, int64_t>> Padding::over(size_t axes, std::string_view setting) const {
  const std::string name = "'" + std::string(setting) + "'";
  if (kind != Kind::Stated) unfit(name + " is a word, and numbers are read here.");
  if (axes == 1 && is_plain_pair) return {{sides[0].first, sides[1].first}};
  if (sides.size() != 1 && sides.size() != axes) {
    unfit(name + " states " + std::to_string(sides.size()) + " axes, and there are " + std::to_string(axes) + ".");
  }
  return sides.size() == axes ? sides : std::vector(axes, sides[0]);
}

void read_setting(const Json& json, bool& into) {
  if (!json.is_bool()) wrong(json, "true or false");
  into = json.boolean();
}

void read_setting(const Json& json, int64_t& into) {
  if (json.is_number() && !json.is_integer() && std::trunc(json.number()) == json.number()) {
    wrong(json, "a whole number from -2^63 to 2^63 - 1, without a fraction or an exponent,");
  }
  if (!json.is_integer()) wrong(json, "a whole number");
  into = json.integer();
}

void read_setting(const Json& json, int& into) {
  int64_t number = 0;
  read_setting(json, number);
  if (number != static_cast<int>(number)) wrong(json, "a whole number from -2^31 to 2^31 - 1");
  into = static_cast<int>(number);
}

void read_setting(const Json& json, uint64_t& into) {
  int64_t number = 0;
  read_setting(json, number);
  if (number < 0) wrong(json, "a whole number of at least 0");
  into = static_cast<uint64_t>(number);
}

void read_setting(const Json& json, double& into) {
  if (!json.is_number()) wrong(json, "a number");
  into = json.number();
}

void read_setting(const Json& json, float& into) {
  double number = 0;
  read_setting(json, number);
  if (!std::isfinite(static_cast<float>(number))) wrong(json, "a number within float32");
  into = static_cast<float>(number);
}

void read_setting(const Json& json, std::string& into) {
  if (!json.is_text()) wrong(json, "a word");
  into = json.text();
}

void read_setting(const Json& json, std::vector<int64_t>& into) {
  if (json.is_integer()) {
    into = {json.integer()};
  } else {
    into = integers_of(json, "a list of whole numbers");
  }
}

void read_setting(const Json& json, OpenLengths& into) {
  const auto length_of = [](const Json& item) -> std::optional<int64_t> {
    if (item.is_null()) return std::nullopt;
    int64_t length = 0;
    read_setting(item, length);
    if (length < 1) unfit("holds " + std::to_string(length) + ", and a length is at least 1.");
    return length;
  };
  into.each.clear();
  if (!json.is_array()) {
    into.each.push_back(length_of(json));
    return;
  }
  for (const Json& item : json.items()) into.each.push_back(length_of(item));
}

void read_setting(const Json& json, std::vector<float>& into) {
  into.clear();
  if (!json.is_array()) return read_setting(json, into.emplace_back());
  for (const Json& each : json.items()) read_setting(each, into.emplace_back());
}

void read_setting(const Json& json, std::vector<double>& into) {
  constexpr std::string_view kWanted = "a list of numbers";
  if (!json.is_array()) wrong(json, kWanted);
  into.clear();
  for (const Json& item : json.items()) {
    if (!item.is_number()) wrong(json, kWanted);
    into.push_back(item.number());
  }
}

void read_setting(const Json& json, PerAxis& into) {
  if (json.is_integer()) {
    into = json.integer();
    return;
  }
  into = integers_of(json, "a whole number, or one an axis,");
  if (into.numbers.empty()) wrong(json, "a whole number, or one an axis,");
}

void read_setting(const Json& json, Padding& into) {
  constexpr std::string_view kWanted = "\"valid\", \"same\", \"causal\", a number, or numbers for each axis or side";
  if (json.is_text()) {
    if (json.text() == "valid") {
      into = {};
    } else if (json.text() == "same") {
      into = Padding::same();
    } else if (json.text() == "causal") {
      into = Padding::causal();
    } else {
      wrong(json, kWanted);
    }
    return;
  }
  into = {Padding::Kind::Stated, {}};
  if (json.is_integer()) {
    into.sides = {{json.integer(), json.integer()}};
  } else if (json.is_array() && !json.items().empty()) {
    into.is_plain_pair = json.items().size() == 2;
    for (const Json& item : json.items()) {
      into.is_plain_pair = into.is_plain_pair && item.is_integer();
      if (item.is_integer()) {
        into.sides.emplace_back(item.integer(), item.integer());
      } else {
        const std::vector<int64_t> side = integers_of(item, kWanted);
        if (side.size() != 2) wrong(json, kWanted);
        into.sides.emplace_back(side[0], side[1]);
      }
    }
  } else {
    wrong(json, kWanted);
  }
  for (const auto& [before, after] : into.sides) {
    if (before < 0 || after < 0) wrong(json, "a border of at least 0");
  }
}

void read_setting(const Json& json, Initializer& into) {
  const Json* kind = json.is_object() ? json.find("kind") : &json;
  if (!kind || !kind->is_text()) wrong(json, "an initializer's word, or an object with its \"kind\",");
  if (!is_initializer(kind->text())) {
    const std::string nearest = nearest_word(kind->text(), initializer_words());
    unfit("is " + quoted(kind->text()) + ", and no initializer has this name." +
          (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
  }
  into = Initializer{.word = kind->text()};
  if (!json.is_object()) return;
  for (const auto& [name, value] : json.members()) {
    if (name == "kind") continue;
    double* field = name == "value"    ? &into.value
                    : name == "minval" ? &into.minval
                    : name == "maxval" ? &into.maxval
                    : name == "mean"   ? &into.mean
                    : name == "stddev" ? &into.stddev
                    : name == "gain"   ? &into.gain
                                       : nullptr;
    if (!field) unfit("has the setting " + quoted(name) + ", and an initializer has none of this name.");
    read_setting(value, *field);
  }
  expect_in_range(into);
}

void read_setting(const Json& json, Penalty& into) {
  constexpr double kWordStrength = 0.01;
  into = {};
  if (json.is_null()) return;
  if (json.is_text()) {
    if (json.text() != "l1" && json.text() != "l2") wrong(json, "\"l1\", \"l2\" or {\"l1\": …, \"l2\": …}");
    (json.text() == "l1" ? into.l1 : into.l2) = static_cast<float>(kWordStrength);
    return;
  }
  if (!json.is_object()) wrong(json, "\"l1\", \"l2\" or {\"l1\": …, \"l2\": …}");
  for (const auto& [name, value] : json.members()) {
    if (name != "l1" && name != "l2") wrong(json, "\"l1\", \"l2\" or {\"l1\": …, \"l2\": …}");
    float& strength = name == "l1" ? into.l1 : into.l2;
    read_setting(value, strength);
    if (strength < 0) wrong(json, "a strength of at least 0");
  }
}

void read_setting(const Json& json, MaxNorm& into) {
  into = {};
  if (json.is_null()) return;
  const Json* limit = json.is_object() && json.members().size() == 1 ? json.find("max_norm") : nullptr;
  if (!limit) wrong(json, "{\"max_norm\": …}");
  read_setting(*limit, into.limit.emplace());
  if (!(*into.limit > 0)) wrong(json, "a norm above 0");
}

void read_setting(const Json& json, ValueNames& into) {
  constexpr std::string_view kWanted = "the path of a layer or input above, or a list of such,";
  into = {};
  if (json.is_null()) return;
  if (json.is_text()) {
    into.names = {json.text()};
    return;
  }
  if (!json.is_array() || json.items().empty()) wrong(json, kWanted);
  for (const Json& item : json.items()) {
    if (!item.is_text()) wrong(json, kWanted);
    into.names.push_back(item.text());
  }
}

size_t word_among(const Json& json, std::span<const std::string_view> words) {
  const auto at = json.is_text() ? std::find(words.begin(), words.end(), json.text()) : words.end();
  if (at != words.end()) return static_cast<size_t>(at - words.begin());
  std::string wanted;
  for (const std::string_view word : words) wanted += (wanted.empty() ? "" : " or ") + quoted(word);
  wrong(json, wanted);
}

Json write_setting(bool value) { return value; }
Json write_setting(int64_t value) { return value; }
Json write_setting(int value) { return value; }
Json write_setting(uint64_t value) { return static_cast<int64_t>(value); }
Json write_setting(double value) { return value; }
Json write_setting(const std::string& value) { return value; }
Json write_setting(const std::vector<int64_t>& value) { return array_of(value); }
Json write_setting(const std::vector<double>& value) { return Json::Array(value.begin(), value.end()); }

// The shortest decimal that reads back as this float.
Json write_setting(float value) { return std::stod(text_of(value)); }

Json write_setting(const std::vector<float>& value) {
  if (value.size() == 1) return write_setting(value[0]);
  Json::Array each;
  for (const float number : value) each.push_back(write_setting(number));
  return each;
}

Json write_setting(const OpenLengths& value) {
  Json::Array each(value.each.size());
  for (size_t i = 0; i < each.size(); ++i) {
    if (value.each[i]) each[i] = *value.each[i];
  }
  return each;
}

Json write_setting(const PerAxis& value) {
  return value.numbers.size() == 1 ? Json(value.numbers[0]) : array_of(value.numbers);
}

Json write_setting(const Padding& value) {
  switch (value.kind) {
    case Padding::Kind::Valid:
      return "valid";
    case Padding::Kind::Same:
      return "same";
    case Padding::Kind::Causal:
      return "causal";
    case Padding::Kind::Stated:
      break;
  }
  if (value.is_plain_pair) return array_of({value.sides[0].first, value.sides[1].first});
  Json::Array sides;
  for (const auto& [before, after] : value.sides) sides.push_back(array_of({before, after}));
  return sides;
}

Json write_setting(const Initializer& value) {
  const Initializer plain{.word = value.word};
  if (value == plain) return value.word;
  Json json{Json::Object{}};
  json.set("kind", value.word);
  if (value.value != plain.value) json.set("value", value.value);
  if (value.minval != plain.minval) json.set("minval", value.minval);
  if (value.maxval != plain.maxval) json.set("maxval", value.maxval);
  if (value.mean != plain.mean) json.set("mean", value.mean);
  if (value.stddev != plain.stddev) json.set("stddev", value.stddev);
  if (value.gain != plain.gain) json.set("gain", value.gain);
  return json;
}

Json write_setting(const Penalty& value) {
  Json json{Json::Object{}};
  if (value.l1 != 0) json.set("l1", write_setting(value.l1));
  if (value.l2 != 0) json.set("l2", write_setting(value.l2));
  return json;
}

Json write_setting(const MaxNorm& value) {
  if (!value.limit) return {};
  Json json{Json::Object{}};
  json.set("max_norm", write_setting(*value.limit));
  return json;
}

Json write_setting(const ValueNames& value) {
  if (value.names.empty()) return {};
  if (value.names.size() == 1) return value.names[0];
  Json::Array names;
  for (const std::string& name : value.names) names.emplace_back(name);
  return names;
}

void expect_not_negative(float number, std::string_view setting) {
  if (!(number >= 0)) unfit("'" + std::string(setting) + "' is " + text_of(number) + ", and it is at least 0.");
}

std::string place_in(const std::string& where, const Json& at) {
  if (at.line() == 0) return where;
  return where.empty() ? at.place() : where + ", " + at.place();
}

void SettingReader::expect_object(const Json& json) {
  if (!json.is_object()) wrong(json, "an object");
}

void SettingReader::say(const Json& at, std::string what) {
  faults_.push_back({place_in(where_, at), owner_ + ": " + std::move(what)});
}

void SettingReader::refuse_unknown(const std::vector<std::string_view>& others) {
  for (const auto& [name, value] : object_.members()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    if (std::find(others.begin(), others.end(), name) != others.end()) continue;
    const std::string nearest = nearest_word(name, known_);
    say(value, "it has no setting " + quoted(name) + "." +
                   (nearest.empty() ? "" : " The nearest is " + quoted(nearest) + "."));
  }
}

}  // namespace causeway::nn
