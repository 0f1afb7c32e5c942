#include <algorithm>
#include <unordered_map>
#include <utility>

#include "causeway/engine/cpu/few_channels.h"
#include "causeway/engine/cpu/layout.h"
#include "causeway/engine/cpu/private_ops.h"
#include "causeway/engine/cpu/rewrites.h"
#include "causeway/ops/op_list.h"
#include "causeway/tensor/shape.h"

namespace causeway::engine::cpu {
namespace {

using ops::Layout;

/// The blocked form of a value.
struct Twin {
  ValueId id = kAbsent;
  Layout layout = Layout::ChannelsFirst;
};

// Tasks in order; each is made on blocked values where it is a convolution, or where what it reads is blocked already
// and it can be. What is blocked is also given back as it was, by a task that stays only where something reads that.
class LayoutChooser {
 public:
  explicit LayoutChooser(Draft& draft) : draft_(draft) {}

  void run() {
    std::vector<Task> tasks = std::move(draft_.tasks);
    draft_.tasks.clear();
    for (Task& task : tasks) {
      if (!blocked_task(task)) made_.push_back(std::move(task));
    }
    draft_.tasks = std::move(made_);
    drop_unread(draft_);
  }

 private:
  bool blocked_task(const Task& task) {
    if (task.is_prepared) return false;
    if (const auto* op = task.op.as<ops::Conv>()) return conv(task, *op);
    if (const auto* op = task.op.as<ops::ConvInputGradient>()) return input_gradient(task, *op);
    if (const auto* op = task.op.as<ops::ConvWeightGradient>()) return weight_gradient(task, *op);
    if (const auto* op = task.op.as<ops::MaxPool>()) return pool(task, *op);
    if (const auto* op = task.op.as<ops::AveragePool>()) return pool(task, *op);
    if (const auto* op = task.op.as<ops::MaxPoolGradient>()) return pool(task, *op);
    if (const auto* op = task.op.as<ops::AveragePoolGradient>()) return pool(task, *op);
    if (const auto* op = task.op.as<ops::Reduce>()) return reduce(task, *op);
    if (const auto* op = task.op.as<ops::MatMul>()) return product(task, *op);
    return is_fusible(draft_, task) && elementwise(task);
  }

  // Twins.

  const Twin* twin(ValueId id) const {
    const ValueId root = draft_.root(id);
    const auto at = twins_.find(root);
    return at != twins_.end() && draft_[id].lengths == draft_[root].lengths ? &at->second : nullptr;
  }

  ValueId blocked(ValueId id, Layout layout) {
    if (const Twin* there = twin(id); there && there->layout == layout) return there->id;
    const ValueId made = draft_.add(draft_[id].dtype, blocked_lengths(draft_[id].lengths, layout));
    ToBlocked op;
    op.layout = layout;
    made_.push_back({op, {id}, {made}});
    if (draft_.root(id) == id) twins_[id] = {made, layout};
    return made;
  }

  // A new blocked value that stands for `id`, which is made of it.
  ValueId stands_for(ValueId id, Layout layout) {
    const ValueId made = draft_.add(draft_[id].dtype, blocked_lengths(draft_[id].lengths, layout));
    twins_[id] = {made, layout};
    return made;
  }
  void give_back(ValueId id) {
    FromBlocked op;
    op.layout = twins_.at(id).layout;
    made_.push_back({op, {twins_.at(id).id}, {id}});
  }

  // A blocked value as images of one block of channels each, channels last.
  ValueId as_images(ValueId blocked) {
    std::vector<int64_t> lengths = draft_[blocked].lengths;
    lengths[1] *= lengths[0];
    lengths.erase(lengths.begin());
    return renamed(draft_, blocked, std::move(lengths));
  }

  // Convolutions.

  template <class Settings>
  ConvProblem problem(const Settings& op, const std::vector<int64_t>& x, const std::vector<int64_t>& y) const {
    ConvProblem p;
    p.places = x.size() - 2;
    p.rows = x[0];
    p.in = x[ops::channel_axis(op.layout, x.size())];
    p.out = y[ops::channel_axis(op.layout, y.size())];
    p.groups = op.groups;
    p.weight_channels_last = op.layout == Layout::ChannelsLast;
    const size_t first = 3 - p.places;
    std::vector<int64_t> lengths;
    for (size_t i = 0; i < p.places; ++i) lengths.push_back(x[ops::place_axis(op.layout, i)]);
    const ops::Window window = op.window.stated(lengths);
    for (size_t i = 0; i < p.places; ++i) {
      p.in_lengths[first + i] = lengths[i];
      p.out_lengths[first + i] = y[ops::place_axis(op.layout, i)];
      p.size[first + i] = window.size[i];
      p.stride[first + i] = window.stride[i];
      p.dilation[first + i] = window.dilation[i];
      p.before[first + i] = window.before[i];
      p.after[first + i] = window.after[i];
    }
    return p;
  }

  bool fits(const ConvProblem& p, ValueId x) const { return draft_[x].dtype == DType::Float32 && p.rows > 0; }

  // Few channels are read as they lie, channels first, where that is fast: in blocks most of a block would be noughts.
  // What lies in blocks already stays so.
  bool reads_blocks(ConvProblem p, ValueId x, Layout layout) const {
    const Twin* there = twin(x);
    if (p.groups > 1 || p.in >= channels_together() || (there && there->layout == layout)) return true;
    p.in_blocked = false;
    return !(p.rows == 1 && few_channels_conv(p)) && !has_fast_form(p);
  }

  // What the primitive reads: blocks, or, of few channels, the value itself, channels first.
  ValueId conv_input(const ConvProblem& p, ValueId x, Layout layout) {
    if (p.in_blocked) return blocked(x, layout);
    if (layout == Layout::ChannelsFirst || p.in == 1) return x;
    const std::vector<int64_t> lengths = draft_[x].lengths;
    ops::Transpose turn{{0, lengths.size() - 1}};
    std::vector<int64_t> turned{lengths[0], lengths.back()};
    for (size_t axis = 1; axis + 1 < lengths.size(); ++axis) {
      turn.axes.push_back(axis);
      turned.push_back(lengths[axis]);
    }
    const ValueId made = draft_.add(DType::Float32, std::move(turned));
    made_.push_back({turn, {x}, {made}});
    return made;
  }

  bool conv(const Task& task, const ops::Conv& op) {
    const ValueId x = task.inputs[0], y = task.outputs[0];
    BlockedConv made;
    made.problem = problem(op, draft_[x].lengths, draft_[y].lengths);
    if (!fits(made.problem, x)) return false;
    made.problem.in_blocked = reads_blocks(made.problem, x, op.layout);
    const ValueId from = conv_input(made.problem, x, op.layout), to = stands_for(y, op.layout);
    Ids inputs{from, task.inputs[1]};
    if (task.inputs.size() > 2 && task.inputs[2] != kAbsent) {
      made.problem.has_bias = true;
      inputs.push_back(task.inputs[2]);
    }
    made_.push_back({made, inputs, {to}, task.origin});
    give_back(y);
    return true;
  }

  bool input_gradient(const Task& task, const ops::ConvInputGradient& op) {
    const ValueId dy = task.inputs[0], dx = task.outputs[0];
    BlockedConvGradient made;
    made.problem = problem(op, draft_[dx].lengths, draft_[dy].lengths);
    made.problem.pass = ConvProblem::Pass::InputGradient;
    if (!fits(made.problem, dy)) return false;
    const ValueId from = blocked(dy, op.layout), to = stands_for(dx, op.layout);
    made_.push_back({made, {from, task.inputs[1]}, {to}, task.origin});
    give_back(dx);
    return true;
  }

  bool weight_gradient(const Task& task, const ops::ConvWeightGradient& op) {
    const ValueId x = task.inputs[0], dy = task.inputs[1];
    BlockedConvGradient made;
    made.problem = problem(op, draft_[x].lengths, draft_[dy].lengths);
    made.problem.pass = ConvProblem::Pass::WeightGradient;
    if (!fits(made.problem, x)) return false;
    made.problem.in_blocked = reads_blocks(made.problem, x, op.layout);
    const ValueId from = conv_input(made.problem, x, op.layout), slope = blocked(dy, op.layout);
    made_.push_back({made, {from, slope}, task.outputs, task.origin});
    return true;
  }

  // Everything else.

  template <class Settings>
  bool pool(const Task& task, const Settings& op) {
    const bool any = std::any_of(task.inputs.begin(), task.inputs.end(), [&](ValueId id) {
      return id != kAbsent && draft_[id].lengths.size() > 2 && twin(id) && twin(id)->layout == op.layout;
    });
    // Poolings work channels last alone, so that what is channels first goes into blocks for them.
    if (!any && op.layout == Layout::ChannelsLast) return false;
    if (draft_[task.outputs[0]].dtype != DType::Float32 || draft_[task.outputs[0]].size() == 0) return false;
    Ids inputs;
    for (const ValueId id : task.inputs) {
      inputs.push_back(draft_[id].lengths.size() > 2 ? as_images(blocked(id, op.layout)) : id);
    }
    Settings turned = op;
    turned.layout = Layout::ChannelsLast;
    const ValueId y = task.outputs[0], to = stands_for(y, op.layout);
    // The images are another name of the blocked value, so that one is made under their lengths.
    const ValueId images = as_images(to);
    std::swap(draft_.values[images].same_as, draft_.values[to].same_as);
    draft_.values[to].same_as = images;
    draft_.values[images].same_as = kAbsent;
    made_.push_back({turned, inputs, {images}, task.origin});
    give_back(y);
    return true;
  }

  // Totals over all places, with or without the rows, lie in the order of the channels.
  bool reduce(const Task& task, const ops::Reduce& op) {
    const Twin* from = twin(task.inputs[0]);
    if (!from || op.axes.empty()) return false;
    const std::vector<int64_t>& lengths = draft_[task.inputs[0]].lengths;
    const size_t rank = lengths.size(), channel = ops::channel_axis(from->layout, rank);
    std::vector<bool> totalled(rank, false);
    for (const int64_t axis : op.axes) totalled[axis_in(axis, rank)] = true;
    const auto count = static_cast<size_t>(std::count(totalled.begin(), totalled.end(), true));
    const bool only_places = count == rank - 2 && !totalled[0] && !totalled[channel];
    const bool all_but_channel = count == rank - 1 && !totalled[channel];
    using Kind = ops::ReduceKind;
    const bool known = op.kind == Kind::Sum || op.kind == Kind::Mean || op.kind == Kind::Max || op.kind == Kind::Min;
    if ((!only_places && !all_but_channel) || !known || lengths[channel] % channels_together() != 0) return false;
    ops::Reduce turned{op.kind, {}, op.keepdims};
    if (all_but_channel) turned.axes.push_back(0);
    for (size_t i = 0; i + 2 < rank; ++i) turned.axes.push_back(static_cast<int64_t>(2 + i));
    made_.push_back({turned, {from->id}, task.outputs, task.origin});
    return true;
  }

  // A flattened image times a constant matrix: the matrix's rows are put in the order of the blocks instead.
  bool product(const Task& task, const ops::MatMul& op) {
    const ValueId x = task.inputs[0], weight = task.inputs[1], image = draft_.root(x);
    const auto at = twins_.find(image);
    const std::vector<int64_t> rows = draft_[weight].lengths;
    if (at == twins_.end() || op.transpose_a || draft_[x].lengths.size() != 2 || rows.size() != 2 ||
        draft_[x].lengths[0] != draft_[image].lengths[0] || !is_constant(draft_, weight)) {
      return false;
    }
    const std::vector<int64_t>& lengths = draft_[image].lengths;
    const int64_t channels = lengths[ops::channel_axis(at->second.layout, lengths.size())];
    const int64_t together = channels_together(), blocks = channels / together;
    if (channels % together != 0) return false;
    const int64_t places = rows[op.transpose_b ? 1 : 0] / channels;
    const bool last = at->second.layout == Layout::ChannelsLast;
    std::vector<int64_t> plain =
        last ? std::vector<int64_t>{places, blocks, together} : std::vector<int64_t>{blocks, together, places};
    std::vector<int64_t> in_blocks{blocks, places, together};
    ops::Transpose turn{last ? Axes{1, 0, 2} : Axes{0, 2, 1}};
    if (op.transpose_b) {
      plain.insert(plain.begin(), rows[0]);
      in_blocks.insert(in_blocks.begin(), rows[0]);
      turn.axes = last ? Axes{0, 2, 1, 3} : Axes{0, 1, 3, 2};
    } else {
      plain.push_back(rows[1]);
      in_blocks.push_back(rows[1]);
      turn.axes.push_back(3);
    }
    const ValueId turned = draft_.add(DType::Float32, in_blocks);
    made_.push_back({turn, {renamed(draft_, weight, plain)}, {turned}, task.origin, true});
    const ValueId from = renamed(draft_, at->second.id, draft_[x].lengths);
    made_.push_back({task.op, {from, renamed(draft_, turned, rows)}, task.outputs, task.origin});
    return true;
  }

  // Element by element, where some operand is blocked and each other can be.
  bool elementwise(const Task& task) {
    const ValueId y = task.outputs[0];
    const std::vector<int64_t> lengths = draft_[y].lengths;
    const Twin* model = nullptr;
    for (const ValueId id : task.inputs) {
      if (draft_[id].lengths == lengths && twin(id)) model = twin(id);
    }
    if (!model) return false;
    const Layout layout = model->layout;
    const size_t channel = ops::channel_axis(layout, lengths.size());
    const bool whole = lengths[channel] % channels_together() == 0;
    if (!whole && !keeps_noughts(task)) return false;
    for (const ValueId id : task.inputs) {
      const bool fits =
          draft_[id].lengths == lengths || draft_[id].size() == 1 || (whole && is_per_channel(id, lengths, channel));
      if (!fits) return false;
    }
    Ids inputs;
    for (const ValueId id : task.inputs) {
      if (draft_[id].lengths == lengths) {
        inputs.push_back(blocked(id, layout));
      } else if (draft_[id].size() == 1) {
        inputs.push_back(id);
      } else {
        std::vector<int64_t> spread(lengths.size(), 1);
        spread[0] = lengths[channel] / channels_together();
        spread.back() = channels_together();
        inputs.push_back(renamed(draft_, id, std::move(spread)));
      }
    }
    made_.push_back({task.op, inputs, {stands_for(y, layout)}, task.origin});
    give_back(y);
    return true;
  }

  bool is_per_channel(ValueId id, const std::vector<int64_t>& lengths, size_t channel) const {
    const std::vector<int64_t>& own = draft_[id].lengths;
    const size_t behind = lengths.size() - channel;
    return draft_[id].dtype == DType::Float32 && own.size() >= behind && draft_[id].size() == lengths[channel] &&
           own[own.size() - behind] == lengths[channel];
  }

  // Whether noughts behind the last channel stay noughts.
  bool keeps_noughts(const Task& task) const {
    const bool same = std::all_of(task.inputs.begin(), task.inputs.end(),
                                  [&](ValueId id) { return draft_[id].lengths == draft_[task.outputs[0]].lengths; });
    const std::optional<Bounds> bounds = bounds_of(task.op);
    if (bounds) return bounds->low <= 0 && bounds->high >= 0;
    return same && (task.op.is<ops::Add>() || task.op.is<ops::Sub>() || task.op.is<ops::Mul>() ||
                    task.op.is<ops::Neg>() || task.op.is<ops::Abs>() || task.op.is<ops::LeakyRelu>());
  }

  using Ids = std::vector<ValueId>;
  Draft& draft_;
  std::vector<Task> made_;
  std::unordered_map<ValueId, Twin> twins_;
};

}  // namespace

void choose_layouts(Draft& draft) {
  const bool any = std::any_of(draft.tasks.begin(), draft.tasks.end(), [](const Task& task) {
    return task.op.is<ops::Conv>() || task.op.is<ops::ConvInputGradient>() || task.op.is<ops::ConvWeightGradient>() ||
           task.op.is<ops::MaxPool>() || task.op.is<ops::MaxPoolGradient>() || task.op.is<ops::AveragePool>() ||
           task.op.is<ops::AveragePoolGradient>();
  });
  if (any) LayoutChooser(draft).run();
}

}  // namespace causeway::engine::cpu
