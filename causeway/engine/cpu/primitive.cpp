#include "causeway/engine/cpu/primitive.h"

#include <cmath>
#include <dnnl.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "causeway/base/check.h"
#include "causeway/engine/cpu/plain_conv.h"
#include "causeway/engine/cpu/winograd_weight.h"

// Declared here since GCC's omp.h does not compile everywhere; a new thread starts with the machine's count.
extern "C" void omp_set_num_threads(int count);

namespace causeway::engine::cpu {
namespace {

using dnnl::memory;

void use_one_thread() {
  thread_local const bool done = [] {
    omp_set_num_threads(1);
    return true;
  }();
  static_cast<void>(done);
}

const dnnl::engine& the_engine() {
  static const dnnl::engine kEngine(dnnl::engine::kind::cpu, 0);
  return kEngine;
}

memory::dims dims_of(const std::array<int64_t, 3>& from, size_t places) {
  return {from.begin() + static_cast<ptrdiff_t>(3 - places), from.end()};
}

memory::format_tag blocked_tag(size_t places) {
  using Tag = memory::format_tag;
  const bool wide = channels_together() == 16;
  if (places == 1) return wide ? Tag::nCw16c : Tag::nCw8c;
  if (places == 2) return wide ? Tag::nChw16c : Tag::nChw8c;
  return wide ? Tag::nCdhw16c : Tag::nCdhw8c;
}
memory::format_tag plain_tag(size_t places) {
  using Tag = memory::format_tag;
  return places == 1 ? Tag::ncw : places == 2 ? Tag::nchw : Tag::ncdhw;
}

memory::desc value_desc(const ConvProblem& p, int64_t channels, const std::array<int64_t, 3>& lengths, bool blocked) {
  memory::dims dims{p.rows, channels};
  const memory::dims places = dims_of(lengths, p.places);
  dims.insert(dims.end(), places.begin(), places.end());
  return {dims, memory::data_type::f32, blocked ? blocked_tag(p.places) : plain_tag(p.places)};
}

// A blocked input has noughts behind its last channel: oneDNN is told that they are channels, whose weights are noughts
// as well. By itself it has no form of fewer channels than a block.
int64_t in_channels(const ConvProblem& p) {
  const int64_t together = channels_together();
  return p.in_blocked && p.groups == 1 ? (p.in + together - 1) / together * together : p.in;
}

memory::dims weight_dims(const ConvProblem& p, int64_t in) {
  memory::dims dims = p.groups > 1 ? memory::dims{p.groups, p.out / p.groups, in / p.groups} : memory::dims{p.out, in};
  const memory::dims size = dims_of(p.size, p.places);
  dims.insert(dims.end(), size.begin(), size.end());
  return dims;
}

// The weight as it lies in its slot, which has `all_out` output channels, of which the problem may have a part.
memory::desc slot_desc(const ConvProblem& p, int64_t all_out) {
  const memory::dims dims = weight_dims(p, p.in);
  memory::dims strides(dims.size());
  if (!p.weight_channels_last) {
    int64_t stride = 1;
    for (size_t axis = dims.size(); axis-- > 0;) {
      strides[axis] = stride;
      stride *= dims[axis];
    }
    return {dims, memory::data_type::f32, strides};
  }
  const size_t lead = p.groups > 1 ? 1 : 0;
  if (lead == 1) strides[0] = p.out / p.groups;
  strides[lead] = 1;
  strides[lead + 1] = all_out;
  int64_t stride = p.in / p.groups * all_out;
  for (size_t axis = dims.size(); axis-- > lead + 2;) {
    strides[axis] = stride;
    stride *= dims[axis];
  }
  return {dims, memory::data_type::f32, strides};
}

dnnl::primitive_attr attributes(const ConvProblem& p) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops after;
  if (p.adds) after.append_sum(1.0f);
  if (p.has_bounds) {
    if (p.low == 0 && std::isinf(p.high)) {
      after.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
    } else {
      constexpr float kMost = std::numeric_limits<float>::max();
      after.append_eltwise(1.0f, dnnl::algorithm::eltwise_clip_v2, std::max(p.low, -kMost), std::min(p.high, kMost));
    }
  }
  if (p.adds || p.has_bounds) attributes.set_post_ops(after);
  return attributes;
}

// Where a 3 x 3 window moves cell by cell over enough channels, Winograd's form does less work.
bool wants_winograd(const ConvProblem& p) {
  const bool is_three = p.places == 2 && p.size[1] == 3 && p.size[2] == 3 && p.stride[1] == 1 && p.stride[2] == 1 &&
                        p.dilation[1] == 1 && p.dilation[2] == 1;
  return p.pass == ConvProblem::Pass::Forward && is_three && p.groups == 1 && p.in_blocked && p.out_blocked &&
         p.weight_is_constant && p.in % 16 == 0 && p.out % 16 == 0 && p.in >= 32 && p.out >= 32;
}

// The form on tiles of 4 x 4 errs by up to 8 roundings of the terms' sizes (measured), whatever their number, which
// docs/accuracy.md allows from some 2,000 terms on; that of 2 x 2 by less than the direct one.
bool may_use(const dnnl::convolution_forward::primitive_desc& desc, const ConvProblem& p) {
  return p.in >= 256 || std::string_view(desc.impl_info_str()).find("2x3") != std::string_view::npos;
}

class CallOf final : public ConvPrimitive::Call {
 public:
  // The arguments once, as oneDNN's C interface takes them: its other one gathers them anew for each run.
  explicit CallOf(std::vector<std::pair<int, memory>> all) : arguments(std::move(all)), stream(the_engine()) {
    for (const auto& [argument, at] : arguments) handles.push_back({argument, at.get()});
  }
  void set(int argument, void* at) {
    for (auto& [own, there] : arguments) {
      if (own == argument && there.get_data_handle() != at) there.set_data_handle(at);
    }
  }

  std::vector<std::pair<int, memory>> arguments;
  std::vector<dnnl_exec_arg_t> handles;
  dnnl::stream stream;
};

// How a primitive's problem lies in the whole one: `rows` runs on a row each, and `parts` on output channels in turn.
struct Share {
  int64_t rows = 1, parts = 1;
};

int64_t numbers_of(const memory::desc& desc) { return static_cast<int64_t>(desc.get_size() / sizeof(float)); }

// The order of a weight in Winograd's form on tiles of 2 x 2, as oneDNN's header describes it; none for another.
std::optional<WinogradWeight> winograd_order(const memory::desc& desc) {
  if (desc.data.format_kind != dnnl_format_kind_wino) return std::nullopt;
  const dnnl_wino_desc_t& order = desc.data.format_desc.wino_desc;
  const bool side_by_side = order.wino_format == dnnl_wino_wei_aaOBiOo;
  if ((order.wino_format != dnnl_wino_wei_aaOio && !side_by_side) || order.alpha != 4 || order.r != 3 ||
      order.oc_block > 16) {
    return std::nullopt;
  }
  WinogradWeight weight;
  weight.in = order.ic;
  weight.out = order.oc;
  weight.together = order.oc_block;
  weight.side = side_by_side ? order.oc2_block : 1;
  return weight;
}

class Made final : public ConvPrimitive {
 public:
  template <class Desc>
  Made(const ConvProblem& problem, const Desc& desc, Share share = {})
      : problem_(problem),
        form_(desc.impl_info_str()),
        primitive_(desc),
        scratch_(desc.scratchpad_desc()),
        share_(share) {}

  std::string_view form() const override { return form_; }

  size_t weight_bytes() const override { return weight_.get_size() * static_cast<size_t>(share_.parts); }
  size_t scratch_bytes() const override { return scratch_.get_size(); }
  void pack_weight(const float* from, float* to) const override {
    const memory::desc slot = slot_desc(problem_, problem_.out * share_.parts);
    const std::optional<WinogradWeight> winograd = winograd_order(weight_);
    for (int64_t part = 0; part < share_.parts; ++part) {
      if (winograd) {
        in_slot(*winograd).pack(from + part * slot_offset(), to + part * numbers_of(weight_));
        continue;
      }
      move(slot, from + part * slot_offset(), real_weight(), to + part * numbers_of(weight_));
    }
  }
  void unpack_weight(const float* from, float* to) const override {
    move(real_weight(), from, slot_desc(problem_, problem_.out), to);
  }

  std::unique_ptr<Call> call() const override {
    use_one_thread();
    const auto at = [&](const memory::desc& desc) { return memory(desc, the_engine(), nullptr); };
    std::vector<std::pair<int, memory>> arguments{{in_argument_, at(in_)},
                                                  {weight_argument_, at(weight_)},
                                                  {out_argument_, at(out_)},
                                                  {DNNL_ARG_SCRATCHPAD, at(scratch_)}};
    if (problem_.has_bias) arguments.emplace_back(DNNL_ARG_BIAS, at(bias_));
    return std::make_unique<CallOf>(std::move(arguments));
  }

  size_t runs() const override { return static_cast<size_t>(share_.rows); }

  void run(Call& call, size_t at, float* in, float* weight, const float* bias, float* out,
           void* scratch) const override {
    use_one_thread();
    auto& own = static_cast<CallOf&>(call);
    const auto row = static_cast<int64_t>(at);
    own.set(DNNL_ARG_SCRATCHPAD, scratch);
    own.set(in_argument_, in + row * numbers_of(in_));
    for (int64_t part = 0; part < share_.parts; ++part) {
      own.set(weight_argument_, weight + part * numbers_of(weight_));
      own.set(out_argument_, out + (row * share_.parts + part) * numbers_of(out_));
      if (problem_.has_bias) own.set(DNNL_ARG_BIAS, const_cast<float*>(bias) + part * problem_.out);
      execute(own);
    }
  }

  memory::desc in_, weight_, out_, bias_;
  int in_argument_ = DNNL_ARG_SRC, weight_argument_ = DNNL_ARG_WEIGHTS, out_argument_ = DNNL_ARG_DST;

 private:
  // The one place where a run allocates: oneDNN does so within.
  void execute(CallOf& call) const {
    const dnnl_status_t status = dnnl_primitive_execute(primitive_.get(), call.stream.get(),
                                                        static_cast<int>(call.handles.size()), call.handles.data());
    CAUSEWAY_CHECK(status == dnnl_success, "a primitive that was made runs");
  }

  // The weight of the channels that are there; those behind are its padding, which a reorder fills with noughts.
  memory::desc real_weight() const {
    memory::desc real = weight_;
    if (problem_.groups == 1) real.data.dims[1] = problem_.in;
    return real;
  }

  // With the strides of the slot.
  WinogradWeight in_slot(WinogradWeight weight) const {
    if (problem_.weight_channels_last) {
      weight.in_stride = problem_.out * share_.parts;
      weight.out_stride = 1;
      weight.tap_stride = problem_.in * problem_.out * share_.parts;
    } else {
      weight.in_stride = 9;
      weight.out_stride = problem_.in * 9;
      weight.tap_stride = 1;
    }
    return weight;
  }

  // From one part's weight to the next, in the slot.
  int64_t slot_offset() const {
    if (problem_.weight_channels_last) return problem_.out;
    return problem_.out * problem_.in * problem_.size[0] * problem_.size[1] * problem_.size[2];
  }

  static void move(const memory::desc& from_desc, const float* from, const memory::desc& to_desc, float* to) {
    use_one_thread();
    memory source(from_desc, the_engine(), const_cast<float*>(from)), target(to_desc, the_engine(), to);
    dnnl::stream stream(the_engine());
    dnnl::reorder(source, target).execute(stream, source, target);
  }

  ConvProblem problem_;
  std::string form_;
  dnnl::primitive primitive_;
  memory::desc scratch_;
  Share share_;
};

struct Descs {
  memory::desc in, weight, bias, out;
  memory::dims stride, dilation, before, after;

  explicit Descs(const ConvProblem& p)
      : in(value_desc(p, in_channels(p), p.in_lengths, p.in_blocked)),
        weight(weight_dims(p, in_channels(p)), memory::data_type::f32, memory::format_tag::any),
        bias({p.out}, memory::data_type::f32, memory::format_tag::x),
        out(value_desc(p, p.out, p.out_lengths, p.out_blocked)),
        stride(dims_of(p.stride, p.places)),
        dilation(dims_of(p.dilation, p.places)),
        before(dims_of(p.before, p.places)),
        after(dims_of(p.after, p.places)) {
    for (int64_t& cells : dilation) --cells;  // oneDNN counts the cells left out
  }
};

dnnl::convolution_forward::primitive_desc forward_desc(const ConvProblem& p, const Descs& d,
                                                       dnnl::algorithm algorithm) {
  using Forward = dnnl::convolution_forward;
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto desc =
      p.has_bias
          ? Forward::desc(kind, algorithm, d.in, d.weight, d.bias, d.out, d.stride, d.dilation, d.before, d.after)
          : Forward::desc(kind, algorithm, d.in, d.weight, d.out, d.stride, d.dilation, d.before, d.after);
  return {desc, attributes(p), the_engine()};
}

std::shared_ptr<const ConvPrimitive> made_forward(const ConvProblem& p,
                                                  const dnnl::convolution_forward::primitive_desc& desc,
                                                  Share share = {}) {
  auto made = std::make_shared<Made>(p, desc, share);
  made->in_ = desc.src_desc();
  made->weight_ = desc.weights_desc();
  made->out_ = desc.dst_desc();
  if (p.has_bias) made->bias_ = desc.bias_desc();
  return made;
}

// For all rows at once; or row by row, or some output channels at a time, for which oneDNN chooses the form on smaller
// tiles more often; else null.
std::shared_ptr<const ConvPrimitive> made_winograd(const ConvProblem& p) {
  if (!wants_winograd(p)) return nullptr;
  const auto made_of = [&](ConvProblem problem, Share share) -> std::shared_ptr<const ConvPrimitive> {
    problem.rows /= share.rows;
    problem.out /= share.parts;
    try {
      const auto desc = forward_desc(problem, Descs(problem), dnnl::algorithm::convolution_winograd);
      return may_use(desc, p) ? made_forward(problem, desc, share) : nullptr;
    } catch (const dnnl::error&) {
      return nullptr;
    }
  };
  if (auto made = made_of(p, {})) return made;
  if (auto made = p.rows > 1 ? made_of(p, {p.rows, 1}) : nullptr) return made;
  constexpr int64_t kChannels = 32;
  return p.out > kChannels && p.out % kChannels == 0 ? made_of(p, {p.rows, p.out / kChannels}) : nullptr;
}

// Large rows one by one, so that threads can share them.
std::shared_ptr<const ConvPrimitive> made_direct(const ConvProblem& p) {
  const int64_t places = p.out_lengths[0] * p.out_lengths[1] * p.out_lengths[2];
  const int64_t products = places * p.out * p.in / p.groups * p.size[0] * p.size[1] * p.size[2];
  ConvProblem own = p;
  if (p.weight_is_constant && places >= 100 && products >= 5'000'000) own.rows = 1;
  return made_forward(own, forward_desc(own, Descs(own), dnnl::algorithm::convolution_direct), {p.rows / own.rows, 1});
}

// A gradient's primitive wants to know the forward one; a plain direct one will do.
dnnl::convolution_forward::primitive_desc hint(ConvProblem p, const Descs& d) {
  p.has_bias = p.adds = p.has_bounds = false;
  return forward_desc(p, d, dnnl::algorithm::convolution_direct);
}

dnnl::convolution_backward_data::primitive_desc input_gradient_desc(const ConvProblem& p, const Descs& d) {
  return {{dnnl::algorithm::convolution_direct, d.in, d.weight, d.out, d.stride, d.dilation, d.before, d.after},
          attributes({}),
          the_engine(),
          hint(p, d)};
}

dnnl::convolution_backward_weights::primitive_desc weight_gradient_desc(const ConvProblem& p, const Descs& d) {
  return {{dnnl::algorithm::convolution_direct, d.in, d.weight, d.out, d.stride, d.dilation, d.before, d.after},
          attributes({}),
          the_engine(),
          hint(p, d)};
}

std::shared_ptr<const ConvPrimitive> made_input_gradient(const ConvProblem& p) {
  const auto desc = input_gradient_desc(p, Descs(p));
  auto made = std::make_shared<Made>(p, desc);
  made->in_ = desc.diff_src_desc();
  made->weight_ = desc.weights_desc();
  made->out_ = desc.diff_dst_desc();
  made->in_argument_ = DNNL_ARG_DIFF_SRC;
  made->out_argument_ = DNNL_ARG_DIFF_DST;
  return made;
}

std::shared_ptr<const ConvPrimitive> made_weight_gradient(const ConvProblem& p) {
  const auto desc = weight_gradient_desc(p, Descs(p));
  auto made = std::make_shared<Made>(p, desc);
  made->in_ = desc.src_desc();
  made->weight_ = desc.diff_weights_desc();
  made->out_ = desc.diff_dst_desc();
  made->weight_argument_ = DNNL_ARG_DIFF_WEIGHTS;
  made->out_argument_ = DNNL_ARG_DIFF_DST;
  return made;
}

std::shared_ptr<const ConvPrimitive> made_as_asked(const ConvProblem& p) {
  try {
    if (std::shared_ptr<const ConvPrimitive> made = made_winograd(p)) return made;
    switch (p.pass) {
      case ConvProblem::Pass::Forward:
        return made_direct(p);
      case ConvProblem::Pass::InputGradient:
        return made_input_gradient(p);
      case ConvProblem::Pass::WeightGradient:
        return made_weight_gradient(p);
    }
  } catch (const dnnl::error&) {
    return nullptr;
  }
  return nullptr;
}

std::string form_of(const ConvProblem& p) {
  const Descs d(p);
  switch (p.pass) {
    case ConvProblem::Pass::Forward:
      return forward_desc(p, d, dnnl::algorithm::convolution_direct).impl_info_str();
    case ConvProblem::Pass::InputGradient:
      return input_gradient_desc(p, d).impl_info_str();
    case ConvProblem::Pass::WeightGradient:
      return weight_gradient_desc(p, d).impl_info_str();
  }
  return "";
}

}  // namespace

int64_t channels_together() {
  static const int64_t kChannels = dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core ? 16 : 8;
  return kChannels;
}

bool has_fast_form(const ConvProblem& problem) {
  try {
    return form_of(problem).compare(0, 3, "ref") != 0;
  } catch (const dnnl::error&) {
    return false;
  }
}

std::shared_ptr<const ConvPrimitive> ConvPrimitive::make(const ConvProblem& problem) {
  use_one_thread();
  const bool is_plain = !problem.in_blocked && !problem.out_blocked;
  if (is_plain || has_fast_form(problem)) return made_as_asked(problem);
  std::shared_ptr<const ConvPrimitive> made = plain_conv(problem, &ConvPrimitive::make);
  return made ? made : made_as_asked(problem);
}

}  // namespace causeway::engine::cpu
