#include "causeway/engine/cpu/plain_conv.h"

#include <string>
#include <utility>

#include "causeway/engine/cpu/layout.h"

namespace causeway::engine::cpu {
namespace {

size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

int64_t product(const std::array<int64_t, 3>& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

// One side of a problem: as its caller has it, and plain.
struct Side {
  BlockMove move;
  bool is_blocked = false;

  size_t plain_bytes() const {
    return is_blocked ? rounded(static_cast<size_t>(move.rows * move.channels * move.places) * sizeof(float)) : 0;
  }
  // From one run to the next, as the caller has it.
  int64_t step() const {
    const int64_t together = channels_together();
    const int64_t channels = is_blocked ? (move.channels + together - 1) / together * together : move.channels;
    return move.rows * channels * move.places;
  }
};

class PlainConv final : public ConvPrimitive {
 public:
  PlainConv(const ConvProblem& problem, const ConvProblem& plain, std::shared_ptr<const ConvPrimitive> inner)
      : inner_(std::move(inner)), pass_(problem.pass), adds_(problem.adds), runs_(problem.rows / plain.rows) {
    const auto first = ops::Layout::ChannelsFirst;
    in_ = {{plain.rows, plain.in, product(plain.in_lengths), first}, problem.in_blocked};
    out_ = {{plain.rows, plain.out, product(plain.out_lengths), first}, problem.out_blocked};
  }

  std::string_view form() const override { return inner_->form(); }
  size_t weight_bytes() const override { return inner_->weight_bytes(); }
  size_t scratch_bytes() const override {
    return rounded(inner_->scratch_bytes()) + in_.plain_bytes() + out_.plain_bytes();
  }
  void pack_weight(const float* from, float* to) const override { inner_->pack_weight(from, to); }
  void unpack_weight(const float* from, float* to) const override { inner_->unpack_weight(from, to); }

  std::unique_ptr<Call> call() const override { return inner_->call(); }
  size_t runs() const override { return static_cast<size_t>(runs_); }

  void run(Call& call, size_t at, float* in, float* weight, const float* bias, float* out,
           void* scratch) const override {
    in += static_cast<int64_t>(at) * in_.step();
    out += static_cast<int64_t>(at) * out_.step();
    auto* memory = static_cast<std::byte*>(scratch) + rounded(inner_->scratch_bytes());
    float* plain_in = in_.is_blocked ? reinterpret_cast<float*>(memory) : in;
    float* plain_out = out_.is_blocked ? reinterpret_cast<float*>(memory + in_.plain_bytes()) : out;
    const bool writes_in = pass_ == ConvProblem::Pass::InputGradient, writes_out = pass_ == ConvProblem::Pass::Forward;
    if (in_.is_blocked && !writes_in) in_.move.from_blocked(in, plain_in);
    if (out_.is_blocked && (!writes_out || adds_)) out_.move.from_blocked(out, plain_out);
    for (size_t row = 0; row < inner_->runs(); ++row)
      inner_->run(call, row, plain_in, weight, bias, plain_out, scratch);
    if (in_.is_blocked && writes_in) in_.move.to_blocked(plain_in, in);
    if (out_.is_blocked && writes_out) out_.move.to_blocked(plain_out, out);
  }

 private:
  std::shared_ptr<const ConvPrimitive> inner_;
  ConvProblem::Pass pass_;
  bool adds_;
  int64_t runs_;
  Side in_, out_;
};

}  // namespace

std::shared_ptr<const ConvPrimitive> plain_conv(const ConvProblem& problem,
                                                std::shared_ptr<const ConvPrimitive> (*make)(const ConvProblem&)) {
  ConvProblem plain = problem;
  plain.in_blocked = plain.out_blocked = false;
  // A weight's gradient is a total over all rows.
  if (problem.pass != ConvProblem::Pass::WeightGradient) plain.rows = 1;
  std::shared_ptr<const ConvPrimitive> inner = make(plain);
  return inner ? std::make_shared<PlainConv>(problem, plain, std::move(inner)) : nullptr;
}

}  // namespace causeway::engine::cpu
