#include "causeway/formats/pytorch/stated_flatten.h"

#include <charconv>
#include <string_view>

#include "causeway/base/quoted.h"

namespace causeway::formats::pytorch {
namespace {

/// "26,26,4" as lengths; none where it is no such list.
std::optional<std::vector<int64_t>> lengths_of(std::string_view text) {
  std::vector<int64_t> lengths;
  while (true) {
    int64_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc() || length < 1) return std::nullopt;
    lengths.push_back(length);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) return lengths;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

bool fits(const std::vector<int64_t>& lengths, const Shape& shape) {
  if (lengths.size() + 1 != shape.rank()) return false;
  for (size_t axis = 0; axis < lengths.size(); ++axis) {
    if (shape[axis + 1].equals(lengths[axis]) == std::optional(false)) return false;
  }
  return true;
}

}  // namespace

std::string FlattenStatements::text_of_example(const Shape& shape) {
  std::string text = "[";
  for (size_t axis = 1; axis < shape.rank(); ++axis) {
    if (axis > 1) text += ", ";
    text += shape[axis].is_number() ? shape[axis].text() : '"' + shape[axis].text() + '"';
  }
  return text + "]";
}

std::optional<AxisOrder> FlattenStatements::order_of(const std::string& flatten, const std::string& reader,
                                                     const Shape& shape) {
  auto found = stated_.find(flatten);
  if (found == stated_.end()) found = stated_.find(reader.substr(0, reader.rfind('.')));
  if (found == stated_.end()) return std::nullopt;
  used_[found->first] = true;
  const std::string& statement = found->second;
  if (statement == "series") return AxisOrder::ChannelsFirst;
  if (statement == "rows") return AxisOrder::AsHere;
  const std::optional<std::vector<int64_t>> lengths = lengths_of(statement);
  if (!lengths) {
    unfit("flatten " + quoted(flatten) + " is stated as " + quoted(statement) +
          ", and a shape such as 26,26,4, 'series' or 'rows' is read.");
  }
  if (!fits(*lengths, shape)) {
    unfit("flatten " + quoted(flatten) + " is handed " + text_of_example(shape) + " here, and is stated as " +
          text_of(std::span<const int64_t>(*lengths)) + ".");
  }
  return AxisOrder::ChannelsFirst;
}

std::vector<Fault> FlattenStatements::unused() const {
  std::vector<Fault> faults;
  for (const auto& [path, statement] : stated_) {
    if (used_.count(path) == 0) {
      faults.push_back(
          {"flattened " + quoted(path), quoted(path) + " is no flatten whose order of numbers matters here."});
    }
  }
  return faults;
}

}  // namespace causeway::formats::pytorch
