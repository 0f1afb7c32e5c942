#include "causeway/nn/layers/einsum_dense.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "causeway/base/checked_size.h"
#include "causeway/base/quoted.h"
#include "causeway/ops/build.h"

namespace causeway::nn {
namespace {

// What "..." stands for gets letters of its own, which no equation holds.
constexpr char kFirstOfDots = 1;
constexpr size_t kMostDots = 16;
constexpr std::string_view kDots = "...";

bool is_in(char letter, const std::string& letters) { return letters.find(letter) != std::string::npos; }

/// The letters of `from` for which f holds, in their order.
template <class F>
std::string those_of(const std::string& from, F f) {
  std::string kept;
  std::copy_if(from.begin(), from.end(), std::back_inserter(kept), f);
  return kept;
}

/// Where each of the letters stands in `order`.
std::vector<size_t> places_of(const std::string& letters, const std::string& order) {
  std::vector<size_t> places;
  for (const char letter : letters) places.push_back(order.find(letter));
  return places;
}

Value turned(const Value& x, const std::string& from, const std::string& to) {
  return from == to ? x : ops::transpose(x, places_of(to, from));
}

/// The three terms of an equation, a letter an axis, for an x of a known rank.
class Equation {
 public:
  Equation(const std::string& text, size_t rank) : text_(text) {
    const size_t comma = text.find(','), arrow = text.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || arrow < comma ||
        text.find(',', comma + 1) != std::string::npos) {
      refuse("and an equation of x, a weight and what is made is read, such as \"abc,cd->abd\".");
    }
    std::string of_x = text.substr(0, comma), of_y = text.substr(arrow + 2);
    const bool opens = of_x.starts_with(kDots), closes = !opens && of_x.ends_with(kDots);
    if (opens != of_y.starts_with(kDots) || closes != (!of_y.starts_with(kDots) && of_y.ends_with(kDots))) {
      refuse("and \"...\" stands at the start or at the end of x, and in the same place of what is made.");
    }
    if (opens || closes) {
      const auto without_dots = [&](const std::string& term) {
        return opens ? term.substr(kDots.size()) : term.substr(0, term.size() - kDots.size());
      };
      of_x = without_dots(of_x);
      of_y = without_dots(of_y);
      if (of_x.size() > rank || rank - of_x.size() > kMostDots) refuse_rank(rank);
      std::string dots;
      for (size_t i = of_x.size(); i < rank; ++i) dots.push_back(static_cast<char>(kFirstOfDots + i - of_x.size()));
      of_x = opens ? dots + of_x : of_x + dots;
      of_y = opens ? dots + of_y : of_y + dots;
      first_stated_ = opens ? dots.size() : 0;
      dots_behind_ = closes ? dots.size() : 0;
    }
    x = letters_of(of_x);
    weight = letters_of(text.substr(comma + 1, arrow - comma - 1));
    y = letters_of(of_y);
    if (x.size() != rank) refuse_rank(rank);
    expect_product();
    each_place = those_of(weight, [&](char letter) { return is_in(letter, x) && is_in(letter, y); });
    summed = those_of(weight, [&](char letter) { return !is_in(letter, y); });
    made = those_of(weight, [&](char letter) { return !is_in(letter, x); });
    of_x_alone = those_of(x, [&](char letter) { return !is_in(letter, weight); });
  }

  /// What each length of y is, as far as it is stated: by the letters that the equation writes.
  std::map<char, std::optional<int64_t>> stated(const OpenLengths& output_shape) const {
    // The batch, and what the dots stand for, is not stated.
    const size_t first = std::max<size_t>(first_stated_, 1);
    const size_t wanted = y.size() - first - dots_behind_;
    if (output_shape.each.size() != wanted) {
      unfit("'output_shape' holds " + std::to_string(output_shape.each.size()) + " lengths, and " + quoted(text_) +
            " makes " + std::to_string(wanted) + " beside the batch and what \"...\" stands for.");
    }
    std::map<char, std::optional<int64_t>> lengths;
    for (size_t i = 0; i < wanted; ++i) lengths[y[first + i]] = output_shape.each[i];
    return lengths;
  }

  std::string x, weight, y;
  /// Letters of the weight: shared by all three, summed over, made anew. And those of x that the weight lacks.
  std::string each_place, summed, made, of_x_alone;

 private:
  [[noreturn]] void refuse(const std::string& why) const { unfit("'equation' is " + quoted(text_) + ", " + why); }
  [[noreturn]] void refuse_rank(size_t rank) const {
    refuse("which does not fit what it is handed, of " + std::to_string(rank) + " axes.");
  }

  std::string letters_of(const std::string& term) const {
    for (size_t i = 0; i < term.size(); ++i) {
      const char letter = term[i];
      const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                             (letter >= kFirstOfDots && letter < kFirstOfDots + static_cast<char>(kMostDots));
      if (!is_letter) refuse("and its terms are letters, and \"...\" at an end.");
      if (term.find(letter, i + 1) != std::string::npos) refuse("and a letter stands once in a term.");
    }
    return term;
  }

  void expect_product() const {
    for (const char letter : weight) {
      if (!is_in(letter, x) && !is_in(letter, y)) refuse("and each letter of the weight is one of x or of the output.");
    }
    for (const char letter : x) {
      if (!is_in(letter, weight) && !is_in(letter, y)) refuse("and no letter of x alone is summed over.");
    }
    for (const char letter : y) {
      if (!is_in(letter, x) && !is_in(letter, weight))
        refuse("and each letter of the output is one of x or the weight.");
    }
    if (x.empty() || y.empty() || x[0] != y[0] || is_in(x[0], weight)) {
      refuse("and the first axis is the batch, of x and of the output, and not of the weight.");
    }
  }

  const std::string& text_;
  size_t first_stated_ = 0, dots_behind_ = 0;
};

/// x under these lengths; itself where its axes are as many, which then have them already.
Value under(const Value& x, const std::vector<int64_t>& lengths) {
  return x.shape().rank() == lengths.size() ? x : ops::reshape(x, lengths);
}

int64_t product_of(const std::string& letters, const std::map<char, int64_t>& lengths) {
  std::vector<int64_t> factors;
  for (const char letter : letters) factors.push_back(lengths.at(letter));
  const std::optional<int64_t> product = checked_product(factors);
  if (!product) unfit("the weight's lengths pass 2^63.");
  return *product;
}

}  // namespace

// One product of matrices for each place that has a weight of its own: what is summed over becomes one axis of both
// sides, and what is made one axis of the weight.
Flow EinsumDense::build(LayerBuild& build, const Flow& x) const {
  if (!x.value.shape().has_rank()) slot_length(x.value, -1);
  const Equation terms(equation, x.value.shape().rank());
  std::map<char, int64_t> lengths;
  for (const auto& [letter, length] : terms.stated(output_shape)) {
    const size_t axis = terms.x.find(letter);
    const std::optional<int64_t> of_x = axis == std::string::npos ? std::nullopt : x.value.shape()[axis].if_number();
    if (length && of_x && *length != *of_x) {
      unfit("'output_shape' says " + std::to_string(*length) + " for " + quoted(std::string(1, letter)) +
            ", and it is handed " + x.value.shape().text() + ".");
    }
    if (length) lengths[letter] = *length;
  }
  SlotSpec spec{
      .lengths = {}, .initializer = kernel_initializer, .penalty = kernel_regularizer, .max_norm = kernel_constraint};
  for (const char letter : terms.weight) {
    const size_t axis = terms.x.find(letter);
    if (axis != std::string::npos) {
      lengths[letter] = slot_length(x.value, static_cast<int64_t>(axis));
    } else if (!lengths.contains(letter)) {
      unfit("'output_shape' leaves the length of " + quoted(std::string(1, letter)) + " open, and x has none of it.");
    }
    spec.lengths.push_back(lengths[letter]);
  }
  const int64_t in = product_of(terms.summed, lengths), out = product_of(terms.made, lengths);
  spec.fans = Fans{static_cast<double>(in), static_cast<double>(product_of(terms.each_place + terms.made, lengths))};
  spec.bound_axes = places_of(terms.summed, terms.weight);
  const Value weight = build.slot("weight", spec);

  // x as [each place…, of x alone…, summed], the weight as [each place…, 1…, summed, made].
  const std::string kept = terms.each_place + terms.of_x_alone;
  std::vector<int64_t> rows(kept.size(), 0), matrices;
  for (const char letter : terms.each_place) matrices.push_back(lengths[letter]);
  if (!terms.each_place.empty()) matrices.resize(kept.size() - 1, 1);
  rows.push_back(in);
  matrices.insert(matrices.end(), {in, out});
  const Value left = under(turned(x.value, terms.x, kept + terms.summed), rows);
  const Value right = under(turned(weight, terms.weight, terms.each_place + terms.summed + terms.made), matrices);
  rows.pop_back();
  for (const char letter : terms.made) rows.push_back(lengths[letter]);
  Value y = turned(under(ops::matmul(left, right), rows), kept + terms.made, terms.y);
  if (!bias_axes || bias_axes->empty()) return {y};

  for (const char letter : *bias_axes) {
    if (!is_in(letter, terms.y)) {
      unfit("'bias_axes' holds " + quoted(std::string(1, letter)) + ", which no axis of the output is.");
    }
  }
  SlotSpec bias{
      .lengths = {}, .initializer = bias_initializer, .penalty = bias_regularizer, .max_norm = bias_constraint};
  bias.fans = spec.fans;
  for (size_t axis = terms.y.find_first_of(*bias_axes); axis < terms.y.size(); ++axis) {
    bias.lengths.push_back(is_in(terms.y[axis], *bias_axes) ? slot_length(y, static_cast<int64_t>(axis)) : 1);
  }
  return {ops::add(y, build.slot("bias", bias))};
}

}  // namespace causeway::nn
