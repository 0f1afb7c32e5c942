#include "causeway/pipeline/read_step.h"

#include <algorithm>
#include <filesystem>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/csv.h"

namespace causeway::pipeline {

std::unique_ptr<Source> ReadCsv::open(const std::string& folder, const std::string& stated_in) const {
  const std::string& path = declared().text("path");
  const Dialect& dialect = *std::ranges::find(kDialects, declared().text("dialect"), &Dialect::name);
  const std::string file = (std::filesystem::path(folder) / path).string();
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown) && !unknown) {
    throw Refused(
        (stated_in.empty() ? "" : escaped(stated_in) + ", ") + declared().where(),
        causeway::quoted(path) + ": there is no file of this name. Paths are taken from the declaration's folder.");
  }
  return CsvSource::open(file, path, dialect);
}

std::unique_ptr<Source> ReadRows::open(const std::string&, const std::string&) const {
  throw Refused(declared().where(), "The rows of 'read.rows' are handed over in code: run the pipeline with them.");
}

}  // namespace causeway::pipeline
