#include "causeway/pipeline/handover.h"

#include <cmath>
#include <limits>

#include "causeway/base/quoted.h"

namespace causeway::pipeline {
namespace {

/// Writes a column's rows into every `stride`-th number from `to` on, and says which rows have none.
class ColumnWriter {
 public:
  ColumnWriter(const Column& column, size_t first, size_t count, bool answer, Walk& walk)
      : column_(column), first_(first), count_(count), answer_(answer), walk_(walk) {}

  void write(float* to, size_t stride) const {
    if (const auto* reals = std::get_if<std::vector<double>>(&column_.values)) return write(*reals, to, stride);
    if (const auto* wholes = std::get_if<std::vector<int64_t>>(&column_.values)) return write(*wholes, to, stride);
    write(std::get<std::vector<uint8_t>>(column_.values), to, stride);
  }

 private:
  template <class T>
  void write(const std::vector<T>& values, float* to, size_t stride) const {
    for (size_t i = 0; i < count_; ++i) {
      const auto value = static_cast<double>(values[first_ + i]);
      to[i * stride] = static_cast<float>(value);
      if (column_.gap(first_ + i)) {
        refuse(first_ + i, answer_
                               ? "The answer is missing. Rows without one teach nothing: take them out of the source."
                               : "The cell is a gap. Fill it, or drop the rows.");
      } else if (!std::isfinite(to[i * stride])) {
        refuse(first_ + i, text_of(value) + " is past the largest float32.");
      }
    }
  }

  void refuse(size_t row, std::string what) const { walk_.refuse(row, column_.name, std::move(what)); }

  const Column& column_;
  size_t first_, count_;
  bool answer_;
  Walk& walk_;
};

Tensor matrix_of(const std::vector<const Column*>& columns, size_t first, size_t count, bool answers, Walk& walk) {
  const size_t width = columns.size();
  Tensor made = Tensor::uninitialized(DType::Float32, {static_cast<int64_t>(count), static_cast<int64_t>(width)});
  float* to = static_cast<float*>(made.mutable_data());
  // A block of rows at a time, so that the lines of memory that columns share stay near.
  constexpr size_t kBlock = 1024;
  for (size_t row = 0; row < count; row += kBlock) {
    const size_t rows = std::min(kBlock, count - row);
    for (size_t i = 0; i < width; ++i) {
      ColumnWriter(*columns[i], first + row, rows, answers, walk).write(to + row * width + i, width);
    }
  }
  return made;
}

Column slice_of(const Column& column, size_t first, size_t count) {
  Column made = column;
  std::vector<uint32_t> rows(count);
  for (size_t i = 0; i < count; ++i) rows[i] = static_cast<uint32_t>(first + i);
  made.reorder(rows);
  return made;
}

}  // namespace

Part hand_over(const FitState& fit, const Table& rows, size_t first, size_t count, Walk& walk, bool with_answers) {
  Part part;
  part.features = matrix_of(features_of(*fit.declaration, rows), first, count, false, walk);
  std::vector<const Column*> answers;
  if (with_answers) {
    for (const std::string& name : fit.answers) answers.push_back(&rows.at(name));
  }
  part.answers = matrix_of(answers, first, count, true, walk);
  for (const Column& column : rows.columns()) {
    if (column.id) part.ids.push_back(slice_of(column, first, count));
  }
  part.source_rows.resize(count);
  for (size_t i = 0; i < count; ++i) {
    part.source_rows[i] = walk.source_row(first + i);
    part.unfamiliar_rows += walk.is_unfamiliar(first + i) ? 1 : 0;
  }
  for (const Walk::Note& note : walk.notes()) {
    if (note.row >= first && note.row < first + count) {
      part.unfamiliar.push_back({walk.source_row(note.row), note.column, note.what});
    }
  }
  return part;
}

void note_unvaried(const FitState& fit, const Table& rows, size_t first, size_t count, Walk& walk) {
  for (const auto& [name, value] : fit.unvaried) {
    const Column& column = rows.at(name);
    for (size_t row = first; row < first + count; ++row) {
      if (column.gap(row) || column.number(row) == value) continue;
      walk.note(row, column.origin,
                quoted(name) + " is " + text_of(column.number(row)) + ", and was " + text_of(value) +
                    " in every training row.");
    }
  }
}

std::vector<std::pair<std::string, double>> unvaried_of(const std::vector<const Column*>& features, size_t training) {
  std::vector<std::pair<std::string, double>> made;
  for (const Column* column : features) {
    if (training == 0 || column->gap(0)) continue;
    const double value = column->number(0);
    bool varies = false;
    for (size_t row = 1; row < training && !varies; ++row) varies = column->gap(row) || column->number(row) != value;
    if (!varies) made.emplace_back(column->name, value);
  }
  return made;
}

}  // namespace causeway::pipeline
