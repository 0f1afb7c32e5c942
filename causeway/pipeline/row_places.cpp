#include "causeway/pipeline/row_places.h"

#include <algorithm>

namespace causeway::pipeline {

std::string RowPlaces::of(size_t row) const {
  const auto behind = std::upper_bound(jumps_.begin(), jumps_.end(), row,
                                       [](size_t wanted, const Jump& jump) { return wanted < jump.row; });
  if (behind == jumps_.begin()) return "row " + std::to_string(row + 1);
  const Jump& jump = *(behind - 1);
  return file_ + ", line " + std::to_string(jump.line + (row - jump.row));
}

}  // namespace causeway::pipeline
