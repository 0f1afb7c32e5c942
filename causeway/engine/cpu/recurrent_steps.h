#pragma once

#include <cstddef>
#include <cstdint>

#include "causeway/ops/recurrent.h"

namespace causeway::engine::cpu {

/// The functions that the walks below know, and the cells.
constexpr bool is_walked(ops::CellFunctionKind kind) {
  using Kind = ops::CellFunctionKind;
  return ops::slope_follows_from_value(kind) || kind == Kind::HardSigmoid || kind == Kind::HardTanh ||
         kind == Kind::Relu6 || kind == Kind::LeakyRelu || kind == Kind::Threshold || kind == Kind::Softsign ||
         kind == Kind::Affine || kind == Kind::ScaledTanh;
}
bool walks(const ops::Recurrent& op);

/// Some of a weight's gates.
struct GatesTogether {
  size_t first = 0, count = 0;
};
/// The weight [H, G·H] of a cell for walk_steps(), or those columns of it: for each vector of units their columns of
/// all these gates side by side, row by row, noughts behind the last unit. For a gru that resets before its second
/// product the first two gates come, and behind them the third.
size_t packed_gates_size(size_t gates, size_t hidden);
void pack_gates(const float* weight, size_t gates, GatesTogether some, size_t hidden, float* to);

/// How many rows are walked together at most.
inline constexpr size_t kRowsTogether = 16;

/// Up to kRowsTogether rows of a batch, walked as ops::Recurrent says; its words for what is read and made. Null is
/// absent, or not asked for.
struct StepsWalk {
  ops::Recurrent op = {};
  size_t rows = 0, steps = 0, hidden = 0;
  const float* a = nullptr;
  /// As pack_gates() makes it.
  const float* weight = nullptr;
  const float* bias = nullptr;
  const float* h0 = nullptr;
  const float* c0 = nullptr;
  const uint8_t* mask = nullptr;
  float* shown = nullptr;
  float* h = nullptr;
  float* kept = nullptr;
  float* c = nullptr;
};
/// `scratch` holds steps_scratch(rows, hidden) numbers.
void walk_steps(const StepsWalk& walk, float* scratch);
size_t steps_scratch(size_t rows, size_t hidden);

/// The way back, as ops::RecurrentGradient says.
struct StepsBack {
  ops::Recurrent op = {};
  size_t rows = 0, steps = 0, hidden = 0;
  const float* dsteps = nullptr;
  const float* dh = nullptr;
  const float* dc = nullptr;
  const float* kept = nullptr;
  const float* shown = nullptr;
  /// The weight's transpose [G·H, H] as gemm.h packs it.
  const float* weight = nullptr;
  const float* h0 = nullptr;
  const float* c0 = nullptr;
  const uint8_t* mask = nullptr;
  float* da = nullptr;
  /// What arrives at s_n of a gru [.., H]: da's block n times r. Where it resets before the product, what that
  /// multiplies instead: r times the state before the step, noughts at masked ones.
  float* dn = nullptr;
  float* factor = nullptr;
  float* dh0 = nullptr;
  float* dc0 = nullptr;
};
/// `scratch` holds back_scratch(op, rows, hidden) numbers.
void walk_back(const StepsBack& walk, float* scratch);
size_t back_scratch(const ops::Recurrent& op, size_t rows, size_t hidden);

}  // namespace causeway::engine::cpu
