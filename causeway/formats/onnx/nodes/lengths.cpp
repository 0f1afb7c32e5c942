#include "causeway/formats/onnx/nodes/lengths.h"

#include "causeway/base/checked_size.h"
#include "causeway/base/fault.h"
#include "causeway/formats/onnx/node_reader.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

std::optional<int64_t> known(const Value& x, const Length& length) {
  std::vector<int64_t> factors{length.number};
  for (const size_t axis : length.axes) {
    const std::optional<int64_t> of_x = x.shape().has_rank() ? x.shape()[axis].if_number() : std::nullopt;
    if (!of_x) return std::nullopt;
    factors.push_back(*of_x);
  }
  const bool is_left_open = length.number == -1 && length.axes.empty();
  const std::optional<int64_t> product = is_left_open ? -1 : checked_product(factors);
  if (!product) unfit("its lengths pass 2^63.");
  return *product / length.divisor;
}

// As a list of one entry.
Value entry(const Value& x, const Length& length) {
  GraphBuilder& graph = x.graph();
  if (const std::optional<int64_t> number = known(x, length)) return ops::integers(graph, {*number});
  Value product;
  for (const size_t axis : length.axes) {
    const auto at = static_cast<int64_t>(axis);
    const Value factor = graph.add1(ops::ShapeOf{.start = at, .end = at + 1}, {x});
    product = product ? ops::mul(product, factor) : factor;
  }
  if (length.number != 1) product = ops::mul(product, ops::integers(graph, {length.number}));
  if (length.divisor != 1) product = ops::div(product, ops::integers(graph, {length.divisor}));
  return product;
}

}  // namespace

Value lengths_of(const Value& x, const std::vector<Length>& lengths) {
  std::vector<int64_t> numbers;
  for (const Length& length : lengths) {
    const std::optional<int64_t> number = known(x, length);
    if (!number) break;
    numbers.push_back(*number);
  }
  if (numbers.size() == lengths.size()) return ops::integers(x.graph(), numbers);
  Values entries;
  for (const Length& length : lengths) entries.push_back(entry(x, length));
  return ops::concat(std::move(entries), 0);
}

Value length_of(const Value& x, const Length& length) { return ops::squeeze(entry(x, length), {0}); }

Value reshaped(const Value& x, const std::vector<Length>& lengths) { return ops::reshape(x, lengths_of(x, lengths)); }

Value counted(const Value& count) {
  GraphBuilder& graph = count.graph();
  return graph.add1(ops::Range{}, {graph.scalar(int64_t{0}), count, graph.scalar(int64_t{1})});
}

Value along(const Value& list, size_t axis, size_t rank) {
  std::vector<int64_t> around;
  for (size_t i = 0; i < rank; ++i) {
    if (i != axis) around.push_back(static_cast<int64_t>(i));
  }
  return around.empty() ? list : ops::unsqueeze(list, around);
}

DType known_dtype(const Value& x) {
  if (x.dtype() == DType::Unknown) not_known_yet("the dtype of what it reads is not known.");
  return x.dtype();
}

size_t known_rank(const Value& x) {
  if (!x.shape().has_rank()) not_known_yet("the rank of what it reads is not known.");
  return x.shape().rank();
}

}  // namespace causeway::formats::onnx
