#include "causeway/ops/reshape.h"

#include <algorithm>
#include <string>

#include "causeway/ops/build.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// The lengths asked for, 0 and -1 still among them, as far as they are known.
std::optional<std::vector<Dim>> asked_for(const Type& lengths) {
  indexing(lengths, "lengths");
  const Dim entries = entries_of(lengths, "lengths");
  if (!entries.is_number()) return std::nullopt;
  if (entries.number() > kMostAxes) {
    unfit("'lengths' names " + entries.text() + " axes, and " + std::to_string(kMostAxes) + " are the most.");
  }
  return dims_of(lengths).value_or(std::vector<Dim>(static_cast<size_t>(entries.number())));
}

/// What is left for -1: the lengths of x over those stated. Lengths that stand on both sides are struck out first, so
/// that a batch that is still open, or empty, decides nothing.
Dim left_over(const Shape& x, std::vector<Dim> stated) {
  if (!x.has_rank()) return {};
  std::vector<Dim> of_x = *x.dims;
  std::erase_if(stated, [&](const Dim& dim) {
    if (dim.is_unknown()) return false;
    const auto same = std::find(of_x.begin(), of_x.end(), dim);
    if (same == of_x.end()) return false;
    of_x.erase(same);
    return true;
  });
  const Dim count = Shape(of_x).count(), taken = Shape(stated).count();
  const Shape parts(stated);
  if (taken.is_unknown() && parts.is_bound()) unfit("the lengths of " + parts.text() + " pass 2^63 - 1 together.");
  if (taken == Dim(0)) unfit("-1 is to be worked out beside a length of 0, and any number would do.");
  if (count.is_number() && taken.is_number() && count.number() % taken.number() != 0) {
    unfit(x.text() + " does not fall into parts of " + taken.text() + ".");
  }
  return taken == Dim(1) ? count : count / taken;
}

}  // namespace

Types Reshape::infer(std::span<const Type> inputs) const {
  expect_inputs(inputs, 2);
  const Type& x = inputs[0];
  const std::optional<std::vector<Dim>> asked = asked_for(inputs[1]);
  if (!asked) return {{x.dtype, {}}};
  const std::string text = Shape(*asked).text();
  std::vector<Dim> lengths = *asked, stated;
  std::optional<size_t> open;
  bool has_zero = false;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i].is_number() && lengths[i].number() < -1)
      unfit("'lengths' is " + text + ", and no length is negative.");
    if (lengths[i] == Dim(-1)) {
      if (open) unfit("'lengths' is " + text + ", and one -1 can be worked out.");
      open = i;
      continue;
    }
    if (lengths[i] == Dim(0)) {
      has_zero = true;
      if (!allow_zero) {
        if (x.shape.has_rank() && i >= x.shape.rank()) {
          unfit("'lengths' is " + text + ", whose 0 at place " + std::to_string(i) + " copies a length, and x is " +
                x.shape.text() + ".");
        }
        lengths[i] = x.shape.has_rank() ? x.shape[i] : Dim();
      }
    }
    stated.push_back(lengths[i]);
  }
  if (open && has_zero && allow_zero) unfit("'lengths' is " + text + ", and beside a 0 that means 0 no -1 can stand.");
  if (open) lengths[*open] = left_over(x.shape, stated);
  Shape y(lengths);
  if (!open && y.count().equals(x.shape.count()) == std::optional(false)) {
    unfit("x is " + x.shape.text() + ", and " + text + " has another number of elements.");
  }
  const bool is_list = y.rank() <= 1 && x.shape.has_rank() && x.shape.rank() <= 1;
  return {integers_type(x.dtype, std::move(y), is_list ? dims_of(x) : std::nullopt)};
}

Values Reshape::gradient(GraphBuilder&, const Node& node, const Values& dy) const {
  return {reshape_like(dy[0], node.input(0)), {}};
}

}  // namespace causeway::ops
