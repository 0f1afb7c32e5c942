// Batch normalizations by channel, and their gradients.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/channel_norms.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <cmath>

#include "causeway/engine/cpu/channel_norms.h"
#include "causeway/engine/cpu/elementwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

// Sums are taken of so few terms a lane in float, and of those in double, so their error is that of some roundings
// whatever the number of terms.
constexpr size_t kTerms = 16;

// Per lane of a vector, in double: what has been added so far.
class LaneTotals {
 public:
  HWY_INLINE void add(V terms) {
    const D d;
    HWY_ALIGN float each[hn::MaxLanes(d)];
    hn::Store(terms, d, each);
    for (size_t i = 0; i < hn::Lanes(d); ++i) totals_[i] += static_cast<double>(each[i]);
  }
  double of_lane(size_t lane) const { return totals_[lane]; }
  double of_all() const {
    double total = 0;
    for (size_t i = 0; i < hn::Lanes(D()); ++i) total += totals_[i];
    return total;
  }

 private:
  double totals_[hn::MaxLanes(D())] = {};
};

struct Pair {
  V first, second;
};

// Where the numbers of some channels lie: of a vector of channels side by side, or of one channel in runs.
struct Columns {
  size_t rows, step, width;

  // f(offset, width) for each vector of numbers, by kTerms at a time with end() behind each.
  template <class F, class E>
  HWY_INLINE void each(F f, E end) const {
    for (size_t begin = 0; begin < rows; begin += kTerms) {
      const size_t last = std::min(rows, begin + kTerms);
      for (size_t row = begin; row < last; ++row) f(row * step, width);
      end();
    }
  }
};
struct Runs {
  size_t count, step, length;

  template <class F, class E>
  HWY_INLINE void each(F f, E end) const {
    const size_t lanes = hn::Lanes(D());
    for (size_t run = 0; run < count; ++run) {
      for (size_t begin = 0; begin < length; begin += kTerms * lanes) {
        const size_t last = std::min(length, begin + kTerms * lanes);
        size_t i = begin;
        for (; i + lanes <= last; i += lanes) f(run * step + i, lanes);
        if (i < last) f(run * step + i, last - i);
        end();
      }
    }
  }
};

// Sums of two terms of each number.
template <class Places, class F>
HWY_INLINE void add_up(const Places& places, LaneTotals& first, LaneTotals& second, F terms) {
  const D d;
  Pair sums{hn::Zero(d), hn::Zero(d)};
  places.each(
      [&](size_t at, size_t width) HWY_ATTR {
        const Pair more = terms(at, width);
        sums = {hn::Add(sums.first, more.first), hn::Add(sums.second, more.second)};
      },
      [&]() HWY_ATTR {
        first.add(sums.first);
        second.add(sums.second);
        sums = {hn::Zero(d), hn::Zero(d)};
      });
}

// What a channel's numbers are multiplied and moved by, a lane a channel or all lanes one.
struct Channel {
  V mean, rate, weight, bias;
};

template <class Places>
HWY_INLINE void normalize_at(const Places& places, const float* x, const Channel& channel, float* y) {
  const D d;
  const V scale = hn::Mul(channel.rate, channel.weight);
  places.each(
      [&](size_t at, size_t width) HWY_ATTR {
        const V number = hn::Sub(load_up_to(d, x + at, width), channel.mean);
        store_up_to(hn::MulAdd(number, scale, channel.bias), d, y + at, width);
      },
      [] {});
}

// Statistics of `count` channels that stand in lanes, or of one that has all.
template <class Places>
void normalize_group(const ChannelNorms& norms, const Places& places, size_t first, size_t offset, size_t lanes_used,
                     float* y, float* mean, float* variance) {
  const D d;
  const bool apart = lanes_used > 0;  // a lane a channel
  const size_t count = apart ? lanes_used : 1;
  const float* x = norms.x + offset;
  const double values = static_cast<double>(norms.outer) * static_cast<double>(norms.inner);
  HWY_ALIGN float means[hn::MaxLanes(d)] = {}, rates[hn::MaxLanes(d)] = {}, weights[hn::MaxLanes(d)] = {},
                  biases[hn::MaxLanes(d)] = {};
  LaneTotals sums, none;
  add_up(places, sums, none, [&](size_t at, size_t width) HWY_ATTR {
    return Pair{load_up_to(d, x + at, width), hn::Zero(d)};
  });
  const auto total = [&](const LaneTotals& totals, size_t i) { return apart ? totals.of_lane(i) : totals.of_all(); };
  for (size_t i = 0; i < count; ++i) mean[first + i] = means[i] = static_cast<float>(total(sums, i) / values);
  const auto spread = [&](const float* each) { return apart ? hn::Load(d, each) : hn::Set(d, each[0]); };
  const V middle = spread(means);
  LaneTotals squares, rests;
  add_up(places, squares, rests, [&](size_t at, size_t width) HWY_ATTR {
    V away = hn::Sub(load_up_to(d, x + at, width), middle);
    if (width < hn::Lanes(d)) away = hn::IfThenElseZero(hn::FirstN(d, width), away);
    return Pair{hn::Mul(away, away), away};
  });
  for (size_t i = 0; i < count; ++i) {
    const double rest = total(rests, i) / values, of_channel = std::max(total(squares, i) / values - rest * rest, 0.0);
    variance[first + i] = static_cast<float>(of_channel);
    rates[i] = static_cast<float>(1 / std::sqrt(of_channel + static_cast<double>(norms.epsilon)));
    weights[i] = norms.weight ? norms.weight[first + i] : 1.0f;
    biases[i] = norms.bias ? norms.bias[first + i] : 0.0f;
  }
  normalize_at(places, x, {middle, spread(rates), spread(weights), spread(biases)}, y + offset);
}

struct Gradient {
  const float *dy, *mean, *variance;
  float *dx, *dweight, *dbias;
};

template <class Places>
void gradient_group(const ChannelNorms& norms, const Places& places, size_t first, size_t offset, size_t lanes_used,
                    const Gradient& g) {
  const D d;
  const bool apart = lanes_used > 0;
  const size_t count = apart ? lanes_used : 1;
  const float *x = norms.x + offset, *dy = g.dy + offset;
  const double values = static_cast<double>(norms.outer) * static_cast<double>(norms.inner);
  HWY_ALIGN float means[hn::MaxLanes(d)] = {}, rates[hn::MaxLanes(d)] = {}, factors[hn::MaxLanes(d)] = {},
                  shifts[hn::MaxLanes(d)] = {}, slopes[hn::MaxLanes(d)] = {};
  for (size_t i = 0; i < count; ++i) {
    means[i] = g.mean[first + i];
    const double variance = static_cast<double>(g.variance[first + i]) + static_cast<double>(norms.epsilon);
    rates[i] = static_cast<float>(1 / std::sqrt(variance));
    factors[i] = rates[i] * (norms.weight ? norms.weight[first + i] : 1.0f);
  }
  const auto spread = [&](const float* each) { return apart ? hn::Load(d, each) : hn::Set(d, each[0]); };
  const V mean = spread(means), rate = spread(rates);
  LaneTotals arrived, along;
  add_up(places, arrived, along, [&](size_t at, size_t width) HWY_ATTR {
    const V more = load_up_to(d, dy + at, width);
    return Pair{more, hn::Mul(more, hn::Mul(hn::Sub(load_up_to(d, x + at, width), mean), rate))};
  });
  for (size_t i = 0; i < count; ++i) {
    const double dbias = apart ? arrived.of_lane(i) : arrived.of_all();
    const double dweight = apart ? along.of_lane(i) : along.of_all();
    g.dbias[first + i] = static_cast<float>(dbias);
    g.dweight[first + i] = static_cast<float>(dweight);
    shifts[i] = static_cast<float>(dbias / values);
    slopes[i] = static_cast<float>(dweight / values * static_cast<double>(rates[i]));
  }
  if (!g.dx) return;
  const V factor = spread(factors), shift = spread(shifts), slope = spread(slopes);
  float* dx = g.dx + offset;
  places.each(
      [&](size_t at, size_t width) HWY_ATTR {
        const V away = hn::Sub(load_up_to(d, x + at, width), mean);
        const V rest = hn::NegMulAdd(away, slope, hn::Sub(load_up_to(d, dy + at, width), shift));
        store_up_to(hn::Mul(rest, factor), d, dx + at, width);
      },
      [] {});
}

// work(places, first channel, offset of its numbers, channels in lanes or 0) for every group of channels.
template <class F>
void each_group(const ChannelNorms& norms, size_t first, size_t count, F work) {
  const size_t lanes = hn::Lanes(D());
  if (norms.inner == 1) {
    for (size_t i = first; i < first + count; i += lanes) {
      const size_t width = std::min(lanes, first + count - i);
      work(Columns{norms.outer, norms.channels, width}, i, i, width);
    }
    return;
  }
  for (size_t i = first; i < first + count; ++i) {
    work(Runs{norms.outer, norms.channels * norms.inner, norms.inner}, i, i * norms.inner, size_t{0});
  }
}

void normalize_all(const ChannelNorms& norms, size_t first, size_t count, float* y, float* mean, float* variance) {
  each_group(norms, first, count, [&](const auto& places, size_t channel, size_t offset, size_t in_lanes) {
    normalize_group(norms, places, channel, offset, in_lanes, y, mean, variance);
  });
}

void gradient_all(const ChannelNorms& norms, size_t first, size_t count, const float* dy, const float* mean,
                  const float* variance, float* dx, float* dweight, float* dbias) {
  each_group(norms, first, count, [&](const auto& places, size_t channel, size_t offset, size_t in_lanes) {
    gradient_group(norms, places, channel, offset, in_lanes, {dy, mean, variance, dx, dweight, dbias});
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(normalize_all);
HWY_EXPORT(gradient_all);

void normalize_channels(const ChannelNorms& norms, size_t first, size_t count, float* y, float* mean, float* variance) {
  HWY_DYNAMIC_DISPATCH(normalize_all)(norms, first, count, y, mean, variance);
}
void channel_norms_gradient(const ChannelNorms& norms, size_t first, size_t count, const float* dy, const float* mean,
                            const float* variance, float* dx, float* dweight, float* dbias) {
  HWY_DYNAMIC_DISPATCH(gradient_all)(norms, first, count, dy, mean, variance, dx, dweight, dbias);
}
}  // namespace causeway::engine::cpu
#endif
