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

namespace causeway {
namespace {

using train::CompiledGraph;
using train::Judge;
using train::Rows;
using train::RunState;
using train::Step;

using Arrays = std::map<std::string, Tensor, std::less<>>;

constexpr uint64_t kSeeds = uint64_t{1} << 53;

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
      : saved_(saved), optimizer_(optimizer), options_(options), rows_(checked(saved, examples, options)) {
    take_validation();
    if (!options.class_weight.empty()) rows_.weigh_classes(saved, options.class_weight);
    step_ = std::make_unique<Step>(saved, optimizer,
                                   train::StepOptions{.clip_norm = options.clip_norm,
                                                      .clip_value = options.clip_value,
                                                      .accumulate = options.accumulate,
                                                      .answers = rows_.forms(),
                                                      .groups = options.groups});
    const Engine& engine = engine_of(options);
    batches_ = std::make_unique<ByRows>(engine, step_->batch_graph(), step_->slots(), options.threads);
    // Both sizes now, so that what a batch cannot be is refused before the first one.
    batch_size_ = std::min(options.batch_size, rows_.count());
    const int64_t rest = rows_.count() % batch_size_;
    batches_->for_rows(rows_, batch_size_);
    if (rest != 0) batches_->for_rows(rows_, rest);
    if (step_->apply_graph()) {
      apply_ =
          std::make_unique<CompiledGraph>(engine, *step_->apply_graph(), step_->slots(), Arrays{}, options.threads);
    }
    if (validation_) {
      judging_graph_ = judging_graph(saved, step_->slots(), validation_->forms());
      judging_ = std::make_unique<ByRows>(engine, judging_graph_, step_->slots(), options.threads);
    }
    pace_ =
        train::pace_of(saved, optimizer, options, rows_.fingerprint(), validation_ ? validation_->fingerprint() : "");
    state_.history.seed = options.seed;
    if (!options.resume.empty()) state_ = train::resume(options.resume, saved, step_->slots(), pace_, options.epochs);
  }

  History run() {
    Judge judge(options_.early_stopping.value_or(EarlyStopping{}), state_.judgement);
    for (int epoch = state_.epochs_done; epoch < options_.epochs && !judge.state().stopped; ++epoch) {
      EpochRecord record{epoch + 1, train_epoch(epoch), std::nullopt, optimizer_.learning_rate()};
      if (validation_) record.validation_loss = judged_loss(epoch);
      const bool better = judged(judge, epoch, record);
      state_.history.epochs.push_back(record);
      state_.judgement = judge.state();
      state_.epochs_done = epoch + 1;
      finish_history();
      if (options_.checkpoint && (better || !options_.checkpoint->best_only)) {
        train::write_checkpoint(options_.checkpoint->file, saved_, step_->slots(), state_, pace_);
      }
      if (options_.on_epoch) options_.on_epoch(record);
    }
    for (const auto& [path, numbers] : state_.best) saved_.network.slots().at(path).assign(numbers);
    return state_.history;
  }

 private:
  // Options that make no sense are refused with the rows' own faults.
  static Rows checked(const SavedNetwork& saved, const Examples& examples, const FitOptions& options) {
    std::vector<Fault> faults;
    const auto say = [&](std::string what) { faults.push_back({"options", std::move(what)}); };
    if (options.seed >= kSeeds) say("the seed is " + std::to_string(options.seed) + ", and lies below 2^53.");
    if (options.epochs < 1) say("'epochs' is " + std::to_string(options.epochs) + ", and at least 1 is run.");
    if (options.batch_size < 1)
      say("'batch_size' is " + std::to_string(options.batch_size) + ", and at least 1 is read.");
    if (options.accumulate < 1)
      say("'accumulate' is " + std::to_string(options.accumulate) + ", and at least 1 is read.");
    for (const auto& [name, limit] :
         {std::pair("clip_norm", options.clip_norm), std::pair("clip_value", options.clip_value)}) {
      if (limit && !(*limit > 0 && std::isfinite(*limit)))
        say("'" + std::string(name) + "' is " + text_of(*limit) + ", and is finite and above 0.");
    }
    if (options.validation && options.validation_share) say("validation is stated both as a share and as rows.");
    if (options.validation_share && !(*options.validation_share > 0 && *options.validation_share < 1)) {
      say("the validation share is " + text_of(*options.validation_share) + ", and lies between 0 and 1.");
    }
    const bool validates = options.validation || options.validation_share;
    if (options.early_stopping && !validates)
      say("early stopping judges by a validation loss, and no validation rows are stated.");
    if (options.checkpoint && options.checkpoint->best_only && !validates)
      say("'best_only' judges by a validation loss, and no validation rows are stated.");
    for (const auto& [number, weight] : options.class_weight) {
      if (!(weight >= 0 && std::isfinite(weight)))
        say("the weight of class " + std::to_string(number) + " is " + text_of(weight) +
            ", and is finite and at least 0.");
    }
    refuse_if_any(std::move(faults));
    return Rows(saved, examples, "training rows");
  }

  void take_validation() {
    if (options_.validation) validation_.emplace(saved_, *options_.validation, "validation rows");
    if (!options_.validation_share) return;
    const int64_t count = rows_.count();
    const auto kept = static_cast<int64_t>(std::floor(static_cast<double>(count) * (1 - *options_.validation_share)));
    if (kept == 0 || kept == count) {
      throw Refused("options", "a validation share of " + text_of(*options_.validation_share) + " of " +
                                   std::to_string(count) + " rows leaves a part empty.");
    }
    validation_ = rows_.split_off(count - kept);
  }

  std::vector<int64_t> order_of(int epoch) const {
    if (options_.shuffle)
      return Draws(options_.seed, "shuffle", static_cast<uint64_t>(epoch)).permutation(rows_.count());
    std::vector<int64_t> order(static_cast<size_t>(rows_.count()));
    std::iota(order.begin(), order.end(), int64_t{0});
    return order;
  }

  // One pass over the training rows; gives the mean loss by rows.
  double train_epoch(int epoch) {
    const std::vector<int64_t> order = order_of(epoch);
    const int64_t batches = (rows_.count() + batch_size_ - 1) / batch_size_;
    double sum = 0;
    for (int64_t batch = 0; batch < batches; ++batch) {
      if (options_.stop.stop_requested()) throw Cancelled();
      const int64_t from = batch * batch_size_;
      const int64_t count = std::min(batch_size_, rows_.count() - from);
      CompiledGraph& compiled = batches_->for_rows(rows_, count);
      rows_.gather(std::span(order).subspan(static_cast<size_t>(from), static_cast<size_t>(count)), compiled.arrays());
      run_batch(compiled, count);
      const double loss = compiled.output("loss"), norm = compiled.output("norm");
      if (!compiled.assigned()) refuse_step(epoch, batch, loss, norm);
      sum += loss * static_cast<double>(count);
      ++state_.batches;
      ++gathered_;
      if (apply_ && (gathered_ == options_.accumulate || batch + 1 == batches)) apply(epoch, batch);
      if (!apply_) ++state_.steps;
      if (options_.on_step) options_.on_step({epoch + 1, batch + 1, batches, loss, norm});
    }
    return sum / static_cast<double>(rows_.count());
  }

  void run_batch(CompiledGraph& compiled, int64_t count) {
    compiled.set(train::kSeed, static_cast<int64_t>(options_.seed));
    compiled.set(train::kBatch, state_.batches);
    compiled.set(train::kRows, static_cast<float>(count));
    if (!apply_) set_scalars(compiled);
    compiled.run();
  }

  void set_scalars(CompiledGraph& compiled) {
    compiled.set_scalars(*step_, optimizer_.learning_rate(), state_.steps + 1);
  }

  void apply(int epoch, int64_t batch) {
    set_scalars(*apply_);
    apply_->run();
    if (!apply_->assigned()) refuse_step(epoch, batch, 0, apply_->output("norm"));
    gathered_ = 0;
    ++state_.steps;
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
      const bool better = !best_loss() || *record.validation_loss < *best_loss();
      return better;
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
  Rows rows_;
  std::optional<Rows> validation_;
  std::unique_ptr<Step> step_;
  std::unique_ptr<ByRows> batches_, judging_;
  std::unique_ptr<CompiledGraph> apply_;
  Graph judging_graph_;
  Json pace_;
  RunState state_;
  /// No more rows than there are, so that nothing counted by it leaves 64 bits.
  int64_t batch_size_ = 0;
  int gathered_ = 0;
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
