#include "tests/pipeline/titanic.h"

#include <algorithm>

#include "causeway/base/sha256.h"
#include "causeway/pipeline/csv.h"
#include "tests/support/files.h"

namespace causeway::pipeline {
namespace {

class Collector : public CellSink {
 public:
  explicit Collector(std::vector<std::string> names) { cells.push_back(std::move(names)), cells.emplace_back(); }
  void cell(size_t, std::string_view text) override { cells.back().emplace_back(text); }
  void end_row() override { cells.emplace_back(); }

  Cells cells;
};

}  // namespace

Cells titanic_cells() {
  const auto source = CsvSource::open(tests::data_file("titanic.csv"), "titanic.csv");
  Collector collector(source->names());
  RowFaults faults;
  source->read(collector, faults);
  faults.refuse_if_any();
  collector.cells.pop_back();
  return collector.cells;
}

std::string csv_of(const Cells& cells) {
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    for (size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + row[i];
    text += "\n";
  }
  return text;
}

std::string bytes_hash(const Tensor& tensor) {
  Sha256 hash;
  hash.add(tensor.bytes());
  return hex(hash.finish());
}

std::vector<std::string> ids_of(const Part& part) {
  std::vector<std::string> ids;
  for (size_t row = 0; row < part.rows(); ++row) ids.push_back(part.ids.at(0).cell(row));
  return ids;
}

std::string ids_hash(const Part& part) {
  std::vector<int64_t> ids;
  for (const std::string& id : ids_of(part)) ids.push_back(std::stoll(id));
  std::ranges::sort(ids);
  std::string text;
  for (const int64_t id : ids) text += std::to_string(id) + "\n";
  return hex(sha256(text));
}

}  // namespace causeway::pipeline
