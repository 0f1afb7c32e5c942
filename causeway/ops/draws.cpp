#include "causeway/ops/draws.h"

#include <algorithm>

#include "causeway/ops/build.h"
#include "causeway/ops/random_normal.h"
#include "causeway/ops/random_uniform.h"
#include "causeway/ops/rules.h"

namespace causeway::ops {
namespace {

/// The lengths of the draws: those of x in the order in which they are numbered, with 1 where one draw serves all.
Value lengths_of_draws(Value x, const std::vector<size_t>& shared, const Axes& order) {
  GraphBuilder& graph = x.graph();
  Values lengths;
  const Value of_x = shape_of(x);
  for (const size_t axis : order) {
    const bool serves_all = std::binary_search(shared.begin(), shared.end(), axis);
    lengths.push_back(serves_all ? integers(graph, {1}) : gather(of_x, integers(graph, {static_cast<int64_t>(axis)})));
  }
  return lengths.empty() ? integers(graph, {}) : concat(std::move(lengths), 0);
}

}  // namespace

template <class RandomOp>
Value draws_for(GraphBuilder& graph, const Node& node, Value x, const std::string& purpose,
                const std::vector<int64_t>& shared, const std::vector<size_t>& drawn_in) {
  const Axes order = drawn_in.empty() ? axes_or_all({}, rank_of(x)) : drawn_in;
  const Type whole{DType::Int64, Shape(std::vector<Dim>())};
  const Value lengths = lengths_of_draws(x, axes_in(shared, rank_of(x)), order);
  const Value draws = graph.add1(RandomOp{.purpose = purpose + ":" + node.scope->path},
                                 {graph.shared_input("@seed", whole), graph.shared_input("@batch", whole), lengths});
  return is_identity(order) ? draws : transpose(draws, inverse(order));
}

template Value draws_for<RandomUniform>(GraphBuilder&, const Node&, Value, const std::string&,
                                        const std::vector<int64_t>&, const std::vector<size_t>&);
template Value draws_for<RandomNormal>(GraphBuilder&, const Node&, Value, const std::string&,
                                       const std::vector<int64_t>&, const std::vector<size_t>&);

std::vector<size_t> turned_draws(const std::vector<size_t>& drawn_in, const Axes& axes) {
  // Axis k of the draws is axis drawn_in[k] of what they are for.
  std::vector<size_t> moved;
  for (const size_t axis : drawn_in.empty() ? axes_or_all({}, axes.size()) : drawn_in) moved.push_back(axes[axis]);
  if (is_identity(moved)) moved.clear();
  return moved;
}

}  // namespace causeway::ops
