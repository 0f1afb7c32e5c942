#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/base/philox.h"
#include "causeway/base/quoted.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/common.h"
#include "causeway/cli/numbers.h"
#include "causeway/learn/models.h"
#include "causeway/train/compiled_graph.h"
#include "causeway/train/examples.h"
#include "causeway/train/optimizer_words.h"

namespace causeway::cli {
namespace {

struct Options {
  Common common;
  std::string model, optimizer = "adam";
  std::vector<std::string> inputs, targets;
  int64_t batch = 1;
  double seconds = 1;
  bool train = false;
};

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Microseconds of each call until the time is up, at least five, behind three that are not counted.
template <class Call>
std::vector<double> timed(double seconds, const Call& call) {
  constexpr int kWarm = 3;
  constexpr size_t kLeast = 5, kMost = 10'000'000;
  for (int i = 0; i < kWarm; ++i) call();
  std::vector<double> times;
  times.reserve(1 << 20);
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while ((Clock::now() < end || times.size() < kLeast) && times.size() < kMost) {
    const Clock::time_point start = Clock::now();
    call();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

double share(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<size_t>(q * static_cast<double>(sorted.size() - 1))];
}

// Lengths that an array can have.
void expect_possible(const std::string& where, const std::vector<int64_t>& lengths, DType dtype) {
  const std::optional<int64_t> count = checked_product(lengths);
  if (!count || !checked_multiply(*count, static_cast<int64_t>(size_of(dtype)))) {
    throw Refused(where, "with --batch it would be " + text_of(lengths) + ", and no array has these lengths.");
  }
}

// Normal numbers for floating inputs, noughts for whole ones.
Tensor made_up(const Door& door, int64_t batch, const Common& common) {
  if (!door.value.shape().has_rank())
    throw Refused("input " + causeway::quoted(door.name), "its rank is open: hand it over with --input.");
  std::vector<int64_t> lengths;
  for (size_t axis = 0; axis < door.value.shape().rank(); ++axis) {
    const Dim& dim = door.value.shape()[axis];
    if (!dim.is_number() && axis > 0) {
      throw Refused("input " + causeway::quoted(door.name),
                    "its length " + causeway::quoted(dim.text()) +
                        " is open: bind it with --dim, or hand an array over with --input.");
    }
    lengths.push_back(axis == 0 ? batch : dim.number());
  }
  expect_possible("input " + causeway::quoted(door.name), lengths, DType::Float64);
  Tensor tensor(DType::Float32, lengths);
  if (is_floating(door.value.dtype())) {
    const Draws draws(common.seed, "bench:" + door.name, 0);
    const std::span<float> values = tensor.mutable_values<float>();
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(draws.normal(i));
  }
  return tensor.converted(door.value.dtype());
}

// The first `batch` rows, as often as it takes.
Tensor cut_to(const std::string& where, const Tensor& tensor, int64_t batch) {
  if (tensor.rank() == 0 || tensor.lengths()[0] == batch || tensor.lengths()[0] == 0) return tensor;
  std::vector<int64_t> lengths = tensor.lengths();
  const size_t row = tensor.size_bytes() / static_cast<size_t>(lengths[0]);
  const int64_t rows = std::exchange(lengths[0], batch);
  expect_possible(where, lengths, tensor.dtype());
  Tensor cut = Tensor::uninitialized(tensor.dtype(), lengths);
  auto* to = static_cast<std::byte*>(cut.mutable_data());
  for (int64_t i = 0; i < batch; ++i)
    std::copy_n(tensor.bytes().data() + static_cast<size_t>(i % rows) * row, row, to + static_cast<size_t>(i) * row);
  return cut;
}

NamedTensors inputs_for(const Options& options, const SavedNetwork& saved, const formats::ByteSource& source) {
  NamedTensors inputs = inputs_of(saved, source, options.inputs);
  for (auto& [name, tensor] : inputs) tensor = cut_to("input " + causeway::quoted(name), tensor, options.batch);
  for (const Door& door : saved.network.inputs()) {
    if (!inputs.contains(door.name)) inputs[door.name] = made_up(door, options.batch, options.common);
  }
  return inputs;
}

// Answers that any loss takes: the first class, noughts for the rest.
Examples examples_for(const Options& options, const SavedNetwork& saved, const NamedTensors& inputs,
                      const NamedTensors& logits) {
  Examples examples{.inputs = inputs, .answers = {}};
  for (const auto& [output, loss] : saved.losses) {
    std::vector<int64_t> lengths = logits.find(output)->second.lengths();
    if (loss.answers() == AnswerKind::ClassNumbers && !lengths.empty()) lengths.pop_back();
    Tensor answers(DType::Float32, std::move(lengths));
    if (loss.answers() == AnswerKind::Shares) {
      const std::span<float> values = answers.mutable_values<float>();
      const auto classes = static_cast<size_t>(answers.lengths().back());
      for (size_t i = 0; i < values.size(); i += classes) values[i] = 1;
    }
    examples.answers[output] = std::move(answers);
  }
  for (const std::string& word : options.targets) {
    std::vector<std::string> names;
    for (const auto& [output, loss] : saved.losses) names.push_back(output);
    const auto [name, file] = split_name(word, names);
    if (names.empty()) throw Refused("loss", "the network has none to train by. Name it with --loss.");
    const Arrays arrays = read_arrays(file);
    if (arrays.named.size() != 1) {
      throw Refused(escaped(file), "it holds " + std::to_string(arrays.named.size()) + " arrays, and one is wanted.");
    }
    examples.answers[name.empty() ? names[0] : name] = cut_to(escaped(file), arrays.sole(), options.batch);
  }
  return examples;
}

std::vector<double> time_steps(const Options& options, SavedNetwork& saved, const NamedTensors& inputs) {
  std::vector<Fault> faults;
  const std::optional<StatedOptimizer> optimizer =
      read_optimizer(word_or_json(options.optimizer, "--optimizer"), "--optimizer", faults);
  refuse_if_any(std::move(faults));
  AnswerOptions answering = options.common.answering();
  answering.logits = true;
  const train::Rows rows(saved, examples_for(options, saved, inputs, predict(saved, inputs, answering)), "rows");
  train::Step step(saved, optimizer->optimizer, {.answers = rows.forms()});
  train::CompiledGraph compiled(engine_named(options.common.engine), step.batch_graph(), step.slots(),
                                rows.like(rows.count()), options.common.threads);
  std::vector<int64_t> order;
  for (int64_t row = 0; row < rows.count(); ++row) order.push_back(row);
  int64_t number = 0;
  // A step as fit() makes it: the rows are gathered, the scalars worked, the graph is run.
  return timed(options.seconds, [&] {
    rows.gather(order, compiled.arrays());
    compiled.set(train::kSeed, static_cast<int64_t>(options.common.seed));
    compiled.set(train::kBatch, number);
    compiled.set_scalars(step, optimizer->optimizer.learning_rate(), ++number);
    compiled.run();
    if (!compiled.assigned()) throw Refused("step " + std::to_string(number), "the loss or a gradient is not finite.");
  });
}

// Brings the program's own code into memory. What is timed is loading a model in a program that runs, and not the first
// touch of the code that does it, which is a matter of how the program was started.
void bring_in_code() {
#ifdef MADV_POPULATE_READ
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void*) {
        for (const ElfW(Phdr) & part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
          if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
          const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
          const uintptr_t begin = (object->dlpi_addr + part.p_vaddr) / page * page;
          const uintptr_t end = object->dlpi_addr + part.p_vaddr + part.p_memsz;
          madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
        }
        return 1;  // the first object is the program itself
      },
      nullptr);
#endif
}

int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

Exit bench(const Options& options) {
  bring_in_code();
  Clock::time_point start = Clock::now();
  const auto source = formats::ByteSource::open(options.model);
  SavedNetwork saved = options.common.read(source);
  const double load_ms = ms_since(start);
  const NamedTensors inputs = inputs_for(options, saved, source);
  std::vector<TensorView> views;
  for (const Door& door : saved.network.inputs()) views.push_back(view_of(inputs.find(door.name)->second));
  start = Clock::now();
  Answerer answerer(saved, inputs, options.common.answering());
  answerer.run(views);
  const double first_ms = ms_since(start);
  Json json{Json::Object{}};
  json.set("batch", options.batch);
  json.set("threads", options.common.threads);
  json.set("load_ms", load_ms);
  json.set("first_answer_ms", first_ms);
  const std::vector<double> times =
      options.train ? std::vector<double>{} : timed(options.seconds, [&] { answerer.run(views); });
  json.set("runs", static_cast<int64_t>(times.size()));
  json.set("min_us", times.empty() ? Json() : Json(times.front()));
  json.set("median_us", times.empty() ? Json() : Json(share(times, 0.5)));
  json.set("p99_us", times.empty() ? Json() : Json(share(times, 0.99)));
  json.set("train_step_median_us", Json());
  if (options.train) {
    const std::vector<double> steps = time_steps(options, saved, inputs);
    json.set("runs", static_cast<int64_t>(steps.size()));
    json.set("train_step_median_us", share(steps, 0.5));
  }
  json.set("peak_rss_bytes", peak_bytes());
  if (options.common.json) {
    print_json(json);
  } else {
    for (const auto& [name, value] : json.members()) {
      if (!value.is_null()) print(name + ": " + value.dump() + "\n");
    }
  }
  return Exit::Done;
}

}  // namespace

void add_bench(CLI::App& program, Run& run) {
  CLI::App* verb = program.add_subcommand("bench", "Times loading, the first answer and the answers after it");
  verb->footer("Example: causeway bench titanic.onnx --batch 128 --seconds 1");
  const auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->model, "Any file that is read")->required();
  verb->add_option("--batch", options->batch, "Rows at once")
      ->transform(whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  verb->add_option("--seconds", options->seconds, "How long is timed")
      ->check(number_above(0))
      ->type_name("S")
      ->capture_default_str();
  CLI::Option* train = verb->add_flag("--train", options->train, "Time a training step");
  verb->add_option("--input", options->inputs, "Arrays for an input; random numbers unless given")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  verb->add_option("--target", options->targets, "Answers to train by")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false)
      ->needs(train);
  verb->add_option("--optimizer", options->optimizer, "A word or its JSON object")->capture_default_str()->needs(train);
  options->common.add_json(*verb);
  options->common.add_reading(*verb);
  options->common.add_engine(*verb);
  options->common.add_seed(*verb);
  verb->callback([&run, options] { run = [options] { return bench(*options); }; });
}

}  // namespace causeway::cli
