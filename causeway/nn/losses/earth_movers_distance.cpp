#include "causeway/nn/losses/earth_movers_distance.h"

#include <algorithm>

#include "causeway/nn/losses/answer_faults.h"
#include "causeway/nn/losses/row_terms.h"
#include "causeway/ops/build.h"
#include "causeway/ops/softmax.h"

namespace causeway {
namespace {

constexpr char kNothingHeld[] = "bands that hold nothing have no shares to compare.";

// Running totals along the last axis, by doubling: each pass adds what stands 1, 2, 4 … places before.
Value running_totals(Value terms, int64_t count) {
  for (int64_t step = 1; step < count; step *= 2) {
    const Value before = ops::slice(terms, -1, 0, count - step);
    const Value nothing = ops::full_like(ops::slice(terms, -1, 0, step), 0);
    terms = ops::add(terms, ops::concat({nothing, before}, -1));
  }
  return terms;
}

// sum over j < count of |sum over i <= j of difference_i|, along the last axis; the last total is 0 by nature.
Value moved(Value difference, int64_t count) {
  const Value all_but_last = ops::slice(difference, -1, 0, count - 1);
  return ops::reduce_sum(ops::abs(running_totals(all_but_last, count - 1)), {-1});
}

}  // namespace

std::optional<Op> EarthMoversDistance::activation() const { return ops::Softmax{}; }

Value EarthMoversDistance::rows(Value logits, Value answers) const {
  const int64_t classes = nn::classes_of(logits);
  if (classes < 2) unfit("a loss over classes takes two of them or more, and there is one.");
  const Value shares = nn::shares_of(answers, logits), chances = ops::softmax(logits);
  if (!remainder) return nn::mean_of_rows(moved(ops::sub(chances, shares), classes));
  const int64_t bands = classes - 1;
  const Value left_over = ops::slice(ops::sub(chances, shares), -1, bands, classes);
  Value distance = ops::reduce_sum(ops::abs(left_over), {-1});
  if (bands > 1) {
    const Value held = ops::slice(shares, -1, 0, bands);
    const Value shares_of_held = ops::div(held, ops::reduce_sum(held, {-1}, /*keepdims=*/true));
    const Value chances_of_held = ops::softmax(ops::slice(logits, -1, 0, bands));
    distance = ops::add(distance, moved(ops::sub(chances_of_held, shares_of_held), bands));
  }
  return nn::mean_of_rows(distance);
}

void EarthMoversDistance::check(const Tensor& answers, nn::AnswerFaults& faults) const {
  nn::expect_shares(answers, faults);
  if (!remainder) return;
  const int64_t classes = faults.classes();
  if (answers.dtype() == DType::Int64) {
    for (int64_t i = 0; i < answers.size(); ++i) {
      if (answers.number_at(i) == static_cast<double>(classes - 1)) faults.refuse(i, kNothingHeld);
    }
    return;
  }
  const std::span<const float> values = answers.values<float>();
  for (size_t from = 0; from < values.size(); from += static_cast<size_t>(classes)) {
    const std::span<const float> bands = values.subspan(from, static_cast<size_t>(classes - 1));
    if (std::any_of(bands.begin(), bands.end(), [](float share) { return share > 0; })) continue;
    faults.refuse_row(faults.row_of(static_cast<int64_t>(from)),
                      std::string("all of it is left over, and ") + kNothingHeld);
  }
}

}  // namespace causeway
