#include "causeway/ops/dropout.h"
#include "causeway/ops/noise.h"
#include "causeway/ops/random_normal.h"
#include "causeway/ops/random_uniform.h"
#include "tests/ops/case_list.h"
#include "tests/ops/over_shapes.h"

namespace causeway::tests {

OpCases dropout_cases() {
  OpCases cases;
  over_shapes(cases, "dropout answering", ops::Dropout{.rate = 0.5f}, floats({}), kEqualBits);
  over_shapes(cases, "gaussian noise answering", ops::GaussianNoise{.stddev = {0.5f}}, floats({}), kEqualBits);
  over_shapes(cases, "gaussian dropout answering", ops::GaussianDropout{.rate = 0.5f}, floats({}), kEqualBits);
  over_shapes(cases, "alpha dropout answering", ops::AlphaDropout{.rate = 0.5f}, floats({}), kEqualBits);
  const InputCase seed = given(DType::Int64, {}, {7}), step = given(DType::Int64, {}, {3});
  const ops::RandomUniform draw{.purpose = "dropout:1"};
  // From the specification.
  cases.push_back({.name = "draws stated",
                   .op = draw,
                   .inputs = {seed, step, known({2, 4})},
                   .expected = {{0.761201203, 0.685072958, 0.862005532, 0.739487767, 0.491834641, 0.125825882,
                                 0.304513812, 0.520090878}}});
  cases.push_back({.name = "normals stated",
                   .op = ops::RandomNormal{.purpose = "init:0.weight"},
                   .inputs = {seed, given(DType::Int64, {}, {0}), known({4})},
                   .expected = {{-0.772169173, 0.610907376, 1.60744047, -1.62786341}}});
  for (const std::vector<double>& lengths :
       std::vector<std::vector<double>>{{}, {1}, {0}, {3}, {7}, {15}, {17}, {5, 0}, {3, 31}, {1023}}) {
    std::string text = "[";
    for (const double length : lengths) text += " " + std::to_string(static_cast<int64_t>(length));
    cases.push_back({.name = "draws " + text + " ]", .op = draw, .inputs = {seed, step, known(lengths)}});
    const ops::RandomNormal normal{.purpose = "noise:1"};
    cases.push_back({.name = "normals " + text + " ]", .op = normal, .inputs = {seed, step, known(lengths)}});
  }
  return cases;
}

}  // namespace causeway::tests
