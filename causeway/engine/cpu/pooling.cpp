// Poolings over channels-last images, some channels at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/pooling.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <algorithm>
#include <limits>

#include "causeway/engine/cpu/elementwise-inl.h"
#include "causeway/engine/cpu/pooling.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {

// The real cells of a window along each axis: first … last - 1, `step` apart.
struct Cells {
  int64_t first[3], last[3];
};

Cells cells_at(const Pooling& p, const int64_t (&place)[3]) {
  Cells cells{};
  for (size_t axis = 0; axis < 3; ++axis) {
    const int64_t start = place[axis] * p.stride[axis] - p.before[axis];
    const int64_t end = start + (p.size[axis] - 1) * p.dilation[axis] + 1;
    cells.first[axis] =
        start < 0 ? start + (-start + p.dilation[axis] - 1) / p.dilation[axis] * p.dilation[axis] : start;
    cells.last[axis] = std::min(end, p.in[axis]);
  }
  return cells;
}

// Calls f(offset of the cell's channels) for each real cell, in row-major order.
template <class F>
HWY_INLINE void each_cell(const Pooling& p, const Cells& cells, F f) {
  for (int64_t a = cells.first[0]; a < cells.last[0]; a += p.dilation[0]) {
    for (int64_t b = cells.first[1]; b < cells.last[1]; b += p.dilation[1]) {
      for (int64_t c = cells.first[2]; c < cells.last[2]; c += p.dilation[2]) {
        f(((a * p.in[1] + b) * p.in[2] + c) * p.channels);
      }
    }
  }
}

// Where the cells of a window that lies inside lie behind its first; none where they are too many to list.
struct Offsets {
  explicit Offsets(const Pooling& p) {
    if (p.size[0] * p.size[1] * p.size[2] > kMost) return;
    for (int64_t a = 0; a < p.size[0]; ++a) {
      for (int64_t b = 0; b < p.size[1]; ++b) {
        for (int64_t c = 0; c < p.size[2]; ++c) {
          const int64_t place = (a * p.dilation[0] * p.in[1] + b * p.dilation[1]) * p.in[2] + c * p.dilation[2];
          all[count++] = place * p.channels;
        }
      }
    }
  }

  // The window's first cell, where it lies inside; -1 where it does not, or there is no list.
  HWY_INLINE int64_t start(const Pooling& p, const int64_t (&place)[3]) const {
    if (count == 0) return -1;
    int64_t first[3];
    for (size_t axis = 0; axis < 3; ++axis) {
      first[axis] = place[axis] * p.stride[axis] - p.before[axis];
      if (first[axis] < 0 || first[axis] + (p.size[axis] - 1) * p.dilation[axis] >= p.in[axis]) return -1;
    }
    return ((first[0] * p.in[1] + first[1]) * p.in[2] + first[2]) * p.channels;
  }

  static constexpr int64_t kMost = 64;
  int64_t all[kMost], count = 0;
};

// Calls f(offset of the cell's channels) for each real cell of a window, in row-major order.
template <class F>
HWY_INLINE void each_cell_at(const Pooling& p, const Offsets& offsets, const int64_t (&place)[3], F f) {
  const int64_t start = offsets.start(p, place);
  if (start < 0) return each_cell(p, cells_at(p, place), f);
  for (int64_t i = 0; i < offsets.count; ++i) f(start + offsets.all[i]);
}

// Calls f(place, offset of its channels) for each place of one row.
template <class F>
HWY_INLINE void each_place(const Pooling& p, F f) {
  int64_t place[3], offset = 0;
  for (place[0] = 0; place[0] < p.out[0]; ++place[0]) {
    for (place[1] = 0; place[1] < p.out[1]; ++place[1]) {
      for (place[2] = 0; place[2] < p.out[2]; ++place[2], offset += p.channels) f(place, offset);
    }
  }
}

HWY_INLINE V load_up_to(D d, const float* from, size_t count, size_t lanes) {
  return count >= lanes ? hn::LoadU(d, from) : load_some(d, from, count);
}
HWY_INLINE void store_up_to(V v, D d, float* to, size_t count, size_t lanes) {
  if (count >= lanes) {
    hn::StoreU(v, d, to);
  } else {
    store_some(v, d, to, count);
  }
}

// The largest so far, and where a NaN was: it counts as the largest.
struct Largest {
  V most;
  hn::Mask<D> nan;

  HWY_INLINE void take(V x) {
    most = hn::Max(x, most);  // the first of two noughts stays
    nan = hn::Or(nan, hn::IsNaN(x));
  }
  HWY_INLINE V value(D d) const { return hn::IfThenElse(nan, hn::NaN(d), most); }
};

HWY_INLINE Largest none(D d) {
  return {hn::Set(d, -std::numeric_limits<float>::infinity()), hn::Ne(hn::Zero(d), hn::Zero(d))};
}

HWY_INLINE V largest_of(const Pooling& p, const Offsets& offsets, const int64_t (&place)[3], const float* x,
                        size_t count, size_t lanes) {
  const D d;
  Largest largest = none(d);
  each_cell_at(p, offsets, place, [&](int64_t cell) HWY_ATTR { largest.take(load_up_to(d, x + cell, count, lanes)); });
  return largest.value(d);
}

// Windows of kCells cells that lie inside, side by side along the last axis.
template <size_t kCells>
HWY_INLINE void max_line(const Pooling& p, const int64_t* offsets, const float* x, int64_t places, float* y) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), step = p.stride[2] * p.channels;
  for (int64_t place = 0; place < places; ++place, x += step, y += p.channels) {
    for (int64_t c = 0; c < p.channels; c += lanes) {
      Largest largest = none(d);
#pragma GCC unroll 9
      for (size_t i = 0; i < kCells; ++i) largest.take(hn::LoadU(d, x + offsets[i] + c));
      hn::StoreU(largest.value(d), d, y + c);
    }
  }
}

void max_of(const Pooling& p, const float* x, float* y) {
  const D d;
  const size_t lanes = hn::Lanes(d), channels = static_cast<size_t>(p.channels);
  const Offsets offsets(p);
  const bool has_line = channels % lanes == 0 && (offsets.count == 4 || offsets.count == 9);
  for (int64_t row = 0; row < p.rows; ++row, x += p.in_size(), y += p.out_size()) {
    int64_t place[3], offset = 0;
    const auto one = [&]() HWY_ATTR {
      for (size_t c = 0; c < channels; c += lanes) {
        store_up_to(largest_of(p, offsets, place, x + c, channels - c, lanes), d, y + offset + c, channels - c, lanes);
      }
    };
    for (place[0] = 0; place[0] < p.out[0]; ++place[0]) {
      for (place[1] = 0; place[1] < p.out[1]; ++place[1]) {
        for (place[2] = 0; place[2] < p.out[2];) {
          const int64_t start = has_line ? offsets.start(p, place) : -1;
          if (start < 0) {
            one();
            ++place[2], offset += p.channels;
            continue;
          }
          // As many as lie inside from here on.
          const int64_t first = place[2] * p.stride[2] - p.before[2];
          const int64_t room = p.in[2] - 1 - (p.size[2] - 1) * p.dilation[2] - first;
          const int64_t places = std::min(p.out[2] - place[2], room / p.stride[2] + 1);
          if (offsets.count == 4) {
            max_line<4>(p, offsets.all, x + start, places, y + offset);
          } else {
            max_line<9>(p, offsets.all, x + start, places, y + offset);
          }
          place[2] += places, offset += places * p.channels;
        }
      }
    }
  }
}

void max_gradient_of(const Pooling& p, const float* dy, const float* x, float* dx) {
  const D d;
  const size_t lanes = hn::Lanes(d), channels = static_cast<size_t>(p.channels);
  const Offsets offsets(p);
  std::fill_n(dx, p.rows * p.in_size(), 0.0f);
  for (int64_t row = 0; row < p.rows; ++row) {
    each_place(p, [&](const int64_t(&place)[3], int64_t offset) HWY_ATTR {
      for (size_t c = 0; c < channels; c += lanes) {
        const size_t count = channels - c;
        const V largest = largest_of(p, offsets, place, x + c, count, lanes);
        const auto is_nan = hn::IsNaN(largest);
        V left = load_up_to(d, dy + offset + c, count, lanes);  // nought once the first largest has had it
        each_cell_at(p, offsets, place, [&](int64_t cell) HWY_ATTR {
          const V number = load_up_to(d, x + cell + c, count, lanes);
          const auto is_it = hn::Or(hn::Eq(number, largest), hn::And(is_nan, hn::IsNaN(number)));
          const V sum = hn::Add(load_up_to(d, dx + cell + c, count, lanes), hn::IfThenElseZero(is_it, left));
          store_up_to(sum, d, dx + cell + c, count, lanes);
          left = hn::IfThenZeroElse(is_it, left);
        });
      }
    });
    dy += p.out_size();
    x += p.in_size();
    dx += p.in_size();
  }
}

// How many cells an average divides by.
int64_t counted(const Pooling& p, const Cells& cells, const int64_t (&place)[3]) {
  int64_t count = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!p.counts_border) {
      count *= (cells.last[axis] - cells.first[axis] + p.dilation[axis] - 1) / p.dilation[axis];
      continue;
    }
    const int64_t start = place[axis] * p.stride[axis] - p.before[axis];
    const int64_t end = std::min(start + (p.size[axis] - 1) * p.dilation[axis] + 1, p.in[axis] + p.counted_after[axis]);
    count *= (end - start + p.dilation[axis] - 1) / p.dilation[axis];
  }
  return count;
}

void average_of(const Pooling& p, const float* x, float* y) {
  const D d;
  const size_t lanes = hn::Lanes(d), channels = static_cast<size_t>(p.channels);
  const Offsets offsets(p);
  for (int64_t row = 0; row < p.rows; ++row, x += p.in_size(), y += p.out_size()) {
    each_place(p, [&](const int64_t(&place)[3], int64_t offset) HWY_ATTR {
      const Cells cells = cells_at(p, place);
      const V divisor = hn::Set(d, static_cast<float>(counted(p, cells, place)));
      for (size_t c = 0; c < channels; c += lanes) {
        V sum = hn::Zero(d);
        each_cell(p, cells,
                  [&](int64_t cell) HWY_ATTR { sum = hn::Add(sum, load_up_to(d, x + cell + c, channels - c, lanes)); });
        store_up_to(hn::Div(sum, divisor), d, y + offset + c, channels - c, lanes);
      }
    });
  }
}

void average_gradient_of(const Pooling& p, const float* dy, float* dx) {
  const D d;
  const size_t lanes = hn::Lanes(d), channels = static_cast<size_t>(p.channels);
  std::fill_n(dx, p.rows * p.in_size(), 0.0f);
  for (int64_t row = 0; row < p.rows; ++row, dy += p.out_size(), dx += p.in_size()) {
    each_place(p, [&](const int64_t(&place)[3], int64_t offset) HWY_ATTR {
      const Cells cells = cells_at(p, place);
      const V divisor = hn::Set(d, static_cast<float>(counted(p, cells, place)));
      for (size_t c = 0; c < channels; c += lanes) {
        const size_t count = channels - c;
        const V share = hn::Div(load_up_to(d, dy + offset + c, count, lanes), divisor);
        each_cell(p, cells, [&](int64_t cell) HWY_ATTR {
          const V sum = hn::Add(load_up_to(d, dx + cell + c, count, lanes), share);
          store_up_to(sum, d, dx + cell + c, count, lanes);
        });
      }
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace causeway::engine::cpu {
HWY_EXPORT(max_of);
HWY_EXPORT(max_gradient_of);
HWY_EXPORT(average_of);
HWY_EXPORT(average_gradient_of);

void max_pooled(const Pooling& p, const float* x, float* y) { HWY_DYNAMIC_DISPATCH(max_of)(p, x, y); }
void max_pooled_gradient(const Pooling& p, const float* dy, const float* x, float* dx) {
  HWY_DYNAMIC_DISPATCH(max_gradient_of)(p, dy, x, dx);
}
void average_pooled(const Pooling& p, const float* x, float* y) { HWY_DYNAMIC_DISPATCH(average_of)(p, x, y); }
void average_pooled_gradient(const Pooling& p, const float* dy, float* dx) {
  HWY_DYNAMIC_DISPATCH(average_gradient_of)(p, dy, dx);
}
}  // namespace causeway::engine::cpu
#endif
