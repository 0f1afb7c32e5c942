// Normalizations along dense rows, and their gradients.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/row_norms.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <cmath>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/row_norms.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {

// Two sums along a row, which are taken in pieces where it is long.
struct Sums {
  float first = 0, second = 0;
};
struct Terms {
  V first, second;
};

// terms(i, width) gives the terms of numbers i … i + width - 1, noughts behind the last.
template <class F>
HWY_INLINE Sums sums_of(size_t count, F terms) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kPiece = 4096;
  Sums all;
  for (size_t begin = 0; begin < count; begin += kPiece) {
    const size_t end = std::min(count, begin + kPiece);
    Terms even{hn::Zero(d), hn::Zero(d)}, odd = even;
    const auto add = [&](Terms& to, size_t i, size_t width) HWY_ATTR {
      const Terms more = terms(i, width);
      to = {hn::Add(to.first, more.first), hn::Add(to.second, more.second)};
    };
    size_t i = begin;
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      add(even, i, lanes);
      add(odd, i + lanes, lanes);
    }
    if (i + lanes <= end) {
      add(even, i, lanes);
      i += lanes;
    }
    if (i < end) add(odd, i, end - i);
    all.first += hn::GetLane(hn::SumOfLanes(d, hn::Add(even.first, odd.first)));
    all.second += hn::GetLane(hn::SumOfLanes(d, hn::Add(even.second, odd.second)));
  }
  return all;
}

template <class F>
HWY_INLINE void each_vector(size_t count, F work) {
  const size_t lanes = hn::Lanes(D());
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) work(i, lanes);
  if (i < count) work(i, count - i);
}

// A row times a factor: its mean, what that lacks for being rounded, and its variance.
struct Moments {
  double factor = 1;
  float mean = 0, rest = 0, variance = 0;
};

Moments moments_of(const RowNorms& norms, const float* x, float factor) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  const auto count = static_cast<float>(norms.count);
  const V times = hn::Set(d, factor);
  Moments row{static_cast<double>(factor)};
  if (!norms.rms) {
    const Sums sums = sums_of(norms.count, [&](size_t i, size_t width) HWY_ATTR {
      return Terms{hn::Mul(load_up_to(d, x + i, width), times), hn::Zero(d)};
    });
    row.mean = sums.first / count;
  }
  const V mean = hn::Set(d, row.mean);
  const Sums sums = sums_of(norms.count, [&](size_t i, size_t width) HWY_ATTR {
    V away = hn::Sub(hn::Mul(load_up_to(d, x + i, width), times), mean);
    if (width < lanes) away = hn::IfThenElseZero(hn::FirstN(d, width), away);
    return Terms{hn::Mul(away, away), away};
  });
  if (!norms.rms) row.rest = sums.second / count;
  row.variance = std::max(sums.first / count - row.rest * row.rest, 0.0f);
  return row;
}

// A row as it is normalized: (x - mean - rest) * rate.
class Row {
 public:
  Row(const RowNorms& norms, const float* x) : x_(x) {
    const D d;
    Moments row = moments_of(norms, x, 1);
    // Squares past what float32 holds: as a row of smaller numbers.
    if (!std::isfinite(row.variance)) row = moments_of(norms, x, 0x1p-64f);
    const double variance = static_cast<double>(row.variance) / (row.factor * row.factor);
    const double rate = 1 / std::sqrt(variance + static_cast<double>(norms.epsilon));
    mean_ = hn::Set(d, static_cast<float>(row.mean / row.factor));
    rate_ = hn::Set(d, static_cast<float>(rate));
    shift_ = hn::Set(d, static_cast<float>(-row.rest / row.factor * rate));
  }

  HWY_INLINE V at(size_t i, size_t width) const {
    return hn::MulAdd(hn::Sub(load_up_to(D(), x_ + i, width), mean_), rate_, shift_);
  }
  HWY_INLINE V rate() const { return rate_; }

 private:
  const float* x_;
  V mean_, rate_, shift_;
};

void normalize(const RowNorms& norms, float* y) {
  const D d;
  for (size_t row = 0; row < norms.rows; ++row, y += norms.count) {
    const Row normal(norms, norms.x + row * norms.count);
    each_vector(norms.count, [&](size_t i, size_t width) HWY_ATTR {
      V number = normal.at(i, width);
      if (norms.weight && norms.bias) {
        number = hn::MulAdd(number, load_up_to(d, norms.weight + i, width), load_up_to(d, norms.bias + i, width));
      } else if (norms.weight) {
        number = hn::Mul(number, load_up_to(d, norms.weight + i, width));
      } else if (norms.bias) {
        number = hn::Add(number, load_up_to(d, norms.bias + i, width));
      }
      store_up_to(number, d, y + i, width);
    });
  }
}

void gradient(const RowNorms& norms, const float* dy, float* dx, float* dweight, float* dbias) {
  const D d;
  if (dweight) {
    std::fill_n(dweight, norms.count, 0.0f);
    std::fill_n(dbias, norms.count, 0.0f);
  }
  for (size_t row = 0; row < norms.rows; ++row, dy += norms.count) {
    const Row normal(norms, norms.x + row * norms.count);
    const auto weighted = [&](V arrived, size_t i, size_t width) HWY_ATTR {
      return norms.weight ? hn::Mul(arrived, load_up_to(d, norms.weight + i, width)) : arrived;
    };
    // Behind the last number dy is 0, and so are the terms.
    const Sums sums = sums_of(norms.count, [&](size_t i, size_t width) HWY_ATTR {
      const V arrived = load_up_to(d, dy + i, width), number = normal.at(i, width);
      if (dweight) {
        store_up_to(hn::MulAdd(arrived, number, load_up_to(d, dweight + i, width)), d, dweight + i, width);
        store_up_to(hn::Add(arrived, load_up_to(d, dbias + i, width)), d, dbias + i, width);
      }
      const V g = weighted(arrived, i, width);
      return Terms{g, hn::Mul(g, number)};
    });
    if (!dx) continue;
    const auto count = static_cast<float>(norms.count);
    const V mean = hn::Set(d, norms.rms ? 0.0f : sums.first / count), slope = hn::Set(d, sums.second / count);
    float* to = dx + row * norms.count;
    each_vector(norms.count, [&](size_t i, size_t width) HWY_ATTR {
      const V rest =
          hn::NegMulAdd(normal.at(i, width), slope, hn::Sub(weighted(load_up_to(d, dy + i, width), i, width), mean));
      store_up_to(hn::Mul(rest, normal.rate()), d, to + i, width);
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

void normalize_rows(const RowNorms& norms, float* y) { HWY_DYNAMIC_DISPATCH(normalize)(norms, y); }
void row_norms_gradient(const RowNorms& norms, const float* dy, float* dx, float* dweight, float* dbias) {
  HWY_DYNAMIC_DISPATCH(gradient)(norms, dy, dx, dweight, dbias);
}
}  // namespace causeway::engine::cpu
#endif
