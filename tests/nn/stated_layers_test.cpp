// Worked numbers of every section: a network in words, the numbers of its slots, rows, and what is answered.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "causeway/answer/predict.h"
#include "causeway/nn/words.h"
#include "causeway/train/fit.h"
#include "tests/support/refusal.h"
#include "tests/support/rows.h"

namespace causeway {
namespace {

struct Array {
  std::vector<int64_t> lengths;
  std::vector<float> numbers;
};

struct Row {
  const char* name;
  const char* words;
  std::map<std::string, Array> slots;
  std::map<std::string, Array> inputs;
  std::vector<int64_t> lengths;
  std::vector<double> expected;
  /// Relative; figures are stated to six digits.
  double within = 5e-6;
};

Array series(std::vector<float> numbers) { return {{1, static_cast<int64_t>(numbers.size()), 1}, std::move(numbers)}; }
Array count_to(std::vector<int64_t> lengths, float step = 1) {
  Array made{std::move(lengths), {}};
  int64_t count = 1;
  for (const int64_t length : made.lengths) count *= length;
  for (int64_t i = 1; i <= count; ++i) made.numbers.push_back(step * static_cast<float>(i));
  return made;
}
std::map<std::string, Array> ones_of(int64_t taps) {
  return {{"0.weight", {{taps, 1, 1}, std::vector<float>(static_cast<size_t>(taps), 1)}}};
}
// 1, 10, 100 …: what each tap adds shows in its own digit.
std::map<std::string, Array> powers_of(int64_t taps) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < taps; ++i) numbers.push_back(static_cast<float>(std::pow(10, i)));
  return {{"0.weight", {{taps, 1, 1}, numbers}}};
}

std::string conv(const char* settings) {
  return std::string(R"({"input": [4, 1], "layers": [{"kind": "conv1d", "filters": 1, "use_bias": false, )") +
         settings + "}]}";
}

std::vector<Row> windows() {
  std::vector<Row> rows;
  struct Pooling {
    const char* name;
    int64_t length, size, stride, border;
    std::vector<double> max_floor, max_ceil, counting, not_counting;
  };
  const Pooling kPoolings[] = {
      {"5_2_2_0", 5, 2, 2, 0, {2, 4}, {2, 4, 5}, {1.5, 3.5, 5}, {1.5, 3.5, 5}},
      {"4_3_2_1", 4, 3, 2, 1, {2, 4}, {2, 4, 4}, {1, 3, 2}, {1.5, 3, 4}},
      {"6_3_2_1", 6, 3, 2, 1, {2, 4, 6}, {2, 4, 6, 6}, {1, 3, 5, 3}, {1.5, 3, 5, 6}},
      {"5_2_3_1", 5, 2, 3, 1, {1, 4}, {1, 4}, {0.5, 3.5}, {1, 3.5}},
      {"3_2_2_1", 3, 2, 2, 1, {1, 3}, {1, 3}, {0.5, 2.5}, {1, 2.5}},
  };
  static std::vector<std::string> kept;  // what the rows' texts lie in
  kept.reserve(4 * std::size(kPoolings) * 2);
  for (const Pooling& pooling : kPoolings) {
    const auto add = [&](const std::string& what, const std::string& kind, const std::string& more,
                         const std::vector<double>& expected) {
      kept.push_back(what + "_" + pooling.name);
      const char* name = kept.back().c_str();
      kept.push_back(R"({"input": [)" + std::to_string(pooling.length) + R"(, 1], "layers": [{"kind": ")" + kind +
                     R"(", "pool_size": )" + std::to_string(pooling.size) + R"(, "strides": )" +
                     std::to_string(pooling.stride) + R"(, "padding": )" + std::to_string(pooling.border) + more +
                     "}]}");
      rows.push_back({name,
                      kept.back().c_str(),
                      {},
                      {{"input", count_to({1, pooling.length, 1})}},
                      {1, static_cast<int64_t>(expected.size()), 1},
                      expected});
    };
    add("max_floor", "max_pooling1d", "", pooling.max_floor);
    add("max_ceil", "max_pooling1d", R"(, "ceil_mode": true)", pooling.max_ceil);
    add("average_counting", "average_pooling1d", R"(, "ceil_mode": true, "count_include_pad": true)", pooling.counting);
    add("average_not_counting", "average_pooling1d", R"(, "ceil_mode": true)", pooling.not_counting);
  }
  struct Ones {
    const char* name;
    const char* settings;
    int64_t taps;
    std::vector<double> expected;
  };
  const Ones kOnes[] = {
      {"conv_same_k3_s2", R"("kernel_size": 3, "padding": "same", "strides": 2)", 3, {6, 7}},
      {"conv_same_k2_s1", R"("kernel_size": 2, "padding": "same")", 2, {3, 5, 7, 4}},
      {"conv_same_k3_d2", R"("kernel_size": 3, "padding": "same", "dilation_rate": 2)", 3, {4, 6, 4, 6}},
      {"conv_causal_k3_d2", R"("kernel_size": 3, "padding": "causal", "dilation_rate": 2)", 3, {1, 2, 4, 6}},
      {"conv_causal_k2_s2", R"("kernel_size": 2, "padding": "causal", "strides": 2)", 2, {1, 5}},
  };
  static std::vector<std::string> texts;
  texts.reserve(std::size(kOnes));
  for (const Ones& ones : kOnes) {
    texts.push_back(conv(ones.settings));
    rows.push_back({ones.name,
                    texts.back().c_str(),
                    ones_of(ones.taps),
                    {{"input", series({1, 2, 3, 4})}},
                    {1, static_cast<int64_t>(ones.expected.size()), 1},
                    ones.expected});
  }
  rows.push_back({"average_same_k3_s2",
                  R"({"input": [4, 1], "layers": [{"kind": "average_pooling1d", "pool_size": 3, "strides": 2,
                      "padding": "same"}]})",
                  {},
                  {{"input", series({1, 2, 3, 4})}},
                  {1, 2, 1},
                  {2, 3.5}});
  return rows;
}

std::vector<Row> convolutions() {
  std::vector<Row> rows;
  struct Transposed {
    const char* name;
    const char* settings;
    int64_t taps;
    std::vector<double> expected;
  };
  const Transposed kTransposed[] = {
      {"valid_k3_s2", R"("kernel_size": 3, "strides": 2)", 3, {1, 10, 102, 20, 203, 30, 300}},
      {"same_k3_s2", R"("kernel_size": 3, "strides": 2, "padding": "same")", 3, {1, 10, 102, 20, 203, 30}},
      {"same_k4_s2", R"("kernel_size": 4, "strides": 2, "padding": "same")", 4, {10, 102, 1020, 203, 2030, 300}},
      {"same_k3_s1_d2", R"("kernel_size": 3, "dilation_rate": 2, "padding": "same")", 3, {13, 20, 130}},
      {"valid_k2_s3", R"("kernel_size": 2, "strides": 3)", 2, {1, 10, 0, 2, 20, 0, 3, 30, 0}},
      {"stated_0_k2_s3", R"("kernel_size": 2, "strides": 3, "padding": 0)", 2, {1, 10, 0, 2, 20, 0, 3, 30}},
      {"stated_1_k3_s2_q1",
       R"("kernel_size": 3, "strides": 2, "padding": 1, "output_padding": 1)",
       3,
       {10, 102, 20, 203, 30, 300}},
      {"stated_1_k3_s1_d2", R"("kernel_size": 3, "dilation_rate": 2, "padding": 1)", 3, {2, 13, 20, 130, 200}},
  };
  static std::vector<std::string> texts;
  texts.reserve(std::size(kTransposed));
  for (const Transposed& row : kTransposed) {
    texts.push_back(
        std::string(R"({"input": [3, 1], "layers": [{"kind": "conv1d_transpose", "filters": 1, "use_bias": false, )") +
        row.settings + "}]}");
    rows.push_back({row.name,
                    texts.back().c_str(),
                    powers_of(row.taps),
                    {{"input", series({1, 2, 3})}},
                    {1, static_cast<int64_t>(row.expected.size()), 1},
                    row.expected});
  }
  rows.push_back({"image_of_stated_borders",
                  R"({"input": [3, 3, 1], "layers": [{"kind": "conv2d", "filters": 1, "kernel_size": 2,
                      "strides": [2, 1], "padding": [[1, 0], [0, 1]], "use_bias": false}]})",
                  {{"0.weight", {{2, 2, 1, 1}, {1, 2, 3, 4}}}},
                  {{"input", count_to({1, 3, 3, 1})}},
                  {1, 2, 3, 1},
                  {11, 18, 9, 67, 77, 33}});
  rows.push_back({"groups",
                  R"({"input": [3, 2], "layers": [{"kind": "conv1d", "filters": 4, "kernel_size": 2, "groups": 2,
                      "use_bias": false}]})",
                  {{"0.weight", {{2, 1, 4}, {1, 3, 5, 7, 2, 4, 6, 8}}}},
                  {{"input", {{1, 3, 2}, {1, 4, 2, 5, 3, 6}}}},
                  {1, 2, 4},
                  {5, 11, 50, 68, 8, 18, 61, 83}});
  rows.push_back({"depthwise",
                  R"({"input": [2, 2], "layers": [{"kind": "depthwise_conv1d", "kernel_size": 2,
                      "depth_multiplier": 2, "use_bias": false}]})",
                  {{"0.weight", {{2, 1, 4}, {1, 2, 3, 4, 10, 20, 30, 40}}}},
                  {{"input", {{1, 2, 2}, {1, 2, 3, 4}}}},
                  {1, 1, 4},
                  {31, 62, 126, 168}});
  rows.push_back({"separable",
                  R"({"input": [2, 2], "layers": [{"kind": "separable_conv1d", "kernel_size": 2, "filters": 1}]})",
                  {{"0.depthwise.weight", {{2, 1, 2}, {1, 2, 10, 20}}},
                   {"0.pointwise.weight", {{1, 2, 1}, {1, 100}}},
                   {"0.pointwise.bias", {{1}, {0.5f}}}},
                  {{"input", {{1, 2, 2}, {1, 2, 3, 4}}}},
                  {1, 1, 1},
                  {31 + 84 * 100 + 0.5}});
  rows.push_back({"low_rank_pair",
                  R"({"input": [2], "layers": [{"kind": "dense", "units": 1, "use_bias": false, "lora_rank": 2,
                      "lora_alpha": 4}]})",
                  {{"0.weight", {{2, 1}, {0.5f, -0.25f}}},
                   {"0.lora_A.weight", {{2, 2}, {0.1f, 0.2f, 0.3f, -0.4f}}},
                   {"0.lora_B.weight", {{2, 1}, {0.6f, 0.5f}}}},
                  {{"input", {{1, 2}, {1, 2}}}},
                  {1, 1},
                  {0.24}});
  return rows;
}

std::vector<Row> places() {
  const auto line = [](int64_t length) { return std::map<std::string, Array>{{"input", count_to({1, length, 1})}}; };
  return {
      {"max_dilated",
       R"({"input": [5, 1], "layers": [{"kind": "max_pooling1d", "strides": 2, "dilation_rate": 2, "ceil_mode": true}]})",
       {},
       line(5),
       {1, 2, 1},
       {3, 5}},
      {"max_dilated_with_a_border",
       R"({"input": [5, 1], "layers": [{"kind": "max_pooling1d", "strides": 2, "dilation_rate": 2, "ceil_mode": true,
           "padding": 1}]})",
       {},
       line(5),
       {1, 3, 1},
       {2, 4, 4}},
      {"average_counting",
       R"({"input": [3, 3, 1], "layers": [{"kind": "average_pooling2d", "padding": 1, "count_include_pad": true}]})",
       {},
       {{"input", count_to({1, 3, 3, 1})}},
       {1, 2, 2, 1},
       {0.25, 1.25, 2.75, 7}},
      {"average_not_counting",
       R"({"input": [3, 3, 1], "layers": [{"kind": "average_pooling2d", "padding": 1}]})",
       {},
       {{"input", count_to({1, 3, 3, 1})}},
       {1, 2, 2, 1},
       {1, 2.5, 5.5, 7}},
      {"adaptive_average_7_to_3",
       R"({"input": [7, 1], "layers": [{"kind": "adaptive_average_pooling1d", "output_size": 3}]})",
       {},
       line(7),
       {1, 3, 1},
       {2, 4, 6}},
      {"adaptive_average_10_to_4",
       R"({"input": [10, 1], "layers": [{"kind": "adaptive_average_pooling1d", "output_size": 4}]})",
       {},
       line(10),
       {1, 4, 1},
       {2, 4, 7, 9}},
      {"adaptive_average_2_to_3",
       R"({"input": [2, 1], "layers": [{"kind": "adaptive_average_pooling1d", "output_size": 3}]})",
       {},
       line(2),
       {1, 3, 1},
       {1, 1.5, 2}},
      {"adaptive_max_7_to_3",
       R"({"input": [7, 1], "layers": [{"kind": "adaptive_max_pooling1d", "output_size": 3}]})",
       {},
       line(7),
       {1, 3, 1},
       {3, 5, 7}},
      {"adaptive_max_3_to_7",
       R"({"input": [3, 1], "layers": [{"kind": "adaptive_max_pooling1d", "output_size": 7}]})",
       {},
       line(3),
       {1, 7, 1},
       {1, 1, 2, 2, 3, 3, 3}},
      {"adaptive_average_of_an_image",
       R"({"input": [4, 3, 1], "layers": [{"kind": "adaptive_average_pooling2d", "output_size": [2, 2]}]})",
       {},
       {{"input", count_to({1, 4, 3, 1})}},
       {1, 2, 2, 1},
       {3, 4, 9, 10}},
      {"pad_reflect",
       R"({"input": [4, 1], "layers": [{"kind": "pad1d", "padding": [2, 1], "mode": "reflect"}]})",
       {},
       line(4),
       {1, 7, 1},
       {3, 2, 1, 2, 3, 4, 3}},
      {"pad_edge",
       R"({"input": [4, 1], "layers": [{"kind": "pad1d", "padding": [2, 1], "mode": "edge"}]})",
       {},
       line(4),
       {1, 7, 1},
       {1, 1, 1, 2, 3, 4, 4}},
      {"pad_wrap",
       R"({"input": [4, 1], "layers": [{"kind": "pad1d", "padding": [2, 1], "mode": "wrap"}]})",
       {},
       line(4),
       {1, 7, 1},
       {3, 4, 1, 2, 3, 4, 1}},
      {"pad_value",
       R"({"input": [2, 1], "layers": [{"kind": "pad1d", "value": 7}]})",
       {},
       line(2),
       {1, 4, 1},
       {7, 1, 2, 7}},
      {"cropping",
       R"({"input": [4, 1], "layers": [{"kind": "cropping1d", "cropping": [2, 0]}]})",
       {},
       line(4),
       {1, 2, 1},
       {3, 4}},
      {"up_sampling",
       R"({"input": [2, 1], "layers": [{"kind": "up_sampling1d", "size": 3}]})",
       {},
       line(2),
       {1, 6, 1},
       {1, 1, 1, 2, 2, 2}},
      {"bilinear_twice",
       R"({"input": [1, 3, 1], "layers": [{"kind": "up_sampling2d", "size": [1, 2], "interpolation": "bilinear"}]})",
       {},
       {{"input", count_to({1, 1, 3, 1})}},
       {1, 1, 6, 1},
       {1, 1.25, 1.75, 2.25, 2.75, 3}},
      {"bilinear_6_to_4",
       R"({"input": [1, 6, 1], "layers": [{"kind": "resizing", "height": 1, "width": 4}]})",
       {},
       {{"input", count_to({1, 1, 6, 1})}},
       {1, 1, 4, 1},
       {1.25, 2.75, 4.25, 5.75}},
      {"nearest_6_to_4",
       R"({"input": [1, 6, 1], "layers": [{"kind": "resizing", "height": 1, "width": 4, "interpolation": "nearest"}]})",
       {},
       {{"input", count_to({1, 1, 6, 1})}},
       {1, 1, 4, 1},
       {1, 3, 4, 6}},
      {"nearest_6_to_4_asymmetric",
       R"({"input": [1, 6, 1], "layers": [{"kind": "resizing", "height": 1, "width": 4, "interpolation": "nearest",
           "coordinates": "asymmetric"}]})",
       {},
       {{"input", count_to({1, 1, 6, 1})}},
       {1, 1, 4, 1},
       {1, 2, 4, 5}},
      {"nearest_3_to_5",
       R"({"input": [1, 3, 1], "layers": [{"kind": "resizing", "height": 1, "width": 5, "interpolation": "nearest"}]})",
       {},
       {{"input", count_to({1, 1, 3, 1})}},
       {1, 1, 5, 1},
       {1, 1, 2, 3, 3}},
      {"nearest_3_to_5_asymmetric",
       R"({"input": [1, 3, 1], "layers": [{"kind": "resizing", "height": 1, "width": 5, "interpolation": "nearest",
           "coordinates": "asymmetric"}]})",
       {},
       {{"input", count_to({1, 1, 3, 1})}},
       {1, 1, 5, 1},
       {1, 1, 2, 2, 3}},
  };
}

Array squares_12() {
  Array made{{1, 3, 4}, {}};
  for (int i = 1; i <= 12; ++i) made.numbers.push_back(static_cast<float>(i * i) / 10);
  return made;
}

std::vector<Row> normalizations() {
  const std::map<std::string, Array> four{{"input", {{1, 4}, {1, 2, 4, 9}}}};
  return {
      {"layer_1e5",
       R"({"input": [4], "layers": [{"kind": "layer_normalization", "epsilon": 1e-5, "scale": false, "center": false}]})",
       {},
       four,
       {1, 4},
       {-0.973328, -0.648885, 0, 1.62221}},
      {"layer_of_words",
       R"({"input": [4], "layers": [{"kind": "layer_normalization", "scale": false, "center": false}]})",
       {},
       four,
       {1, 4},
       {-0.973277, -0.648852, 0, 1.62213}},
      {"rms",
       R"({"input": [4], "layers": [{"kind": "rms_normalization", "scale": false}]})",
       {},
       four,
       {1, 4},
       {0.198030, 0.396059, 0.792118, 1.78227}},
      {"scaled_over_several_axes",
       R"({"input": [2, 2], "layers": [{"kind": "layer_normalization", "epsilon": 0, "axis": [1, 2],
           "rms_scaling": true}]})",
       {{"0.weight", {{2, 2}, {1, 2, 3, 4}}}},
       {{"input", {{1, 2, 2}, {1, 1, 3, 3}}}},
       {1, 2, 2},
       {1, 2, 9, 12}},
      {"scaled_over_an_inner_axis",
       R"({"input": [2, 2], "layers": [{"kind": "layer_normalization", "epsilon": 0, "axis": 1, "rms_scaling": true}]})",
       {{"0.weight", {{2}, {1, 2}}}},
       {{"input", {{1, 2, 2}, {1, 2, 3, 6}}}},
       {1, 2, 2},
       {1, 1, 6, 6}},
      {"rms_of_small_numbers",
       R"({"input": [2], "layers": [{"kind": "rms_normalization", "scale": false}]})",
       {},
       {{"input", {{1, 2}, {1e-4f, 2e-4f}}}},
       {1, 2},
       {0.0987730, 0.197546}},
      {"rms_by_pytorchs_epsilon",
       R"({"input": [2], "layers": [{"kind": "rms_normalization", "scale": false, "epsilon": 1.1920928955078125e-07}]})",
       {},
       {{"input", {{1, 2}, {1e-4f, 2e-4f}}}},
       {1, 2},
       {0.263332, 0.526664}},
      {"group",
       R"({"input": [3, 4], "layers": [{"kind": "group_normalization", "groups": 2, "epsilon": 1e-5, "scale": false,
           "center": false}, {"kind": "select", "index": 0}]})",
       {},
       {{"input", squares_12()}},
       {1, 4},
       {-1.07795, -0.997436, -1.15783, -1.01850}},
      {"group_last_step",
       R"({"input": [3, 4], "layers": [{"kind": "group_normalization", "groups": 2, "epsilon": 1e-5, "scale": false,
           "center": false}, {"kind": "select", "index": -1}]})",
       {},
       {{"input", squares_12()}},
       {1, 4},
       {1.06900, 1.57890, 1.07158, 1.52940}},
      {"instance",
       R"({"input": [3, 4], "layers": [{"kind": "instance_normalization", "epsilon": 1e-5, "scale": false,
           "center": false}, {"kind": "select", "index": 0}]})",
       {},
       {{"input", squares_12()}},
       {1, 4},
       {-1.03422, -1.06904, -1.09333, -1.11117}},
      {"unit",
       R"({"input": [2], "layers": ["unit_normalization"]})",
       {},
       {{"input", {{2, 2}, {3, 4, 0, 0}}}},
       {2, 2},
       {0.6, 0.8, 0, 0}},
      {"normalization",
       R"({"input": [2], "layers": ["normalization"]})",
       {{"0.mean", {{2}, {7.0f / 3, 10}}}, {"0.variance", {{2}, {14.0f / 9, 0}}}},
       {{"input", {{1, 2}, {3, 10.5f}}}},
       {1, 2},
       {0.534523, 5000000}},
      {"rescaling",
       R"({"input": [2], "layers": [{"kind": "rescaling", "scale": [2, 3], "offset": 1}]})",
       {},
       {{"input", {{1, 2}, {1, 2}}}},
       {1, 2},
       {3, 7}},
  };
}

std::string bag(const char* settings) {
  return std::string(R"({"inputs": {"input": {"shape": [2], "dtype": "int64"}}, "layers": [{"kind": "embedding_bag",
      "input_dim": 3, "output_dim": 2, )") +
         settings + "}]}";
}

std::vector<Row> embeddings() {
  const std::map<std::string, Array> table{{"0.weight", {{3, 2}, {1, 2, 3, 4, 5, 6}}}};
  const std::map<std::string, Array> ids{{"input", {{1, 2}, {0, 2}}}};
  static const std::string kTexts[] = {bag(R"("mode": "sum")"), bag(R"("mode": "mean")"), bag(R"("mode": "max")"),
                                       bag(R"("padding_idx": 2)")};
  return {
      {"bag_sum", kTexts[0].c_str(), table, ids, {1, 2}, {6, 8}},
      {"bag_mean", kTexts[1].c_str(), table, ids, {1, 2}, {3, 4}},
      {"bag_max", kTexts[2].c_str(), table, ids, {1, 2}, {5, 6}},
      {"bag_mean_with_padding", kTexts[3].c_str(), table, ids, {1, 2}, {1, 2}},
      {"bag_of_nothing", kTexts[3].c_str(), table, {{"input", {{1, 2}, {2, 2}}}}, {1, 2}, {0, 0}},
      {"embedding",
       R"({"inputs": {"input": {"shape": [2], "dtype": "int64"}},
           "layers": [{"kind": "embedding", "input_dim": 3, "output_dim": 2}]})",
       table,
       ids,
       {1, 2, 2},
       {1, 2, 5, 6}},
      {"embedding_by_floats",
       R"({"input": [], "layers": [{"kind": "embedding", "input_dim": 3, "output_dim": 2}]})",
       table,
       {{"input", {{2}, {2, 0}}}},
       {2, 2},
       {5, 6, 1, 2}},
      {"embedding_of_shares",
       R"({"input": [3], "layers": [{"kind": "embedding", "input_dim": 3, "output_dim": 2, "one_hot": true}]})",
       table,
       {{"input", {{1, 3}, {0.5f, 0, 2}}}},
       {1, 2},
       {10.5, 13}},
      {"masked_mean",
       R"({"inputs": {"input": {"shape": [2], "dtype": "int64"}},
           "layers": [{"kind": "embedding", "input_dim": 3, "output_dim": 2, "mask_zero": true},
                      {"kind": "global_average_pooling1d"}]})",
       table,
       {{"input", {{2, 2}, {0, 2, 0, 0}}}},
       {2, 2},
       {5, 6, 0, 0}},
      {"masking_by_value",
       R"({"input": [3, 2], "layers": [{"kind": "masking", "mask_value": -1}, {"kind": "global_average_pooling1d"}]})",
       {},
       {{"input", {{1, 3, 2}, {2, -1, -1, -1, 4, 7}}}},
       {1, 2},
       {3, 3}},
      {"periodic_waves",
       R"({"input": [2], "layers": [{"kind": "periodic_embedding", "d_embedding": 4, "n_frequencies": 2,
           "activation": false}]})",
       {{"0.periodic.weight", {{2, 2}, {0.1f, 0.25f, 0.5f, -0.3f}}},
        {"0.linear.weight",
         {{2, 4, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}},
        {"0.linear.bias", {{2, 4}, std::vector<float>(8, 0)}}},
       {{"input", {{1, 2}, {1.5f, -0.4f}}}},
       {1, 2, 4},
       {0.587785, -0.707107, 0.809017, 0.707107, 0.309017, 0.728969, -0.951057, 0.684547}},
  };
}

std::vector<Row> merges() {
  const std::map<std::string, Array> two{{"a", {{1, 2}, {1, 2}}}, {"b", {{1, 2}, {3, 4}}}};
  return {
      {"dot",
       R"({"inputs": {"a": [2], "b": [2]}, "layers": [{"kind": "dot", "axes": 1, "from": ["a", "b"]}]})",
       {},
       two,
       {1, 1},
       {11}},
      {"dot_of_units",
       R"({"inputs": {"a": [2], "b": [2]}, "layers": [{"kind": "dot", "axes": 1, "normalize": true, "from": ["a", "b"]}]})",
       {},
       two,
       {1, 1},
       {0.983870}},
      {"dot_of_series",
       R"({"inputs": {"a": [3, 2], "b": [3, 5]}, "layers": [{"kind": "dot", "axes": [1, 1], "from": ["a", "b"]}]})",
       {},
       {{"a", {{1, 3, 2}, {1, 0, 0, 1, 1, 1}}}, {"b", count_to({1, 3, 5})}},
       {1, 2, 5},
       {12, 14, 16, 18, 20, 17, 19, 21, 23, 25}},
      {"repeat_vector",
       R"({"input": [2], "layers": [{"kind": "repeat_vector", "n": 2}]})",
       {},
       {{"input", {{1, 2}, {1, 2}}}},
       {1, 2, 2},
       {1, 2, 1, 2}},
      {"slice",
       R"({"input": [5], "layers": [{"kind": "slice", "start": 1, "stop": -1, "step": 2}]})",
       {},
       {{"input", count_to({1, 5})}},
       {1, 2},
       {2, 4}},
      {"select",
       R"({"input": [2, 3], "layers": [{"kind": "select", "index": -1}]})",
       {},
       {{"input", count_to({1, 2, 3})}},
       {1, 3},
       {4, 5, 6}},
      {"time_distributed",
       R"({"input": [2, 2, 1], "layers": [{"kind": "time_distributed", "layer": "flatten"}]})",
       {},
       {{"input", count_to({1, 2, 2, 1})}},
       {1, 2, 2},
       {1, 2, 3, 4}},
      {"time_distributed_dense",
       R"({"input": [2, 1], "layers": [{"kind": "time_distributed",
           "layer": {"kind": "dense", "units": 1, "activation": "relu"}}]})",
       {{"0.weight", {{1, 1}, {2}}}, {"0.bias", {{1}, {-3}}}},
       {{"input", {{1, 2, 1}, {1, 2}}}},
       {1, 2, 1},
       {0, 1}},
      {"network_called_again",
       R"({"inputs": {"a": [1], "b": [1]}, "layers": [
           {"kind": "network", "name": "twin", "from": "a", "layers": [{"kind": "dense", "units": 1}, "relu"]},
           {"kind": "again", "name": "other", "layer": "twin", "from": "b"},
           {"kind": "subtract", "from": ["twin", "other"]}]})",
       {{"twin.0.weight", {{1, 1}, {2}}}, {"twin.0.bias", {{1}, {1}}}},
       {{"a", {{1, 1}, {5}}}, {"b", {{1, 1}, {1}}}},
       {1, 1},
       {8}},
      {"network_of_two_outputs",
       R"({"input": [1], "layers": [
           {"kind": "network", "name": "inner", "inputs": ["x"], "outputs": ["0", "twice"],
            "layers": [{"kind": "rescaling", "scale": 3}, {"kind": "rescaling", "name": "twice", "scale": 2, "from": "x"}]},
           {"kind": "add", "from": ["inner.0", "inner.twice"]}]})",
       {},
       {{"input", {{1, 1}, {5}}}},
       {1, 1},
       {25}},
  };
}

std::vector<Row> kinds_of_keras() {
  const std::map<std::string, Array> four{{"input", {{1, 4}, {-1, 0, 0.5f, 2}}}};
  const std::map<std::string, Array> ids{{"input", {{2, 3}, {0, 2, 2, 1, 1, 1}}}};
  return {
      {"bins",
       R"({"input": [4], "layers": [{"kind": "discretization", "bin_boundaries": [0, 1]}]})",
       {},
       four,
       {1, 4},
       {0, 1, 1, 2}},
      {"bin_of_nan",
       R"({"input": [1], "layers": [{"kind": "discretization", "bin_boundaries": [0, 1]}]})",
       {},
       {{"input", {{2, 1}, {std::nanf(""), -INFINITY}}}},
       {2, 1},
       {2, 0}},
      {"bins_of_whole_numbers",
       R"({"inputs": {"input": {"shape": [3], "dtype": "int64"}},
           "layers": [{"kind": "discretization", "bin_boundaries": [0.5, 2]}]})",
       {},
       ids,
       {2, 3},
       {0, 2, 2, 1, 1, 1}},
      {"categories",
       R"({"input": [3], "layers": [{"kind": "category_encoding", "num_tokens": 3}]})",
       {},
       ids,
       {2, 3},
       {1, 0, 1, 0, 1, 0}},
      {"counted_categories",
       R"({"input": [3], "layers": [{"kind": "category_encoding", "num_tokens": 3, "output_mode": "count"}]})",
       {},
       ids,
       {2, 3},
       {1, 0, 2, 0, 3, 0}},
      {"one_category_a_row",
       R"({"input": [], "layers": [{"kind": "category_encoding", "num_tokens": 3, "output_mode": "one_hot"}]})",
       {},
       {{"input", {{2}, {2, 0}}}},
       {2, 3},
       {0, 0, 1, 1, 0, 0}},
      {"one_category_a_place",
       R"({"input": [1], "layers": [{"kind": "category_encoding", "num_tokens": 2, "output_mode": "one_hot"}]})",
       {},
       {{"input", {{2, 1}, {1, 0}}}},
       {2, 2},
       {0, 1, 1, 0}},
      {"middle_of_an_image",
       R"({"input": [4, 3, 1], "layers": [{"kind": "center_crop", "height": 1, "width": 2}]})",
       {},
       {{"input", count_to({1, 4, 3, 1})}},
       {1, 1, 2, 1},
       {4, 5}},
      {"equation",
       R"({"input": [2, 2], "layers": [{"kind": "einsum_dense", "equation": "abc,cd->abd", "output_shape": [null, 1],
           "bias_axes": "d"}]})",
       {{"0.weight", {{2, 1}, {1, 10}}}, {"0.bias", {{1}, {0.5f}}}},
       {{"input", count_to({1, 2, 2})}},
       {1, 2, 1},
       {21.5, 43.5}},
      {"table_called_back",
       R"({"input": [], "layers": [
           {"kind": "reversible_embedding", "name": "table", "input_dim": 3, "output_dim": 2, "logit_soft_cap": 20},
           {"kind": "again", "layer": "table", "reverse": true}]})",
       {{"table.weight", {{3, 2}, {1, 2, 3, 4, 5, 6}}}},
       {{"input", {{1}, {0}}}},
       {1, 3},
       {20 * std::tanh(5.0 / 20), 20 * std::tanh(11.0 / 20), 20 * std::tanh(17.0 / 20)}},
      {"untied_table_called_back",
       R"({"input": [], "layers": [
           {"kind": "reversible_embedding", "name": "table", "input_dim": 2, "output_dim": 1, "tie_weights": false},
           {"kind": "again", "layer": "table", "reverse": true}]})",
       {{"table.weight", {{2, 1}, {3, 4}}}, {"table.reverse_embeddings", {{1, 2}, {10, 100}}}},
       {{"input", {{1}, {1}}}},
       {1, 2},
       {40, 400}},
      {"table_called_twice",
       R"({"inputs": {"a": [], "b": []}, "layers": [
           {"kind": "reversible_embedding", "name": "table", "input_dim": 2, "output_dim": 1, "from": "a"},
           {"kind": "again", "layer": "table", "from": "b"},
           {"kind": "add", "from": ["table", "1"]}]})",
       {{"table.weight", {{2, 1}, {3, 4}}}},
       {{"a", {{1}, {0}}}, {"b", {{1}, {1}}}},
       {1, 1},
       {7}},
  };
}

class StatedLayer : public testing::TestWithParam<Row> {};

TEST_P(StatedLayer, AnswersAsStated) {
  SavedNetwork saved = network_of_words(GetParam().words, "words");
  Slots& slots = saved.network.slots();
  std::map<std::string, Array> left = GetParam().slots;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].role == Role::Constant) continue;
    const auto at = left.find(slots[i].path);
    ASSERT_NE(at, left.end()) << slots[i].path << " " << slots[i].numbers.shape().text();
    ASSERT_EQ(at->second.lengths, slots[i].numbers.lengths()) << slots[i].path;
    slots[i].assign(Tensor::of(at->second.lengths, at->second.numbers));
    left.erase(at);
  }
  EXPECT_TRUE(left.empty()) << "no slot is " << left.begin()->first;
  NamedTensors inputs;
  for (const Door& door : saved.network.inputs()) {
    const Array& rows = GetParam().inputs.at(door.name);
    inputs.emplace(door.name, Tensor::of(rows.lengths, rows.numbers).converted(door.value.dtype()));
  }
  for (const Engine* engine : engines()) {
    const Tensor y = predict(saved, inputs, {.engine = engine}).begin()->second;
    ASSERT_EQ(y.lengths(), GetParam().lengths) << engine->name();
    for (int64_t i = 0; i < y.size(); ++i) {
      const double expected = GetParam().expected[static_cast<size_t>(i)];
      EXPECT_NEAR(y.number_at(i), expected, GetParam().within * std::abs(expected) + 1e-6)
          << engine->name() << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NetworkSection2, StatedLayer, testing::ValuesIn(windows()), tests::by_name);
INSTANTIATE_TEST_SUITE_P(NetworkSection3, StatedLayer, testing::ValuesIn(convolutions()), tests::by_name);
INSTANTIATE_TEST_SUITE_P(NetworkSection4, StatedLayer, testing::ValuesIn(places()), tests::by_name);
INSTANTIATE_TEST_SUITE_P(NetworkSection6, StatedLayer, testing::ValuesIn(normalizations()), tests::by_name);
INSTANTIATE_TEST_SUITE_P(NetworkSection10, StatedLayer, testing::ValuesIn(embeddings()), tests::by_name);
INSTANTIATE_TEST_SUITE_P(NetworkSection11, StatedLayer, testing::ValuesIn(merges()), tests::by_name);
INSTANTIATE_TEST_SUITE_P(NetworkSection11Keras, StatedLayer, testing::ValuesIn(kinds_of_keras()), tests::by_name);

TEST(NetworkSection10Embedding, RefusesANumberThatNamesNoRow) {
  const SavedNetwork saved = network_of_words(
      R"({"input": [2], "layers": [{"kind": "embedding", "input_dim": 3, "output_dim": 2}]})", "words");
  struct Row {
    float number;
    const char* line;
  };
  const Row kRows[] = {
      {-1, "the number at [1, 0] is -1, and whole numbers from 0 to 2 name the rows of this table."},
      {3, "the number at [1, 0] is 3, and whole numbers from 0 to 2 name the rows of this table."},
      {0.5f, "the number at [1, 0] is 0.5, and whole numbers from 0 to 2 name the rows of this table."}};
  for (const Engine* engine : engines()) {
    for (const auto& [number, line] : kRows) {
      const Tensor x = Tensor::of<float>({2, 2}, {0, 1, number, 2});
      EXPECT_THAT(tests::refusal_of([&] { predict(saved, x, *engine); }),
                  testing::ElementsAre(testing::HasSubstr(line)));
    }
  }
}

// PyTorch: "Expected more than 1 spatial element when training".
TEST(NetworkSection6InstanceNormalization, RefusesASinglePlaceInTraining) {
  struct Row {
    const char* input;
    std::vector<int64_t> lengths;
    bool trains;
  };
  const Row kRows[] = {{"[1, 2]", {3, 1, 2}, false},     {"[1, 1, 2]", {3, 1, 1, 2}, false},
                       {"[2]", {3, 2}, false},           {R"(["L", 2])", {3, 1, 2}, false},
                       {R"(["L", 2])", {3, 2, 2}, true}, {"[2, 1, 2]", {1, 2, 1, 2}, true}};
  for (const auto& [input, lengths, trains] : kRows) {
    SCOPED_TRACE(input);
    SavedNetwork saved =
        network_of_words(std::string(R"({"input": )") + input +
                             R"(, "layers": ["instance_normalization"], "loss": "mean_squared_error"})",
                         "words", {.seed = 1});
    Tensor x(DType::Float32, lengths);
    for (int64_t i = 0; i < x.size(); ++i) x.mutable_values<float>()[static_cast<size_t>(i)] = static_cast<float>(i);
    for (const Engine* engine : engines()) {
      const Tensor y = predict(saved, x, *engine);  // answering, one place is its bias
      EXPECT_TRUE(trains || y.number_at(0) == 0) << engine->name();
    }
    const auto train = [&] { fit(saved, x, x, Sgd{.learning_rate = 0.1}, {}); };
    if (trains) {
      train();
      continue;
    }
    const std::vector<std::string> lines = tests::refusal_of(train);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_THAT(lines[0], testing::StartsWith("layer '0' (InstanceNormalization)"));
    EXPECT_THAT(lines[0], testing::EndsWith("it normalizes a single number, which has no spread, and training refuses "
                                            "that. Hand it two places or more."));
  }
}

}  // namespace
}  // namespace causeway
