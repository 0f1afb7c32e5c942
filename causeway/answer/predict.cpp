#include "causeway/answer/predict.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include "causeway/answer/batches.h"
#include "causeway/answer/places.h"
#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"
#include "causeway/graph/rewrite.h"
#include "causeway/passes/bind.h"

namespace causeway {
namespace {

constexpr size_t kKeptExecutables = 16;

// An executable and the contexts that no thread is using.
class Compiled {
 public:
  explicit Compiled(std::shared_ptr<const Executable> executable) : executable_(std::move(executable)) {}

  std::unique_ptr<Context> borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Context> context = std::move(idle_.back());
        idle_.pop_back();
        return context;
      }
    }
    return executable_->context();
  }
  void give_back(std::unique_ptr<Context> context) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(context));
  }

 private:
  std::shared_ptr<const Executable> executable_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Context>> idle_;
};

// What is compiled for one network, the last used first.
class Kept final : public Companion {
 public:
  struct Key {
    const Engine* engine;
    int threads;
    bool logits;
    std::map<std::string, Loss, std::less<>> losses;
    Binding binding;

    bool same_as(const Key& other) const {
      return engine == other.engine && threads == other.threads && logits == other.logits && losses == other.losses &&
             !(binding < other.binding) && !(other.binding < binding);
    }
  };

  using ByLengths = std::map<std::string, std::vector<int64_t>, std::less<>>;

  // The inputs whose numbers decide a shape, asked once for each set of lengths.
  template <class Ask>
  std::vector<std::string> deciding(const ByLengths& lengths, const Ask& ask) {
    const std::lock_guard lock(mutex_);
    if (deciding_.size() > kKeptExecutables) deciding_.clear();
    const auto at = deciding_.find(lengths);
    return at != deciding_.end() ? at->second : deciding_[lengths] = ask();
  }

  template <class Make>
  std::shared_ptr<Compiled> find(const Key& key, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        if (!at->first.same_as(key)) continue;
        entries_.splice(entries_.begin(), entries_, at);
        return at->second;
      }
    }
    auto made = std::make_shared<Compiled>(make());
    const std::lock_guard lock(mutex_);
    entries_.emplace_front(key, made);
    if (entries_.size() > kKeptExecutables) entries_.pop_back();
    return made;
  }

 private:
  std::mutex mutex_;
  std::list<std::pair<Key, std::shared_ptr<Compiled>>> entries_;
  std::map<ByLengths, std::vector<std::string>> deciding_;
};

// The inputs in the order and dtype of the doors; all faults at once.
std::vector<Tensor> at_doors(const Network& network, const NamedTensors& inputs) {
  std::vector<Fault> faults;
  std::vector<Tensor> taken;
  for (const Door& door : network.inputs()) {
    const std::string where = "input " + quoted(door.name);
    const auto given = inputs.find(door.name);
    if (given == inputs.end()) {
      faults.push_back({where, "nothing is handed to it, and the network takes " + door.value.type().text() + "."});
      continue;
    }
    try {
      taken.push_back(as_input(given->second, door.value.dtype()));
    } catch (const Unfit& unfit) {
      faults.push_back({where, unfit.what()});
    }
  }
  for (const auto& [name, tensor] : inputs) {
    if (!network.graph().input(name)) {
      faults.push_back({"input " + quoted(name), "the network has no input of this name."});
    }
  }
  refuse_if_any(std::move(faults));
  return taken;
}

bool is_unknown(const Shape& shape) {
  if (!shape.has_rank()) return true;
  return std::any_of(shape.dims->begin(), shape.dims->end(), [](const Dim& dim) { return dim.is_unknown(); });
}

// Whether the numbers of an input may decide a length.
bool may_be_decided(const Graph& graph) {
  for (const Node* node : graph.nodes()) {
    if (node->op.is_expanded()) return true;
    for (const Value& output : node->outputs) {
      if (is_unknown(output.shape())) return true;
    }
  }
  for (const Door& door : graph.inputs()) {
    if (!is_floating(door.value.dtype())) return true;
  }
  return false;
}

Binding binding_of(const Graph& graph, Slots& slots, const std::vector<Tensor>& inputs, Kept* kept) {
  Binding binding;
  for (size_t i = 0; i < inputs.size(); ++i) binding.lengths[graph.inputs()[i].name] = inputs[i].lengths();
  if (!may_be_decided(graph)) return binding;
  const auto ask = [&] { return passes::deciding_inputs(graph, slots, {.lengths = binding.lengths}); };
  for (const std::string& name : kept ? kept->deciding(binding.lengths, ask) : ask()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (graph.inputs()[i].name == name) binding.values[name] = inputs[i];
    }
  }
  return binding;
}

Slots shared_slots(const SavedNetwork& saved) {
  Slots slots;
  for (size_t i = 0; i < saved.network.slots().size(); ++i) slots.share(saved.network.slots().shared(i));
  return slots;
}

std::vector<TensorView> views_of(const std::vector<Tensor>& tensors) {
  std::vector<TensorView> views;
  for (const Tensor& tensor : tensors) views.push_back(view_of(tensor));
  return views;
}

const Engine& engine_of(const AnswerOptions& options) { return options.engine ? *options.engine : cpu(); }

}  // namespace

Tensor as_input(const Tensor& given, DType dtype) {
  if (given.dtype() == dtype || dtype == DType::Unknown) return given;
  const std::string both =
      "it is " + std::string(name_of(given.dtype())) + " here, and the network takes " + std::string(name_of(dtype));
  if (is_floating(dtype)) {
    if (is_floating(given.dtype())) return given.converted(dtype);
    unfit(both + ". Convert it first.");
  }
  const Tensor taken = given.converted(dtype);
  for (int64_t i = 0; i < given.size(); ++i) {
    if (taken.number_at(i) != given.number_at(i)) {
      unfit(both + ", in which " + text_of(given.number_at(i)) + " is not exact.");
    }
  }
  return taken;
}

Graph answering_graph(const SavedNetwork& saved, bool logits, Slots& slots) {
  const Graph& graph = saved.network.graph();
  if (logits || saved.losses.empty()) return graph;
  GraphBuilder builder(slots);
  const ValueMap made = copy_nodes(builder, graph);
  for (const Door& door : graph.outputs()) {
    const auto loss = saved.losses.find(door.name);
    const Value value = made.at(door.value);
    builder.output(door.name, loss == saved.losses.end() ? value : loss->second.answer(value), door.axes);
  }
  return std::move(builder).finish();
}

NamedTensors predict(const SavedNetwork& saved, const NamedTensors& inputs, const AnswerOptions& options) {
  if (options.batch > 0) return answer::predict_in_batches(saved, inputs, options);
  const std::vector<Tensor> taken = at_doors(saved.network, inputs);
  Slots slots = shared_slots(saved);
  const auto kept = std::static_pointer_cast<Kept>(saved.network.companion([] { return std::make_shared<Kept>(); }));
  Kept::Key key{&engine_of(options), options.threads, options.logits, saved.losses,
                binding_of(saved.network.graph(), slots, taken, kept.get())};
  const std::shared_ptr<Compiled> compiled = kept->find(key, [&] {
    const Graph graph = answering_graph(saved, options.logits, slots);
    std::shared_ptr<const Executable> made =
        key.engine->compile(graph, slots, key.binding, {.threads = options.threads});
    answer::expect_places(saved, key.binding.lengths);
    return made;
  });
  std::unique_ptr<Context> context = compiled->borrow();
  const std::vector<TensorView> views = views_of(taken);
  const std::span<const TensorView> answers = context->run(views);
  NamedTensors named;
  for (size_t i = 0; i < answers.size(); ++i) named[saved.network.outputs()[i].name] = copy_of(answers[i]);
  compiled->give_back(std::move(context));
  return named;
}

Tensor predict(const SavedNetwork& saved, const Tensor& rows, const Engine& engine) {
  const Network& network = saved.network;
  if (network.inputs().size() != 1 || network.outputs().size() != 1) {
    throw Refused("network", "it has " + std::to_string(network.inputs().size()) + " inputs and " +
                                 std::to_string(network.outputs().size()) +
                                 " outputs, and one of each is asked for here. Hand and take them by name.");
  }
  return predict(saved, {{network.inputs()[0].name, rows}}, {.engine = &engine}).begin()->second;
}

Answerer::Answerer(const SavedNetwork& saved, const NamedTensors& like, const AnswerOptions& options)
    : slots_(shared_slots(saved)) {
  const std::vector<Tensor> taken = at_doors(saved.network, like);
  const Binding binding = binding_of(saved.network.graph(), slots_, taken, nullptr);
  const Graph graph = answering_graph(saved, options.logits, slots_);
  executable_ = engine_of(options).compile(graph, slots_, binding, {.threads = options.threads});
  answer::expect_places(saved, binding.lengths);
  context_ = executable_->context();
}

}  // namespace causeway
