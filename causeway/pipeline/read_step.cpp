#include "causeway/pipeline/read_step.h"

#include <algorithm>
#include <filesystem>

#include "causeway/pipeline/csv.h"

namespace causeway::pipeline {

std::unique_ptr<Source> ReadCsv::open(const std::string& folder) const {
  const std::string& path = declared().text("path");
  const Dialect& dialect = *std::ranges::find(kDialects, declared().text("dialect"), &Dialect::name);
  return CsvSource::open((std::filesystem::path(folder) / path).string(), path, dialect);
}

std::unique_ptr<Source> ReadRows::open(const std::string&) const {
  throw Refused(declared().where(), "The rows of 'read.rows' are handed over in code: run the pipeline with them.");
}

}  // namespace causeway::pipeline
