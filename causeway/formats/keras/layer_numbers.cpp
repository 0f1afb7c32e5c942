#include <algorithm>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/formats/keras/layer_reader.h"

// Which numbers of the file fill a layer's slots.

namespace causeway::formats::keras {

void LayerReader::number(std::string variable, std::string slot, TurnOf turn) {
  const size_t index = numbers_.size();
  numbers_.emplace(std::move(slot), NumberPlan{{inner_, index, std::move(variable)}, std::move(turn)});
}

void LayerReader::given(std::string slot, std::vector<float> numbers) {
  NumberPlan plan;
  plan.given = std::move(numbers);
  numbers_.emplace(std::move(slot), std::move(plan));
}

void LayerReader::inner_number(const std::string& inner, size_t index, std::string variable, std::string slot,
                               TurnOf turn, NumberRow row) {
  NumberPlan plan{{inner_path(inner), index, std::move(variable)}, std::move(turn)};
  plan.row = row;
  numbers_.emplace(std::move(slot), std::move(plan));
}

std::string LayerReader::cell_of(const std::string& inner) const {
  const auto below = [&](const std::string& name) { return inner.empty() ? name : inner + "/" + name; };
  if (is_archive()) return below("cell");
  const std::string all = inner_path(inner), start = all.empty() ? all : all + "/";
  for (const std::string& found : building_.numbers.inners(plan_.path)) {
    if (found == all) return inner;  // the earliest Keras 2 had no cells
    const bool is_below = found.compare(0, start.size(), start) == 0 && found.size() > start.size();
    if (is_below && found.find('/', start.size()) == std::string::npos) return below(found.substr(start.size()));
  }
  return below("cell");
}

void LayerReader::joined(std::string slot, std::vector<Part> parts) {
  NumberPlan plan;
  plan.parts = std::move(parts);
  numbers_.emplace(std::move(slot), std::move(plan));
}

void LayerReader::leave_out(std::string variable) {
  building_.numbers.take(plan_.path, {inner_, numbers_.size(), std::move(variable)});
}

// A new slot takes its numbers from the file: they are looked up here, and load() writes them, or says why it cannot.
// Memory is taken for what the file holds; a slot whose numbers do not fit has it only where it is small, so that the
// layer's other slots are looked at too.
Tensor LayerReader::first_numbers(const std::string& path, const std::vector<int64_t>& lengths) {
  const auto plan = numbers_.find(path.substr(plan_.path.size() + 1));
  CAUSEWAY_CHECK(plan != numbers_.end(), "a layer's function names the number of every slot");
  if (building_.refused_slots.contains(path)) throw Unknown{};
  const std::optional<Entry> entry = entry_of(path, lengths, plan->second);
  const bool fits = entry && entry->refused.empty();
  constexpr int64_t kMostNumbers = 1 << 16;
  if (!fits && Shape::of(lengths).count().number() > kMostNumbers) {
    building_.refused_slots.insert(path);
    building_.faults.push_back(entry ? Fault{entry->where, entry->refused}
                                     : Fault{"slot " + quoted(path),
                                             quoted(path) + " is missing: every slot of the network is written once."});
    throw Unknown{};
  }
  if (entry) building_.entries.push_back(*entry);
  return Tensor::uninitialized(DType::Float32, lengths);
}

// What the file holds for a slot; none where it lacks it.
std::optional<Entry> LayerReader::entry_of(const std::string& path, const std::vector<int64_t>& lengths,
                                           const NumberPlan& plan) {
  Entry entry;
  entry.path = path;
  if (!plan.given.empty()) return given_entry(std::move(entry), lengths, plan.given);
  if (plan.row.of > 0) return row_entry(std::move(entry), lengths, plan);
  if (!plan.parts.empty()) return joined_entry(std::move(entry), lengths, plan.parts);
  const std::optional<Hdf5Object> object = building_.numbers.take(plan_.path, plan.name);
  if (!object) return std::nullopt;
  entry.where = building_.file.place_of(object->path());
  entry.turn = plan.turn ? plan.turn(lengths) : Turn{};
  const std::vector<int64_t> in_file = entry.turn.lengths_in_file(lengths);
  try {
    const Hdf5Dataset dataset = object->dataset();
    if (dataset.lengths() == in_file) {
      entry.numbers = dataset.read();
    } else {
      entry.refused = quoted(path) + " is " + text_of(dataset.lengths()) + " in the file, and its slot here is " +
                      text_of(in_file) + ".";
    }
  } catch (const Refused& refused) {
    entry.refused = refused.faults().front().what;
  }
  return entry;
}

// Numbers that stand in the words.
Entry LayerReader::given_entry(Entry entry, const std::vector<int64_t>& lengths,
                               const std::vector<float>& numbers) const {
  constexpr int64_t kMostNumbers = 1 << 20;  // a single number in the words makes no memory without end
  const std::optional<int64_t> made = checked_product(lengths);
  if (!made || *made > kMostNumbers)
    unfit(quoted(entry.path) + " would hold more than " + std::to_string(kMostNumbers) + " numbers.");
  const auto count = static_cast<size_t>(*made);
  if (numbers.size() != 1 && numbers.size() != count) {
    unfit(quoted(entry.path) + " holds " + std::to_string(numbers.size()) + " numbers, and " + std::to_string(count) +
          " are read.");
  }
  entry.numbers = Tensor::of<float>(lengths, numbers.size() == 1 ? std::vector<float>(count, numbers[0]) : numbers);
  entry.where = place_;
  return entry;
}

// One row of a dataset whose rows fill several slots; it is taken once.
std::optional<Entry> LayerReader::row_entry(Entry entry, const std::vector<int64_t>& lengths, const NumberPlan& plan) {
  auto at = with_rows_.find(plan.name.inner);
  if (at == with_rows_.end()) {
    const std::optional<Hdf5Object> object = building_.numbers.take(plan_.path, plan.name);
    if (!object) return std::nullopt;
    at = with_rows_.emplace(plan.name.inner, *object).first;
  }
  entry.where = building_.file.place_of(at->second.path());
  entry.turn = plan.turn ? plan.turn(lengths) : Turn{};
  std::vector<int64_t> in_file = entry.turn.lengths_in_file(lengths);
  in_file.insert(in_file.begin(), plan.row.of);
  try {
    const Hdf5Dataset dataset = at->second.dataset();
    if (dataset.lengths() == in_file) {
      in_file.erase(in_file.begin());
      const Tensor all = dataset.read().converted(DType::Float32);
      const int64_t count = all.size() / plan.row.of;
      const float* first = all.values<float>().data() + plan.row.at * count;
      entry.numbers = Tensor::of<float>(in_file, std::vector<float>(first, first + count));
    } else {
      entry.refused = quoted(entry.path) + " is row " + std::to_string(plan.row.at) + " of numbers that are " +
                      text_of(dataset.lengths()) + " in the file, and " + text_of(in_file) + " is read.";
    }
  } catch (const Refused& refused) {
    entry.refused = refused.faults().front().what;
  }
  return entry;
}

// Numbers of several datasets; what one of them is not is said at its place.
std::optional<Entry> LayerReader::joined_entry(Entry entry, const std::vector<int64_t>& lengths,
                                               const std::vector<Part>& parts) {
  Tensor all(DType::Float32, lengths);
  int64_t at = 0;
  for (const Part& part : parts) {
    const auto object = building_.numbers.take(plan_.path, {inner_path(part.inner), part.index, part.variable});
    if (!object) return std::nullopt;
    entry.where = building_.file.place_of(object->path());
    try {
      const Hdf5Dataset dataset = object->dataset();
      if (dataset.lengths() != part.lengths) {
        entry.refused = quoted(entry.path) + " is joined of numbers that are " + text_of(dataset.lengths()) +
                        " in the file here, and " + text_of(part.lengths) + " is read.";
        return entry;
      }
      const Tensor numbers = dataset.read().converted(DType::Float32);
      CAUSEWAY_CHECK(at + numbers.size() <= all.size(), "parts are as long as their slot");
      std::copy_n(numbers.values<float>().data(), numbers.size(), all.mutable_values<float>().data() + at);
      at += numbers.size();
    } catch (const Refused& refused) {
      entry.refused = refused.faults().front().what;
      return entry;
    }
  }
  CAUSEWAY_CHECK(at == all.size(), "parts are as long as their slot");
  entry.numbers = std::move(all);
  return entry;
}

}  // namespace causeway::formats::keras
