#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "causeway/formats/onnx/nodes/lengths.h"
#include "causeway/formats/onnx/nodes/nodes.h"
#include "causeway/ops/build.h"
#include "causeway/ops/op_list.h"

namespace causeway::formats::onnx {
namespace {

/// Of one axis: its places times the taps of each.
constexpr int64_t kMostTaps = int64_t{1} << 22;

/// What a Resize says beside lengths and scales.
struct Resizing {
  std::string mode = "nearest", coordinates = "half_pixel", nearest = "round_prefer_floor";
  float cubic = -0.75f, outside_value = 0;
  bool exclude_outside = false, antialias = false;
};

/// One axis that is resized: from so many places to so many, and the part of it that is read.
struct ResizedAxis {
  size_t axis = 0;
  int64_t from = 0, to = 0;
  double scale = 1, start = 0, end = 1;
};

/// The places each output place is made from, with their shares; tap k of place i is [k][i].
struct Taps {
  std::vector<std::vector<int64_t>> places;
  std::vector<std::vector<float>> shares;
};

// The place in the input, not whole, that output place i stands for.
double coordinate(const Resizing& how, const ResizedAxis& axis, int64_t i) {
  const auto place = static_cast<double>(i);
  const auto from = static_cast<double>(axis.from), to = static_cast<double>(axis.to);
  if (how.coordinates == "asymmetric") return place / axis.scale;
  if (how.coordinates == "tf_half_pixel_for_nn") return (place + 0.5) / axis.scale;
  // The corners of the length that the scale makes, which is not whole.
  if (how.coordinates == "align_corners") return axis.to == 1 ? 0 : place * (from - 1) / (from * axis.scale - 1);
  if (how.coordinates == "pytorch_half_pixel" && axis.to == 1) return 0;
  if (how.coordinates == "tf_crop_and_resize") {
    if (axis.to == 1) return 0.5 * (axis.start + axis.end) * (from - 1);
    return axis.start * (from - 1) + place * (axis.end - axis.start) * (from - 1) / (to - 1);
  }
  const double centred = (place + 0.5) / axis.scale - 0.5;
  if (how.coordinates != "half_pixel_symmetric") return centred;
  return centred + from / 2 * (1 - to / (from * axis.scale));
}

int64_t nearest_place(const Resizing& how, double x) {
  if (how.nearest == "floor") return static_cast<int64_t>(std::floor(x));
  if (how.nearest == "ceil") return static_cast<int64_t>(std::ceil(x));
  if (how.nearest == "round_prefer_ceil") return static_cast<int64_t>(std::floor(x + 0.5));
  return static_cast<int64_t>(std::ceil(x - 0.5));
}

double linear_share(double distance) { return std::max(0.0, 1 - std::abs(distance)); }

// Keys 1981: a cubic between four neighbours.
double cubic_share(double distance, double a) {
  const double d = std::abs(distance);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  if (d < 2) return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return 0;
}

Taps taps_of(const Resizing& how, const ResizedAxis& axis) {
  const bool is_nearest = how.mode == "nearest", is_cubic = how.mode == "cubic";
  // A filter that takes every place in: as wide as an output place when shrinking.
  const double widen = how.antialias && axis.scale < 1 ? 1 / axis.scale : 1;
  const double reach = is_nearest ? 0 : (is_cubic ? 2 : 1) * widen;
  const auto count = is_nearest ? size_t{1} : 2 * static_cast<size_t>(std::ceil(reach));
  if (count > static_cast<size_t>(kMostTaps / axis.to)) {
    unfit("an axis of " + std::to_string(axis.from) + " places is resized to " + std::to_string(axis.to) +
          ", which takes more shares than are read.");
  }
  Taps taps{std::vector(count, std::vector<int64_t>(static_cast<size_t>(axis.to))),
            std::vector(count, std::vector<float>(static_cast<size_t>(axis.to)))};
  for (int64_t i = 0; i < axis.to; ++i) {
    const auto at = static_cast<size_t>(i);
    // A region may lie anywhere; far outside all places are the same.
    const double stated = coordinate(how, axis, i);
    const double x = std::isnan(stated) ? 0 : std::clamp(stated, -0x1p40, 0x1p40);
    const int64_t first =
        is_nearest ? nearest_place(how, x) : static_cast<int64_t>(std::floor(x)) - static_cast<int64_t>(count / 2) + 1;
    std::vector<double> shares(count, 1);
    double total = 0;
    for (size_t k = 0; k < count; ++k) {
      const int64_t place = first + static_cast<int64_t>(k);
      const double distance = (x - static_cast<double>(place)) / widen;
      if (!is_nearest) shares[k] = is_cubic ? cubic_share(distance, how.cubic) : linear_share(distance);
      const bool is_outside = place < 0 || place >= axis.from;
      if (is_outside && how.exclude_outside) shares[k] = 0;
      taps.places[k][at] = std::clamp<int64_t>(place, 0, axis.from - 1);
      total += shares[k];
    }
    const bool is_shared_out = !is_nearest && (how.exclude_outside || how.antialias) && total != 0;
    for (size_t k = 0; k < count; ++k) {
      taps.shares[k][at] = static_cast<float>(is_shared_out ? shares[k] / total : shares[k]);
    }
  }
  return taps;
}

Value resized(const Value& x, const Resizing& how, const ResizedAxis& axis) {
  GraphBuilder& graph = x.graph();
  const Taps taps = taps_of(how, axis);
  const size_t rank = known_rank(x);
  Value y;
  for (size_t k = 0; k < taps.places.size(); ++k) {
    if (std::all_of(taps.shares[k].begin(), taps.shares[k].end(), [](float share) { return share == 0; })) continue;
    const Value read = ops::gather(x, ops::integers(graph, taps.places[k]), static_cast<int64_t>(axis.axis));
    if (how.mode == "nearest") return read;
    const Tensor shares = Tensor::of<float>({axis.to}, taps.shares[k]);
    const Value part =
        ops::mul(read, along(graph.constant(shares.converted(known_dtype(x)), "shares"), axis.axis, rank));
    y = y ? ops::add(y, part) : part;
  }
  return y;
}

// Nearest places by a whole factor, over a length that is still open: each place stands there so many times.
Value repeated(const Value& x, size_t axis, int64_t times) {
  const size_t rank = known_rank(x);
  std::vector<int64_t> repeats(rank + 1, 1);
  repeats[axis + 1] = times;
  const Value apart = ops::unsqueeze(x, {static_cast<int64_t>(axis) + 1});
  const Value spread = x.graph().add1(ops::Tile{}, {apart, ops::integers(x.graph(), repeats)});
  std::vector<Length> lengths;
  for (size_t i = 0; i < rank; ++i) lengths.push_back(Length::axis(i, i == axis ? times : 1));
  return ops::reshape(spread, lengths_of(x, lengths));
}

bool repeats_places(const Resizing& how, double scale) {
  if (how.mode != "nearest" || scale < 1 || scale != std::floor(scale)) return false;
  if (how.coordinates == "asymmetric") return how.nearest == "floor";
  return (how.coordinates == "half_pixel" || how.coordinates == "pytorch_half_pixel") &&
         (how.nearest == "round_prefer_floor" || how.nearest == "round_prefer_ceil");
}

// Output places whose coordinate lies outside the input take a value of their own.
Value filled_outside(const Value& y, const Resizing& how, const std::vector<ResizedAxis>& axes) {
  Value inside;
  for (const ResizedAxis& axis : axes) {
    Tensor fits(DType::Bool, {axis.to});
    for (int64_t i = 0; i < axis.to; ++i) {
      const double x = coordinate(how, axis, i);
      fits.mutable_values<bool>()[static_cast<size_t>(i)] = x >= 0 && x <= static_cast<double>(axis.from - 1);
    }
    const Value line = along(y.graph().constant(fits, "inside"), axis.axis, known_rank(y));
    inside = inside ? ops::logical_and(inside, line) : line;
  }
  return inside ? ops::where(inside, y, static_cast<double>(how.outside_value)) : y;
}

int64_t floor_of_product(int64_t length, double scale, double part) {
  // In float32, as ONNX Runtime has it: 0.7 times 10 is 7.
  const float product = static_cast<float>(length) * static_cast<float>(scale) * static_cast<float>(part);
  if (!(product >= 0 && product < 0x1p31f))
    unfit("a scale is " + text_of(scale) + " over " + std::to_string(length) + " places.");
  return static_cast<int64_t>(std::floor(product));
}

std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> all;
  for (int64_t i = 0; i < tensor.size(); ++i) all.push_back(tensor.number_at(i));
  return all;
}

std::vector<double> region(NodeReader& node, const Resizing& how, size_t axes) {
  if (how.coordinates != "tf_crop_and_resize") return {};
  const std::optional<Tensor> roi = node.constant(1, "roi");
  if (!roi || roi->size() != static_cast<int64_t>(2 * axes)) unfit("its 'roi' does not hold two numbers an axis.");
  return numbers(*roi);
}

void expect_one_of(const std::string& name, const std::string& word, std::initializer_list<std::string_view> read) {
  if (std::find(read.begin(), read.end(), word) != read.end()) return;
  unfit("'" + name + "' is '" + word + "', which is not read.");
}

Resizing read_how(NodeReader& node) {
  Resizing how;
  how.mode = node.text("mode", "nearest");
  if (node.op() == "Upsample" && how.mode == "bilinear") how.mode = "linear";
  expect_one_of("mode", how.mode, {"nearest", "linear", "cubic"});
  if (node.op() == "Upsample" || node.opset() < 11) {
    how.coordinates = "asymmetric";
    how.nearest = "floor";
    return how;
  }
  how.coordinates = node.text("coordinate_transformation_mode", "half_pixel");
  expect_one_of("coordinate_transformation_mode", how.coordinates,
                {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize",
                 node.opset() < 13 ? "tf_half_pixel_for_nn" : "", node.opset() >= 19 ? "half_pixel_symmetric" : ""});
  how.nearest = node.text("nearest_mode", "round_prefer_floor");
  expect_one_of("nearest_mode", how.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  how.cubic = node.real("cubic_coeff_a", -0.75f);
  how.exclude_outside = node.flag("exclude_outside", false);
  how.outside_value = node.real("extrapolation_value", 0.0f);
  how.antialias = node.opset() >= 18 && node.flag("antialias", false);
  return how;
}

/// Lengths or scales as stated, for the axes they are stated for.
struct Stated {
  std::vector<size_t> axes;
  std::vector<double> scales;
  std::optional<std::vector<Dim>> sizes;
};

Stated read_stated(NodeReader& node, size_t rank) {
  Stated stated;
  const bool names_axes = node.op() == "Resize" && node.opset() >= 18;
  if (const std::optional<std::vector<int64_t>> axes = names_axes ? node.integers("axes") : std::nullopt) {
    for (const int64_t axis : *axes) stated.axes.push_back(axis_in(axis, rank, "axes"));
  } else {
    stated.axes.resize(rank);
    std::iota(stated.axes.begin(), stated.axes.end(), size_t{0});
  }
  if (node.op() == "Upsample" && node.opset() < 9) {
    for (const float scale : node.reals("scales").value_or(std::vector<float>())) stated.scales.push_back(scale);
  } else {
    const bool is_old = node.op() == "Upsample" || node.opset() < 11;
    if (!is_old && node.has_input(3)) {
      stated.sizes = node.input(3).type().known_dims;
      if (!stated.sizes) node.constant(3, "sizes");
      if (!stated.sizes) unfit("its 'sizes' is no list of lengths.");
    }
    const std::optional<Tensor> scales = node.constant(is_old ? 1 : 2, "scales");
    if (scales && scales->size() > 0) {
      if (stated.sizes && !stated.sizes->empty()) unfit("'scales' and 'sizes' both say the lengths.");
      stated.scales = numbers(*scales);
      stated.sizes.reset();
    }
  }
  const size_t count = stated.sizes ? stated.sizes->size() : stated.scales.size();
  if (count != stated.axes.size()) {
    unfit("it states " + std::to_string(count) + " lengths or scales, and resizes " +
          std::to_string(stated.axes.size()) + " axes.");
  }
  return stated;
}

// One scale for all axes, the smallest or largest that the sizes ask for, where the picture keeps its form.
void keep_form(NodeReader& node, Stated& stated, const Shape& x) {
  if (node.op() != "Resize" || node.opset() < 18) return;
  const std::string policy = node.text("keep_aspect_ratio_policy", "stretch");
  expect_one_of("keep_aspect_ratio_policy", policy, {"stretch", "not_larger", "not_smaller"});
  if (policy == "stretch" || !stated.sizes) return;
  std::optional<double> scale;
  for (size_t i = 0; i < stated.axes.size(); ++i) {
    const Dim& from = x[stated.axes[i]];
    if (!from.is_number() || !(*stated.sizes)[i].is_number())
      not_known_yet("it keeps the form of lengths that are open.");
    const double own = static_cast<double>((*stated.sizes)[i].number()) / static_cast<double>(from.number());
    scale = !scale ? own : policy == "not_larger" ? std::min(*scale, own) : std::max(*scale, own);
  }
  for (size_t i = 0; i < stated.axes.size(); ++i) {
    const double length = *scale * static_cast<double>(x[stated.axes[i]].number());
    (*stated.sizes)[i] = static_cast<int64_t>(std::floor(length + 0.5));
  }
  stated.scales.assign(stated.axes.size(), *scale);
}

}  // namespace

// Each axis by itself: its output places are looked up in the input, weighed and added.
Values read_resize(NodeReader& node) {
  const Value x = node.input(0);
  const size_t rank = known_rank(x);
  const Resizing how = read_how(node);
  Stated stated = read_stated(node, rank);
  keep_form(node, stated, x.shape());
  const std::vector<double> roi = region(node, how, stated.axes.size());
  std::vector<ResizedAxis> axes;
  Value y = x;
  for (size_t i = 0; i < stated.axes.size(); ++i) {
    const size_t axis = stated.axes[i];
    const Dim length = x.shape()[axis];
    const bool by_size = stated.sizes.has_value();
    if (by_size ? length.equals((*stated.sizes)[i]) == std::optional(true) && roi.empty()
                : stated.scales[i] == 1 && roi.empty()) {
      continue;
    }
    if (!length.is_number() || (by_size && !(*stated.sizes)[i].is_number())) {
      if (by_size || !repeats_places(how, stated.scales[i])) {
        not_known_yet("x is " + x.shape().text() + ", and the length of the resized axis " + std::to_string(axis) +
                      " is open.");
      }
      y = repeated(y, axis, static_cast<int64_t>(stated.scales[i]));
      continue;
    }
    ResizedAxis resize{.axis = axis, .from = length.number()};
    if (!roi.empty()) {
      resize.start = roi[i];
      resize.end = roi[i + stated.axes.size()];
    }
    if (by_size) {
      resize.to = (*stated.sizes)[i].number();
      resize.scale =
          stated.scales.empty() ? static_cast<double>(resize.to) / static_cast<double>(resize.from) : stated.scales[i];
    } else {
      resize.scale = stated.scales[i];
      resize.to = floor_of_product(resize.from, resize.scale, resize.end - resize.start);
    }
    if (resize.from < 1 || resize.to < 1 || resize.to > kMostTaps) {
      unfit("an axis of " + std::to_string(resize.from) + " places is resized to " + std::to_string(resize.to) + ".");
    }
    axes.push_back(resize);
    y = resized(y, how, resize);
  }
  return {roi.empty() ? y : filled_outside(y, how, axes)};
}

Values read_upsample(NodeReader& node) { return read_resize(node); }

}  // namespace causeway::formats::onnx
