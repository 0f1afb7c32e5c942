#include <algorithm>

#include "causeway/pipeline/handover.h"
#include "causeway/pipeline/pipeline.h"
#include "causeway/pipeline/row_key.h"
#include "causeway/pipeline/statistics.h"

namespace causeway::pipeline {
namespace {

GatherOptions options_of(const Declaration& declaration) {
  GatherOptions options;
  options.ids = declaration.declare().ids();
  options.targets = declaration.targets();
  const SplitStep* split = declaration.split();
  if (split != nullptr) options.strata = split->strata();
  if (split != nullptr && !split->group().empty()) {
    options.keys = split->group();
  } else if (!options.ids.empty()) {
    options.keys = options.ids;
  } else {
    for (const DeclaredColumn& column : declaration.declare().columns()) options.keys.push_back(column.name);
  }
  return options;
}

/// SHA-256 over the sorted keys of each part. Keys are handed over in batches: a call takes as long as their hash.
class PartHash {
 public:
  void add(const Digest& key) {
    batch_.insert(batch_.end(), key.begin(), key.end());
    if (batch_.size() >= 4096) flush();
  }
  std::string finish() {
    flush();
    return hex(hash_.finish());
  }

 private:
  void flush() {
    hash_.add(std::as_bytes(std::span(batch_)));
    batch_.clear();
  }

  Sha256 hash_;
  std::vector<uint8_t> batch_;
};

std::vector<PartDigest> digests_of(const Gathered& gathered, const Deal& deal, bool split) {
  std::vector<uint8_t> parts(gathered.keys.size(), 0);
  size_t place = 0;
  for (uint8_t part = 0; split && part < 3; ++part) {
    for (size_t i = 0; i < deal.counts[part]; ++i) parts[deal.order[place++]] = part;
  }
  std::array<PartHash, 3> hashes;
  for (const uint32_t row : gathered.key_order.rows) hashes[parts[row]].add(gathered.keys[row]);
  std::vector<PartDigest> made;
  for (size_t part = 0; part < (split ? 3 : 1); ++part) {
    made.push_back({std::string(kPartNames[part]), hashes[part].finish(), deal.counts[part]});
  }
  return made;
}

/// One run of a declaration over rows.
class Run {
 public:
  Run(std::shared_ptr<const Declaration> declaration, Source& source)
      : gathered_(gather(source, declaration->declare(), options_of(*declaration))), rows_(gathered_.table) {
    walk_.places = source.row_places();
    state_->declaration = std::move(declaration);
    state_->answers = state_->declaration->targets();
    deal_.counts[0] = rows_.rows();
    if (rows_.rows() == 0) throw Refused(source.header_place(), "There is no row to learn from.");
  }

  Prepared finish() {
    for (const Step* step : state_->declaration->preparation()) take(*step);
    state_->parts = digests_of(gathered_, deal_, state_->declaration->split() != nullptr);
    gathered_.keys = {}, gathered_.key_order = {};
    const size_t training = deal_.counts[0];
    const std::vector<const Column*> features = features_of(*state_->declaration, rows_);
    for (const Column* column : features) state_->features.push_back(column->name);
    state_->unvaried = unvaried_of(features, training);
    note_unvaried(*state_, rows_, training, rows_.rows() - training, walk_);

    Prepared made;
    size_t first = 0;
    for (size_t part = 0; part < 3; ++part) {
      made.part(part) = hand_over(*state_, rows_, first, deal_.counts[part], walk_, true);
      first += deal_.counts[part];
    }
    walk_.faults.refuse_if_any();
    made.features = state_->features;
    made.answers = state_->answers;
    made.notes = std::move(notes_);
    made.places = std::move(walk_.places);
    made.fit = Fit(state_);
    return made;
  }

 private:
  void take(const Step& step) {
    std::unique_ptr<const Fitted> fitted;
    if (const auto* split = dynamic_cast<const SplitStep*>(&step)) {
      deal_ = split->deal(gathered_.keys, gathered_.strata);
      rows_.reorder(deal_.order);
      walk_.set_order(deal_.order);
    } else if (const auto* change = dynamic_cast<const ChangeStep*>(&step)) {
      std::vector<Fault> found;
      StepFaults faults(step.declared(), found);
      fitted = change->fit(rows_, deal_.counts[0], faults, notes_);
      refuse_if_any(std::move(found));
      fitted->apply(rows_, walk_);
      check_names(step, rows_);
    }
    state_->steps.push_back(std::move(fitted));
  }

  std::shared_ptr<FitState> state_ = std::make_shared<FitState>();
  Gathered gathered_;
  Table& rows_;
  Deal deal_;
  Walk walk_;
  std::vector<std::string> notes_;
};

}  // namespace

Prepared Pipeline::run() const {
  const std::unique_ptr<Source> source = declaration_->read().open(folder_, stated_in_);
  return run(*source);
}

Prepared Pipeline::run(Source& rows) const { return Run(declaration_, rows).finish(); }

Part Fit::prepare(Source& source, const PrepareOptions& options) const {
  const Declaration& declaration = *state().declaration;
  GatherOptions wanted;
  wanted.targets = declaration.targets();
  if (!options.answers) wanted.absent = wanted.targets;
  for (const auto& step : declaration.steps()) {
    const auto* change = dynamic_cast<const ChangeStep*>(step.get());
    if (change == nullptr || !change->has_a_feature_for_gaps()) continue;
    for (const DeclaredColumn& column : declaration.declare().columns()) {
      if (column.kind == Kind::Category && !column.id) wanted.gaps_welcome.push_back(column.name);
    }
  }
  Table rows = gather(source, declaration.declare(), wanted).table;
  Walk walk;
  walk.places = source.row_places();
  for (const auto& fitted : state().steps) {
    if (fitted) fitted->apply(rows, walk);
  }
  note_unvaried(state(), rows, 0, rows.rows(), walk);
  Part part = hand_over(state(), rows, 0, rows.rows(), walk, options.answers);
  walk.faults.refuse_if_any();
  return part;
}

}  // namespace causeway::pipeline
