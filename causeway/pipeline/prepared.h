#pragma once

#include <array>
#include <string>
#include <vector>

#include "causeway/pipeline/fit.h"
#include "causeway/pipeline/table.h"
#include "causeway/pipeline/walk.h"
#include "causeway/tensor/tensor.h"

namespace causeway::pipeline {

/// Rows as numbers, in the order of their part (or, to be answered, as they came).
struct Part {
  Tensor features = Tensor(DType::Float32, {0, 0});  ///< float32 [rows, F]
  Tensor answers =
      Tensor(DType::Float32, {0, 0});  ///< float32 [rows, A], in what the network sees; A is 0 without answers
  std::vector<Column> ids;             ///< the id columns
  std::vector<uint32_t> source_rows;   ///< the source's row of each, counted from 0
  std::vector<Unfamiliar> unfamiliar;  ///< in the order of rows; at most Walk::kNotesKept
  size_t unfamiliar_rows = 0;          ///< how many rows have a note, all counted

  size_t rows() const { return static_cast<size_t>(features.lengths()[0]); }
};

/// A pipeline's rows, dealt and made numbers, and what was learned on the way.
struct Prepared {
  Part train, validation, test;
  std::vector<std::string> features, answers;  ///< the columns' names
  Fit fit;
  std::vector<std::string> notes;
  RowPlaces places;  ///< of the source's rows, by Part::source_rows

  const Part& part(size_t number) const { return number == 0 ? train : number == 1 ? validation : test; }
  Part& part(size_t number) { return number == 0 ? train : number == 1 ? validation : test; }
  /// By name, of kPartNames.
  const Part& part(std::string_view name) const;
};

}  // namespace causeway::pipeline
