#include "causeway/pipeline/builder.h"

#include "causeway/pipeline/pipeline.h"

namespace causeway::pipeline {
namespace {

Json list(const std::vector<std::string>& items) {
  Json made = Json::Array();
  for (const std::string& item : items) made.push(item);
  return made;
}

// A seed past int64 is out of the verb table's range as well; as a double it is refused by its value.
Json seed_of(uint64_t seed) {
  return seed <= static_cast<uint64_t>(INT64_MAX) ? Json(static_cast<int64_t>(seed)) : Json(static_cast<double>(seed));
}

}  // namespace

Schema& Schema::column(const std::string& name, Kind kind, const Options& options) {
  Json made = Json::Object{{"name", name}, {"kind", word_of(kind)}};
  if (!options.was.empty()) made.set("was", options.was);
  if (options.optional) made.set("optional", true);
  if (options.id) made.set("id", true);
  if (!options.missing.empty()) made.set("missing", list(options.missing));
  if (!options.format.empty()) made.set("format", options.format);
  columns_.push(std::move(made));
  return *this;
}

Schema& Schema::optional(const std::string& name, Kind kind) { return column(name, kind, {.optional = true}); }

Schema& Schema::id(const std::string& name, Kind kind) { return column(name, kind, {.id = true}); }

const With With::Mean{Json("mean")};
const With With::Median{Json("median")};
const With With::Zero{Json("zero")};
const With With::MostFrequent{Json("most_frequent")};
const With With::Previous{Json("previous")};

With With::constant(Json value) { return With(Json::Object{{"constant", std::move(value)}}); }

PipelineBuilder& PipelineBuilder::step(std::string_view verb, Json parameters) {
  Json made = Json::Object{{"verb", verb}};
  for (const auto& [name, value] : parameters.members()) made.set(name, value);
  document_.members()[1].second.push(std::move(made));
  return *this;
}

PipelineBuilder& PipelineBuilder::declare(const Schema& schema, const DeclareOptions& options) {
  return step("declare", Json::Object{{"columns", schema.columns()}, {"remainder", options.remainder}});
}

PipelineBuilder& PipelineBuilder::split_stratified(const std::string& column, const StratifiedOptions& options) {
  return step("split.stratified", Json::Object{{"column", column},
                                               {"train", options.train},
                                               {"validation", options.validation},
                                               {"seed", seed_of(options.seed)}});
}

PipelineBuilder& PipelineBuilder::split_at_random(const AtRandomOptions& options) {
  Json made = Json::Object{{"train", options.train},
                           {"validation", options.validation},
                           {"seed", seed_of(options.seed)},
                           {"group", list(options.group)}};
  if (options.test_seed) made.set("test_seed", seed_of(*options.test_seed));
  return step("split.at_random", std::move(made));
}

PipelineBuilder& PipelineBuilder::target(const std::string& column) {
  return step("target", Json::Object{{"column", column}});
}

PipelineBuilder& PipelineBuilder::fill_missing(const Names& columns, const With& with,
                                               const FillMissingOptions& options) {
  return step("fill.missing", Json::Object{{"columns", list(columns)},
                                           {"with", with.stated()},
                                           {"mark", options.mark},
                                           {"refuse_above", options.refuse_above}});
}

PipelineBuilder& PipelineBuilder::encode_categories(const EncodeCategoriesOptions& options) {
  return step("encode.categories",
              Json::Object{{"as", options.as}, {"unseen", options.unseen}, {"at_most", options.at_most}});
}

PipelineBuilder& PipelineBuilder::normalize(const Names& columns, const NormalizeOptions& options) {
  return step(
      "normalize",
      Json::Object{{"columns", list(columns)}, {"scale", options.scale}, {"out_of_range", options.out_of_range}});
}

PipelineBuilder& PipelineBuilder::features(const FeaturesOptions& options) {
  Json made = Json::Object{{"takes", options.takes}};
  if (!options.order.empty()) made.set("order", list(options.order));
  return step("features", std::move(made));
}

PipelineBuilder& PipelineBuilder::learn_network(Json stated) { return step("learn.network", std::move(stated)); }

PipelineBuilder& PipelineBuilder::evidence_metrics(const Names& metrics, const Names& parts) {
  return step("evidence.metrics", Json::Object{{"metrics", list(metrics)}, {"parts", list(parts)}});
}

Pipeline PipelineBuilder::build() const { return Pipeline::from_json(document_); }

}  // namespace causeway::pipeline
