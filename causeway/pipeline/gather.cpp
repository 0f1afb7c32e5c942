#include <algorithm>
#include <optional>

#include "causeway/base/quoted.h"
#include "causeway/pipeline/declare.h"
#include "causeway/pipeline/parameters.h"
#include "causeway/pipeline/row_key.h"
#include "causeway/pipeline/trimmed.h"

namespace causeway::pipeline {
namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The places of names in a key, or none where there is no key to be made.
struct KeyMaker {
  explicit KeyMaker(const std::vector<std::string>& names) : key(names) {}

  bool wanted() const { return !key.names().empty(); }
  std::optional<size_t> place_of(std::string_view name) const {
    const auto found = std::ranges::find(key.names(), name);
    if (found == key.names().end()) return std::nullopt;
    return static_cast<size_t>(found - key.names().begin());
  }
  void end_row() {
    if (wanted()) digests.push_back(key.digest());
  }

  RowKey key;
  std::vector<Digest> digests;
};

/// Takes a source's cells into the declared columns, the rows' keys and their strata.
class Gatherer : public CellSink {
 public:
  Gatherer(Source& source, const DeclareStep& declare, const GatherOptions& options)
      : source_(source), keys_(options.keys), ids_(same_key(options) ? std::vector<std::string>() : options.ids) {
    targets_.resize(source.names().size());
    std::vector<Fault> faults;
    for (size_t i = 0; i < declare.columns().size(); ++i) {
      const DeclaredColumn& column = declare.columns()[i];
      if (holds(options.absent, column.name)) continue;
      const auto found = std::ranges::find(source.names(), column.was);
      if (found == source.names().end()) {
        std::vector<std::string_view> names(source.names().begin(), source.names().end());
        faults.push_back({declare.declared().where(&declare.place_of(i)), "The source (" + source.header_place() +
                                                                              ") has no column " + quoted(column.was) +
                                                                              "." + nearest_of(column.was, names)});
        continue;
      }
      const bool gaps = column.optional || holds(options.gaps_welcome, column.name);
      readers_.emplace_back(column, source.decimal_mark(), gaps);
      names_.push_back(column.name);
      targets_[static_cast<size_t>(found - source.names().begin())].push_back(
          {.reader = readers_.size() - 1,
           .key = keys_.place_of(column.name),
           .id = ids_.place_of(column.name),
           .stratum = column.name == options.strata});
    }
    if (declare.refuses_the_rest()) refuse_the_rest(declare, faults);
    refuse_if_any(std::move(faults));
  }

  void cell(size_t column, std::string_view text) override {
    for (const Target& target : targets_[column]) {
      if (!readers_[target.reader].take(text, fault_)) {
        if (faults_->lists_more()) {
          faults_->add(source_.place(), "column " + quoted(names_[target.reader]) + ": " + fault_);
        } else {
          faults_->count_one();
        }
      }
      if (target.key) keys_.key.set(*target.key, text);
      if (target.id) ids_.key.set(*target.id, text);
      if (target.stratum) strata_.push_back(strata_words_.number_of(trimmed(text)));
    }
  }

  void end_row() override {
    keys_.end_row();
    ids_.end_row();
    if (rows_ == kRowsBeforeGuess) make_room(source_.rows_expected(rows_));
    if (++rows_ == 0xffffffff) throw Refused(source_.place(), "More than 2^32 - 2 rows are not read.");
  }

  Gathered read(const GatherOptions& options) {
    RowFaults faults;
    faults_ = &faults;
    try {
      source_.read(*this, faults);
    } catch (const Unfit& unfit) {
      faults.add(source_.place(), unfit.what());
    }
    RowOrder key_order;
    if (!faults.any()) {
      key_order = in_key_order(keys_.digests);
      refuse_doubled_ids(ids_.wanted() ? in_key_order(ids_.digests) : key_order, options.ids, source_.row_places(),
                         faults);
    }
    faults.refuse_if_any();
    std::vector<Column> columns;
    for (CellReader& reader : readers_) {
      columns.push_back(std::move(reader).finish());
      columns.back().target = holds(options.targets, columns.back().name);
    }
    return {Table(std::move(columns), rows_), std::move(keys_.digests), std::move(key_order), std::move(strata_)};
  }

 private:
  // Growing step by step would copy what is there again and again; a guess that is wrong costs no more than that.
  static constexpr size_t kRowsBeforeGuess = 4096;
  void make_room(size_t expected) {
    const size_t rows = expected + expected / 64;
    for (CellReader& reader : readers_) reader.make_room(rows);
    if (keys_.wanted()) keys_.digests.reserve(rows);
    if (ids_.wanted()) ids_.digests.reserve(rows);
    if (!strata_.empty()) strata_.reserve(rows);
  }

  struct Target {
    size_t reader;
    std::optional<size_t> key, id;
    bool stratum;
  };

  static bool same_key(const GatherOptions& options) { return options.keys == options.ids; }

  void refuse_the_rest(const DeclareStep& declare, std::vector<Fault>& faults) const {
    for (size_t i = 0; i < targets_.size(); ++i) {
      const bool declared = std::ranges::any_of(
          declare.columns(), [&](const DeclaredColumn& column) { return column.was == source_.names()[i]; });
      if (declared) continue;
      faults.push_back({source_.header_place(),
                        "The column " + quoted(source_.names()[i]) + " is not declared, and 'remainder' is 'refuse'."});
    }
  }

  static void refuse_doubled_ids(const RowOrder& order, const std::vector<std::string>& ids, const RowPlaces& places,
                                 RowFaults& faults) {
    if (ids.empty() || !order.any_repeat) return;
    std::string names;
    for (const std::string& id : ids) names += (names.empty() ? "" : ", ") + quoted(id);
    for (size_t i = 1; i < order.rows.size(); ++i) {
      if (!order.repeats[i]) continue;
      faults.add(places.of(order.rows[i]),
                 "Its id (" + names + ") is that of " + places.of(order.rows[i - 1]) + " too.");
    }
  }

  Source& source_;
  KeyMaker keys_, ids_;
  std::vector<CellReader> readers_;
  std::vector<std::string> names_;
  std::vector<std::vector<Target>> targets_;  // by column of the source
  Words strata_words_;
  std::vector<uint32_t> strata_;
  RowFaults* faults_ = nullptr;
  std::string fault_;
  size_t rows_ = 0;
};

}  // namespace

Gathered gather(Source& source, const DeclareStep& declare, const GatherOptions& options) {
  return Gatherer(source, declare, options).read(options);
}

}  // namespace causeway::pipeline
