#include "causeway/engine/cpu/layout.h"

#include <algorithm>
#include <cstddef>

#include "causeway/engine/cpu/primitive.h"

namespace causeway::engine::cpu {
namespace {

// One block of one row: `places` places, `channels` of the block's channels; strides of the plain side in elements.
template <class T>
void block(const T* from, int64_t channel_stride, int64_t place_stride, int64_t channels, int64_t places,
           int64_t together, T* to) {
  if (channel_stride == 1) {
    for (int64_t p = 0; p < places; ++p, to += together) {
      std::copy_n(from + p * place_stride, channels, to);
      std::fill(to + channels, to + together, T(0));
    }
    return;
  }
  // Some places at a time, so that both sides are touched in lines.
  constexpr int64_t kPlaces = 32;
  for (int64_t begin = 0; begin < places; begin += kPlaces) {
    const int64_t end = std::min(places, begin + kPlaces);
    for (int64_t c = 0; c < together; ++c) {
      for (int64_t p = begin; p < end; ++p) {
        to[p * together + c] = c < channels ? from[c * channel_stride + p * place_stride] : T(0);
      }
    }
  }
}

template <class T>
void unblock(const T* from, int64_t channel_stride, int64_t place_stride, int64_t channels, int64_t places,
             int64_t together, T* to) {
  if (channel_stride == 1) {
    for (int64_t p = 0; p < places; ++p) std::copy_n(from + p * together, channels, to + p * place_stride);
    return;
  }
  constexpr int64_t kPlaces = 32;
  for (int64_t begin = 0; begin < places; begin += kPlaces) {
    const int64_t end = std::min(places, begin + kPlaces);
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t p = begin; p < end; ++p) to[c * channel_stride + p * place_stride] = from[p * together + c];
    }
  }
}

// Calls f(plain offset, blocked offset, channels) for every block of every row.
template <class F>
void each_block(const BlockMove& move, F f) {
  const int64_t together = channels_together(), blocks = (move.channels + together - 1) / together;
  const bool last = move.layout == ops::Layout::ChannelsLast;
  for (int64_t row = 0; row < move.rows; ++row) {
    for (int64_t b = 0; b < blocks; ++b) {
      const int64_t first = b * together;
      const int64_t plain = row * move.channels * move.places + (last ? first : first * move.places);
      f(plain, (row * blocks + b) * move.places * together, std::min(together, move.channels - first));
    }
  }
}

template <class T>
void all_to_blocked(const BlockMove& move, const T* from, T* to) {
  const bool last = move.layout == ops::Layout::ChannelsLast;
  each_block(move, [&](int64_t plain, int64_t blocked, int64_t channels) {
    block(from + plain, last ? 1 : move.places, last ? move.channels : 1, channels, move.places, channels_together(),
          to + blocked);
  });
}
template <class T>
void all_from_blocked(const BlockMove& move, const T* from, T* to) {
  const bool last = move.layout == ops::Layout::ChannelsLast;
  each_block(move, [&](int64_t plain, int64_t blocked, int64_t channels) {
    unblock(from + blocked, last ? 1 : move.places, last ? move.channels : 1, channels, move.places,
            channels_together(), to + plain);
  });
}

}  // namespace

std::vector<int64_t> blocked_lengths(const std::vector<int64_t>& plain, ops::Layout layout) {
  const size_t axis = ops::channel_axis(layout, plain.size());
  const int64_t together = channels_together();
  std::vector<int64_t> lengths{plain[0], (plain[axis] + together - 1) / together};
  for (size_t i = 0; i + 2 < plain.size(); ++i) lengths.push_back(plain[ops::place_axis(layout, i)]);
  lengths.push_back(together);
  return lengths;
}

BlockMove BlockMove::of(const std::vector<int64_t>& plain, ops::Layout layout, size_t element_bytes) {
  BlockMove move{plain[0], plain[ops::channel_axis(layout, plain.size())], 1, layout, element_bytes};
  for (size_t i = 0; i + 2 < plain.size(); ++i) move.places *= plain[ops::place_axis(layout, i)];
  return move;
}

void BlockMove::to_blocked(const void* from, void* to) const {
  if (element_bytes == 1) return all_to_blocked(*this, static_cast<const uint8_t*>(from), static_cast<uint8_t*>(to));
  all_to_blocked(*this, static_cast<const float*>(from), static_cast<float*>(to));
}
void BlockMove::from_blocked(const void* from, void* to) const {
  if (element_bytes == 1) return all_from_blocked(*this, static_cast<const uint8_t*>(from), static_cast<uint8_t*>(to));
  all_from_blocked(*this, static_cast<const float*>(from), static_cast<float*>(to));
}

}  // namespace causeway::engine::cpu
