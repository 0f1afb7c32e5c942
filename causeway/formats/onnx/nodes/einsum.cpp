#include <algorithm>
#include <map>
#include <string>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

// An equation's letters, one an axis. What `...` stands for gets letters of its own, which no equation holds.
constexpr char kFirstOfDots = 1;

struct Operand {
  Value value;
  std::string letters;
};

bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }

// One term of the equation as letters; `dots` axes stand for its `...`, the last of all that dots may stand for.
std::string letters_of(const std::string& term, std::optional<size_t> rank, size_t& most_dots) {
  std::string letters;
  size_t stated = 0;
  for (const char letter : term) stated += is_letter(letter) ? 1 : 0;
  for (size_t i = 0; i < term.size(); ++i) {
    if (is_letter(term[i])) {
      letters.push_back(term[i]);
    } else if (term.compare(i, 3, "...") == 0) {
      const size_t dots = rank ? *rank - std::min(*rank, stated) : most_dots;
      if (rank) most_dots = std::max(most_dots, dots);
      if (most_dots > 16) unfit("its equation's '...' stands for more axes than are read.");
      // Counted from the last, so that operands of different rank broadcast.
      for (size_t dot = dots; dot > 0; --dot) letters.push_back(static_cast<char>(kFirstOfDots + dot - 1));
      i += 2;
    } else {
      unfit("its equation holds '" + term + "', which is no term of letters.");
    }
  }
  if (rank && letters.size() != *rank) {
    unfit("its equation has '" + term + "' for an operand of rank " + std::to_string(*rank) + ".");
  }
  return letters;
}

// A letter twice in a term means the diagonal: places where both axes agree, taken from the two as one axis.
Operand without_repeats(Operand operand) {
  for (size_t i = 0; i < operand.letters.size(); ++i) {
    const size_t again = operand.letters.find(operand.letters[i], i + 1);
    if (again == std::string::npos) continue;
    Axes order;
    for (size_t axis = 0; axis < operand.letters.size(); ++axis) {
      if (axis != i && axis != again) order.push_back(axis);
    }
    std::string letters;
    std::vector<Length> lengths;
    const Value x = operand.value;
    for (const size_t axis : order) {
      letters.push_back(operand.letters[axis]);
      lengths.push_back(Length::axis(axis));
    }
    letters.push_back(operand.letters[i]);
    order.push_back(i);
    order.push_back(again);
    lengths.push_back(Length::product({i, again}));
    const Value flat = ops::reshape(ops::transpose(x, order), lengths_of(x, lengths));
    const Value side = length_of(x, Length::axis(i));
    const Value places = ops::mul(counted(side), ops::shifted(side, 1));
    return without_repeats({ops::gather(flat, places, -1), letters});
  }
  return operand;
}

// Letters that no one asks for any more are summed over.
Operand summed(const Operand& operand, const std::string& wanted) {
  std::vector<int64_t> gone;
  std::string kept;
  for (size_t axis = 0; axis < operand.letters.size(); ++axis) {
    if (wanted.find(operand.letters[axis]) == std::string::npos) {
      gone.push_back(static_cast<int64_t>(axis));
    } else {
      kept.push_back(operand.letters[axis]);
    }
  }
  return gone.empty() ? operand : Operand{ops::reduce_sum(operand.value, gone), kept};
}

// The operand's axes in the order of `letters`, with a length of 1 for those it has not.
Value in_order(const Operand& operand, const std::string& letters) {
  Axes order;
  std::vector<int64_t> put_in;
  for (size_t i = 0; i < letters.size(); ++i) {
    const size_t axis = operand.letters.find(letters[i]);
    if (axis == std::string::npos) {
      put_in.push_back(static_cast<int64_t>(i));
    } else {
      order.push_back(axis);
    }
  }
  const Value turned = is_identity(order) ? operand.value : ops::transpose(operand.value, order);
  return put_in.empty() ? turned : ops::unsqueeze(turned, put_in);
}

std::string common(const std::string& a, const std::string& b) {
  std::string both;
  for (const char letter : a) {
    if (b.find(letter) != std::string::npos) both.push_back(letter);
  }
  return both;
}

std::string without(const std::string& a, const std::string& b) {
  std::string left;
  for (const char letter : a) {
    if (b.find(letter) == std::string::npos) left.push_back(letter);
  }
  return left;
}

Value rows_of(const Value& x, size_t batch, size_t rows) {
  std::vector<Length> lengths;
  std::vector<size_t> first, second;
  for (size_t axis = 0; axis < known_rank(x); ++axis) {
    if (axis < batch) {
      lengths.push_back(Length::axis(axis));
    } else {
      (axis < batch + rows ? first : second).push_back(axis);
    }
  }
  lengths.push_back(Length::product(first));
  lengths.push_back(Length::product(second));
  return reshaped(x, lengths);
}

// Two operands multiplied, what both have and nobody wants summed over: a product of matrices for each place of what
// both have and is wanted.
Operand multiplied(const Operand& a, const Operand& b, const std::string& wanted) {
  const std::string both = common(a.letters, b.letters);
  const std::string batch = common(both, wanted), inner = without(both, wanted);
  if (inner.empty()) {
    const std::string all = a.letters + without(b.letters, a.letters);
    return {ops::mul(in_order(a, all), in_order(b, all)), all};
  }
  const std::string of_a = without(a.letters, both), of_b = without(b.letters, both);
  const Value left = rows_of(in_order(a, batch + of_a + inner), batch.size(), of_a.size());
  const Value right = rows_of(in_order(b, batch + inner + of_b), batch.size(), inner.size());
  const Value product = ops::matmul(left, right);
  Values lengths;
  for (const char letter : batch + of_a) {
    const size_t axis = a.letters.find(letter);
    lengths.push_back(lengths_of(a.value, {Length::axis(axis)}));
    // A batch of length 1 on one side is spread by the product.
    const size_t other = b.letters.find(letter);
    if (other != std::string::npos && a.value.shape()[axis] == Dim(1))
      lengths.back() = lengths_of(b.value, {Length::axis(other)});
  }
  for (const char letter : of_b) lengths.push_back(lengths_of(b.value, {Length::axis(b.letters.find(letter))}));
  const std::string letters = batch + of_a + of_b;
  if (letters.empty()) return {ops::squeeze(product), ""};
  return {ops::reshape(product, ops::concat(lengths, 0)), letters};
}

std::string plain(const std::string& text) {
  std::string kept;
  for (const char letter : text) {
    if (letter != ' ') kept.push_back(letter);
  }
  return kept;
}

// Letters that stand once, in the order of the alphabet, behind what the dots stand for.
std::string implicit_output(const std::vector<Operand>& operands, size_t dots) {
  std::map<char, int> times;
  for (const Operand& operand : operands) {
    for (const char letter : operand.letters) ++times[letter];
  }
  std::string letters;
  for (size_t dot = dots; dot > 0; --dot) letters.push_back(static_cast<char>(kFirstOfDots + dot - 1));
  for (const auto& [letter, count] : times) {
    if (is_letter(letter) && count == 1) letters.push_back(letter);
  }
  return letters;
}

}  // namespace

Values read_einsum(NodeReader& node) {
  const std::string equation = plain(node.text("equation", ""));
  const size_t arrow = equation.find("->");
  const std::string terms = equation.substr(0, arrow);
  std::vector<Operand> operands;
  size_t dots = 0, begin = 0;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const size_t comma = terms.find(',', begin);
    if ((comma == std::string::npos) != (i + 1 == node.input_count())) {
      unfit("its equation is '" + equation + "', and it has " + std::to_string(node.input_count()) + " operands.");
    }
    const std::string term = terms.substr(begin, comma - begin);
    operands.push_back(without_repeats({node.input(i), letters_of(term, known_rank(node.input(i)), dots)}));
    begin = comma + 1;
  }
  const std::string output = arrow == std::string::npos ? implicit_output(operands, dots)
                                                        : letters_of(equation.substr(arrow + 2), std::nullopt, dots);
  for (size_t i = 0; i < output.size(); ++i) {
    const bool is_read = std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.letters.find(output[i]) != std::string::npos;
    });
    if (!is_read || output.find(output[i], i + 1) != std::string::npos) {
      unfit("its equation is '" + equation + "', whose output names an axis twice or one that no operand has.");
    }
  }
  // From the first to the last; what neither the output nor a later operand names is summed over.
  Operand all = operands[0];
  for (size_t i = 1; i <= operands.size(); ++i) {
    std::string later = output;
    for (size_t j = i; j < operands.size(); ++j) later += operands[j].letters;
    all = summed(all, later);
    if (i == operands.size()) break;
    std::string wanted = output;
    for (size_t j = i + 1; j < operands.size(); ++j) wanted += operands[j].letters;
    all = multiplied(all, summed(operands[i], wanted + all.letters), wanted);
  }
  return {in_order(all, output)};
}

}  // namespace causeway::formats::onnx
