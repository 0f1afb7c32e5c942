#pragma once

#include <array>
#include <string_view>

#include "causeway/graph/op.h"
#include "causeway/ops/cell_function.h"

namespace causeway::ops {

enum class CellKind { Lstm, Gru, SimpleRnn };
constexpr auto words_of(CellKind) { return std::array<std::string_view, 3>{"lstm", "gru", "simple_rnn"}; }

/// One direction of one recurrent layer, walked step by step over a = x·W_ih + b_ih, which a product makes of all steps
/// at once. With s = h·weight + bias, f the recurrent activation and g the activation, a step makes of a state h (and c):
///
///   lstm         i, f, o = f(a + s); u = g(a_u + s_u); c' = f·c + i·u; h' = o·g(c')             blocks i f u o
///   gru          r, z = f(a + s); n = g(a_n + r·s_n); h' = (1 - z)·n + z·h                      blocks r z n
///     not reset_after:   n = g(a_n + (r·h)·weight_n + bias_n)
///   simple_rnn   h' = g(a + s)
///
/// A masked step leaves the state as it is; what `steps` shows there is 0, or with repeat_masked what it shows at the
/// step walked before (before any real step 0). Steps are walked from the first to the last, or in reverse, and are
/// given at their own places either way.
///
/// Shapes     a [N, L, G·H]; weight [H, G·H]; bias [G·H]; h0 [N, H]; mask [N, L] bool, true where a step is real; c0
///            [N, H], of an lstm alone. G is 4, 3 or 1. bias, h0, mask and c0 may be absent: no bias, zeros, all steps
///            real, zeros.
///            steps [N, L, H]; h [N, H], the state after the step walked last; kept [N, L, K·H]; c [N, H], of an lstm
///            alone. H and L may be 0.
///            kept is what the gradient reads, blocks of H side by side: lstm i f u o c' (K 5); gru r z n s_n (K 4), not
///            reset_after r z n (K 3); simple_rnn h' (K 1). A block that is a function's value (all but c' and s_n)
///            holds that value where slope_follows_from_value(), else what the function is given. At masked steps every
///            block is 0.
/// Settings   cell. reset_after: gru alone. reverse. activation, recurrent_activation. repeat_masked. recurrent_dropout:
///            answering, nothing; above 0 a training step refuses the op unless the slot its weight comes from is held.
/// Gradient   RecurrentGradient; none flows from kept.
/// Source     Hochreiter and Schmidhuber 1997, https://doi.org/10.1162/neco.1997.9.8.1735; Cho and others 2014,
///            https://arxiv.org/abs/1406.1078; https://pytorch.org/docs/stable/generated/torch.nn.GRU.html
struct Recurrent {
  static constexpr std::string_view kName = "Recurrent";
  CellKind cell = CellKind::Lstm;
  bool reset_after = true;
  bool reverse = false;
  CellFunction activation = {.kind = CellFunctionKind::Tanh};
  CellFunction recurrent_activation = {.kind = CellFunctionKind::Sigmoid};
  bool repeat_masked = false;
  float recurrent_dropout = 0;

  static void fields(auto&& each) {
    each("cell", &Recurrent::cell);
    each("reset_after", &Recurrent::reset_after);
    each("reverse", &Recurrent::reverse);
    each("activation", &Recurrent::activation);
    each("recurrent_activation", &Recurrent::recurrent_activation);
    each("repeat_masked", &Recurrent::repeat_masked);
    each("recurrent_dropout", &Recurrent::recurrent_dropout);
  }
  Types infer(std::span<const Type> inputs) const;
  Values gradient(GraphBuilder& graph, const Node& node, const Values& dy) const;
  std::optional<Values> training(GraphBuilder& graph, const Node& node) const;

  /// G and K.
  int64_t gates() const;
  int64_t kept_blocks() const;
};

/// The gradient of Recurrent, walked backwards. The state before a step is what `steps` shows at the real step walked
/// before it, or h0; c likewise, out of kept or c0.
///
/// Shapes     dsteps [N, L, H]; dh [N, H]; kept, steps, weight, h0, mask as Recurrent has them; c0, dc [N, H], of an
///            lstm alone. dsteps, dh, h0, mask, c0, dc may be absent: none flows, zeros, all steps real.
///            da [N, L, G·H], 0 at masked steps; dweight [H, G·H]; dbias [G·H]; dh0 [N, H]; dc0 [N, H], of an lstm
///            alone.
/// Settings   of: the op whose gradient it is.
struct RecurrentGradient {
  static constexpr std::string_view kName = "RecurrentGradient";
  static constexpr std::string_view kNoGradient = "the gradient of a recurrent layer is not differentiated again.";
  Recurrent of = {};

  static void fields(auto&& each) { each("of", &RecurrentGradient::of); }
  Types infer(std::span<const Type> inputs) const;
};

}  // namespace causeway::ops
