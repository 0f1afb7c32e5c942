#include "causeway/engine/cpu/winograd_weight.h"

#include <cstddef>

namespace causeway::engine::cpu {
namespace {

constexpr size_t kMostTogether = 16;
using Lanes = float[kMostTogether];

// (1 0 0, ½ ½ ½, ½ -½ ½, 0 0 1) times three numbers, for each of some channels.
void spread(const Lanes& a, const Lanes& b, const Lanes& c, Lanes& first, Lanes& second, Lanes& third, Lanes& fourth) {
  for (size_t o = 0; o < kMostTogether; ++o) {
    first[o] = a[o];
    second[o] = 0.5f * (a[o] + b[o] + c[o]);
    third[o] = 0.5f * (a[o] - b[o] + c[o]);
    fourth[o] = c[o];
  }
}

}  // namespace

void WinogradWeight::pack(const float* from, float* to) const {
  const int64_t plane = in * out;  // of one place of the 4 x 4
  Lanes taps[9] = {}, columns[4][3], places[4][4];
  for (int64_t block = 0; block < out / together; ++block) {
    for (int64_t i = 0; i < in; ++i) {
      const float* first = from + i * in_stride + block * together * out_stride;
      for (int64_t tap = 0; tap < 9; ++tap) {
        for (int64_t o = 0; o < together; ++o) taps[tap][o] = first[o * out_stride + tap * tap_stride];
      }
      for (size_t l = 0; l < 3; ++l) {
        spread(taps[l], taps[3 + l], taps[6 + l], columns[0][l], columns[1][l], columns[2][l], columns[3][l]);
      }
      for (size_t k = 0; k < 4; ++k) {
        spread(columns[k][0], columns[k][1], columns[k][2], places[k][0], places[k][1], places[k][2], places[k][3]);
      }
      float* at = to + ((block / side * in + i) * side + block % side) * together;
      for (size_t place = 0; place < 16; ++place) {
        for (int64_t o = 0; o < together; ++o) at[o] = places[place / 4][place % 4][o];
        at += plane;
      }
    }
  }
}

}  // namespace causeway::engine::cpu
