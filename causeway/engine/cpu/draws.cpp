// Philox 4x32-10, a block a lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "causeway/engine/cpu/draws.cpp"
// clang-format off: what is included below is compiled once for each instruction set.
#include "causeway/engine/cpu/vector_targets.h"
#include "hwy/foreach_target.h"
// clang-format on
#include <cstring>

#include "causeway/base/philox.h"
#include "causeway/engine/cpu/draws.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace causeway::engine::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using Wide = hn::ScalableTag<uint64_t>;
using Words = hn::Repartition<uint32_t, Wide>;
using W = hn::Vec<Wide>;

// Words of 32 bits, each in a lane of 64.
struct Block {
  W words[4];
};

Block drawn(Wide d, W block, uint64_t key, uint64_t step) {
  const Words narrow;
  const W low = hn::Set(d, 0xffffffffu);
  const auto product = [&](W word, uint32_t factor)
                           HWY_ATTR { return hn::MulEven(hn::BitCast(narrow, word), hn::Set(narrow, factor)); };
  Block b{{block, hn::Zero(d), hn::Set(d, step & 0xffffffffu), hn::Set(d, step >> 32)}};
  auto first_key = static_cast<uint32_t>(key), second_key = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const W first = product(b.words[0], 0xD2511F53u), second = product(b.words[2], 0xCD9E8D57u);
    b.words[0] = hn::Xor(hn::Xor(hn::ShiftRight<32>(second), b.words[1]), hn::Set(d, uint64_t{first_key}));
    b.words[1] = hn::And(second, low);
    b.words[2] = hn::Xor(hn::Xor(hn::ShiftRight<32>(first), b.words[3]), hn::Set(d, uint64_t{second_key}));
    b.words[3] = hn::And(first, low);
    first_key += 0x9E3779B9u;
    second_key += 0xBB67AE85u;
  }
  return b;
}

// Two words a lane of 64 bits as two floats in [0, 1), 24 bits each.
W floats_of(Wide d, W low, W high) {
  const Words narrow;
  const hn::Repartition<int32_t, Wide> whole;
  const hn::Repartition<float, Wide> floats;
  const auto bits = hn::ShiftRight<8>(hn::BitCast(narrow, hn::Or(low, hn::ShiftLeft<32>(high))));
  const auto number = hn::Mul(hn::ConvertTo(floats, hn::BitCast(whole, bits)), hn::Set(floats, 0x1p-24f));
  return hn::BitCast(d, number);
}

void draws(uint64_t key, uint64_t step, uint64_t first, size_t count, float* to) {
  const Wide d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN uint64_t numbers[2 * hn::MaxLanes(Wide())];
  for (uint64_t block = first / 4; count > 0; block += lanes) {
    const Block b = drawn(d, hn::Add(hn::Set(d, block), hn::Iota(d, 0)), key, step);
    hn::StoreInterleaved2(floats_of(d, b.words[0], b.words[1]), floats_of(d, b.words[2], b.words[3]), d, numbers);
    const size_t made = count < 4 * lanes ? count : 4 * lanes;
    std::memcpy(to, numbers, made * sizeof(float));
    to += made;
    count -= made;
  }
}

#else

void draws(uint64_t key, uint64_t step, uint64_t first, size_t count, float* to) {
  const Draws draws(key, step);
  for (size_t i = 0; i < count; ++i) to[i] = draws.uniform(first + i);
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace causeway::engine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace causeway::engine::cpu {
HWY_EXPORT(draws);
void uniform_draws(uint64_t key, uint64_t step, uint64_t first, size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(draws)(key, step, first, count, to);
}
}  // namespace causeway::engine::cpu
#endif
