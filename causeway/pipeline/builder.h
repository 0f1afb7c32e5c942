#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "causeway/base/json.h"
#include "causeway/pipeline/kind.h"

namespace causeway::pipeline {

class Pipeline;

/// The columns of `declare`: `Schema().id("passenger_id", Kind::Integer).integer("survived").category("pclass", "sex")`.
class Schema {
 public:
  /// Further keys of one column.
  struct Options {
    std::string was = {};
    bool optional = false, id = false;
    std::vector<std::string> missing = {};
    std::string format = {};
  };

  Schema& column(const std::string& name, Kind kind, const Options& options);
  Schema& column(const std::string& name, Kind kind) { return column(name, kind, Options()); }

  template <class... Names>
  Schema& number(const Names&... names) {
    return all(Kind::Number, names...);
  }
  template <class... Names>
  Schema& integer(const Names&... names) {
    return all(Kind::Integer, names...);
  }
  template <class... Names>
  Schema& boolean(const Names&... names) {
    return all(Kind::Boolean, names...);
  }
  template <class... Names>
  Schema& category(const Names&... names) {
    return all(Kind::Category, names...);
  }
  template <class... Names>
  Schema& text(const Names&... names) {
    return all(Kind::Text, names...);
  }
  template <class... Names>
  Schema& timestamp(const Names&... names) {
    return all(Kind::Timestamp, names...);
  }
  /// A column that may hold gaps.
  Schema& optional(const std::string& name, Kind kind);
  /// A column that names the row.
  Schema& id(const std::string& name, Kind kind);

  const Json& columns() const { return columns_; }

 private:
  template <class... Names>
  Schema& all(Kind kind, const Names&... names) {
    (column(names, kind), ...);
    return *this;
  }

  Json columns_ = Json::Array();
};

/// What gaps are filled with.
class With {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): they read as the words of an enumeration, With::Median
  static const With Mean, Median, Zero, MostFrequent, Previous;
  static With constant(Json value);

  const Json& stated() const { return stated_; }

 private:
  explicit With(Json stated) : stated_(std::move(stated)) {}
  Json stated_;
};

/// Parameters by the names they have in JSON; defaults are the verb table's.
struct ReadCsvOptions {
  std::string dialect = "rfc4180";
};
struct DeclareOptions {
  std::string remainder = "drop";
};
struct StratifiedOptions {
  double train = 0, validation = 0;
  uint64_t seed = 0;
};
struct AtRandomOptions {
  double train = 0, validation = 0;
  uint64_t seed = 0;
  std::vector<std::string> group = {};
  std::optional<uint64_t> test_seed = {};
};
struct FillMissingOptions {
  bool mark = true;
  double refuse_above = 1;
};
struct EncodeCategoriesOptions {
  std::string as = "onehot", unseen = "reserve";
  int64_t at_most = 1000;
};
struct NormalizeOptions {
  std::string scale = "midrange", out_of_range = "pass";
};
struct FeaturesOptions {
  std::vector<std::string> order = {};  ///< empty: the columns' own
  std::string takes = "bounded";
};

/// A declaration written in C++: verb `a.b` is the call `a_b`. Nothing is checked before `build()`, which gives the
/// faults that the same JSON would, without lines.
class PipelineBuilder {
 public:
  using Names = std::vector<std::string>;

  PipelineBuilder& declare(const Schema& schema, const DeclareOptions& options = {});
  PipelineBuilder& split_stratified(const std::string& column, const StratifiedOptions& options);
  PipelineBuilder& split_at_random(const AtRandomOptions& options);
  PipelineBuilder& target(const std::string& column);
  PipelineBuilder& fill_missing(const Names& columns, const With& with, const FillMissingOptions& options = {});
  PipelineBuilder& encode_categories(const EncodeCategoriesOptions& options = {});
  PipelineBuilder& normalize(const Names& columns, const NormalizeOptions& options = {});
  PipelineBuilder& features(const FeaturesOptions& options);
  /// The step as JSON without its verb: {"layers": […], "loss": …, …}.
  PipelineBuilder& learn_network(Json stated);
  PipelineBuilder& evidence_metrics(const Names& metrics, const Names& parts = {"test"});
  /// Any verb, with its parameters as JSON.
  PipelineBuilder& step(std::string_view verb, Json parameters = Json::Object());

  /// Refused: every fault, at its step.
  Pipeline build() const;
  const Json& document() const { return document_; }

 private:
  Json document_ = Json::Object{{"pipeline", 1}, {"steps", Json::Array()}};
};

}  // namespace causeway::pipeline
