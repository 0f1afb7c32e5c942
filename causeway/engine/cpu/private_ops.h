#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "causeway/engine/cpu/elementwise.h"
#include "causeway/engine/cpu/pooling.h"
#include "causeway/engine/cpu/primitive.h"
#include "causeway/graph/op.h"
#include "causeway/ops/attention.h"
#include "causeway/ops/recurrent.h"
#include "causeway/ops/window.h"
#include "causeway/tensor/dtype.h"

namespace causeway::engine::cpu {

// Ops that stand in drafts alone: what the engine's rewrites make of several nodes, or put between them. They are no
// part of any graph, so they have no shape rule and no gradient.
struct PrivateOp {
  static constexpr std::string_view kNoGradient = "it stands in plans alone.";
  /// Never asked.
  Types infer(std::span<const Type>) const { return {}; }
};

/// How an element-wise kernel reads an operand at flat place i of its lengths:
///   Whole   numbers[i]                        as many numbers as places
///   One     numbers[0]
///   Tiled   numbers[i / inner % period]       spread along leading and trailing axes
///   Strided by the strides of the lengths     anything else
struct Operand {
  enum class Read : uint8_t { Whole, One, Tiled, Strided };
  Read read = Read::Whole;
  DType dtype = DType::Float32;
  int64_t period = 1, inner = 1;
  std::vector<int64_t> lengths = {}, strides = {};
};

/// One step of a fused element-wise kernel: register `to` = code(from...). Registers count from the task's inputs; each
/// step fills the next.
struct FusedStep {
  Code code = Code::Copy;
  StepSettings settings = {};
  std::vector<uint16_t> from;
};

/// Element-wise ops of as many places each, worked block by block. An operand an input; the task's outputs are those
/// registers.
struct FusedElementwise : PrivateOp {
  static constexpr std::string_view kName = "FusedElementwise";
  int64_t count = 0;
  std::vector<Operand> operands;
  std::vector<FusedStep> steps;
  std::vector<uint16_t> outputs;
};

/// MatMul, then + bias [columns] where there is a third input, + the fourth where there is one, which has the lengths of
/// the product, then bounds, then a step of one operand. Where `packed`, the second input is what PackMatrix made of it.
struct FusedMatMul : PrivateOp {
  static constexpr std::string_view kName = "FusedMatMul";
  bool transpose_a = false, transpose_b = false, packed = false;
  float low = 0, high = 0;
  std::optional<Coded> after = {};
};

/// A matrix [inner, columns] (or its transpose) as gemm.h's products read it.
struct PackMatrix : PrivateOp {
  static constexpr std::string_view kName = "PackMatrix";
  bool transposed = false;
};

/// A value into blocks of channels (layout.h), or out of them; `layout` is the plain side's.
struct ToBlocked : PrivateOp {
  static constexpr std::string_view kName = "ToBlocked";
  ops::Layout layout = ops::Layout::ChannelsFirst;
};
struct FromBlocked : PrivateOp {
  static constexpr std::string_view kName = "FromBlocked";
  ops::Layout layout = ops::Layout::ChannelsFirst;
};

/// A convolution on blocked values: (x, weight, bias?, what is added?) -> y. Where `packed`, the weight is what
/// PackConvWeight made of it. A depthwise one has no primitive. With a pooling behind it, y is what that makes, the
/// problem has one row, and `rows` are worked one after another while each lies in the cache.
struct BlockedConv : PrivateOp {
  static constexpr std::string_view kName = "BlockedConv";
  ConvProblem problem;
  bool packed = false;
  std::shared_ptr<const ConvPrimitive> primitive = {};
  std::optional<Pooling> pooling = {};
  bool pools_largest = false;
  int64_t rows = 1;
};
/// (dy, weight) -> dx, and (x, dy) -> dweight in the slot's layout.
struct BlockedConvGradient : PrivateOp {
  static constexpr std::string_view kName = "BlockedConvGradient";
  ConvProblem problem;
  bool packed = false;
  std::shared_ptr<const ConvPrimitive> primitive = {};
};
struct PackConvWeight : PrivateOp {
  static constexpr std::string_view kName = "PackConvWeight";
  ConvProblem problem;
  std::shared_ptr<const ConvPrimitive> primitive = {};
};

/// (weight?, bias?, mean, variance) of a batch normalization -> (scale, shift): y = x * scale + shift.
struct NormScale : PrivateOp {
  static constexpr std::string_view kName = "NormScale";
  float epsilon = 0;
};

/// LayerNormGradient along the last axes: (dy, x, weight?) -> (dx, dweight, dbias), the last two a piece of rows each.
struct RowNormsGradient : PrivateOp {
  static constexpr std::string_view kName = "RowNormsGradient";
  std::vector<int64_t> axes;
  float epsilon = 0;
  bool rms = false;
};

/// Where queries, keys and values lie in the rows of what is read: so many columns from the first on.
struct AttentionColumns {
  std::array<int64_t, 3> first = {}, count = {};
};
/// Attention, and its gradient, whose queries, keys and values are columns of those inputs. What leaves is as theirs.
struct AttentionInPlace : PrivateOp {
  static constexpr std::string_view kName = "AttentionInPlace";
  ops::Attention of;
  AttentionColumns columns;
};
struct AttentionGradientInPlace : PrivateOp {
  static constexpr std::string_view kName = "AttentionGradientInPlace";
  ops::AttentionGradient of;
  AttentionColumns columns;
};

/// Recurrent with its weight as PackGates makes it; RecurrentGradient with its weight's transpose as PackMatrix makes it:
/// (…) -> (da, dh0, dc0 of an lstm, dn or factor of a gru); and what that leaves for (da, dn?, steps, h0?, mask?,
/// factor?) -> (dweight, dbias). recurrent_steps.h says what dn and factor are.
struct WalkedRecurrent : PrivateOp {
  static constexpr std::string_view kName = "WalkedRecurrent";
  ops::Recurrent of;
};
struct WalkedBack : PrivateOp {
  static constexpr std::string_view kName = "WalkedBack";
  ops::Recurrent of;
};
struct WalkedWeightGradient : PrivateOp {
  static constexpr std::string_view kName = "WalkedWeightGradient";
  ops::Recurrent of;
};
/// A cell's weight as recurrent_steps.h packs it, its first gates `together` and the others behind them.
struct PackGates : PrivateOp {
  static constexpr std::string_view kName = "PackGates";
  int64_t together = 0;
};

/// Lengths of what PackMatrix makes of a matrix of those.
std::vector<int64_t> packed_lengths(const std::vector<int64_t>& matrix, bool transposed);

}  // namespace causeway::engine::cpu
