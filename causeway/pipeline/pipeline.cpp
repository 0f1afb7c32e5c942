#include "causeway/pipeline/pipeline.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "causeway/base/not_opened.h"
#include "causeway/base/quoted.h"
#include "causeway/pipeline/declaration.h"
#include "causeway/pipeline/verb_table.h"

namespace causeway::pipeline {

std::string LearnRequest::place_of(const Json& value) const {
  return value.line() > 0 ? step() + ", " + value.place() : where;
}

const Part& Prepared::part(std::string_view name) const {
  return name == kPartNames[0] ? train : name == kPartNames[1] ? validation : test;
}

Pipeline Pipeline::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Refused(escaped(path), not_opened(errno));
  // One byte past the limit is enough for the reader to say that the text is too long.
  std::string text(JsonLimits().size_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return from_text(text, std::filesystem::path(path).parent_path().string(), path);
}

Pipeline Pipeline::from_text(std::string_view json, const std::string& folder, const std::string& where) {
  return from_json(parse_json(json, where), folder, where);
}

Pipeline Pipeline::from_json(const Json& document, const std::string& folder, const std::string& where) {
  return Pipeline(std::make_shared<const Declaration>(Declaration::read(document, where, {})), folder, where);
}

std::optional<LearnRequest> Pipeline::learn() const {
  const Step* step = declaration_->learn();
  if (step == nullptr) return std::nullopt;
  return LearnRequest{std::string(step->verb().verb), step->declared().parameters, step->declared().where()};
}

std::vector<MetricsRequest> Pipeline::metrics() const {
  std::vector<MetricsRequest> made;
  for (const auto& step : declaration_->steps()) {
    if (step->verb().verb != "evidence.metrics") continue;
    const StepDeclared& declared = step->declared();
    made.push_back({declared.texts("metrics"), declared.texts("parts"), declared.where()});
  }
  return made;
}

Json Pipeline::to_json() const { return Json::Object{{"pipeline", 1}, {"steps", declaration_->steps_json()}}; }

PipelineBuilder Pipeline::read_csv(const std::string& path, const ReadCsvOptions& options) {
  PipelineBuilder made;
  made.step("read.csv", Json::Object{{"path", path}, {"dialect", options.dialect}});
  return made;
}

PipelineBuilder Pipeline::read_rows(const std::string& description) {
  PipelineBuilder made;
  made.step("read.rows", Json::Object{{"description", description}});
  return made;
}

}  // namespace causeway::pipeline
