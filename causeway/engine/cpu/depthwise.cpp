// Convolutions of each channel by itself, on values in blocks of channels.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/depthwise.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <limits>

#include "causeway/engine/cpu/depthwise.h"
#include "causeway/engine/cpu/elementwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

// One line of places along the last axis: `taps` by the rows of the window that lie inside.
struct LineJob {
  const ConvProblem* problem = nullptr;
  int64_t together = 0;
  /// The image, the block's weight, and where the line's results lie.
  const float* x = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  const float* added = nullptr;
  float* y = nullptr;
  /// The line's place along the other two axes.
  int64_t places[2] = {};
  float low = 0, high = 0;
};

// Calls f(line of the image, line of the weight) for each line of the window that lies inside.
template <class F>
HWY_INLINE void each_line(const LineJob& job, F f) {
  const ConvProblem& p = *job.problem;
  for (int64_t a = 0; a < p.size[0]; ++a) {
    const int64_t i = job.places[0] * p.stride[0] - p.before[0] + a * p.dilation[0];
    if (i < 0 || i >= p.in_lengths[0]) continue;
    for (int64_t b = 0; b < p.size[1]; ++b) {
      const int64_t j = job.places[1] * p.stride[1] - p.before[1] + b * p.dilation[1];
      if (j < 0 || j >= p.in_lengths[1]) continue;
      f(job.x + (i * p.in_lengths[1] + j) * p.in_lengths[2] * job.together,
        job.weight + (a * p.size[1] + b) * p.size[2] * job.together);
    }
  }
}

// kPlaces results at once; `inside`: every tap of the last axis lies in the image.
template <size_t kPlaces, bool kInside>
HWY_INLINE void places_of(const LineJob& job, int64_t place, int64_t channel) {
  const D d;
  const ConvProblem& p = *job.problem;
  V sums[kPlaces];
  const V start = job.bias ? hn::LoadU(d, job.bias + channel) : hn::Zero(d);
  for (size_t i = 0; i < kPlaces; ++i) sums[i] = start;
  const int64_t step = p.stride[2] * job.together, first = place * p.stride[2] - p.before[2];
  each_line(job, [&](const float* x, const float* weight) HWY_ATTR {
    for (int64_t c = 0; c < p.size[2]; ++c) {
      const int64_t at = first + c * p.dilation[2];
      if (!kInside && (at < 0 || at >= p.in_lengths[2])) continue;
      const V tap = hn::LoadU(d, weight + c * job.together + channel);
      const float* from = x + at * job.together + channel;
#pragma GCC unroll 8
      for (size_t i = 0; i < kPlaces; ++i) {
        sums[i] = hn::MulAdd(tap, hn::LoadU(d, from + static_cast<int64_t>(i) * step), sums[i]);
      }
    }
  });
  const V low = hn::Set(d, job.low), high = hn::Set(d, job.high);
  for (size_t i = 0; i < kPlaces; ++i) {
    const int64_t offset = (place + static_cast<int64_t>(i)) * job.together + channel;
    V y = sums[i];
    if (job.added) y = hn::Add(y, hn::LoadU(d, job.added + offset));
    y = hn::IfThenElse(hn::Lt(y, low), low, y);
    y = hn::IfThenElse(hn::Gt(y, high), high, y);
    hn::StoreU(y, d, job.y + offset);
  }
}

void line_of(const LineJob& job) {
  const ConvProblem& p = *job.problem;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D())), reach = (p.size[2] - 1) * p.dilation[2];
  constexpr int64_t kPlaces = 8;
  for (int64_t channel = 0; channel < job.together; channel += lanes) {
    const auto is_inside = [&](int64_t place) {
      const int64_t first = place * p.stride[2] - p.before[2];
      return first >= 0 && first + reach < p.in_lengths[2];
    };
    for (int64_t place = 0; place < p.out_lengths[2];) {
      if (!is_inside(place)) {
        places_of<1, false>(job, place++, channel);
      } else if (place + kPlaces <= p.out_lengths[2] && is_inside(place + kPlaces - 1)) {
        places_of<kPlaces, true>(job, place, channel);
        place += kPlaces;
      } else if (place + 4 <= p.out_lengths[2] && is_inside(place + 3)) {
        places_of<4, true>(job, place, channel);
        place += 4;
      } else {
        places_of<1, true>(job, place++, channel);
      }
    }
  }
}

void convolve(const ConvProblem& p, const float* x, const float* weight, const float* bias, const float* added,
              float* y) {
  const int64_t together = channels_together(), blocks = (p.in + together - 1) / together;
  const int64_t in_size = p.in_lengths[0] * p.in_lengths[1] * p.in_lengths[2] * together;
  const int64_t out_size = p.out_lengths[0] * p.out_lengths[1] * p.out_lengths[2] * together;
  const int64_t line = p.out_lengths[2] * together, taps = p.size[0] * p.size[1] * p.size[2] * together;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // The last block's bias may be shorter than a block.
  HWY_ALIGN float own_bias[64] = {};
  for (int64_t image = 0; image < p.rows * blocks; ++image) {
    const int64_t block = image % blocks;
    LineJob job{.problem = &p, .together = together, .x = x + image * in_size, .weight = weight + block * taps};
    job.low = p.has_bounds ? p.low : -kInfinity;
    job.high = p.has_bounds ? p.high : kInfinity;
    if (bias) {
      const int64_t count = std::min(together, p.in - block * together);
      std::fill(std::copy_n(bias + block * together, count, own_bias), own_bias + together, 0.0f);
      job.bias = own_bias;
    }
    for (int64_t i = 0; i < p.out_lengths[0] * p.out_lengths[1]; ++i) {
      job.places[0] = i / p.out_lengths[1];
      job.places[1] = i % p.out_lengths[1];
      job.y = y + image * out_size + i * line;
      job.added = added ? added + image * out_size + i * line : nullptr;
      line_of(job);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(convolve);

bool is_depthwise(const ConvProblem& p) {
  return p.pass == ConvProblem::Pass::Forward && p.groups > 1 && p.groups == p.in && p.groups == p.out &&
         p.in_blocked && p.out_blocked;
}

int64_t depthwise_weight_size(const ConvProblem& p) {
  const int64_t together = channels_together();
  return (p.in + together - 1) / together * together * p.size[0] * p.size[1] * p.size[2];
}

void pack_depthwise_weight(const ConvProblem& p, const float* from, float* to) {
  const int64_t together = channels_together(), taps = p.size[0] * p.size[1] * p.size[2];
  std::fill_n(to, depthwise_weight_size(p), 0.0f);
  for (int64_t channel = 0; channel < p.in; ++channel) {
    float* block = to + channel / together * taps * together + channel % together;
    for (int64_t tap = 0; tap < taps; ++tap) {
      block[tap * together] = p.weight_channels_last ? from[tap * p.in + channel] : from[channel * taps + tap];
    }
  }
}

void depthwise(const ConvProblem& problem, const float* x, const float* weight, const float* bias, const float* added,
               float* y) {
  HWY_DYNAMIC_DISPATCH(convolve)(problem, x, weight, bias, added, y);
}
}  // namespace causeway::engine::cpu
#endif
