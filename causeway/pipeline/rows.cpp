#include "causeway/pipeline/rows.h"

#include <algorithm>

#include "causeway/base/quoted.h"
#include "causeway/base/utf8.h"

namespace causeway::pipeline {

Cell::Cell(double number) : text_(text_of(number)) {}

Rows::Rows(std::vector<std::string> names) : names_(std::move(names)) {
  std::vector<Fault> faults;
  if (names_.empty()) faults.push_back({"rows", "Rows are of at least one column, and none is named."});
  std::vector<std::string> sorted = names_;
  std::ranges::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].empty()) faults.push_back({"rows", "A column has no name."});
    if (!is_utf8(sorted[i])) faults.push_back({"rows", "The name " + quoted(sorted[i]) + " is no UTF-8."});
    if (i > 0 && sorted[i] == sorted[i - 1]) {
      faults.push_back({"rows", "Two columns are named " + quoted(sorted[i]) + "."});
    }
  }
  refuse_if_any(std::move(faults));
}

Rows& Rows::add(const std::vector<Cell>& row) {
  const std::string where = "row " + std::to_string(count() + 1);
  if (row.size() != names_.size()) {
    throw Refused(where, "It has " + std::to_string(row.size()) + " cells, and the columns are " +
                             std::to_string(names_.size()) + ".");
  }
  for (size_t i = 0; i < row.size(); ++i) {
    if (!is_utf8(row[i].text())) throw Refused(where, "The cell of " + quoted(names_[i]) + " is no UTF-8.");
  }
  for (const Cell& cell : row) cells_.push_back(cell.text());
  return *this;
}

void Rows::read(CellSink& sink, RowFaults&) {
  for (at_ = 0; at_ < cells_.size(); ++at_) {
    const size_t column = at_ % names_.size();
    sink.cell(column, cells_[at_]);
    if (column + 1 == names_.size()) sink.end_row();
  }
}

std::string Rows::place() const { return "row " + std::to_string(at_ / names_.size() + 1); }

}  // namespace causeway::pipeline
