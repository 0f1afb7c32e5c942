// Convolutions of few input channels, channels first, into blocks of channels.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/few_channels.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <cmath>
#include <limits>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/few_channels.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

constexpr int64_t kMostTaps = 32;

// The taps that a line of places reads: where their numbers lie, for the line's first place, and their weights.
struct LineTaps {
  int64_t count = 0;
  int64_t x[kMostTaps], weight[kMostTaps], cell[kMostTaps];
};

struct FewJob {
  const ConvProblem* problem = nullptr;
  const float* x = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  float* y = nullptr;
  float low = 0, high = 0;
  /// Output channels with those of the last block that are not there; places of a block.
  int64_t channels = 0, together = 0, places = 0;
};

// kPlaces results of kWidth vectors of channels, from `channel` on, the first at `place` of a line that begins at
// `begin`. Not inside: taps beside the image are left out.
template <size_t kPlaces, size_t kWidth, bool kInside>
HWY_INLINE void few_at(const FewJob& job, const LineTaps& taps, int64_t begin, int64_t place, int64_t channel) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), stride = job.problem->stride[2];
  V sums[kPlaces][kWidth];
#pragma GCC unroll 2
  for (size_t w = 0; w < kWidth; ++w) {
    const int64_t first = channel + static_cast<int64_t>(w) * lanes;
    V start = hn::Zero(d);
    if (job.bias && first < job.problem->out) {
      const auto left = static_cast<size_t>(job.problem->out - first);
      start = left >= hn::Lanes(d) ? hn::LoadU(d, job.bias + first) : load_some(d, job.bias + first, left);
    }
#pragma GCC unroll 12
    for (size_t r = 0; r < kPlaces; ++r) sums[r][w] = start;
  }
  const float* HWY_RESTRICT x = job.x + place * stride;
  const float* HWY_RESTRICT weight = job.weight + channel;
  for (int64_t t = 0; t < taps.count; ++t) {
    if (!kInside) {
      const int64_t cell = place * stride + taps.cell[t];
      if (cell < 0 || cell >= job.problem->in_lengths[2]) continue;
    }
    V row[kWidth];
#pragma GCC unroll 2
    for (size_t w = 0; w < kWidth; ++w) {
      row[w] = hn::LoadU(d, weight + taps.weight[t] + static_cast<int64_t>(w) * lanes);
    }
    const float* HWY_RESTRICT from = x + taps.x[t];
#pragma GCC unroll 12
    for (size_t r = 0; r < kPlaces; ++r) {
      const V number = hn::Set(d, from[static_cast<int64_t>(r) * stride]);
#pragma GCC unroll 2
      for (size_t w = 0; w < kWidth; ++w) sums[r][w] = hn::MulAdd(number, row[w], sums[r][w]);
    }
  }
  const V low = hn::Set(d, job.low), high = hn::Set(d, job.high);
  const bool adds = job.problem->adds;
#pragma GCC unroll 2
  for (size_t w = 0; w < kWidth; ++w) {
    const int64_t first = channel + static_cast<int64_t>(w) * lanes;
    float* to = job.y + (first / job.together * job.places + begin + place) * job.together + first % job.together;
#pragma GCC unroll 12
    for (size_t r = 0; r < kPlaces; ++r, to += job.together) {
      V y = sums[r][w];
      if (adds) y = hn::Add(y, hn::LoadU(d, to));
      y = hn::IfThenElse(hn::Lt(y, low), low, y);
      y = hn::IfThenElse(hn::Gt(y, high), high, y);
      hn::StoreU(y, d, to);
    }
  }
}

LineTaps taps_of(const FewJob& job, int64_t a, int64_t b) {
  const ConvProblem& p = *job.problem;
  LineTaps taps;
  int64_t tap = 0;
  for (int64_t c = 0; c < p.in; ++c) {
    for (int64_t i = 0; i < p.size[0]; ++i) {
      const int64_t at_i = a * p.stride[0] - p.before[0] + i * p.dilation[0];
      for (int64_t j = 0; j < p.size[1]; ++j) {
        const int64_t at_j = b * p.stride[1] - p.before[1] + j * p.dilation[1];
        const bool is_real = at_i >= 0 && at_i < p.in_lengths[0] && at_j >= 0 && at_j < p.in_lengths[1];
        for (int64_t k = 0; k < p.size[2]; ++k, ++tap) {
          if (!is_real) continue;
          const int64_t cell = k * p.dilation[2] - p.before[2];
          taps.x[taps.count] = ((c * p.in_lengths[0] + at_i) * p.in_lengths[1] + at_j) * p.in_lengths[2] + cell;
          taps.cell[taps.count] = cell;
          taps.weight[taps.count++] = tap * job.channels;
        }
      }
    }
  }
  return taps;
}

template <size_t kWidth>
void few_line(const FewJob& job, const LineTaps& taps, int64_t begin, int64_t channel) {
  const ConvProblem& p = *job.problem;
  // As many sums as the registers hold beside a row of weights.
  constexpr int64_t kPlaces = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 12 : 4;
  const int64_t reach = (p.size[2] - 1) * p.dilation[2];
  const auto is_inside = [&](int64_t place) {
    const int64_t first = place * p.stride[2] - p.before[2];
    return first >= 0 && first + reach < p.in_lengths[2];
  };
  for (int64_t place = 0; place < p.out_lengths[2];) {
    if (!is_inside(place)) {
      few_at<1, kWidth, false>(job, taps, begin, place++, channel);
    } else if (place + kPlaces <= p.out_lengths[2] && is_inside(place + kPlaces - 1)) {
      few_at<kPlaces, kWidth, true>(job, taps, begin, place, channel);
      place += kPlaces;
    } else if (place + 2 <= p.out_lengths[2] && is_inside(place + 1)) {
      few_at<2, kWidth, true>(job, taps, begin, place, channel);
      place += 2;
    } else {
      few_at<1, kWidth, true>(job, taps, begin, place++, channel);
    }
  }
}

void few_row(const ConvProblem& p, const float* x, const float* weight, const float* bias, float* y) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  FewJob job{.problem = &p, .x = x, .weight = weight, .bias = bias, .y = y};
  job.low = p.has_bounds ? p.low : -kInfinity;
  job.high = p.has_bounds ? p.high : kInfinity;
  job.together = channels_together();
  job.channels = (p.out + job.together - 1) / job.together * job.together;
  job.places = p.out_lengths[0] * p.out_lengths[1] * p.out_lengths[2];
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
  for (int64_t i = 0; i < p.out_lengths[0] * p.out_lengths[1]; ++i) {
    const LineTaps taps = taps_of(job, i / p.out_lengths[1], i % p.out_lengths[1]);
    int64_t channel = 0;
    for (; channel + 2 * lanes <= job.channels; channel += 2 * lanes) {
      few_line<2>(job, taps, i * p.out_lengths[2], channel);
    }
    if (channel < job.channels) few_line<1>(job, taps, i * p.out_lengths[2], channel);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "causeway/base/check.h"

namespace causeway::engine::cpu {
namespace {
HWY_EXPORT(few_row);

int64_t product(const std::array<int64_t, 3>& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

class FewChannels final : public ConvPrimitive {
 public:
  explicit FewChannels(const ConvProblem& problem)
      : problem_(problem),
        channels_((problem.out + channels_together() - 1) / channels_together() * channels_together()) {}

  std::string_view form() const override { return "few_channels"; }
  size_t weight_bytes() const override {
    return static_cast<size_t>(problem_.in * product(problem_.size) * channels_) * sizeof(float);
  }
  size_t scratch_bytes() const override { return 0; }

  // Tap by tap, all output channels side by side.
  void pack_weight(const float* from, float* to) const override {
    const int64_t taps = product(problem_.size);
    std::fill_n(to, problem_.in * taps * channels_, 0.0f);
    for (int64_t o = 0; o < problem_.out; ++o) {
      for (int64_t i = 0; i < problem_.in; ++i) {
        for (int64_t tap = 0; tap < taps; ++tap) {
          const int64_t at = problem_.weight_channels_last ? (tap * problem_.in + i) * problem_.out + o
                                                           : (o * problem_.in + i) * taps + tap;
          to[(i * taps + tap) * channels_ + o] = from[at];
        }
      }
    }
  }
  void unpack_weight(const float*, float*) const override { CAUSEWAY_CHECK(false, "a gradient is oneDNN's"); }

  std::unique_ptr<Call> call() const override { return std::make_unique<Call>(); }
  size_t runs() const override { return static_cast<size_t>(problem_.rows); }
  void run(Call&, size_t at, float* in, float* weight, const float* bias, float* out, void*) const override {
    const auto row = static_cast<int64_t>(at);
    HWY_DYNAMIC_DISPATCH(few_row)
    (problem_, in + row * problem_.in * product(problem_.in_lengths), weight, bias,
     out + row * channels_ * product(problem_.out_lengths));
  }

 private:
  ConvProblem problem_;
  int64_t channels_;
};

}  // namespace

std::shared_ptr<const ConvPrimitive> few_channels_conv(const ConvProblem& p) {
  constexpr int64_t kMostTaps = 32;
  const bool fits = p.pass == ConvProblem::Pass::Forward && p.groups == 1 && !p.in_blocked && p.out_blocked &&
                    p.in * product(p.size) <= kMostTaps;
  return fits ? std::make_shared<FewChannels>(p) : nullptr;
}

}  // namespace causeway::engine::cpu
#endif
