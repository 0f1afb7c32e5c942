#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace causeway::engine::cpu {

/// How many channels stand together in oneDNN's blocked layouts on this machine.
int64_t channels_together();

/// A convolution as oneDNN takes it: channels first in name, one to three place axes, slowest first.
struct ConvProblem {
  enum class Pass : uint8_t { Forward, InputGradient, WeightGradient };

  Pass pass = Pass::Forward;
  size_t places = 2;
  int64_t rows = 1, in = 1, out = 1, groups = 1;
  std::array<int64_t, 3> in_lengths = {1, 1, 1}, out_lengths = {1, 1, 1}, size = {1, 1, 1};
  std::array<int64_t, 3> stride = {1, 1, 1}, dilation = {1, 1, 1}, before = {}, after = {};
  /// Whether the input (or its gradient) and the output (or its gradient) are blocked; else they lie channels first.
  bool in_blocked = true, out_blocked = true;
  /// Forward alone: a bias, a sum onto what the output holds, and bounds behind both.
  bool has_bias = false, adds = false, has_bounds = false;
  float low = 0, high = 0;
  /// Whether the weight lies [k.., in/G, out] in its slot, and not [out, in/G, k..].
  bool weight_channels_last = false;
  /// Whether the weight is packed once, so that a form may cost much to pack.
  bool weight_is_constant = false;

  friend bool operator==(const ConvProblem&, const ConvProblem&) = default;
};

/// A primitive made for one problem. It does not change and threads share it; what one of them needs to run it is its
/// Call.
class ConvPrimitive {
 public:
  class Call;

  /// Null where oneDNN has none. Where it only has its reference on the problem's layouts, a primitive that works on
  /// plain values within.
  static std::shared_ptr<const ConvPrimitive> make(const ConvProblem& problem);
  virtual ~ConvPrimitive() = default;

  /// What works it, as oneDNN names its forms: "ref" is at the beginning of those that walk number by number.
  virtual std::string_view form() const = 0;
  /// What a weight takes in the layout the primitive reads or writes.
  virtual size_t weight_bytes() const = 0;
  virtual size_t scratch_bytes() const = 0;
  /// From the slot's layout to the primitive's; and back, for a gradient.
  virtual void pack_weight(const float* from, float* to) const = 0;
  virtual void unpack_weight(const float* from, float* to) const = 0;

  virtual std::unique_ptr<Call> call() const = 0;
  /// In how many runs the problem's rows are worked, which may stand beside each other.
  virtual size_t runs() const = 0;
  /// `in` and `weight` are read, or written by a gradient, as is `out`: the first of all rows. `bias` may be null.
  virtual void run(Call& call, size_t at, float* in, float* weight, const float* bias, float* out,
                   void* scratch) const = 0;
};

/// Whether oneDNN has a form for the problem's layouts themselves that does not walk number by number. Takes little time:
/// nothing is made.
bool has_fast_form(const ConvProblem& problem);

class ConvPrimitive::Call {
 public:
  virtual ~Call() = default;
};

}  // namespace causeway::engine::cpu
