// Normalizations of numbers that lie in several lines, and their gradients: group and instance normalization, channels
// last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/spread_norms.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <cmath>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/spread_norms.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

struct Terms {
  V first, second;
};

// Two totals of each column over all lines: terms(place, column, width) gives those of the numbers from there on, for
// kColumns vectors' columns at a time. Long sums are taken in pieces.
template <class F>
HWY_INLINE void column_sums(const SpreadNorms& norms, F terms, float* first, float* second) {
  const D d;
  const size_t lanes = hn::Lanes(d), columns = norms.count * norms.inner;
  constexpr size_t kLines = 256;
  for (size_t column = 0; column < columns; column += lanes) {
    const size_t width = std::min(lanes, columns - column);
    Terms all{hn::Zero(d), hn::Zero(d)};
    for (size_t begin = 0; begin < norms.along; begin += kLines) {
      const size_t end = std::min(norms.along, begin + kLines);
      Terms even{hn::Zero(d), hn::Zero(d)}, odd = even;
      const auto add = [&](Terms& to, size_t line) HWY_ATTR {
        const Terms more = terms(line * norms.line + column, column, width);
        to = {hn::Add(to.first, more.first), hn::Add(to.second, more.second)};
      };
      size_t line = begin;
      for (; line + 2 <= end; line += 2) {
        add(even, line);
        add(odd, line + 1);
      }
      if (line < end) add(even, line);
      all = {hn::Add(all.first, hn::Add(even.first, odd.first)), hn::Add(all.second, hn::Add(even.second, odd.second))};
    }
    store_up_to(all.first, d, first + column, width);
    store_up_to(all.second, d, second + column, width);
  }
}

// What is known of each column of a normalization: it is (x - mean) * rate + shift, where shift is what the rounded mean
// lacks.
class Columns {
 public:
  Columns(const SpreadNorms& norms, float* scratch) : norms_(norms) {
    const D d;
    const size_t columns = norms.count * norms.inner;
    mean_ = scratch, rate_ = mean_ + columns, shift_ = rate_ + columns;
    const auto count = static_cast<double>(norms.along * norms.inner);
    std::fill_n(mean_, columns, 0.0f);
    if (!norms.rms) {
      column_sums(
          norms,
          [&](size_t at, size_t, size_t width) HWY_ATTR {
            return Terms{load_up_to(d, norms.x + at, width), hn::Zero(d)};
          },
          rate_, shift_);
      each([&](size_t begin) {
        std::fill_n(mean_ + begin, norms.inner, static_cast<float>(sum(rate_ + begin) / count));
      });
    }
    column_sums(
        norms,
        [&](size_t at, size_t column, size_t width) HWY_ATTR {
          const V away = hn::Sub(load_up_to(d, norms.x + at, width), load_up_to(d, mean_ + column, width));
          return Terms{hn::Mul(away, away), away};
        },
        rate_, shift_);
    each([&](size_t begin) {
      const double rest = norms.rms ? 0 : sum(shift_ + begin) / count;
      const double variance = sum(rate_ + begin) / count - rest * rest;
      const double rate = 1 / std::sqrt(std::max(variance, 0.0) + static_cast<double>(norms.epsilon));
      std::fill_n(rate_ + begin, norms.inner, static_cast<float>(rate));
      std::fill_n(shift_ + begin, norms.inner, static_cast<float>(-rest * rate));
    });
  }

  // Calls f with the first column of each normalization.
  template <class F>
  void each(F f) const {
    for (size_t i = 0; i < norms_.count; ++i) f(i * norms_.inner);
  }
  double sum(const float* from) const {
    double total = 0;
    for (size_t i = 0; i < norms_.inner; ++i) total += static_cast<double>(from[i]);
    return total;
  }
  HWY_INLINE V at(size_t place, size_t column, size_t width) const {
    const D d;
    const V away = hn::Sub(load_up_to(d, norms_.x + place, width), load_up_to(d, mean_ + column, width));
    return hn::MulAdd(away, load_up_to(d, rate_ + column, width), load_up_to(d, shift_ + column, width));
  }
  HWY_INLINE V rate(size_t column, size_t width) const { return load_up_to(D(), rate_ + column, width); }

 private:
  const SpreadNorms& norms_;
  float *mean_, *rate_, *shift_;
};

// Calls work(place, column, width) for every vector of every line.
template <class F>
HWY_INLINE void each_vector(const SpreadNorms& norms, size_t line, F work) {
  const size_t lanes = hn::Lanes(D()), columns = norms.count * norms.inner;
  for (size_t column = 0; column < columns; column += lanes) {
    work(line * norms.line + column, column, std::min(lanes, columns - column));
  }
}

// to = from * weight + bias along a line; from may be to.
void apply_weight(const SpreadNorms& norms, size_t line, const float* from, const float* bias, float* to) {
  const float* weight = norms.weight ? norms.weight + line * norms.inner : nullptr;
  if (bias) bias += line * norms.inner;
  for (size_t k = 0; k < norms.count; ++k) {
    for (size_t i = 0; i < norms.inner; ++i, ++from, ++to) {
      const float product = weight ? *from * weight[i] : *from;
      *to = bias ? product + bias[i] : product;
    }
  }
}

// Of one number of each normalization, in one line.
float sum_of_each(const SpreadNorms& norms, const float* from) {
  double total = 0;
  for (size_t k = 0; k < norms.count; ++k) total += static_cast<double>(from[k * norms.inner]);
  return static_cast<float>(total);
}

void normalize(const SpreadNorms& norms, float* y, float* scratch) {
  const D d;
  const Columns columns(norms, scratch);
  for (size_t line = 0; line < norms.along; ++line) {
    each_vector(norms, line, [&](size_t at, size_t column, size_t width) HWY_ATTR {
      store_up_to(columns.at(at, column, width), d, y + at, width);
    });
    float* row = y + line * norms.line;
    if (norms.weight || norms.bias) apply_weight(norms, line, row, norms.bias, row);
  }
}

void gradient(const SpreadNorms& norms, const float* dy, float* dx, float* dweight, float* dbias, float* scratch) {
  const D d;
  const size_t count = norms.count * norms.inner;
  const Columns columns(norms, scratch);
  float *first = scratch + 3 * count, *second = first + count;
  if (dweight || dbias) {
    for (size_t line = 0; line < norms.along; ++line) {
      each_vector(norms, line, [&](size_t at, size_t column, size_t width) HWY_ATTR {
        store_up_to(hn::Mul(load_up_to(d, dy + at, width), columns.at(at, column, width)), d, first + column, width);
      });
      const size_t to = line * norms.inner;
      for (size_t i = 0; i < norms.inner; ++i) {
        if (dweight) dweight[to + i] += sum_of_each(norms, first + i);
        if (dbias) dbias[to + i] += sum_of_each(norms, dy + line * norms.line + i);
      }
    }
  }
  if (!dx) return;
  // What arrives times the weight, where there is one, lies in dx.
  const float* g = dy;
  if (norms.weight) {
    for (size_t line = 0; line < norms.along; ++line) {
      apply_weight(norms, line, dy + line * norms.line, nullptr, dx + line * norms.line);
    }
    g = dx;
  }
  column_sums(
      norms,
      [&](size_t at, size_t column, size_t width) HWY_ATTR {
        const V arrived = load_up_to(d, g + at, width);
        return Terms{arrived, hn::Mul(arrived, columns.at(at, column, width))};
      },
      first, second);
  const auto numbers = static_cast<double>(norms.along * norms.inner);
  columns.each([&](size_t begin) {
    const auto mean = static_cast<float>(norms.rms ? 0 : columns.sum(first + begin) / numbers);
    const auto slope = static_cast<float>(columns.sum(second + begin) / numbers);
    std::fill_n(first + begin, norms.inner, mean);
    std::fill_n(second + begin, norms.inner, slope);
  });
  for (size_t line = 0; line < norms.along; ++line) {
    each_vector(norms, line, [&](size_t at, size_t column, size_t width) HWY_ATTR {
      const V arrived = hn::Sub(load_up_to(d, g + at, width), load_up_to(d, first + column, width));
      const V rest = hn::NegMulAdd(columns.at(at, column, width), load_up_to(d, second + column, width), arrived);
      store_up_to(hn::Mul(rest, columns.rate(column, width)), d, dx + at, width);
    });
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(normalize);
HWY_EXPORT(gradient);

void normalize_spread(const SpreadNorms& norms, float* y, float* scratch) {
  HWY_DYNAMIC_DISPATCH(normalize)(norms, y, scratch);
}
void spread_norms_gradient(const SpreadNorms& norms, const float* dy, float* dx, float* dweight, float* dbias,
                           float* scratch) {
  HWY_DYNAMIC_DISPATCH(gradient)(norms, dy, dx, dweight, dbias, scratch);
}
}  // namespace causeway::engine::cpu
#endif
