#include "causeway/train/fit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "causeway/base/fault.h"
#include "causeway/base/philox.h"
#include "causeway/graph/rewrite.h"
#include "causeway/train/checkpoint.h"
#include "causeway/train/compiled_graph.h"
#include "causeway/train/fit_faults.h"

namespace causeway {
namespace {

using train::CompiledGraph;
using train::Judge;
using train::Plateau;
using train::Rows;
using train::RunState;
using train::Step;

using Arrays = std::map<std::string, Tensor, std::less<>>;

const Engine& engine_of(const FitOptions& options) { return options.engine ? *options.engine : cpu(); }

// One graph, compiled for whole batches and for the short last one.
class ByRows {
 public:
  ByRows(const Engine& engine, const Graph& graph, Slots& slots, int threads)
      : engine_(engine), graph_(graph), slots_(slots), threads_(threads) {}

  CompiledGraph& for_rows(const Rows& rows, int64_t count) {
    std::unique_ptr<CompiledGraph>& compiled = compiled_[count];
    if (!compiled) compiled = std::make_unique<CompiledGraph>(engine_, graph_, slots_, rows.like(count), threads_);
    return *compiled;
  }

 private:
  const Engine& engine_;
  const Graph& graph_;
  Slots& slots_;
  int threads_;
  std::map<int64_t, std::unique_ptr<CompiledGraph>> compiled_;
};

// The loss of a batch of judged rows, answering, penalties included: a graph like a step's, without one.
Graph judging_graph(const SavedNetwork& saved, Slots& slots, const train::AnswerForms& answers) {
  GraphBuilder graph(slots);
  const ValueMap made = copy_nodes(graph, saved.network.graph());
  graph.output("loss", train::batch_loss(graph, saved, made, answers));
  return std::move(graph).finish();
}

class Run {
 public:
  Run(SavedNetwork& saved, const Examples& examples, const Optimizer& optimizer, const FitOptions& options)
      : saved_(saved), optimizer_(optimizer), options_(options) {
    prepare(examples);
    pace_ = train::pace_of(saved, optimizer, options, examples.weights.has_value(), rows_->fingerprint(),
                           validation_ ? validation_->fingerprint() : std::string());
    state_.history.seed = options.seed;
    if (options.schedule.as<ReduceOnPlateau>()) state_.plateau = Plateau::State{.rate = optimizer.learning_rate()};
    if (!options.resume.empty()) state_ = train::resume(options.resume, saved, step_->slots(), pace_, options.epochs);
  }

  History run() {
    Judge judge(options_.early_stopping.value_or(EarlyStopping{}), state_.judgement);
    for (int epoch = state_.epochs_done; epoch < options_.epochs && !judge.state().stopped; ++epoch) {
      EpochRecord record{epoch + 1, 0, std::nullopt, rate_at(epoch)};
      record.loss = train_epoch(epoch);
      if (validation_) record.validation_loss = judged_loss(epoch);
      const bool better = judged(judge, epoch, record);
      state_.history.epochs.push_back(record);
      state_.judgement = judge.state();
      state_.epochs_done = epoch + 1;
      finish_history();
      if (state_.plateau) {
        Plateau plateau(*options_.schedule.as<ReduceOnPlateau>(), *state_.plateau);
        plateau.sees(*record.validation_loss);
        state_.plateau = plateau.state();
      }
      if (options_.checkpoint && (better || !options_.checkpoint->best_only)) {
        train::write_checkpoint(options_.checkpoint->file, saved_, step_->slots(), state_, pace_);
      }
      if (options_.on_epoch) options_.on_epoch(record);
    }
    for (const auto& [path, numbers] : state_.best) saved_.network.slots().at(path).assign(numbers);
    return state_.history;
  }

 private:
  // Everything that can be wrong before the first batch is looked at, and refused at once.
  void prepare(const Examples& examples) {
    std::vector<Fault> faults = train::faults_of(options_);
    const auto look = [&faults](const auto& at) {
      try {
        at();
      } catch (const Refused& refused) {
        faults.insert(faults.end(), refused.faults().begin(), refused.faults().end());
      }
    };
    const bool options_fit = faults.empty();
    if (saved_.kept_in_half) {
      faults.push_back({"network",
                        "its file keeps its numbers in half precision, and they are not trained as they were rounded. "
                        "Widen it with causeway convert IN OUT.causeway, and train that."});
    }
    look([&] { rows_.emplace(saved_, examples, "training rows"); });
    look([&] {
      if (options_.validation) validation_.emplace(saved_, *options_.validation, "validation rows");
    });
    if (options_fit && rows_) {
      look([&] { split_validation(); });
      look([&] {
        if (!options_.class_weight.empty()) rows_->weigh_classes(saved_, options_.class_weight);
      });
    }
    look([&] {
      step_ = std::make_unique<Step>(saved_, optimizer_,
                                     train::StepOptions{.clip_norm = options_.clip_norm,
                                                        .clip_value = options_.clip_value,
                                                        .accumulate = options_.accumulate,
                                                        .answers = rows_ ? rows_->forms() : train::AnswerForms{},
                                                        .groups = options_.groups});
    });
    if (faults.empty()) look([&] { compile(); });
    refuse_if_any(std::move(faults));
  }

  void split_validation() {
    if (!options_.validation_share) return;
    const int64_t count = rows_->count();
    const auto kept = static_cast<int64_t>(std::floor(static_cast<double>(count) * (1 - *options_.validation_share)));
    if (kept == 0 || kept == count) {
      throw Refused("options", "a validation share of " + text_of(*options_.validation_share) + " of " +
                                   std::to_string(count) + " rows leaves a part empty.");
    }
    validation_ = rows_->split_off(count - kept);
  }

  // Every graph for every count of rows it will meet, so that what a batch cannot be is refused before the first one.
  void compile() {
    const Engine& engine = engine_of(options_);
    Slots& slots = step_->slots();
    batch_size_ = std::min(options_.batch_size, rows_->count());
    stepping_ = std::make_unique<ByRows>(engine, step_->batch_graph(), slots, options_.threads);
    if (step_->apply_graph()) {
      gathering_ = std::make_unique<ByRows>(engine, *step_->gather_graph(), slots, options_.threads);
      apply_ = std::make_unique<CompiledGraph>(engine, *step_->apply_graph(), slots, Arrays{}, options_.threads);
    }
    for (const int64_t batch : {int64_t{0}, batches() - 1}) graph_for(batch).for_rows(*rows_, rows_in(batch));
    if (!validation_) return;
    judging_graph_ = judging_graph(saved_, slots, validation_->forms());
    judging_ = std::make_unique<ByRows>(engine, judging_graph_, slots, options_.threads);
    judging_->for_rows(*validation_, std::min(options_.batch_size, validation_->count()));
  }

  int64_t batches() const { return (rows_->count() + batch_size_ - 1) / batch_size_; }
  int64_t rows_in(int64_t batch) const { return std::min(batch_size_, rows_->count() - batch * batch_size_); }
  // The place of a batch among those that make one step, from 0.
  int64_t place_of(int64_t batch) const { return batch % options_.accumulate; }
  // Whether a step follows the batch.
  bool steps_after(int64_t batch) const { return place_of(batch) + 1 == options_.accumulate || batch + 1 == batches(); }
  bool is_gathered(int64_t batch) const { return apply_ && !(place_of(batch) == 0 && steps_after(batch)); }
  ByRows& graph_for(int64_t batch) { return is_gathered(batch) ? *gathering_ : *stepping_; }

  std::vector<int64_t> order_of(int epoch) const {
    if (options_.shuffle)
      return Draws(options_.seed, "shuffle", static_cast<uint64_t>(epoch)).permutation(rows_->count());
    std::vector<int64_t> order(static_cast<size_t>(rows_->count()));
    std::iota(order.begin(), order.end(), int64_t{0});
    return order;
  }

  // The optimizer's rate for the next step.
  double rate_at(int epoch) const {
    if (state_.plateau) return state_.plateau->rate;
    const Schedule& schedule = options_.schedule;
    const double rate =
        schedule.rate(optimizer_.learning_rate(), schedule.per() == Per::Step ? state_.steps : int64_t{epoch});
    if (!(std::isfinite(rate) && rate >= 0)) {
      throw Refused("epoch " + std::to_string(epoch + 1),
                    "the schedule " + std::string(schedule.name()) + " leads to a rate of " + text_of(rate) + ".");
    }
    return rate;
  }

  // One pass over the training rows; gives the mean loss by rows.
  double train_epoch(int epoch) {
    const std::vector<int64_t> order = order_of(epoch);
    // Of the epoch, and of the batches that make the next step.
    double sum = 0, gathered_sum = 0;
    int64_t gathered_rows = 0;
    for (int64_t batch = 0; batch < batches(); ++batch) {
      if (options_.stop.stop_requested()) throw Cancelled();
      const int64_t count = rows_in(batch);
      CompiledGraph& compiled = graph_for(batch).for_rows(*rows_, count);
      rows_->gather(std::span(order).subspan(static_cast<size_t>(batch * batch_size_), static_cast<size_t>(count)),
                    compiled.arrays());
      StepReport report = run_batch(compiled, epoch, batch);
      sum += report.loss * static_cast<double>(count);
      gathered_sum += report.loss * static_cast<double>(count);
      gathered_rows += count;
      ++state_.batches;
      if (!steps_after(batch)) continue;
      if (is_gathered(batch)) {
        report.norm = apply(epoch, batch);
        report.loss = gathered_sum / static_cast<double>(gathered_rows);
      }
      gathered_sum = 0;
      gathered_rows = 0;
      ++state_.steps;
      if (options_.on_step) options_.on_step(report);
    }
    return sum / static_cast<double>(rows_->count());
  }

  StepReport run_batch(CompiledGraph& compiled, int epoch, int64_t batch) {
    compiled.set(train::kSeed, static_cast<int64_t>(options_.seed));
    compiled.set(train::kBatch, state_.batches);
    compiled.set(train::kRows, static_cast<float>(rows_in(batch)));
    if (!is_gathered(batch)) compiled.set_scalars(*step_, rate_at(epoch), state_.steps + 1);
    compiled.run();
    const StepReport report{epoch + 1, batch + 1, batches(), compiled.output("loss"), compiled.output("norm")};
    if (!compiled.assigned()) refuse_step(epoch, batch, report.loss, report.norm);
    return report;
  }

  // Steps by what was gathered; gives the norm of its gradients.
  double apply(int epoch, int64_t batch) {
    apply_->set_scalars(*step_, rate_at(epoch), state_.steps + 1);
    apply_->run();
    const double norm = apply_->output("norm");
    if (!apply_->assigned()) refuse_step(epoch, batch, 0, norm);
    return norm;
  }

  [[noreturn]] static void refuse_step(int epoch, int64_t batch, double loss, double norm) {
    const std::string where = "epoch " + std::to_string(epoch + 1) + ", batch " + std::to_string(batch + 1);
    if (!std::isfinite(loss))
      throw Refused(where, "the loss is " + text_of(loss) + ". The network keeps what the step before gave it.");
    throw Refused(
        where, "the norm of the gradients is " + text_of(norm) + ". The network keeps what the step before gave it.");
  }

  double judged_loss(int epoch) {
    std::vector<int64_t> order(static_cast<size_t>(validation_->count()));
    std::iota(order.begin(), order.end(), int64_t{0});
    double sum = 0;
    const int64_t batch_size = std::min(options_.batch_size, validation_->count());
    for (int64_t from = 0; from < validation_->count(); from += batch_size) {
      const int64_t count = std::min(batch_size, validation_->count() - from);
      CompiledGraph& compiled = judging_->for_rows(*validation_, count);
      validation_->gather(std::span(order).subspan(static_cast<size_t>(from), static_cast<size_t>(count)),
                          compiled.arrays());
      compiled.run();
      sum += compiled.output("loss") * static_cast<double>(count);
    }
    const double mean = sum / static_cast<double>(validation_->count());
    if (!std::isfinite(mean))
      throw Refused("epoch " + std::to_string(epoch + 1), "the validation loss is " + text_of(mean) + ".");
    return mean;
  }

  // Whether the epoch is the best so far, by early stopping's rules or, without them, by the validation loss alone.
  bool judged(Judge& judge, int epoch, const EpochRecord& record) {
    if (!validation_) return false;
    if (!options_.early_stopping) {
      return !best_loss() || *record.validation_loss < *best_loss();
    }
    const bool better = judge.sees(epoch, *record.validation_loss);
    if (better && options_.early_stopping->restore_best) {
      const Slots& slots = saved_.network.slots();
      for (size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].role != Role::Constant) state_.best.insert_or_assign(slots[i].path, slots[i].numbers);
      }
    }
    return better;
  }

  std::optional<double> best_loss() const {
    std::optional<double> best;
    for (const EpochRecord& record : state_.history.epochs) {
      if (record.validation_loss && (!best || *record.validation_loss < *best)) best = record.validation_loss;
    }
    return best;
  }

  void finish_history() {
    History& history = state_.history;
    history.stopping = state_.judgement.stopped ? Stopping::NoLongerImproving : Stopping::AllEpochsRan;
    if (options_.early_stopping) {
      history.best_epoch = state_.judgement.best_epoch;
      return;
    }
    const std::optional<double> best = best_loss();
    for (const EpochRecord& record : history.epochs) {
      if (!best || record.validation_loss != best) continue;
      history.best_epoch = record.epoch;
      break;
    }
  }

  SavedNetwork& saved_;
  const Optimizer& optimizer_;
  const FitOptions& options_;
  std::optional<Rows> rows_, validation_;
  std::unique_ptr<Step> step_;
  std::unique_ptr<ByRows> stepping_, gathering_, judging_;
  std::unique_ptr<CompiledGraph> apply_;
  Graph judging_graph_;
  Json pace_;
  RunState state_;
  /// No more rows than there are, so that nothing counted by it leaves 64 bits.
  int64_t batch_size_ = 0;
};

}  // namespace

History fit(SavedNetwork& saved, const Examples& rows, const Optimizer& optimizer, const FitOptions& options) {
  return Run(saved, rows, optimizer, options).run();
}

History fit(SavedNetwork& saved, const Tensor& x, const Tensor& answers, const Optimizer& optimizer,
            const FitOptions& options) {
  const Network& network = saved.network;
  if (network.inputs().size() != 1 || network.outputs().size() != 1) {
    throw Refused("network", "it has " + std::to_string(network.inputs().size()) + " inputs and " +
                                 std::to_string(network.outputs().size()) +
                                 " outputs, and one of each is trained here. Hand rows and answers by name.");
  }
  const Examples rows{.inputs = {{network.inputs()[0].name, x}}, .answers = {{network.outputs()[0].name, answers}}};
  return fit(saved, rows, optimizer, options);
}

}  // namespace causeway
