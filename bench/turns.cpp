// One side of a race: a network of words with numbers from a file answers, or steps, for as long as each line of
// standard input says, and waits in between while the other side has its turn. bench/beside_pytorch.py holds the race.
//
//   turns NUMBERS.safetensors NET.json ROWS.safetensors answer|step THREADS
//
// ROWS holds the inputs by their names, and for steps the answers by the output's. Each line "SECONDS" is answered by a
// line: the medians of a call's time and of its processor time (all threads together) in microseconds, and then what
// the last call gave: the logits, or the step's loss.

#include <time.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "causeway/answer/predict.h"
#include "causeway/base/fault.h"
#include "causeway/cli/arrays.h"
#include "causeway/cli/common.h"
#include "causeway/learn/models.h"
#include "causeway/nn/words.h"
#include "causeway/train/compiled_graph.h"
#include "causeway/train/examples.h"
#include "causeway/train/optimizer_list.h"

namespace causeway {
namespace {

SavedNetwork read(const std::string& numbers, const std::string& words) {
  const SavedNetwork stated = network_of_words(cli::text_of_file(words), words);
  SavedNetwork saved = read_model(numbers, {.network = &stated.network});
  saved.losses = stated.losses;
  return saved;
}

class Answering {
 public:
  Answering(const SavedNetwork& saved, const NamedTensors& rows, int threads)
      : rows_(rows), answerer_(saved, rows, {.threads = threads, .logits = true}) {
    for (const Door& door : saved.network.inputs()) views_.push_back(view_of(rows_.find(door.name)->second));
  }
  std::vector<float> run() {
    const TensorView logits = answerer_.run(views_)[0];
    const auto* first = static_cast<const float*>(logits.data);
    return {first, first + logits.size()};
  }

 private:
  NamedTensors rows_;
  Answerer answerer_;
  std::vector<TensorView> views_;
};

// A step of Adam as fit() makes it: the rows are gathered, the scalars worked, the graph is run.
class Stepping {
 public:
  Stepping(SavedNetwork& saved, const Examples& examples, int threads)
      : rows_(saved, examples, "rows"),
        order_(static_cast<size_t>(rows_.count())),
        step_(saved, Adam{}, {.answers = rows_.forms()}),
        graph_(cpu(), step_.batch_graph(), step_.slots(), rows_.like(rows_.count()), threads) {
    std::iota(order_.begin(), order_.end(), 0);
  }
  std::vector<float> run() {
    rows_.gather(order_, graph_.arrays());
    graph_.set(train::kBatch, number_);
    graph_.set_scalars(step_, 1e-3, ++number_);
    graph_.run();
    if (!graph_.assigned()) throw Refused("step " + std::to_string(number_), "the loss or a gradient is not finite.");
    return {static_cast<float>(graph_.output("loss"))};
  }

 private:
  train::Rows rows_;
  std::vector<int64_t> order_;
  train::Step step_;
  train::CompiledGraph graph_;
  int64_t number_ = 0;
};

double processor_us() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

double median(std::vector<double>& of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

// A call's median times, and what the last one gave. A turn of no time is a single call.
void take_turns(const std::function<std::vector<float>()>& call) {
  using Clock = std::chrono::steady_clock;
  for (double seconds = 0; std::cin >> seconds;) {
    std::vector<double> times, processor_times;
    std::vector<float> given;
    const Clock::time_point turn = Clock::now();
    do {
      const double processor = processor_us();
      const Clock::time_point start = Clock::now();
      given = call();
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
      processor_times.push_back(processor_us() - processor);
    } while (std::chrono::duration<double>(Clock::now() - turn).count() < seconds);
    std::cout << median(times) << ' ' << median(processor_times);
    std::cout.precision(9);
    for (const float number : given) std::cout << ' ' << number;
    std::cout << std::endl;
  }
}

void race(const std::string& numbers, const std::string& words, const std::string& arrays, bool steps, int threads) {
  SavedNetwork saved = read(numbers, words);
  NamedTensors rows = cli::read_arrays(arrays).named;
  Examples examples;
  for (const auto& [output, loss] : saved.losses) {
    if (auto answers = rows.extract(output)) examples.answers.insert(std::move(answers));
  }
  if (steps) {
    examples.inputs = rows;
    Stepping stepping(saved, examples, threads);
    take_turns([&] { return stepping.run(); });
  } else {
    Answering answering(saved, rows, threads);
    take_turns([&] { return answering.run(); });
  }
}

}  // namespace
}  // namespace causeway

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 5 || (words[3] != "answer" && words[3] != "step")) {
    std::cerr << "usage: turns NUMBERS.safetensors NET.json ROWS.safetensors answer|step THREADS\n";
    return 2;
  }
  try {
    causeway::race(words[0], words[1], words[2], words[3] == "step", std::stoi(words[4]));
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << '\n';
    return 1;
  }
  return 0;
}
