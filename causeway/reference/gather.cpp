#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "causeway/reference/kernels.h"
#include "causeway/reference/totals.h"

// Gather; ScatterAdd, its gradient; and Put, what they do the other way round.

namespace causeway::reference {
namespace {

/// "[1, 0]" of element i of a tensor.
std::string place_of(int64_t i, std::span<const int64_t> lengths) {
  std::vector<int64_t> place(lengths.size());
  for (size_t axis = lengths.size(); axis-- > 0; i /= lengths[axis]) place[axis] = i % lengths[axis];
  return text_of(std::span<const int64_t>(place));
}

/// Calls f(offset in the looked-up tensor, offset in what was found, elements that lie together) for each index.
template <class F>
void each_found(int64_t stated_axis, std::span<const int64_t> lengths, const TensorView& indices, F f) {
  const size_t axis = axis_in(stated_axis, lengths.size());
  int64_t outer = 1, inner = 1;
  for (size_t i = 0; i < axis; ++i) outer *= lengths[i];
  for (size_t i = axis + 1; i < lengths.size(); ++i) inner *= lengths[i];
  const int64_t count = indices.size(), length = lengths[axis];
  for (int64_t i = 0; i < count; ++i) {
    const int64_t stated = index_at(indices, i);
    if (stated < -length || stated >= length) {
      unfit("the index " + std::to_string(stated) + " at " + place_of(i, indices.lengths) +
            " lies outside the axis, which has " + std::to_string(length) + " places.");
    }
    const int64_t index = stated < 0 ? stated + length : stated;
    for (int64_t o = 0; o < outer; ++o) f((o * length + index) * inner, (o * count + i) * inner, inner);
  }
}

}  // namespace

void row_numbers(const ops::RowNumbers& op, Views inputs, Views outputs) {
  const TensorView& x = inputs[0];
  with_any(x.dtype, [&]<class T>(std::type_identity<T>) {
    for (int64_t i = 0, count = x.size(); i < count; ++i) {
      const double number = static_cast<double>(wide(read<T>(x)[i]));
      if (!(number >= 0 && number < static_cast<double>(op.count) && number == std::floor(number))) {
        unfit("the number at " + place_of(i, x.lengths) + " is " + text_of(number) + ", and whole numbers from 0 to " +
              std::to_string(op.count - 1) + " name the rows of this table.");
      }
      write<int64_t>(outputs[0])[i] = static_cast<int64_t>(number);
    }
  });
}

void gather(const ops::Gather& op, Views inputs, Views outputs) {
  with_bits(outputs[0].dtype, [&]<class T>(std::type_identity<T>) {
    each_found(op.axis, inputs[0].lengths, inputs[1], [&](int64_t from, int64_t to, int64_t count) {
      std::copy_n(read<T>(inputs[0]) + from, count, write<T>(outputs[0]) + to);
    });
  });
}

void put(const ops::Put& op, Views inputs, Views outputs) {
  const TensorView &x = inputs[0], &updates = inputs[2], &y = outputs[0];
  with_bits(y.dtype, [&]<class T>(std::type_identity<T>) { std::copy_n(read<T>(x), x.size(), write<T>(y)); });
  if (op.kind == ops::PutKind::Replace) {
    with_bits(y.dtype, [&]<class T>(std::type_identity<T>) {
      each_found(op.axis, y.lengths, inputs[1], [&](int64_t to, int64_t from, int64_t count) {
        std::copy_n(read<T>(updates) + from, count, write<T>(y) + to);
      });
    });
    return;
  }
  with_any(y.dtype, [&]<class T>(std::type_identity<T>) {
    const auto together = [&](Wide<T> there, Wide<T> update) -> Wide<T> {
      switch (op.kind) {
        case ops::PutKind::Add:
          return Totals<T>::sum(there, update);
        case ops::PutKind::Mul:
          return there * update;
        case ops::PutKind::Max:
          return there < update ? update : there;
        default:
          return update < there ? update : there;
      }
    };
    each_found(op.axis, y.lengths, inputs[1], [&](int64_t to, int64_t from, int64_t count) {
      T* there = write<T>(y) + to;
      for (int64_t i = 0; i < count; ++i) {
        there[i] = narrow<T>(together(wide(there[i]), wide(read<T>(updates)[from + i])));
      }
    });
  });
}

void scatter_add(const ops::ScatterAdd& op, Views inputs, Views outputs) {
  const TensorView &updates = inputs[1], &y = outputs[0];
  with_number(y.dtype, [&]<class T>(std::type_identity<T>) {
    Totals<T> totals(y.size());
    each_found(op.axis, y.lengths, inputs[0], [&](int64_t to, int64_t from, int64_t count) {
      for (int64_t i = 0; i < count; ++i) totals.add(to + i, wide(read<T>(updates)[from + i]));
    });
    totals.store(y);
  });
}

}  // namespace causeway::reference
