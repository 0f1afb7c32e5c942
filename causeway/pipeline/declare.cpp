#include "causeway/pipeline/declare.h"

#include <algorithm>
#include <set>

#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"
#include "causeway/pipeline/parameters.h"
#include "causeway/pipeline/timestamp.h"

namespace causeway::pipeline {
namespace {

constexpr std::string_view kKeys[] = {"name", "was", "kind", "optional", "id", "missing", "format"};

/// Reads one column of the schema.
class ColumnSchema {
 public:
  ColumnSchema(const Json& stated, StepFaults& faults) : stated_(stated), faults_(faults) {
    made_.set_place(stated.line(), stated.column());
  }

  Json read() {
    for (const auto& [key, value] : stated_.members()) {
      if (std::ranges::find(kKeys, key) == std::end(kKeys)) {
        faults_.add(value, "A column has no key " + quoted(key) + "." + nearest_of(key, kKeys));
      }
    }
    text("name", nullptr);
    text("was", made_.find("name"));
    text("kind", nullptr);
    flag("optional");
    flag("id");
    missing();
    if (const Json* kind = made_.find("kind"); kind != nullptr && !kind_of(kind->text())) {
      faults_.add(*kind, quoted(kind->text()) + " is no kind of column." + nearest_of(kind->text(), kKindWords));
    }
    format();
    return std::move(made_);
  }

 private:
  void text(std::string_view key, const Json* fallback) {
    const Json* value = stated_.find(key);
    if (value == nullptr && fallback == nullptr && (key != "was")) {
      faults_.add(stated_, "The column has no " + quoted(key) + ".");
    } else if (value != nullptr && !value->is_text()) {
      faults_.add(*value, quoted(key) + " is " + std::string(value->kind_name()) + ", and a text is read.");
    } else if (value != nullptr && value->text().empty()) {
      faults_.add(*value, quoted(key) + " is an empty text.");
    } else if (value != nullptr || fallback != nullptr) {
      const Json copy = value != nullptr ? *value : *fallback;  // `fallback` is a member of made_
      made_.set(key, copy);
    }
  }

  void flag(std::string_view key) {
    const Json* value = stated_.find(key);
    if (value != nullptr && !value->is_bool()) {
      faults_.add(*value, quoted(key) + " is " + std::string(value->kind_name()) + ", and true or false is read.");
    }
    made_.set(key, value != nullptr && value->is_bool() ? *value : Json(false));
  }

  void missing() {
    const Json* value = stated_.find("missing");
    Json::Array words;
    if (value != nullptr && !value->is_array()) {
      faults_.add(*value, "'missing' is " + std::string(value->kind_name()) + ", and a list of words is read.");
    } else if (value != nullptr) {
      for (const Json& word : value->items()) {
        if (!word.is_text() || word.text().empty()) {
          faults_.add(word, "'missing' lists words that mean a gap. The empty cell always is one.");
        } else {
          words.push_back(word);
        }
      }
    }
    made_.set("missing", std::move(words));
  }

  void format() {
    const Json* value = stated_.find("format");
    if (value == nullptr) return;
    const Json* kind = made_.find("kind");
    if (kind != nullptr && kind->text() != word_of(Kind::Timestamp)) {
      faults_.add(*value, "Only a timestamp has a 'format'.");
    } else if (!value->is_text()) {
      faults_.add(*value, "'format' is " + std::string(value->kind_name()) + ", and a text is read.");
    } else if (const std::string fault = format_fault(value->text()); !fault.empty()) {
      faults_.add(*value, fault);
    } else {
      made_.set("format", *value);
    }
  }

  const Json& stated_;
  StepFaults& faults_;
  Json made_ = Json::Object();
};

}  // namespace

Json read_schema(const Json& columns, StepFaults& faults) {
  if (!columns.is_array() || columns.items().empty()) {
    faults.add(columns, "'columns' is " + std::string(columns.is_array() ? "an empty list" : columns.kind_name()) +
                            ", and a list of columns is read, each {\"name\": …, \"kind\": …}.");
    return columns;
  }
  Json made = Json::Array();
  made.set_place(columns.line(), columns.column());
  for (const Json& column : columns.items()) {
    if (!column.is_object()) {
      faults.add(column, "A column is an object, {\"name\": …, \"kind\": …}, and this is " +
                             std::string(column.kind_name()) + ".");
      continue;
    }
    made.push(ColumnSchema(column, faults).read());
  }
  return made;
}

DeclareStep::DeclareStep(StepDeclared declared) : Step(std::move(declared)) {
  for (const Json& column : this->declared().at("columns").items()) {
    DeclaredColumn made{.name = column.find("name")->text(),
                        .was = column.find("was")->text(),
                        .kind = *kind_of(column.find("kind")->text()),
                        .optional = column.find("optional")->boolean(),
                        .id = column.find("id")->boolean(),
                        .missing = {},
                        .format = {}};
    for (const Json& word : column.find("missing")->items()) made.missing.push_back(word.text());
    if (const Json* format = column.find("format")) made.format = format->text();
    columns_.push_back(std::move(made));
  }
}

std::vector<std::string> DeclareStep::ids() const {
  std::vector<std::string> made;
  for (const DeclaredColumn& column : columns_) {
    if (column.id) made.push_back(column.name);
  }
  return made;
}

void DeclareStep::check(KnownColumns& columns, StepFaults& faults) const {
  std::set<std::string_view> seen;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const DeclaredColumn& column = columns_[i];
    if (!seen.insert(column.name).second) {
      faults.add(place_of(i), "A column " + quoted(column.name) + " is declared already.");
      continue;
    }
    if (column.id && column.optional) {
      faults.add(place_of(i), quoted(column.name) + " is an id, which names the row and may not be a gap.");
    }
    columns.all().push_back({.name = column.name,
                             .kind = column.kind,
                             .gaps = column.optional,
                             .bounded = column.kind == Kind::Boolean,
                             .id = column.id,
                             .place = place_of(i)});
  }
}

}  // namespace causeway::pipeline
