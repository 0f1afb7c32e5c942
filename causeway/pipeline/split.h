#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "causeway/pipeline/row_key.h"
#include "causeway/pipeline/step.h"

namespace causeway::pipeline {

inline constexpr std::array<std::string_view, 3> kPartNames = {"train", "validation", "test"};

/// Rows in the order of their parts: the training rows first, then validation and test, each part in rank order.
struct Deal {
  std::vector<uint32_t> order;
  std::array<size_t, 3> counts = {};  ///< train, validation, test
};

/// How many of n rows a share takes, the share in millionths: half rounds up.
size_t count_of(size_t n, uint64_t millionths);

/// Deals rows by their keys. The ranking under a seed says the order; what comes first is training, then validation,
/// the rest test; rows with equal keys are never divided.
class SplitStep : public Step {
 public:
  explicit SplitStep(StepDeclared declared);

  void check(KnownColumns& columns, StepFaults& faults) const override;

  /// The column whose texts are the strata; "" without strata.
  const std::string& strata() const { return strata_; }
  /// The columns that make the rows' keys where the split states them; else the ids, or every column.
  const std::vector<std::string>& group() const { return group_; }

  /// `strata` is empty without strata. Refused: a part without rows whose share is above 0.
  Deal deal(const std::vector<Digest>& keys, const std::vector<uint32_t>& strata) const;

 private:
  /// Which part each row falls into, all rows being ranked under one seed.
  std::vector<uint8_t> parts_by_rank(const RowOrder& ranked, const std::vector<uint32_t>& strata) const;

  std::string strata_;
  std::vector<std::string> group_;
  uint64_t train_ = 0, validation_ = 0;  // millionths
  uint64_t seed_ = 0;
  bool has_test_seed_ = false;
  uint64_t test_seed_ = 0;
};

}  // namespace causeway::pipeline
