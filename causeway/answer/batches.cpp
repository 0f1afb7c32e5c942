#include "causeway/answer/batches.h"

#include <algorithm>
#include <optional>

#include "causeway/base/fault.h"
#include "causeway/base/quoted.h"

namespace causeway::answer {
namespace {

// The rows of every input.
int64_t rows_of(const NamedTensors& inputs) {
  std::optional<int64_t> rows;
  for (const auto& [name, tensor] : inputs) {
    const std::string where = "input " + quoted(name);
    if (tensor.rank() == 0) throw Refused(where, "it is one number, and batches are cut from rows.");
    if (rows && *rows != tensor.lengths()[0]) {
      throw Refused(where, "it has " + std::to_string(tensor.lengths()[0]) + " rows and another input " +
                               std::to_string(*rows) + ", and batches are cut from all alike.");
    }
    rows = tensor.lengths()[0];
  }
  return rows.value_or(0);
}

Tensor rows_between(const Tensor& tensor, int64_t from, int64_t count) {
  std::vector<int64_t> lengths = tensor.lengths();
  const size_t row = tensor.size_bytes() / static_cast<size_t>(lengths[0]);
  lengths[0] = count;
  Tensor part = Tensor::uninitialized(tensor.dtype(), lengths);
  std::copy_n(tensor.bytes().data() + static_cast<size_t>(from) * row, part.size_bytes(),
              static_cast<std::byte*>(part.mutable_data()));
  return part;
}

// The rows of one output, batch by batch.
class Joined {
 public:
  void take(const std::string& name, const Tensor& part, int64_t count, int64_t rows) {
    if (part.rank() == 0 || part.lengths()[0] != count) {
      throw Refused("output " + quoted(name), "it gives " + text_of(part.lengths()) + " for " + std::to_string(count) +
                                                  " rows, and is no list of rows that batches make up.");
    }
    std::vector<int64_t> lengths = part.lengths();
    lengths[0] = rows;
    if (at_ == 0) whole_ = Tensor::uninitialized(part.dtype(), lengths);
    if (whole_.lengths() != lengths) {
      throw Refused("output " + quoted(name),
                    "a batch gives " + text_of(part.lengths()) +
                        ", and those before it other lengths behind the rows: " + "answer all rows at once.");
    }
    const size_t row = part.size_bytes() / static_cast<size_t>(count);
    std::copy_n(part.bytes().data(), part.size_bytes(), static_cast<std::byte*>(whole_.mutable_data()) + at_ * row);
    at_ += static_cast<size_t>(count);
  }
  Tensor whole() && { return std::move(whole_); }

 private:
  Tensor whole_;
  size_t at_ = 0;
};

}  // namespace

NamedTensors predict_in_batches(const SavedNetwork& saved, const NamedTensors& inputs, const AnswerOptions& options) {
  AnswerOptions at_once = options;
  at_once.batch = 0;
  const int64_t rows = rows_of(inputs);
  if (options.batch >= rows) return predict(saved, inputs, at_once);
  std::map<std::string, Joined> joined;
  for (int64_t from = 0; from < rows; from += options.batch) {
    const int64_t count = std::min(options.batch, rows - from);
    NamedTensors part;
    for (const auto& [name, tensor] : inputs) part[name] = rows_between(tensor, from, count);
    for (const auto& [name, tensor] : predict(saved, part, at_once)) joined[name].take(name, tensor, count, rows);
  }
  NamedTensors answers;
  for (auto& [name, parts] : joined) answers[name] = std::move(parts).whole();
  return answers;
}

}  // namespace causeway::answer
