#pragma once

#include <string>
#include <vector>

#include "causeway/pipeline/pipeline.h"

// The run that docs/pipeline.md opens with. Its numbers were worked out independently in Python.

namespace causeway::pipeline {

inline constexpr char kTitanicDeclaration[] = R"({"pipeline": 1,
 "steps": [
  {"verb": "read.csv", "path": "titanic.csv"},
  {"verb": "declare", "columns": [
    {"name": "passenger_id", "kind": "integer", "id": true},
    {"name": "survived", "kind": "integer"},
    {"name": "pclass", "kind": "category"},
    {"name": "sex", "kind": "category"},
    {"name": "age", "kind": "number", "optional": true},
    {"name": "sibsp", "kind": "integer"},
    {"name": "parch", "kind": "integer"},
    {"name": "fare", "kind": "number"}]},
  {"verb": "split.stratified", "column": "survived", "train": 0.7, "validation": 0.15, "seed": 7},
  {"verb": "target", "column": "survived"},
  {"verb": "fill.missing", "columns": ["age"], "with": "median"},
  {"verb": "encode.categories"},
  {"verb": "normalize", "columns": ["age", "sibsp", "parch", "fare"]},
  {"verb": "learn.network",
   "layers": [{"kind": "dense", "units": 16, "activation": "relu"}, {"kind": "dense", "units": 1}],
   "loss": "binary_crossentropy", "optimizer": {"kind": "adam", "learning_rate": 0.001},
   "epochs": 200, "batch_size": 32, "seed": 7,
   "early_stopping": {"patience": 10, "min_delta": 0.0001, "restore_best": true}},
  {"verb": "evidence.metrics", "metrics": ["accuracy", "auc", "log_loss", "confusion_matrix"], "parts": ["test"]}]})";

inline constexpr char kTitanicTrainedBehind[] = "27729edca7e251941ebe77d2667ea954d6e016e118debb016e8bc96e2ee3a235";

inline Schema titanic_schema() {
  return Schema()
      .id("passenger_id", Kind::Integer)
      .integer("survived")
      .category("pclass", "sex")
      .optional("age", Kind::Number)
      .integer("sibsp", "parch")
      .number("fare");
}

inline Pipeline titanic_pipeline() {
  return Pipeline::read_csv(CAUSEWAY_DATA "/titanic.csv")
      .declare(titanic_schema())
      .split_stratified("survived", {.train = 0.70, .validation = 0.15, .seed = 7})
      .target("survived")
      .fill_missing({"age"}, With::Median)
      .encode_categories()
      .normalize({"age", "sibsp", "parch", "fare"})
      .build();
}

using Cells = std::vector<std::vector<std::string>>;

/// The file's cells, row by row, the names first.
Cells titanic_cells();
/// Those as CSV text.
std::string csv_of(const Cells& cells);

/// SHA-256 of a tensor's bytes in hexadecimal.
std::string bytes_hash(const Tensor& tensor);
/// SHA-256 of a part's ids in ascending order as decimals, each followed by LF.
std::string ids_hash(const Part& part);
/// The first id column's cells.
std::vector<std::string> ids_of(const Part& part);

}  // namespace causeway::pipeline
