#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/pipeline/source.h"

namespace causeway::pipeline {

/// A cell handed over in code: a text, a number as the shortest text that reads back the same, or a gap.
class Cell {
 public:
  Cell() = default;
  Cell(std::nullopt_t) {}                                // NOLINT(google-explicit-constructor): a gap
  Cell(const char* text) : text_(text) {}                // NOLINT(google-explicit-constructor): what a cell holds
  Cell(std::string_view text) : text_(text) {}           // NOLINT(google-explicit-constructor): what a cell holds
  Cell(std::string text) : text_(std::move(text)) {}     // NOLINT(google-explicit-constructor): what a cell holds
  Cell(int whole) : text_(std::to_string(whole)) {}      // NOLINT(google-explicit-constructor): what a cell holds
  Cell(int64_t whole) : text_(std::to_string(whole)) {}  // NOLINT(google-explicit-constructor): what a cell holds
  Cell(double number);                                   // NOLINT(google-explicit-constructor): what a cell holds
  Cell(bool flag) : text_(flag ? "true" : "false") {}    // NOLINT(google-explicit-constructor): what a cell holds

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Rows handed over in code: `Rows({"sex", "age"}).add({"male", 22}).add({"female", std::nullopt})`.
class Rows : public Source {
 public:
  /// Refused: a name that is empty or given twice, or text that is no UTF-8 in names and cells.
  explicit Rows(std::vector<std::string> names);

  /// Refused where the row has not as many cells as there are names.
  Rows& add(const std::vector<Cell>& row);
  size_t count() const { return names_.empty() ? 0 : cells_.size() / names_.size(); }

  const std::vector<std::string>& names() const override { return names_; }
  void read(CellSink& sink, RowFaults& faults) override;
  std::string place() const override;
  std::string header_place() const override { return "rows"; }

 private:
  std::vector<std::string> names_, cells_;
  size_t at_ = 0;
};

}  // namespace causeway::pipeline
