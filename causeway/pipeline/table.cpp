#include "causeway/pipeline/table.h"

#include <algorithm>
#include <iterator>

#include "causeway/base/check.h"
#include "causeway/base/fault.h"
#include "causeway/pipeline/timestamp.h"

namespace causeway::pipeline {

Column Column::empty(std::string name, Kind kind) {
  Column made;
  made.name = made.origin = std::move(name);
  made.kind = kind;
  switch (kind) {
    case Kind::Number:
      made.values = std::vector<double>();
      break;
    case Kind::Integer:
    case Kind::Timestamp:
      made.values = std::vector<int64_t>();
      break;
    case Kind::Boolean:
      made.values = std::vector<uint8_t>();
      break;
    case Kind::Category:
    case Kind::Text:
      made.values = Texts();
      break;
  }
  return made;
}

size_t Column::rows() const {
  if (const auto* texts = std::get_if<Texts>(&values)) return texts->numbers.size();
  if (const auto* wholes = std::get_if<std::vector<int64_t>>(&values)) return wholes->size();
  if (const auto* flags = std::get_if<std::vector<uint8_t>>(&values)) return flags->size();
  return doubles().size();
}

double Column::number(size_t row) const {
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return (*reals)[row];
  if (const auto* wholes = std::get_if<std::vector<int64_t>>(&values)) return static_cast<double>((*wholes)[row]);
  return std::get<std::vector<uint8_t>>(values)[row];
}

std::string Column::cell(size_t row) const {
  if (gap(row)) return "";
  if (holds_texts(kind)) return std::string(text(row));
  if (kind == Kind::Number) return text_of(doubles()[row]);
  if (kind == Kind::Boolean) return number(row) != 0 ? "true" : "false";
  const int64_t whole = std::get<std::vector<int64_t>>(values)[row];
  return kind == Kind::Timestamp ? moment_text(whole) : std::to_string(whole);
}

void Column::become_number() {
  if (kind == Kind::Number) return;
  CAUSEWAY_CHECK(holds_numbers(kind), "only an integer or a boolean becomes a number");
  std::vector<double> reals(rows());
  for (size_t row = 0; row < reals.size(); ++row) reals[row] = number(row);
  values = std::move(reals);
  kind = Kind::Number;
}

namespace {

template <class T>
void reorder_values(std::vector<T>& values, const std::vector<uint32_t>& order) {
  std::vector<T> made(order.size());
  for (size_t i = 0; i < order.size(); ++i) made[i] = values[order[i]];
  values = std::move(made);
}

}  // namespace

void Column::reorder(const std::vector<uint32_t>& order) {
  if (auto* texts = std::get_if<Texts>(&values)) reorder_values(texts->numbers, order);
  if (auto* wholes = std::get_if<std::vector<int64_t>>(&values)) reorder_values(*wholes, order);
  if (auto* flags = std::get_if<std::vector<uint8_t>>(&values)) reorder_values(*flags, order);
  if (auto* reals = std::get_if<std::vector<double>>(&values)) reorder_values(*reals, order);
  if (!gaps.any()) return;
  Gaps moved;
  for (size_t i = 0; i < order.size(); ++i) {
    if (gaps.at(order[i])) moved.set(i);
  }
  gaps = std::move(moved);
}

const Column* Table::find(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name, &Column::name);
  return found == columns_.end() ? nullptr : &*found;
}

Column* Table::find(std::string_view name) {
  const auto found = std::ranges::find(columns_, name, &Column::name);
  return found == columns_.end() ? nullptr : &*found;
}

std::vector<Column>::iterator Table::place_of(std::string_view name) {
  const auto found = std::ranges::find(columns_, name, &Column::name);
  CAUSEWAY_CHECK(found != columns_.end(), "a step names columns that its check has seen");
  return found;
}

Column& Table::at(std::string_view name) { return *place_of(name); }
const Column& Table::at(std::string_view name) const { return *const_cast<Table*>(this)->place_of(name); }

void Table::insert_after(std::string_view name, Column made) {
  columns_.insert(std::next(place_of(name)), std::move(made));
}

void Table::replace(std::string_view name, std::vector<Column> made) {
  const auto at = columns_.erase(place_of(name));
  columns_.insert(at, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

void Table::reorder(const std::vector<uint32_t>& order) {
  for (Column& column : columns_) column.reorder(order);
  rows_ = order.size();
}

}  // namespace causeway::pipeline
