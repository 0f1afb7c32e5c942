#include <gtest/gtest.h>

#include <limits>

#include "causeway/base/fault.h"
#include "causeway/base/philox.h"
#include "tests/ops/op_case.h"
#include "tests/ops/type_text.h"

// A graph read from a file can put any op on any values: its shape rule gives types or says why not, and does nothing
// else.

namespace causeway::tests {
namespace {

constexpr uint64_t kSeed = 11;

class AnyTypes {
 public:
  explicit AnyTypes(uint64_t step) : draws_(kSeed, "types", step) {}

  uint64_t below(uint64_t n) { return draws_.below(next_++, n); }

  Type type() {
    constexpr DType kDtypes[] = {DType::Unknown, DType::Float32, DType::Float32, DType::Float64,
                                 DType::Int64,   DType::Int64,   DType::Int32,   DType::Bool};
    Type type{kDtypes[below(std::size(kDtypes))], {}};
    if (below(8) == 0) return type;
    if ((type.dtype == DType::Int64 || type.dtype == DType::Int32) && below(4) > 0) return list(type.dtype);
    std::vector<Dim> dims(below(6));
    for (Dim& dim : dims) dim = length();
    type.shape = std::move(dims);
    return type;
  }

  Types types() {
    Types all(below(7));
    for (Type& one : all) one = type();
    return all;
  }

 private:
  Dim length() {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    constexpr int64_t kLengths[] = {0, 1, 2, 3, 4, 5, 7, 64, int64_t{1} << 31, int64_t{1} << 62, kMost};
    switch (below(8)) {
      case 0:
        return {};
      case 1:
        return Dim::named("N");
      case 2:
        return (Dim::named("L") - 1) / 2 + 1;
      default:
        return kLengths[below(below(4) == 0 ? std::size(kLengths) : 7)];
    }
  }

  int64_t number() {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    constexpr int64_t kNumbers[] = {0, 1, -1, 2, 3, 4, 5, -2, 7, 1000000007, -1000000007, kMost, -kMost, -kMost - 1};
    return kNumbers[below(below(4) == 0 ? std::size(kNumbers) : 7)];
  }

  Type list(DType dtype) {
    std::vector<int64_t> numbers(below(7));
    for (int64_t& one : numbers) one = number();
    if (below(6) == 0) return Type::of(Tensor::scalar(number()));
    Type type = Type::of(Tensor::of_integers(numbers).converted(dtype));
    if (below(3) > 0) return type;
    type.known.reset();
    for (Dim& dim : *type.known_dims) dim = below(3) == 0 ? length() : dim;
    if (below(2) == 0) type.known_dims.reset();
    return type;
  }

  Draws draws_;
  uint64_t next_ = 0;
};

TEST(AnyTypes, GiveTypesOrTheReasonWhyNot) {
  uint64_t step = 0;
  size_t fitting = 0;
  for (const OpCase& one : all_op_cases()) {
    for (int i = 0; i < 40; ++i) {
      AnyTypes any(step++);
      const Types inputs = any.types();
      try {
        for (const Type& made : one.op.infer(inputs)) {
          EXPECT_TRUE(!made.known || made.known->shape() == made.shape);
        }
        ++fitting;
      } catch (const Unfit& unfit) {
        EXPECT_STRNE(unfit.what(), "");
      } catch (const std::exception& broken) {
        std::string text;
        for (const Type& input : inputs) text += " " + text_of_type(input);
        ADD_FAILURE() << one.op.text() << " of" << text << " (seed " << kSeed << ", step " << step - 1
                      << "): " << broken.what();
      }
    }
  }
  EXPECT_GT(fitting, 100u);
}

}  // namespace
}  // namespace causeway::tests
