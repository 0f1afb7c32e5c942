#include "causeway/pipeline/split.h"

#include <algorithm>
#include <cmath>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/row_key.h"

namespace causeway::pipeline {
namespace {

constexpr uint64_t kMillion = 1'000'000;

uint64_t millionths(double share) { return static_cast<uint64_t>(std::llround(share * 1e6)); }

}  // namespace

size_t count_of(size_t n, uint64_t millionths) { return (2 * n * millionths + kMillion) / (2 * kMillion); }

SplitStep::SplitStep(StepDeclared declared) : Step(std::move(declared)) {
  const StepDeclared& step = this->declared();
  if (step.parameters.find("column") != nullptr) strata_ = step.text("column");
  if (step.parameters.find("group") != nullptr) group_ = step.texts("group");
  train_ = millionths(step.at("train").number());
  validation_ = millionths(step.at("validation").number());
  seed_ = static_cast<uint64_t>(step.at("seed").integer());
  if (const Json* test_seed = step.parameters.find("test_seed")) {
    has_test_seed_ = true;
    test_seed_ = static_cast<uint64_t>(test_seed->integer());
  }
}

void SplitStep::check(KnownColumns& columns, StepFaults& faults) const {
  if (train_ == 0)
    faults.add(declared().at("train"), "'train' is 0, and what is learned is learned from training rows.");
  if (train_ + validation_ > kMillion) {
    faults.add(declared().at("train"), "'train' and 'validation' are " +
                                           text_of(static_cast<double>(train_ + validation_) / 1e6) +
                                           " together, and at most 1 is there to be dealt.");
  }
  // Keys and strata are read from the source's own text, so an id may be named here and a column may be of any kind.
  const auto wants = [&](const Json& name) {
    if (columns.find(name.text()) == nullptr) columns.named(name, faults);
  };
  if (!strata_.empty()) wants(declared().at("column"));
  if (const Json* group = declared().parameters.find("group")) {
    for (const Json& name : group->items()) wants(name);
  }
}

std::vector<uint8_t> SplitStep::parts_by_rank(const RowOrder& ranked, const std::vector<uint32_t>& strata) const {
  const auto stratum = [&](uint32_t row) { return strata.empty() ? 0 : strata[row]; };
  struct Places {
    size_t rows = 0, train = 0, validation = 0, next = 0;
  };
  std::vector<Places> places(1);
  for (const uint32_t row : ranked.rows) {
    if (stratum(row) >= places.size()) places.resize(stratum(row) + size_t{1});
    ++places[stratum(row)].rows;
  }
  for (Places& one : places) {
    one.train = count_of(one.rows, train_);
    one.validation = std::min(count_of(one.rows, validation_), one.rows - one.train);
  }

  std::vector<uint8_t> parts(ranked.rows.size(), 0);
  for (size_t i = 0; i < ranked.rows.size(); ++i) {
    const uint32_t row = ranked.rows[i];
    Places& here = places[stratum(row)];
    const size_t place = here.next++;
    if (ranked.repeats[i] && stratum(row) == stratum(ranked.rows[i - 1])) {
      parts[row] = parts[ranked.rows[i - 1]];
    } else {
      parts[row] = static_cast<uint8_t>((place >= here.train) + (place >= here.train + here.validation));
    }
  }
  return parts;
}

Deal SplitStep::deal(const std::vector<Digest>& keys, const std::vector<uint32_t>& strata) const {
  const RowOrder ranked = in_rank_order(keys, has_test_seed_ ? test_seed_ : seed_);
  std::vector<uint8_t> parts = parts_by_rank(ranked, strata);
  std::array<std::vector<uint32_t>, 3> rows;
  if (!has_test_seed_) {
    for (const uint32_t row : ranked.rows) rows[parts[row]].push_back(row);
  } else {
    // The test part is dealt; the rest is ranked anew, and train and validation are as large as before.
    const size_t train = count_of(keys.size(), train_);
    const RowOrder again = in_rank_order(keys, seed_);
    size_t place = 0;
    for (size_t i = 0; i < again.rows.size(); ++i) {
      const uint32_t row = again.rows[i];
      if (parts[row] == 2) continue;
      parts[row] = again.repeats[i] ? parts[again.rows[i - 1]] : place < train ? uint8_t{0} : uint8_t{1};
      ++place;
      rows[parts[row]].push_back(row);
    }
    for (const uint32_t row : ranked.rows) {
      if (parts[row] == 2) rows[2].push_back(row);
    }
  }

  Deal deal;
  std::vector<Fault> faults;
  const std::array<uint64_t, 3> shares = {train_, validation_, kMillion - train_ - validation_};
  for (size_t part = 0; part < shares.size(); ++part) {
    deal.counts[part] = rows[part].size();
    deal.order.insert(deal.order.end(), rows[part].begin(), rows[part].end());
    if (rows[part].empty() && shares[part] > 0) {
      faults.push_back({declared().where(), "The part " + quoted(kPartNames[part]) + " is empty: " +
                                                std::to_string(keys.size()) + " rows are dealt, and its share is " +
                                                text_of(static_cast<double>(shares[part]) / 1e6) + "."});
    }
  }
  refuse_if_any(std::move(faults));
  return deal;
}

}  // namespace causeway::pipeline
